"""Every table of a reproduction by its name, and its files."""

from collections.abc import Callable
from pathlib import Path

from arsm_l2r.analysis.benchmarks import read_benchmarks
from arsm_l2r.analysis.stored import Analysis, read_analysis, there
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import FORMATS
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.reading import read_description
from arsm_l2r.files import written_whole
from arsm_l2r.report.comparison_table import comparison_table
from arsm_l2r.report.cost_table import cost_table
from arsm_l2r.report.html import html
from arsm_l2r.report.latex import latex
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.published_table import published_table
from arsm_l2r.report.table import Table, csv
from arsm_l2r.report.tables import datasets_table, performance_table

_MAKE = {"tex": latex, "html": html, "csv": csv, "md": markdown}


def table_named(name: str, plan: Plan) -> Table:
    """Make one of the plan's tables from its analyses and descriptions.

    Raises:
        UserError: if there is no such table.
    """
    layout = plan.layout
    if name == "datasets":
        return datasets_table(
            [read_description(layout.description(each)) for each in plan.datasets]
        )
    if name == "cost":
        analyses = there([layout.analysis(each) for each in plan.datasets])
        jobs = {
            each.dataset: read_benchmarks(plan.benchmarks, each.dataset, plan.methods, plan.seeds)
            for each in analyses
        }
        return cost_table(analyses, jobs)
    makers: dict[str, Callable[[Analysis], Table]] = {
        "": performance_table,
        "_comparison": comparison_table,
        "_comparison_paper": lambda analysis: comparison_table(analysis, "paper"),
        "_published": lambda analysis: published_table(analysis, plan.published(analysis.dataset)),
    }
    known = {f"{each}{kind}": (each, kind) for each in plan.datasets for kind in makers}
    if name not in plan.tables or name not in known:
        raise UserError(f"no table {name!r}; there are {', '.join(plan.tables)}")
    dataset, kind = known[name]
    return makers[kind](read_analysis(layout.analysis(dataset)))


def table_texts(table: Table) -> dict[str, str]:
    """What the files of a table hold, by their endings."""
    return {ending: _MAKE[ending](table) for ending in FORMATS}


def write_table(table: Table, folder: Path) -> None:
    """Write a table in every format."""
    for ending, text in table_texts(table).items():
        with written_whole(folder / f"{table.name}.{ending}") as temporary:
            temporary.write_text(text, encoding="utf-8")
