"""Test NDCG at every cut-off from 1 to 10."""

import polars as pl

from arsm_l2r.analysis.names import OURS, in_order, method_title
from arsm_l2r.metrics import CONVENTIONS
from arsm_l2r.report.figures.style import Drawing, method_style, new_figure, nothing_to_show

_CUTOFFS = range(1, 11)

CONVENTION_TITLES = {"letor": "as LETOR's tools compute it", "paper": "by the paper's equation"}


def draw(title: str, runs: pl.DataFrame, queries: pl.DataFrame) -> Drawing:
    """Draw a line per method, a panel per convention.

    Args:
        title: of the data set.
        runs: its `runs_table`, for methods that have no values per query.
        queries: its `per_query_table`.
    """
    means = _means(runs, queries)
    heading = f"{title}: test NDCG by cut-off"
    caption = (
        "NDCG on the test queries, truncated at each cut-off, in both conventions: mean over "
        "queries, then seeds, then folds."
    )
    figure = new_figure(heading, width=10, height=4.4)
    conventions = [name for name in CONVENTIONS if name in means["convention"].unique()]
    if not conventions:
        nothing_to_show(figure, "No test NDCG has been measured.")
        return Drawing("cutoffs", heading, caption, "Empty: nothing has been measured.", figure)
    methods = in_order(means["method"].unique())
    panels = figure.subplots(1, len(conventions), sharey=True, squeeze=False)[0]
    for axes, convention in zip(panels, conventions, strict=True):
        for method in methods:
            line = means.filter(convention=convention, method=method).sort("cutoff")
            axes.plot(
                line["cutoff"],
                line["value"],
                label=method_title(method),
                linewidth=2.2 if method == OURS else 1.3,
                zorder=3 if method == OURS else 2,
                **method_style(method, methods),
            )
        axes.set_title(f"NDCG {CONVENTION_TITLES.get(convention, convention)}")
        axes.set_xlabel("cut-off k (documents)")
        axes.set_xticks(list(_CUTOFFS))
    panels[0].set_ylabel("test NDCG@k (0 to 1)")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 6))
    deepest = means.filter(pl.col("convention") == conventions[0], pl.col("cutoff") == _CUTOFFS[-1])
    ends = [f"{method_title(m)} {v:.4f}" for m, v in deepest.select("method", "value").iter_rows()]
    words = f"Line chart, one line per method. At cut-off {_CUTOFFS[-1]}: {', '.join(ends)}."
    return Drawing("cutoffs", heading, caption, words, figure)


def _means(runs: pl.DataFrame, queries: pl.DataFrame) -> pl.DataFrame:
    """Mean by `method`, `convention` and `cutoff`; from summaries where queries are not known."""
    keys = ["method", "convention", "measure"]
    columns = [f"ndcg@{cutoff}" for cutoff in _CUTOFFS if f"ndcg@{cutoff}" in queries.columns]
    by_run = [*keys, "fold", "seed"]
    tables = [
        runs.filter(pl.col("split") == "test", pl.col("measure").str.starts_with("ndcg@")).select(
            *by_run, "value"
        )
    ]
    if columns:
        known = (
            queries.filter(split="test")
            .unpivot(
                columns, index=["method", "convention", "fold", "seed"], variable_name="measure"
            )
            .group_by(by_run, maintain_order=True)
            .agg(pl.col("value").mean())
        )
        tables = [known, tables[0].join(known, on=by_run, how="anti")]
    return (
        pl.concat(tables)
        .group_by(*keys, "fold", maintain_order=True)
        .agg(pl.col("value").mean())
        .group_by(keys, maintain_order=True)
        .agg(pl.col("value").mean())
        .with_columns(cutoff=pl.col("measure").str.strip_prefix("ndcg@").cast(pl.Int64))
    )
