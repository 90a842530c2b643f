"""Arrays and a note in one file, sealed by a hash of every byte: damage is told, never read.

The file is what `numpy.savez` writes, an uncompressed zip archive; the hash stands in the archive's
comment. Nothing but arrays and JSON is read from it: a file from a stranger cannot run code.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.errors import UserError
from arsm_l2r.files import written_whole

_NOTE = "note"
_NAME = b"sha256:"
_LENGTH = len(_NAME) + 64


class DamagedError(UserError):
    """A file that is not what was sealed; the message is the reason, without the file's name."""


def write_sealed(path: Path, note: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write a note and arrays, whole or not at all.

    Args:
        path: the file, replaced if it is there.
        note: anything that JSON can hold.
        arrays: numbers by name; none may be called `note`.
    """
    text = np.array(json.dumps(note))
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **{_NOTE: text}, **arrays)
    with written_whole(path) as temporary:
        temporary.write_bytes(sealed(buffer.getvalue()))


def sealed(archive: bytes) -> bytes:
    """A zip archive without a comment with the hash of all before it as its comment."""
    # An archive ends in the length of its comment and the comment.
    content = archive[:-2] + _LENGTH.to_bytes(2, "little")
    return content + _seal(content)


def read_sealed(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the note and arrays that `write_sealed` wrote.

    Raises:
        FileNotFoundError: if there is no such file.
        DamagedError: if it is not as it was written, or holds numbers that are not finite.
    """
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedError(f"cannot be read: {error.strerror}") from error
    content, seal = whole[:-_LENGTH], whole[-_LENGTH:]
    if not seal.startswith(_NAME):
        raise DamagedError("no hash at its end: cut off, of another kind, or of an older version")
    if seal != _seal(content):
        raise DamagedError("changed since it was written: its hash is another")
    try:
        with zipfile.ZipFile(BytesIO(whole)) as archive:
            if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
                raise DamagedError("compressed, which such files never are")
        with np.load(BytesIO(whole), allow_pickle=False) as stored:
            note = json.loads(str(stored[_NOTE]))
            arrays = {name: stored[name] for name in stored.files if name != _NOTE}
    except Exception as error:  # NumPy lets through whatever a made-up header can cause
        raise DamagedError(str(error)) from error
    if not isinstance(note, dict):
        raise DamagedError(f"its note is no mapping: {str(note)[:60]}")
    for name, array in arrays.items():
        # What is no array is given as bytes.
        if (
            not isinstance(array, np.ndarray)
            or array.dtype.kind not in "fiu"
            or not np.isfinite(array).all()
        ):
            raise DamagedError(f"{name} holds something else than finite numbers")
    return note, arrays


def _seal(content: bytes) -> bytes:
    return _NAME + hashlib.sha256(content).hexdigest().encode()
