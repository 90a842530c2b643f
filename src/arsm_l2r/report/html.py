"""Tables in HTML, by great-tables."""

import re
from html import escape

import polars as pl
from great_tables import GT, loc, style
from great_tables import html as markup

from arsm_l2r.report.table import Table
from arsm_l2r.report.text import one_line

# The cell's text says the same.
_TONES = {"outside": "#fbe0c3"}
_INK = "#1a1a1a"
_RULE = "#8c8c8c"

_PARTS = (
    "table",
    "heading",
    "title",
    "col_heading",
    "group_heading",
    "stub",
    "sourcenotes",
    "sourcenote",
)


def html(table: Table) -> str:
    """The table as an element to stand in any page: its colours are the page's own.

    It is written in ASCII, so that it reads right in whatever encoding the page has.
    """
    names = [f"column {number}" for number in range(len(table.columns))]
    rows = [
        [*(one_line(cell.text) for cell in row), one_line(group.title or "")]
        for group in table.groups
        for row in group.rows
    ]
    frame = pl.DataFrame(rows, schema=[*names, "group"], orient="row")
    titled = any(group.title is not None for group in table.groups if group.rows)
    shown = frame if titled else frame.drop("group")
    built = (
        GT(shown, names[0], "group" if titled else None, id=f"table-{table.name}")
        .tab_header(markup(_escaped(table.caption)))
        .tab_stubhead(markup(_escaped(table.columns[0])))
        .cols_label(
            {
                name: markup(_escaped(title))
                for name, title in zip(names, table.columns, strict=True)
            }
        )
        .cols_align("right", columns=names[1:])
        .tab_options(data_row_padding="4px", row_group_font_weight="bold")
        .opt_css(_css(f"table-{table.name}"))
    )
    built = _styled(built, table, names)
    for note in table.notes:
        built = built.tab_source_note(markup(_escaped(note)))
    # Headings say by their scope which cells are theirs; saying so in every cell doubles the size.
    text = re.sub(r' headers="[^"]*"', "", built.as_raw_html())
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _escaped(text: str) -> str:
    """Text that HTML shows as it is; great-tables escapes cells and groups by itself."""
    return escape(one_line(text))


def _styled(built: GT, table: Table, names: list[str]) -> GT:
    line = 0
    for group in table.groups:
        if line and group.title is None:
            rule = style.borders(sides="top", color=_RULE, weight="2px")
            built = built.tab_style(rule, [loc.body(rows=[line]), loc.stub(rows=[line])])
        for row in group.rows:
            for name, cell in zip(names, row, strict=True):
                place = loc.stub(rows=[line]) if name == names[0] else loc.body(name, [line])
                if cell.bold:
                    built = built.tab_style(style.text(weight="bold"), place)
                if cell.underlined:
                    built = built.tab_style(style.text(decorate="underline"), place)
                if cell.tone is not None:
                    tint = [style.fill(_TONES[cell.tone]), style.text(color=_INK)]
                    built = built.tab_style(tint, place)
            line += 1
    return built


def _css(identity: str) -> str:
    parts = ", ".join(f"#{identity} .gt_{part}" for part in _PARTS)
    return f"{parts} {{ background-color: transparent; color: inherit; }}"
