"""Which of the paper's claims hold here, in words, with every number computed from the data."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

import polars as pl

from arsm_l2r.analysis.names import MEASURE_TITLES, OURS, in_order, method_title
from arsm_l2r.analysis.paper import Paper
from arsm_l2r.analysis.words import LEVEL, corrected, listed, signed
from arsm_l2r.metrics import holm

SIGNIFICANTLY_HIGHER = {"ohsumed": "ndcg@1"}
"""Measures that the paper's text calls significantly higher than every other method's."""

_RANKED_BY = "ndcg@10"


class Answer(StrEnum):
    """Whether a claim holds."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    FAILS = "does not hold"
    NOT_SEEN = "not seen"
    OPPOSITE = "the opposite holds"
    UNKNOWN = "cannot be told"
    NOT_IN_PAPER = "not in the paper"


@dataclass(frozen=True)
class Verdict:
    """A claim, whether it holds on a data set, and the numbers that say so."""

    dataset: str
    claim: str
    answer: Answer
    because: str


@dataclass(frozen=True)
class _Evidence:
    """What a data set's claims are judged on."""

    dataset: str
    title: str
    rows: dict[tuple[str, str], dict[str, Any]]
    paper: Paper
    fold_count: int

    @property
    def baselines(self) -> list[str]:
        """The paper's baselines, whether or not they were measured here."""
        return [name for name in in_order(self._printed) if name != OURS]

    @property
    def newcomers(self) -> list[str]:
        """Methods measured here that the paper does not have."""
        return in_order({method for method, _ in self.rows} - self._printed)

    @property
    def _printed(self) -> set[str]:
        return set(self.paper.performance[self.dataset].rows)

    def value(self, method: str, measure: str) -> float | None:
        """Our figure at the precision that is printed, so that ties in print are ties here."""
        value = self.rows.get((method, measure), {}).get("ours")
        return None if value is None or not isfinite(value) else round(value, 4)

    def gaps(self, methods: Sequence[str], measures: Sequence[str]) -> list[str]:
        """Why a claim about these cannot be judged: nothing, if it can."""
        reasons = []
        absent = [m for m in methods if not any((m, measure) in self.rows for measure in measures)]
        if absent:
            verb = "has" if len(absent) == 1 else "have"
            reasons.append(f"{listed(map(method_title, absent))} {verb} not been measured")
        short: dict[int, list[str]] = {}
        for method in (name for name in methods if name not in absent):
            folds = min(row["folds"] for key, row in self.rows.items() if key[0] == method)
            if folds < self.fold_count:
                short.setdefault(folds, []).append(method_title(method))
            numbers = [MEASURE_TITLES[m] for m in measures if self.value(method, m) is None]
            if numbers:
                reasons.append(f"{listed(numbers)} of {method_title(method)} is not a number")
        for folds, names in short.items():
            verb = "has" if len(names) == 1 else "have"
            reasons.append(f"{listed(names)} {verb} only {folds} of {self.fold_count} folds")
        return reasons


def verdicts(
    dataset: str, title: str, compared: pl.DataFrame, paper: Paper, *, fold_count: int
) -> list[Verdict]:
    """Judge every claim that the paper makes about a data set.

    Args:
        dataset: name of the data set.
        title: as it is printed.
        compared: what was measured on it, as `comparison.compare` gives it.
        paper: what the paper prints.
        fold_count: how many folds the data set has.

    Returns:
        A verdict per claim; for a data set that the paper does not have, one that ranks the
        methods.
    """
    rows = {(row["method"], row["measure"]): row for row in compared.iter_rows(named=True)}
    evidence = _Evidence(dataset, title, rows, paper, fold_count)
    if dataset not in paper.performance:
        return [_ranking(evidence)]
    found = [_highest(evidence)]
    if dataset in SIGNIFICANTLY_HIGHER:
        found.append(_significantly_higher(evidence, SIGNIFICANTLY_HIGHER[dataset]))
    return [*found, _comparable(evidence), _reproduced(evidence)]


def comparable(
    dataset: str, title: str, compared: pl.DataFrame, paper: Paper, *, fold_count: int
) -> Verdict:
    """Judge the claim of being better than or comparable with every baseline; see `verdicts`."""
    rows = {(row["method"], row["measure"]): row for row in compared.iter_rows(named=True)}
    return _comparable(_Evidence(dataset, title, rows, paper, fold_count))


