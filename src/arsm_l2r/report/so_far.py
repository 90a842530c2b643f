"""Analyses, tables, figures and claims of a reproduction that is under way: of what there is."""

from arsm_l2r.analysis.benchmarks import read_benchmarks
from arsm_l2r.analysis.claims import judged
from arsm_l2r.analysis.dataset import analysed
from arsm_l2r.analysis.stored import write_analysis
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.studies import TABLED
from arsm_l2r.report.claim_files import write_claim
from arsm_l2r.report.figure_files import write_figures
from arsm_l2r.report.table_files import table_named, write_table


def make_so_far(plan: Plan) -> None:
    """Make everything that the page shows from the folds that have been measured.

    Once more of them have been, Snakemake makes it again.
    """
    layout = plan.layout
    measured = [
        name
        for name in plan.datasets
        if any(layout.fold(name, number).exists() for number in plan.folds(name))
    ]
    for name in measured:
        analysis = analysed(plan, name)
        write_analysis(layout.analysis(name), analysis)
        jobs = read_benchmarks(plan.benchmarks, name, plan.methods, plan.seeds)
        write_figures(analysis, jobs, layout)
    for table, sources in plan.tables.items():
        if all(path.exists() for path in sources):
            write_table(table_named(table, plan), layout.table(table, "html").parent)
    titles = {name: plan.catalogue[name].title for name in plan.datasets}
    for claim in TABLED if measured else ():
        write_claim(judged(claim, plan), titles, layout)
