"""Tables in LaTeX: escaping, bold, rules, and whether LaTeX takes them."""

import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

from arsm_l2r.report.comparison_table import comparison_table
from arsm_l2r.report.latex import document, escaped, latex
from arsm_l2r.report.table import Cell, Group, Table
from arsm_l2r.report.table_files import write_table
from arsm_l2r.report.tables import datasets_table, performance_table

from ..made_up import analysed, description, folds, write_measures

NASTY = r"50% of_a & b #1 {$x^2$} ~5 \input <a>|–−±×†●○"


def table(*texts: str) -> Table:
    return Table(
        name="nasty",
        label="tab:nasty",
        caption=texts[0],
        columns=list(texts),
        alignment="l" * len(texts),
        groups=[Group([[Cell(text, bold=True) for text in texts]], title=texts[0])],
        notes=list(texts),
        data=pl.DataFrame(),
    )


def pdflatex(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name],
        cwd=path.parent,
        capture_output=True,
        text=True,
    )


def test_special_characters_are_escaped() -> None:
    assert escaped("AdaRank_1 & 50% #2") == r"AdaRank\_1 \& 50\% \#2"
    assert escaped(r"\input{x}") == r"\textbackslash{}input\{x\}"
    assert escaped("~350,000 – −0.1") == r"$\sim$350,000 -- $-$0.1"


def test_bold_rules_and_group_titles_are_there() -> None:
    lines = [line.strip() for line in latex(table("a", "b")).splitlines()]
    body = lines[lines.index(r"\toprule") : lines.index(r"\bottomrule") + 1]
    assert body == [
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"\multicolumn{2}{l}{a} \\",
        r"\textbf{a} & \textbf{b} \\",
        r"\bottomrule",
    ]


@pytest.mark.parametrize("first", ["[500]", "*"])
def test_a_row_does_not_begin_with_what_belongs_to_the_end_of_the_one_before(first: str) -> None:
    assert f"{{}}{first} & b " in latex(table(first, "b"))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_takes_all_tables_that_are_published(tmp_path: Path) -> None:
    published = Path(__file__).parents[2] / "docs" / "reproduction"
    shutil.copytree(published / "tables", tmp_path / "tables")
    # The document is published with them.
    done = pdflatex(tmp_path / "tables" / "tables.tex")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Float too large" not in done.stdout
    assert "Overfull" not in done.stdout
    searches = sorted(published.glob("search/*.tex"))
    for path in searches:
        shutil.copy(path, tmp_path)
    (tmp_path / "searches.tex").write_text(document([path.stem for path in searches]))
    done = pdflatex(tmp_path / "searches.tex")
    assert done.returncode == 0, done.stdout[-2000:]


def test_document_includes_every_table_and_can_shrink_wide_ones() -> None:
    text = document(["datasets", "mq2007_comparison"])
    assert r"\input{datasets.tex}" in text
    assert r"\input{mq2007_comparison.tex}" in text
    assert r"\usepackage{booktabs}" in text
    assert r"\usepackage{graphicx}" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_takes_all_of_it(tmp_path: Path) -> None:
    values = {"ranksvm": 0.4, "own_method & co": 0.45, "arsm-l2r": float("nan")}
    for number in range(1, 6):
        write_measures(tmp_path, number, "ranksvm", [0.3, 0.5])
    analysis = analysed(folds(values), tmp_path, rounds=100)
    tables = [
        table(NASTY, NASTY),
        datasets_table([description(title=NASTY)]),
        performance_table(analysis),
        *(comparison_table(analysis, convention) for convention in ("letor", "paper")),
    ]
    for each in tables:
        write_table(each, tmp_path)
    (tmp_path / "tables.tex").write_text(document([each.name for each in tables]))
    done = pdflatex(tmp_path / "tables.tex")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").exists()
    assert "Missing character" not in (tmp_path / "tables.log").read_text(errors="replace")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_a_wide_table_fits_the_papers_column_where_graphicx_is_loaded(tmp_path: Path) -> None:
    values = {"adarank-ndcg": 0.4, "lambdamart": 0.5, "arsm-l2r": 0.45}
    write_table(performance_table(analysed(folds(values))), tmp_path)
    (tmp_path / "paper.tex").write_text(
        r"\documentclass[twocolumn]{article}\usepackage{graphicx,booktabs}"
        r"\setlength{\textwidth}{178mm}\setlength{\columnsep}{6mm}"
        r"\begin{document}\input{mq2007.tex}\end{document}"
    )
    done = pdflatex(tmp_path / "paper.tex")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