def headline(found: Sequence[Verdict]) -> str:
    """All verdicts in one sentence."""
    judged = [verdict for verdict in found if verdict.answer != Answer.NOT_IN_PAPER]
    if not judged:
        return (
            "None of the paper's claims is about these data; how the methods rank on them is below."
        )
    counts = Counter(verdict.answer for verdict in judged)
    words = {
        Answer.HOLDS: ("holds", "hold"),
        Answer.IN_PART: ("holds in part", "hold in part"),
        Answer.FAILS: ("does not hold", "do not hold"),
        Answer.UNKNOWN: ("cannot be told yet", "cannot be told yet"),
    }
    parts = [
        f"{counts[answer]} {one if counts[answer] == 1 else more}"
        for answer, (one, more) in words.items()
        if counts[answer]
    ]
    claims = "claim" if len(judged) == 1 else "claims"
    return f"Of {len(judged)} {claims} of the paper, {listed(parts)}."


def _highest(evidence: _Evidence) -> Verdict:
    """The measures in which ARSM-L2R leads the paper's table: does it lead them here?"""
    table = evidence.paper.performance[evidence.dataset]
    printed = {method: row.values for method, row in table.rows.items()}
    measures = [
        measure
        for measure in MEASURE_TITLES
        if all(printed[OURS][measure] >= values[measure] for values in printed.values())
    ]
    claim = (
        f"{method_title(OURS)} has the highest {listed(MEASURE_TITLES[m] for m in measures)} "
        f"on {evidence.title} (the paper's Table {table.number})"
    )
    sentences, leads = [], []
    for measure in measures:
        ours = evidence.value(OURS, measure)
        others = {
            name: value
            for name in evidence.baselines
            if (value := evidence.value(name, measure)) is not None
        }
        if ours is None or not others:
            continue
        best = max(others, key=lambda name: others[name])
        leads.append(ours >= others[best])
        beyond = [
            f"{method_title(name)} {value:.4f}"
            for name in evidence.newcomers
            if (value := evidence.value(name, measure)) is not None
        ]
        sentences.append(
            f"{MEASURE_TITLES[measure]} is {ours:.4f}, {_apart(ours - others[best])} that of the "
            f"best of the paper's baselines ({method_title(best)}, {others[best]:.4f})"
            + (f"; not in the paper: {listed(beyond)}." if beyond else ".")
        )
    gaps = evidence.gaps([*evidence.baselines, OURS], measures)
    return _verdict(evidence, claim, leads, gaps, " ".join(sentences))


def _significantly_higher(evidence: _Evidence, measure: str) -> Verdict:
    name = MEASURE_TITLES[measure]
    claim = (
        f"{method_title(OURS)} has a significantly higher {name} on {evidence.title} than every "
        "other method of the paper"
    )
    tested = {
        baseline: row
        for baseline in evidence.baselines
        if (row := evidence.rows.get((baseline, measure))) and row["p_corrected"] is not None
    }
    # Corrected for these comparisons only: methods of ours must not make the claim harder to hold.
    p_values = holm([row["p"] for row in tested.values()])
    higher = [
        row["arsm_ahead"] > 0 and p < LEVEL
        for row, p in zip(tested.values(), p_values, strict=True)
    ]
    parts = [
        f"{signed(row['arsm_ahead'])} against {method_title(baseline)} ({corrected(p)})"
        for (baseline, row), p in zip(tested.items(), p_values, strict=True)
    ]
    gaps = evidence.gaps([*evidence.baselines, OURS], [measure])
    gaps += _untested(evidence, [measure]) if not gaps else []
    sentence = (
        f"Mean difference in {name} over queries: {listed(parts)}; corrected for these comparisons."
        if parts
        else ""
    )
    return _verdict(evidence, claim, higher, gaps, sentence)


def _comparable(evidence: _Evidence) -> Verdict:
    """Better or comparable: no baseline is significantly better in any measure."""
    ours = method_title(OURS)
    claim = (
        f"{ours} is better than or comparable with every baseline of the paper on {evidence.title}"
    )
    tested = {
        (baseline, measure): row
        for baseline in evidence.baselines
        for measure in MEASURE_TITLES
        if (row := evidence.rows.get((baseline, measure))) and row["p_corrected"] is not None
    }
    # Corrected for these comparisons only: every other test would make the claim easier to hold.
    p_values = dict(zip(tested, holm([row["p"] for row in tested.values()]), strict=True))
    behind = [key for key, row in tested.items() if row["arsm_ahead"] < 0]
    worse = [key for key in behind if p_values[key] < LEVEL]
    better = sum(p < LEVEL for p in p_values.values()) - len(worse)
    sentence = ""
    if tested:
        uncorrected = sum(tested[key]["p"] < LEVEL for key in behind)
        ahead = [
            f"{method_title(key[0])} in {MEASURE_TITLES[key[1]]} by "
            f"{-tested[key]['arsm_ahead']:.4f} ({corrected(p_values[key])})"
            for key in worse
        ]
        sentence = (
            f"Of {len(tested)} comparisons (each baseline, each measure), {ours} is significantly "
            f"better in {better} and significantly worse in {len(worse)} (p below {LEVEL}, "
            f"corrected for these comparisons; without correction, worse in {uncorrected})"
            + (f": {listed(ahead)} ahead." if ahead else ".")
            + _beyond_the_paper(evidence)
        )
    unbeaten = [
        not any(key[0] == baseline for key in worse)
        for baseline in evidence.baselines
        if any(key[0] == baseline for key in tested)
    ]
    gaps = evidence.gaps([*evidence.baselines, OURS], list(MEASURE_TITLES))
    gaps += _untested(evidence, list(MEASURE_TITLES)) if not gaps else []
    return _verdict(evidence, claim, unbeaten, gaps, sentence)


