"""What was computed from everything measured on a data set: the file that all pages read."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from arsm_l2r.analysis.compared import Compared
from arsm_l2r.analysis.paired import Difference
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.words import relevance
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.methods import in_order
from arsm_l2r.files import read_json, write_json
from arsm_l2r.metrics import PAPER_MEASURES
from arsm_l2r.rankers.inputs import MAX_LABEL


@dataclass(frozen=True)
class RunFacts:
    """One run: what training took, and its `test` measures in LETOR's convention."""

    fold: int
    method: str
    seed: int
    seconds: float | None
    selected_epoch: int | None
    device: str
    test: dict[str, float | None]


@dataclass(frozen=True)
class Training:
    """What training a method took: seconds, and the epoch or round that was selected."""

    method: str
    runs: int
    total: float | None
    median: float | None
    selected: int | float | None
    devices: list[str]


@dataclass(frozen=True)
class Analysis:
    """The analysis of one data set.

    Attributes:
        dataset: its name.
        title: its name as it is printed.
        fold_count: how many folds it has.
        measures: what was measured, as it is printed: the paper's measures first.
        origins: the provenance of each fold that was measured.
        runs: every run.
        training: what it took, by method.
        missing: what should have been measured and was not, in sentences.
        mixed: what does not belong together, in sentences.
        unlike: what was run with other settings than the configuration's, in sentences.
        unqueried: whose values of single queries are missing, in sentences.
        outside: which figures are further from the paper's than they should be, by convention.
        compared: ours beside the paper's, by convention, methods and measures in order.
        fold_means: means over seeds in LETOR's convention, by method, fold and measure.
        cutoffs: means over folds of NDCG at every cut-off, by convention and method.
        best_baseline: the one with the highest mean test NDCG@10.
        query_differences: test NDCG@10 of ARSM-L2R minus that of the best baseline for every
            query that both have, means over seeds, largest first.
        tuned_ahead: how far ARSM-L2R, tuned, is ahead of every other method, in the paper's
            measures and their mean, in LETOR's convention.
        exchanges: of values that each test draws, unless there are fewer.
        relevant_from: the lowest label that MAP counts as relevant.
    """

    dataset: str
    title: str
    fold_count: int
    measures: dict[str, str]
    origins: dict[int, dict[str, str]]
    runs: list[RunFacts]
    training: list[Training]
    missing: list[str]
    mixed: list[str]
    unlike: list[str]
    unqueried: list[str]
    outside: dict[str, list[str]]
    compared: dict[str, list[Compared]]
    fold_means: dict[str, dict[int, dict[str, float | None]]]
    cutoffs: dict[str, dict[str, dict[int, float]]]
    best_baseline: str | None
    query_differences: list[float]
    tuned_ahead: list[Difference]
    exchanges: int
    relevant_from: int = 1

    @property
    def relevance(self) -> str:
        """What MAP counts as relevant, as a sentence."""
        return relevance({self.title: self.relevant_from})

    @property
    def methods(self) -> list[str]:
        """The methods that were measured, in the order of tables."""
        return in_order({run.method for run in self.runs})

    @property
    def in_paper(self) -> bool:
        """Whether the paper has results on the data set."""
        return self.dataset in load_paper().performance

    @property
    def printed(self) -> bool:
        """Whether the paper prints any figure of what was measured."""
        return any(row.paper is not None for rows in self.compared.values() for row in rows)

    def rows(self, convention: str = "letor") -> dict[tuple[str, str], Compared]:
        """What was compared, by method and measure."""
        return {(row.method, row.measure): row for row in self.compared[convention]}


def write_analysis(path: Path, analysis: Analysis) -> None:
    """Write an analysis, the same bytes whenever it is the same."""
    write_json(path, asdict(analysis))


def read_analysis(path: Path) -> Analysis:
    """Read an analysis.

    Raises:
        UserError: if the file cannot be read or is something else; it says what is wrong where.
    """
    content = json.dumps(read_json(path))
    try:
        found = TypeAdapter(Analysis).validate_json(content, strict=True)
    except ValidationError as error:
        wrong = [
            f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg']}"
            for each in error.errors()[:3]
        ]
        raise UserError(f"{path}: not an analysis of results: {'; '.join(wrong)}") from None
    wrong = list(_impossible(found))
    if wrong:
        raise UserError(f"{path}: not an analysis of results: {'; '.join(wrong[:3])}")
    return found


def _impossible(analysis: Analysis) -> Iterator[str]:
    """What no analysis can hold, in words."""
    for what, share in _shares(analysis):
        if share is not None and not 0 <= share <= 1:
            yield f"{what}: {share} does not lie between 0 and 1"
    intervals = [(row.low, row.high) for row in _rows(analysis)]
    intervals += [(test.low, test.high) for test in _tests(analysis)]
    for low, high in intervals:
        if low is not None and high is not None and low > high:
            yield f"an interval from {low} to {high}"
    if not 1 <= analysis.relevant_from <= MAX_LABEL:
        yield f"relevant_from: {analysis.relevant_from}"


def _shares(analysis: Analysis) -> Iterator[tuple[str, float | None]]:
    """Everything that lies between 0 and 1, and what it is: measures of the paper, and p-values."""
    tables = [(run.method, run.test) for run in analysis.runs]
    tables += [
        (name, each) for name, folds in analysis.fold_means.items() for each in folds.values()
    ]
    for method, values in tables:
        for measure in PAPER_MEASURES:
            yield f"{measure} of {method}", values.get(measure)
    for curves in analysis.cutoffs.values():
        for method, curve in curves.items():
            yield from ((f"NDCG@{cutoff} of {method}", value) for cutoff, value in curve.items())
    for row in _rows(analysis):
        if row.measure in PAPER_MEASURES:
            for value in (row.paper, row.ours, row.low, row.high):
                yield f"{row.measure} of {row.method}", value
    for test in _tests(analysis):
        yield f"p of {test.name}", test.p
        yield f"corrected p of {test.name}", test.corrected
        if test.measure in (*PAPER_MEASURES, "mean"):
            yield f"distance of {test.name}", abs(test.value)


def _rows(analysis: Analysis) -> list[Compared]:
    return [row for convention in analysis.compared.values() for row in convention]


def _tests(analysis: Analysis) -> list[Difference]:
    return [*(row.ahead for row in _rows(analysis) if row.ahead), *analysis.tuned_ahead]


def there(paths: Sequence[Path]) -> list[Analysis]:
    """The analyses that have been made, of those that there could be."""
    return [read_analysis(path) for path in paths if path.exists()]
