"""Tables in Markdown, for pages that are read where they are stored."""

from collections.abc import Sequence

from arsm_l2r.report.table import Cell, Table

_ESCAPES = str.maketrans({"|": r"\|", "*": r"\*", "<": "&lt;"})


def markdown(table: Table) -> str:
    """The table, its caption above and its notes below; a group's title is a row of its own."""
    lines = [
        f"**{escaped(table.caption)}**",
        "",
        _row([Cell(title) for title in table.columns]),
        _row([Cell("---"), *(Cell("---:") for _ in table.columns[1:])]),
    ]
    for group in table.groups:
        if group.title is not None:
            blank = [Cell("")] * (len(table.columns) - 1)
            lines.append(_row([Cell(group.title, bold=True), *blank]))
        lines += [_row(row) for row in group.rows]
    for note in table.notes:
        lines += ["", escaped(note)]
    return "\n".join([*lines, ""])


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return text.translate(_ESCAPES)


def _row(cells: Sequence[Cell]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text.strip())
    return f"**{text}**" if cell.bold and text else text
