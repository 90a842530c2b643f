"""Write files whole or not at all."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it becomes `target` only if no error occurs."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(target: Path, content: Any) -> None:
    """Write JSON the one way this project does: indented, keys in given order, no NaN."""
    with written_whole(target) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")
