"""Whether a fold that was run again gives what was published."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Agreement:
    """How the measures of a fold compare with those of another run of it.

    Attributes:
        measures: how many were compared.
        identical: how many are the same to the last digit.
        largest: the largest difference.
        where: what differs most, in words; empty if nothing does.
        absent: runs that only one of the two has, in words.
    """

    measures: int
    identical: int
    largest: float
    where: str
    absent: list[str]


def agreement(fold: Mapping[str, Any], other: Mapping[str, Any]) -> Agreement:
    """Compare every measure of every run that both have.

    Args:
        fold: the result of a fold.
        other: another result of that fold.
    """
    ours, theirs = dict(_measures(fold)), dict(_measures(other))
    shared = ours.keys() & theirs.keys()
    differences = {key: abs(ours[key] - theirs[key]) for key in ours if key in shared}
    furthest = max(differences, key=lambda key: differences[key], default=None)
    largest = differences[furthest] if furthest else 0.0
    runs = dict.fromkeys(key[:2] for key in [*ours, *theirs] if key not in shared)
    return Agreement(
        measures=len(differences),
        identical=sum(difference == 0 for difference in differences.values()),
        largest=largest,
        where=" ".join(map(str, furthest)) if furthest and largest else "",
        absent=[f"{method}, seed {seed}" for method, seed in runs],
    )


_Key = tuple[str, int, str, str, str]


def _measures(fold: Mapping[str, Any]) -> Iterator[tuple[_Key, float]]:
    for run in fold["runs"]:
        for split in ("test", "vali"):
            for convention, values in run[split].items():
                for measure, value in values.items():
                    yield (run["method"], run["seed"], split, convention, measure), value
