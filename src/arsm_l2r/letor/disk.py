"""Leave the disk as it was: folders that go again, and a look at the room there is."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arsm_l2r.errors import FetchError


@contextmanager
def folder_for(folder: Path) -> Iterator[None]:
    """Make a folder and its parents; those that were made go again if work in them fails.

    What something lies in by then stays.
    """
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for each in made:
                each.rmdir()
        raise


def need_room(folder: Path, size: int) -> None:
    """Raise FetchError unless so many bytes are free on the disk of a folder."""
    free = shutil.disk_usage(folder).free
    if size > free:
        raise FetchError(f"needs {size:,} bytes, and {folder.resolve()} has {free:,} free")
