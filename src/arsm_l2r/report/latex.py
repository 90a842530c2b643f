"""Tables in LaTeX, with `booktabs` and nothing else."""

from collections.abc import Sequence

from arsm_l2r.report.table import Cell, Table
from arsm_l2r.report.text import REPLACEMENT, one_line

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"$\sim$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    '"': "''",
    REPLACEMENT: "?",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "†": r"$^\dagger$",
    "●": r"$\bullet$",
    "○": r"$\circ$",
}

_PLACED = (
    r"  % One that is too wide is shrunk to the column, as in the paper, where graphicx is loaded.",
    r"  \ifdim\wd0>\columnwidth\ifdefined\resizebox",
    r"    \resizebox{\columnwidth}{!}{\usebox0}%",
    r"  \else\usebox0\fi\else\usebox0\fi",
)

_MANY = 45
"""Rows from which on a table is printed smaller, to fit its page."""

_TRANSLATION = str.maketrans(_ESCAPES)


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is; `~` becomes the ∼ of "about" that the paper uses."""
    return one_line(text).translate(_TRANSLATION)


def latex(table: Table) -> str:
    r"""The table as a float to `\input` in a document that uses `booktabs`."""
    rows = sum(len(group.rows) + (group.title is not None) for group in table.groups)
    size = "small" if rows < _MANY else "footnotesize"
    lines = [
        r"\begin{table}[t]",
        rf"  \caption{{{escaped(table.caption)}}}",
        rf"  \label{{{table.label}}}",
        r"  \vspace{0.03in}",
        rf"  \centering\{size}\setlength{{\tabcolsep}}{{3pt}}",
        r"  \sbox0{%",
        rf"  \begin{{tabular}}{{{table.alignment}}}",
        r"    \toprule",
        f"    {_row([Cell(title) for title in table.columns])}",
    ]
    for group in table.groups:
        lines.append(r"    \midrule")
        if group.title is not None:
            width = len(table.columns)
            lines.append(rf"    \multicolumn{{{width}}}{{l}}{{{escaped(group.title)}}} \\")
        lines.extend(f"    {_row(row)}" for row in group.rows)
    lines += [r"    \bottomrule", r"  \end{tabular}}%", *_PLACED]
    if table.notes:
        lines += ["", r"  \smallskip\raggedright\footnotesize"]
        lines += [rf"  {escaped(note)}\par" for note in table.notes]
    return "\n".join([*lines, r"\end{table}", ""])


def document(names: Sequence[str]) -> str:
    """A document of its own that includes tables by the names of their files."""
    return "\n".join(
        [
            r"\documentclass[a4paper]{article}",
            r"\usepackage[margin=1.5cm]{geometry}",
            r"\usepackage{booktabs}",
            r"\usepackage{graphicx}",
            r"\begin{document}",
            *(rf"\input{{{name}.tex}}" for name in names),
            r"\end{document}",
            "",
        ]
    )


def _row(cells: Sequence[Cell]) -> str:
    text = " & ".join(_cell(cell) for cell in cells)
    # At the start of a row, these would belong to the \\ that ends the row before.
    guard = "{}" if text.startswith(("[", "*")) else ""
    return rf"{guard}{text} \\"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    text = rf"\textbf{{{text}}}" if cell.bold else text
    return rf"\underline{{{text}}}" if cell.underlined else text
