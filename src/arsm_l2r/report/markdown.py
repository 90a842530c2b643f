"""Tables in Markdown, for pages that are read where they are stored."""

import re
from collections.abc import Sequence

from arsm_l2r.report.table import Cell, Table
from arsm_l2r.report.text import one_line

_ESCAPES = {
    **{sign: f"\\{sign}" for sign in "\\|*`[]$"},
    "<": "&lt;",
    "&": "&amp;",
}
# Inside of a word an underscore is one; a colon before slashes, or a dot after www, is a link.
_SPECIAL = re.compile(
    r"[\\|*`\[\]$<]|&(?=#|\w)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=//)|(?<=www)\.", re.IGNORECASE
)
_AT_THE_START = re.compile(r"(?:#|>|[-+=]|\d+(?=[.)]))")


def markdown(table: Table) -> str:
    """The table, its caption above and its notes below; a group's title is a row of its own."""
    lines = [
        f"**{escaped(table.caption)}**",
        "",
        _row([Cell(title) for title in table.columns]),
        f"| {' | '.join(['---', *('---:' for _ in table.columns[1:])])} |",
    ]
    for group in table.groups:
        if group.title is not None:
            blank = [Cell("")] * (len(table.columns) - 1)
            lines.append(_row([Cell(group.title, bold=True), *blank]))
        lines += [_row(row) for row in group.rows]
    for note in table.notes:
        lines += ["", paragraph(note)]
    return "\n".join([*lines, ""])


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, inside of a line."""
    text = _SPECIAL.sub(_escape, one_line(text))
    return text.replace("~", r"\~") if text.count("~") > 1 else text


def paragraph(text: str) -> str:
    """Text that Markdown shows as it is, and as nothing but a paragraph."""
    text = escaped(text)
    start = _AT_THE_START.match(text)
    if start is None:
        return text
    before, sign = (start[0], "") if start[0].isdigit() else ("", start[0])
    return f"{before}\\{sign}{text[start.end() :]}"


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return _ESCAPES.get(sign) or (rf"\{sign}" if sign == "_" else f"&#{ord(sign)};")


def _row(cells: Sequence[Cell]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    text = f"**{text}**" if cell.bold and text else text
    return f"<ins>{text}</ins>" if cell.underlined and text else text
