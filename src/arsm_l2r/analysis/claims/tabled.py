"""Claims that the main tables decide: data set by data set, then together."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from arsm_l2r.analysis.claims.claim import Answer, Claim
from arsm_l2r.analysis.compared import Compared
from arsm_l2r.analysis.paired import Difference, for_these
from arsm_l2r.analysis.paper import PerformanceTable, load_paper
from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.analysis.words import listed
from arsm_l2r.experiments.methods import OURS, in_order, method_title
from arsm_l2r.metrics import measure_title

_RANKED_BY = "ndcg@10"


@dataclass(frozen=True)
class Tables:
    """What a claim is judged by on one of the paper's data sets."""

    analysis: Analysis

    @property
    def rows(self) -> dict[tuple[str, str], Compared]:
        """What was measured, by method and measure."""
        return self.analysis.rows()

    @property
    def printed(self) -> PerformanceTable:
        """The paper's table."""
        return load_paper().performance[self.analysis.dataset]

    @property
    def baselines(self) -> list[str]:
        """The paper's baselines, whether or not they were measured here."""
        return [name for name in in_order(self.printed.rows) if name != OURS]

    @property
    def newcomers(self) -> list[str]:
        """Methods measured here that the paper does not have."""
        return [name for name in self.analysis.methods if name not in self.printed.rows]

    def value(self, method: str, measure: str) -> float | None:
        """Our figure at the precision that is printed, so that ties in print are ties here."""
        row = self.rows.get((method, measure))
        return None if row is None or row.ours is None else round(row.ours, 4)

    def values(self, methods: Sequence[str], measure: str) -> dict[str, float]:
        """Our figures of methods, of those that have one."""
        values = {name: self.value(name, measure) for name in methods}
        return {name: value for name, value in values.items() if value is not None}

    def ahead(self, methods: Sequence[str], measures: Sequence[str]) -> list[Difference]:
        """How far ARSM-L2R is ahead of methods, corrected for these comparisons only.

        Other tests would make a claim easier or harder to hold than it is.
        """
        places = [(method, measure) for method in methods for measure in measures]
        found = [self.rows[place].ahead for place in places if place in self.rows]
        return for_these([each for each in found if each is not None])

    def gaps(self, methods: Sequence[str], measures: Sequence[str]) -> list[str]:
        """Why a claim about these cannot be judged: nothing, if it can."""
        reasons = []
        rows, whole = self.rows, self.analysis.fold_count
        absent = [m for m in methods if not any((m, measure) in rows for measure in measures)]
        if absent:
            verb = "has" if len(absent) == 1 else "have"
            reasons.append(f"{listed(map(method_title, absent))} {verb} not been measured")
        short: dict[int, list[str]] = {}
        for method in (name for name in methods if name not in absent):
            folds = min(row.folds for key, row in rows.items() if key[0] == method)
            if folds < whole:
                short.setdefault(folds, []).append(method_title(method))
            numbers = [measure_title(m) for m in measures if self.value(method, m) is None]
            if numbers:
                reasons.append(f"{listed(numbers)} of {method_title(method)} is not a number")
        for folds, names in short.items():
            verb = "has" if len(names) == 1 else "have"
            reasons.append(f"{listed(names)} {verb} only {folds} of {whole} folds")
        return reasons

    def untested(self, measures: Sequence[str]) -> list[str]:
        """Why baselines cannot be compared query by query: nothing, if they can."""
        gaps = self.gaps([*self.baselines, OURS], measures)
        absent = [
            method_title(name)
            for name in self.baselines
            if not gaps and any(self.rows[name, m].ahead is None for m in measures)
        ]
        if not absent:
            return gaps
        return [f"the values per query that a test against {listed(absent)} needs are missing"]


@dataclass(frozen=True)
class Verdict:
    """Whether the parts of a claim hold on a data set, why that cannot be told, and the numbers."""

    parts: Sequence[bool]
    gaps: Sequence[str]
    sentence: str

    @property
    def answer(self) -> Answer:
        """Unknown while something is missing."""
        if self.gaps or not self.parts:
            return Answer.UNKNOWN
        if all(self.parts):
            return Answer.HOLDS
        return Answer.IN_PART if any(self.parts) else Answer.FAILS

    @property
    def because(self) -> str:
        """The numbers, after what is missing."""
        if self.answer != Answer.UNKNOWN:
            return self.sentence
        reason = "; ".join(self.gaps) if self.gaps else "nothing has been measured"
        so_far = f" So far: {self.sentence}" if self.sentence else ""
        return f"{reason[0].upper()}{reason[1:]}.{so_far}"


def judged(
    name: str,
    title: str,
    says: str,
    analyses: Sequence[Analysis],
    judge: Callable[[Tables], Verdict],
    about: Collection[str] | None = None,
    whose: str = OURS,
) -> Claim:
    """Judge a claim on every data set that it is about, and together.

    Where its method is left out, and nothing else is missing, there is nothing to judge.

    Args:
        name: of its files.
        title: a few words.
        says: what the paper says.
        analyses: of all data sets.
        judge: how it is judged on one of them.
        about: the data sets that the paper says it about; by default all that it has.
        whose: the method that it is about.
    """
    printed = load_paper().performance
    about = printed if about is None else about
    found = {
        each.dataset: (each.title, judge(Tables(each)))
        for each in analyses
        if each.dataset in about and (whose in each.methods or each.missing)
    }
    because = [
        f"{place} ({verdict.answer}): {verdict.because}" for place, verdict in found.values()
    ]
    there = {each.dataset for each in analyses}
    absent = [printed[name].title for name in about if name not in there]
    if absent:
        because.append(
            f"The paper says this about {listed(absent)}, which is not among these data."
        )
    answer = together([verdict.answer for _, verdict in found.values()])
    return Claim(name, title, says, answer, because)


def together(answers: Sequence[Answer]) -> Answer:
    """The answer on all data sets."""
    if not answers:
        return Answer.ELSEWHERE
    if Answer.UNKNOWN in answers:
        return Answer.UNKNOWN
    return answers[0] if len(set(answers)) == 1 else Answer.IN_PART


def leading(analyses: Sequence[Analysis]) -> str:
    """Which method ranks best on each data set, in a sentence; nothing, if none was measured."""
    found = []
    for each in analyses:
        values = Tables(each).values(each.methods, _RANKED_BY)
        if values:
            best = max(values, key=lambda method: values[method])
            behind = best != OURS and OURS in values
            ours = f", {method_title(OURS)} has {values[OURS]:.4f}" if behind else ""
            found.append(f"{method_title(best)} on {each.title} ({values[best]:.4f}{ours})")
    return f"By test {measure_title(_RANKED_BY)}, {listed(found)}." if found else ""


def ranking(analysis: Analysis) -> str:
    """How the methods rank on a data set that the paper has no results on."""
    tables = Tables(analysis)
    values = tables.values(analysis.methods, _RANKED_BY)
    order = sorted(values, key=lambda method: -values[method])
    if not order:
        return "Nothing has been measured."
    ranked = listed(f"{method_title(method)} ({values[method]:.4f})" for method in order)
    sentence = f"By test {measure_title(_RANKED_BY)} (mean over folds), best first: {ranked}."
    if OURS in values and len(order) > 1:
        place = 1 + sum(value > values[OURS] for value in values.values())
        sentence += f" {method_title(OURS)} is number {place} of {len(order)}."
    gaps = tables.gaps(order, [_RANKED_BY])
    return sentence + (f" So far: {'; '.join(gaps)}." if gaps else "")
