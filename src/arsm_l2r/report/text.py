"""Text from data or configuration, without what breaks a document of whatever format."""

import re

REPLACEMENT = "\ufffd"
"""What stands for a character that cannot."""

_BREAKS = re.compile("\\s*[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]\\s*")

# What XML and HTML don't allow, other control characters, and what turns round the text after it.
_NO_CHARACTERS = "".join(
    chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
)
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    f"\u202a-\u202e\u2066-\u2069{_NO_CHARACTERS}]"
)


def printable(text: str) -> str:
    """Text in which control characters and halves of characters are replaced; lines stay."""
    return _FORBIDDEN.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    """Printable text on one line, for places where another would end what it stands in."""
    return printable(_BREAKS.sub(" ", text)).strip()
