"""The answer in short: a sentence, a figure and ten lines, from everything that is published."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from arsm_l2r.analysis.claims.claim import Answer, headline
from arsm_l2r.analysis.claims.tabled import Tables, together
from arsm_l2r.analysis.paired import Difference, for_these
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.words import listed, printed, signed
from arsm_l2r.experiments.methods import OURS, RIVALS, TUNED, method_title
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.metrics import PAPER_MEASURES, measure_title
from arsm_l2r.report.claim_files import load_claims
from arsm_l2r.report.figures import standing
from arsm_l2r.report.figures.style import figure_style, save
from arsm_l2r.report.markdown import escaped
from arsm_l2r.report.standing import Standing, standings
from arsm_l2r.report.svg import dark_where_pages_are

MEASURE = "ndcg@10"
"""What the sentence and the figure are about: the depth that most methods are selected by."""

_OPENING = {
    Answer.HOLDS: "The paper holds",
    Answer.IN_PART: "The paper holds in part",
    Answer.FAILS: "The paper does not hold",
}


def answers(plan: Plan) -> dict[str, str]:
    """The verdicts on the paper's claims that could be judged."""
    return {
        claim["name"]: claim["answer"]
        for claim in load_claims(plan.claims_shown())
        if CLAIMS[claim["name"]].papers and claim["answer"] != Answer.ELSEWHERE
    }


def verdict(found: Sequence[Standing], judged: Mapping[str, str]) -> str:
    """The answer in one sentence, with the headline numbers.

    Args:
        found: where methods stand on each data set.
        judged: verdicts on the paper's claims.
    """
    overall = together([Answer(answer) for answer in judged.values()])
    opening = _OPENING.get(overall, "Whether the paper holds cannot be told yet")
    ours = [each for each in found if each.value(OURS, MEASURE) is not None]
    if not ours:
        return f"{opening}."
    reached = [apart >= -load_paper().tolerance - 1e-9 for each in ours for apart in _apart(each)]
    figures = listed(
        f"{each.value(OURS, MEASURE):.4f} on {each.title}"
        + (f" (printed: {each.printed(OURS, MEASURE):.4f})" if each.printed(OURS, MEASURE) else "")
        for each in ours
    )
    return (
        f"{opening}: of {len(reached)} figures that it prints of {method_title(OURS)} "
        f"{sum(reached)} are reached or missed by no more than {load_paper().tolerance:.3f}, with "
        f"a test {measure_title(MEASURE)} of {figures}{_leaders(ours)}."
    )


def _apart(each: Standing) -> list[float]:
    """Our figures of the paper's method minus the printed ones."""
    pairs = [(each.value(OURS, m), each.printed(OURS, m)) for m in PAPER_MEASURES]
    return [own - paper for own, paper in pairs if own is not None and paper is not None]


def _leaders(found: Sequence[Standing]) -> str:
    """Who ranks better than the paper's method, as the rest of a sentence."""
    ahead: dict[str, list[str]] = {}
    for each in found:
        best = each.best(MEASURE)
        if best is not None and best != OURS:
            ahead.setdefault(best, []).append(f"{each.value(best, MEASURE):.4f} on {each.title}")
    if not ahead:
        return ", the highest of all methods here"
    papers = load_paper().methods
    highest = listed(
        f"{method_title(name)}{'' if name in papers else ', which is not in the paper'}, with "
        f"{listed(values)}"
        for name, values in ahead.items()
    )
    return f"; but it is not ahead: highest is {highest}"


def summary(found: Sequence[Standing], judged: Mapping[str, str]) -> list[tuple[str, str]]:
    """What came out, in some ten lines for those who read no more.

    Args:
        found: where methods stand on each data set.
        judged: verdicts on the paper's claims.

    Returns:
        What each line is about, and what it says.
    """
    lines = [("The claims", headline(list(judged.values())))]
    for each in found:
        lines += [
            (f"The paper's figures on {each.title}", _agreement(each)),
            (f"{method_title(OURS)} against the paper's baselines on {each.title}", _against(each)),
            (f"By the mean of the five measures on {each.title}", _ranked(each)),
        ]
    lines += [(f"{method_title(TUNED)}, on {each.title}", _tuned(each)) for each in found]
    lines.append(("How sure", _certainty(found)))
    lines += [(f"Median time of a training on {each.title}", _time(each)) for each in found[:1]]
    return [(about, text) for about, text in lines if text]


