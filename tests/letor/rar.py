"""Write RAR archives (version 5) whose files are stored as they are.

Only what tests need: https://www.rarlab.com/technote.htm describes the format.
"""

import struct
import zlib

_MAIN, _FILE, _END = 1, 2, 5
_HAS_EXTRA, _HAS_DATA = 1, 2
_CHECKSUM_GIVEN = 4
_UNIX = 1


def rar_of(files: dict[str, str], links: dict[str, str] | None = None) -> bytes:
    """An archive with files, by path and text, and symbolic links, by path and target."""
    blocks = [_block(_MAIN, _number(0))]
    for name, text in files.items():
        data = text.encode()
        attributes = _number(0o100644) + struct.pack("<I", zlib.crc32(data))
        fields = _number(_CHECKSUM_GIVEN) + _number(len(data)) + attributes
        blocks.append(_block(_FILE, fields + _stored_as(name), data))
    for name, target in (links or {}).items():
        path = target.encode()
        record = _number(5) + _number(1) + _number(0) + _number(len(path)) + path
        fields = _number(0) + _number(0) + _number(0o120777) + _stored_as(name)
        blocks.append(_block(_FILE, fields, extra=_number(len(record)) + record))
    return b"Rar!\x1a\x07\x01\x00" + b"".join(blocks) + _block(_END, _number(0))


def _stored_as(name: str) -> bytes:
    path = name.encode()
    not_compressed = _number(0)
    return not_compressed + _number(_UNIX) + _number(len(path)) + path


def _block(kind: int, fields: bytes, data: bytes = b"", extra: bytes = b"") -> bytes:
    flags = (_HAS_EXTRA if extra else 0) | (_HAS_DATA if kind == _FILE else 0)
    sizes = (_number(len(extra)) if extra else b"") + (_number(len(data)) if kind == _FILE else b"")
    header = _number(kind) + _number(flags) + sizes + fields + extra
    header = _number(len(header)) + header
    return struct.pack("<I", zlib.crc32(header)) + header + data


def _number(value: int) -> bytes:
    """A number as RAR writes it: seven bits a byte, the low ones first."""
    octets = bytearray()
    while value > 0x7F:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*octets, value])
