"""Test NDCG at every cut-off from 1 to 10."""

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.methods import OURS, in_order, method_title
from arsm_l2r.report.figures.style import (
    Drawing,
    legend_below,
    method_style,
    new_figure,
    nothing_to_show,
)

_CONVENTIONS = {"letor": "as LETOR's tools compute it", "paper": "by the paper's equation"}


def draw(analysis: Analysis) -> Drawing:
    """Draw a line per method, a panel per convention."""
    found = analysis.cutoffs
    heading = f"{analysis.title}: test NDCG by cut-off"
    caption = (
        "NDCG on the test queries, truncated at each cut-off, in both conventions: mean over "
        "queries, then seeds, then folds."
    )
    figure = new_figure(heading, width=10, height=4.4)
    if not found:
        nothing_to_show(figure, "No test NDCG has been measured.")
        return Drawing("cutoffs", heading, caption, "Empty: nothing has been measured.", figure)
    methods = in_order({method for lines in found.values() for method in lines})
    deepest = max(at for lines in found.values() for line in lines.values() for at in line)
    panels = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
    for axes, (convention, lines) in zip(panels, found.items(), strict=True):
        for method in methods:
            line = lines.get(method, {})
            axes.plot(
                list(line),
                list(line.values()),
                label=method_title(method),
                linewidth=2.2 if method == OURS else 1.3,
                zorder=3 if method == OURS else 2,
                **method_style(method, methods),
            )
        axes.set_title(f"NDCG {_CONVENTIONS.get(convention, convention)}")
        axes.set_xlabel("cut-off k (documents)")
        axes.set_xticks(range(1, deepest + 1))
    panels[0].set_ylabel("test NDCG@k (0 to 1)")
    legend_below(figure, *panels[0].get_legend_handles_labels())
    first = next(iter(found.values()))
    ends = [f"{method_title(m)} {at[deepest]:.4f}" for m, at in first.items() if deepest in at]
    words = f"Line chart, one line per method. At cut-off {deepest}: {', '.join(ends)}."
    return Drawing("cutoffs", heading, caption, words, figure)