def _agreement(each: Standing) -> str:
    """How far our figures of the paper's method are from the printed ones."""
    apart = _apart(each)
    if not apart:
        return ""
    near = sum(abs(value) <= load_paper().tolerance + 1e-9 for value in apart)
    return (
        f"{near} of {len(apart)} agree within {load_paper().tolerance:.3f}; ours minus the paper's "
        f"is {signed(min(apart))} to {signed(max(apart))}."
    )


def _against(each: Standing) -> str:
    """The paper's method against every other that was tested against it."""
    if OURS not in each.methods:
        return ""
    tables = Tables(each.analysis)
    own = tables.ahead(tables.baselines, PAPER_MEASURES)
    others = [
        row.ahead
        for row in tables.analysis.compared["letor"]
        if row.method in RIVALS and row.ahead is not None
    ]
    if not own:
        return ""
    text = (
        f"of {len(own)} comparisons over queries it is significantly better in "
        f"{sum(d.better for d in own)} and significantly worse in "
        f"{sum(d.worse for d in own)}{_named(own)}."
    )
    worse = _named(others)
    return f"{text} Ahead of it significantly, and not in the paper{worse}." if worse else text


def _named(found: Sequence[Difference]) -> str:
    """Which methods are significantly ahead, and in what."""
    ahead: dict[str, list[str]] = {}
    for each in found:
        if each.worse:
            ahead.setdefault(each.name, []).append(
                f"{measure_title(each.measure)} ({printed(-each.value)})"
            )
    named = [f"{method_title(name)} in {listed(where)}" for name, where in ahead.items()]
    return f": {listed(named)}" if named else ""


def _ranked(each: Standing) -> str:
    """The methods by the mean of the paper's measures."""
    means = {}
    for method in each.methods:
        values = [each.value(method, measure) for measure in PAPER_MEASURES]
        numbers = [value for value in values if value is not None]
        if len(numbers) == len(PAPER_MEASURES):
            means[method] = fmean(numbers)
    if not means:
        return ""
    order = sorted(means, key=lambda method: -means[method])
    shown = [f"{method_title(method)} {means[method]:.4f}" for method in order]
    return f"{listed(shown)}."


def _tuned(each: Standing) -> str:
    """Our settings against rivals tuned as hard."""
    own = [d for d in each.analysis.tuned_ahead if d.name in RIVALS]
    means = [d for d in for_these(own) if d.measure == "mean"]
    if not means:
        return ""
    shown = [f"{signed(d.value)} against {method_title(d.name)}" for d in means]
    better, worse = sum(d.better for d in means), sum(d.worse for d in means)
    return (
        f"mean of the five, over queries, {listed(shown)}; "
        f"significantly better in {better} and worse in {worse} of these."
    )


def _certainty(found: Sequence[Standing]) -> str:
    """How far a figure would move on other queries."""
    halves = [
        f"±{(row.high - row.low) / 2:.3f} on {each.title} ({row.queries:,} queries)"
        for each in found
        if (row := each.row(OURS, MEASURE)) and row.low is not None and row.high is not None
    ]
    if not halves:
        return ""
    return (
        f"on other queries {measure_title(MEASURE)} of {method_title(OURS)} would move by up to "
        f"{listed(halves)}, 19 times of 20: what is closer differs only if a paired test says so."
    )


def _time(each: Standing) -> str:
    """The median time of a training, by method."""
    seconds = [
        f"{method_title(own.method)} {own.median:.0f} s"
        for own in each.analysis.training
        if own.median is not None
    ]
    return f"{listed(seconds)}." if seconds else ""


def summary_files(plan: Plan) -> dict[str, str]:
    """What pages include: the sentence with its figure, and the lines, by the names of files.

    Args:
        plan: of the folder that is published.
    """
    found, judged = standings(plan), answers(plan)
    with figure_style(salt="summary"), TemporaryDirectory() as folder:
        drawing = standing.draw(found, MEASURE)
        save(drawing, Path(folder))
        picture = Path(folder, f"{drawing.name}.svg").read_text(encoding="utf-8")
    sentence = (
        f"**{escaped(verdict(found, judged))}**\n\n"
        f"![{escaped(drawing.alternative)}]({drawing.name}.svg)\n\n"
        f"*{escaped(drawing.title)}.* {escaped(drawing.caption)}\n"
    )
    lines = "".join(
        f"- *{escaped(about)}*: {escaped(text)}\n" for about, text in summary(found, judged)
    )
    return {
        "verdict.md": sentence,
        "summary.md": lines,
        f"{drawing.name}.svg": dark_where_pages_are(picture),
    }
