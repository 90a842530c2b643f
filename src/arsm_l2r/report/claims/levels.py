"""The paper: more levels than there are true ones improve performance."""

from collections.abc import Mapping, Sequence

import polars as pl

from arsm_l2r.analysis.verdicts import Answer
from arsm_l2r.analysis.words import listed
from arsm_l2r.report.claims.claim import (
    MEASURES,
    Claim,
    differences,
    improvement,
    interval_of,
    means_by_name,
)
from arsm_l2r.report.figures.style import (
    BLUE,
    VERMILLION,
    Drawing,
    new_figure,
    ticks_at_1_2_5,
)

_SHOWN = {"ndcg@10": VERMILLION, "map": BLUE}


def judge(
    queries: pl.DataFrame,
    seconds: pl.DataFrame,
    names: Mapping[str, int],
    titles: Mapping[str, str],
    true_levels: int,
    *,
    papers: int = 20,
) -> Claim:
    """Judge the claim that C above the number of true levels improves performance.

    Args:
        queries: of every variant, as `claim.with_mean` gives them.
        seconds: as `studied.seconds_per_epoch` gives them.
        names: C by the variant's name.
        titles: of the data sets.
        true_levels: how many levels the labels have; what that many levels reach is compared with.
        papers: the C that the paper chose; without it, the largest is taken.
    """
    by_levels = {levels: name for name, levels in names.items()}
    answer = Answer.UNKNOWN
    because = [
        f"That takes C = {true_levels}, the number of true levels, and a larger one; trained "
        f"were {listed(map(str, sorted(by_levels)))}."
    ]
    if true_levels in by_levels and max(by_levels) > true_levels:
        base = by_levels[true_levels]
        chosen = by_levels.get(papers, by_levels[max(by_levels)])
        answer, because = _compared(queries, seconds, names, titles, base, chosen)
    return Claim(
        name="levels",
        title="More levels than true ones",
        says="Setting the number of possible levels C higher than the number of true levels "
        f"improves the performance, hence C = {papers}.",
        answer=answer,
        because=because,
        drawing=_draw(queries, seconds, names, titles),
        data=means_by_name(queries).with_columns(levels=pl.col("name").replace_strict(dict(names))),
    )


def _compared(
    queries: pl.DataFrame,
    seconds: pl.DataFrame,
    names: Mapping[str, int],
    titles: Mapping[str, str],
    base: str,
    chosen: str,
) -> tuple[Answer, list[str]]:
    others = [name for name in names if names[name] > names[base]]
    found = differences(queries, base, others, ["mean"])
    decisive = [each for each in found if each.name == chosen]
    means = {(r["dataset"], r["name"]): r for r in means_by_name(queries).iter_rows(named=True)}
    sentences = []
    for each in decisive:
        best = max(names, key=lambda name: means[each.dataset, name]["mean"])
        sentences.append(
            f"On {titles[each.dataset]} the mean of the five measures is "
            f"{means[each.dataset, base]['mean']:.4f} with C = {names[base]} and "
            f"{means[each.dataset, chosen]['mean']:.4f} with C = {names[chosen]}: {each}; it is "
            f"highest with C = {names[best]} ({means[each.dataset, best]['mean']:.4f})."
        )
    first, title = next(iter(titles.items()))
    costs = [
        f"{row['seconds']:.2f} s with C = {names[row['name']]}"
        for row in seconds.filter(dataset=first).iter_rows(named=True)
        if row["name"] in (base, chosen) or names[row["name"]] == max(names.values())
    ]
    sentences.append(f"An epoch on {title} takes {listed(costs)}.")
    return improvement(decisive), sentences


def _draw(
    queries: pl.DataFrame,
    seconds: pl.DataFrame,
    names: Mapping[str, int],
    titles: Mapping[str, str],
) -> Drawing:
    heading = "Test measures and time against the number of levels C"
    figure = new_figure(heading, width=3.6 * (len(titles) + 1), height=3.4)
    panels = figure.subplots(1, len(titles) + 1)
    ordered: Sequence[str] = sorted(names, key=lambda name: names[name])
    levels = [names[name] for name in ordered]
    for axes, (dataset, title) in zip(panels, titles.items(), strict=False):
        for measure, colour in _SHOWN.items():
            points = [interval_of(queries, dataset, name, measure) for name in ordered]
            middle, low, high = zip(*points, strict=True)
            axes.plot(levels, middle, marker="o", color=colour, label=MEASURES[measure])
            axes.fill_between(levels, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.set(title=title, xlabel="C", ylabel="test measure")
    for dataset, title in titles.items():
        own = {r["name"]: r["seconds"] for r in seconds.filter(dataset=dataset).to_dicts()}
        panels[-1].plot(levels, [own[name] for name in ordered], marker="s", label=title)
    panels[-1].set(title="time", xlabel="C", ylabel="seconds per epoch", yscale="log")
    for axes in panels:
        axes.set_xscale("log")
        axes.set_xticks(levels, [str(value) for value in levels])
        axes.minorticks_off()
        axes.legend()
    ticks_at_1_2_5(panels[-1].yaxis)
    words = f"Curves over C = {', '.join(map(str, levels))} for {listed(titles.values())}."
    caption = (
        "Left: mean over the test queries of all folds, with its 95 % bootstrap interval over "
        "queries. Right: time of an epoch of training."
    )
    return Drawing("levels", heading, caption, words, figure)