def _reproduced(evidence: _Evidence) -> Verdict:
    """Each figure of ARSM-L2R is at most the tolerance below the paper's."""
    tolerance = evidence.paper.tolerance
    claim = (
        f"The paper's figures of {method_title(OURS)} on {evidence.title} are reached: each of "
        f"ours is above, or within {tolerance:.3f}"
    )
    printed = evidence.paper.performance[evidence.dataset].rows[OURS].values
    reached, below, largest = [], [], []
    for measure, figure in printed.items():
        ours = evidence.value(OURS, measure)
        if ours is None:
            continue
        reached.append(ours >= figure - tolerance - 1e-9)
        difference = ours - figure
        largest.append((difference, measure))
        if not reached[-1]:
            below.append(
                f"{MEASURE_TITLES[measure]} is {ours:.4f}, {-difference:.4f} below {figure:.4f}"
            )
    sentence = ""
    if reached:
        low, high = min(largest), max(largest)
        sentence = (
            f"{sum(reached)} of {len(reached)} figures are reached; ours minus the paper's lies "
            f"between {signed(low[0])} ({MEASURE_TITLES[low[1]]}) and {signed(high[0])} "
            f"({MEASURE_TITLES[high[1]]})" + (f". {listed(below)}." if below else ".")
        )
    gaps = evidence.gaps([OURS], list(printed))
    return _verdict(evidence, claim, reached, gaps, sentence)


def _ranking(evidence: _Evidence) -> Verdict:
    claim = f"The paper has no results on {evidence.title}"
    values = {
        method: value
        for method in dict.fromkeys(method for method, _ in evidence.rows)
        if (value := evidence.value(method, _RANKED_BY)) is not None
    }
    order = sorted(values, key=lambda method: -values[method])
    sentence = "Nothing has been measured."
    if order:
        ranked = listed(f"{method_title(method)} ({values[method]:.4f})" for method in order)
        sentence = f"By test {MEASURE_TITLES[_RANKED_BY]}, best first: {ranked}."
    if OURS in values and len(order) > 1:
        place = 1 + sum(value > values[OURS] for value in values.values())
        sentence += f" {method_title(OURS)} is number {place} of {len(order)}."
    gaps = evidence.gaps(list(values), [_RANKED_BY])
    if gaps:
        sentence += f" So far: {'; '.join(gaps)}."
    return Verdict(evidence.dataset, claim, Answer.NOT_IN_PAPER, sentence)


def _verdict(
    evidence: _Evidence, claim: str, parts: Sequence[bool], gaps: Sequence[str], sentence: str
) -> Verdict:
    """The verdict on a claim of several parts, which cannot be told while something is missing."""
    if gaps or not parts:
        reason = "; ".join(gaps) if gaps else "nothing has been measured"
        reason = f"{reason[0].upper()}{reason[1:]}."
        so_far = f" So far: {sentence}" if sentence else ""
        return Verdict(evidence.dataset, claim, Answer.UNKNOWN, reason + so_far)
    answer = Answer.HOLDS if all(parts) else Answer.IN_PART if any(parts) else Answer.FAILS
    return Verdict(evidence.dataset, claim, answer, sentence)


def _beyond_the_paper(evidence: _Evidence) -> str:
    """Which methods that the paper does not have are significantly ahead, if any."""
    ahead: dict[str, list[str]] = {}
    for (method, measure), row in evidence.rows.items():
        tested = method in evidence.newcomers and row["p_corrected"] is not None
        if tested and row["arsm_ahead"] < 0 and row["p_corrected"] < LEVEL:
            ahead.setdefault(method, []).append(MEASURE_TITLES[measure])
    if not ahead:
        return ""
    found = [f"{method_title(method)} in {listed(names)}" for method, names in ahead.items()]
    return f" Of methods that the paper does not have, {listed(found)} is significantly ahead."


def _untested(evidence: _Evidence, measures: Sequence[str]) -> list[str]:
    names = [
        method_title(baseline)
        for baseline in evidence.baselines
        if any(evidence.rows[baseline, m]["p_corrected"] is None for m in measures)
    ]
    if not names:
        return []
    return [f"the values per query that a test against {listed(names)} needs are missing"]


def _apart(difference: float) -> str:
    if round(difference, 4) == 0:
        return "equal to"
    return f"{abs(difference):.4f} {'above' if difference > 0 else 'below'}"
