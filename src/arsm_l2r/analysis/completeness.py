"""What is missing from what should have been measured, and what does not belong together."""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from arsm_l2r.analysis.words import counted
from arsm_l2r.experiments.methods import method_title
from arsm_l2r.experiments.provenance import fingerprint_of, settings_fingerprint

Fold = Mapping[str, Any]


def missing(
    dataset: str, folds: Sequence[Fold], expected: int, methods: Sequence[str], seeds: Sequence[int]
) -> list[str]:
    """What should have been measured on a data set and was not, in sentences.

    Args:
        dataset: name of the data set.
        folds: results of its folds.
        expected: how many folds it has.
        methods: names of the methods that should be there.
        seeds: with which each of them should have been trained.
    """
    found = {fold["fold"]: fold for fold in folds}
    if not found:
        return [f"{dataset}: no fold has been measured."]
    sentences = []
    absent = [number for number in range(1, expected + 1) if number not in found]
    if absent:
        sentences.append(
            f"{dataset}: {counted('fold', absent)} of {expected} "
            f"{'are' if len(absent) > 1 else 'is'} missing; figures are means over the others."
        )
    runs = {(n, run["method"], run["seed"]) for n in found for run in found[n]["runs"]}
    gaps: dict[tuple[tuple[int, ...], tuple[int, ...]], list[str]] = {}
    for method in methods:
        if not any(run[1] == method for run in runs):
            sentences.append(f"{dataset}: {method_title(method)} is missing.")
            continue
        for seed_gap, numbers in _gaps(runs, method, seeds, sorted(found)).items():
            gaps.setdefault((seed_gap, numbers), []).append(method_title(method))
    for (seed_gap, numbers), titles in gaps.items():
        sentences.append(
            f"{dataset}: {counted('seed', seed_gap)} {'are' if len(seed_gap) > 1 else 'is'} "
            f"missing for {', '.join(titles)} in {counted('fold', numbers)}."
        )
    return sentences


def _gaps(
    runs: Set[tuple[int, str, int]], method: str, seeds: Sequence[int], folds: Sequence[int]
) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The seeds of a method that are missing, with the folds that they are missing from."""
    gaps: dict[tuple[int, ...], tuple[int, ...]] = {}
    for number in folds:
        lost = tuple(seed for seed in seeds if (number, method, seed) not in runs)
        if lost:
            gaps[lost] = (*gaps.get(lost, ()), number)
    return gaps


_ORIGINS = {
    "package": "versions of the package",
    "code": "versions of the code",
    "tensorflow": "versions of TensorFlow",
    "python": "versions of Python",
    "threads": "numbers of threads",
}


def mixed_provenance(dataset: str, folds: Sequence[Fold]) -> list[str]:
    """Where results that stand in one table come from different code or settings, in sentences."""
    sentences = []
    for key, words in _ORIGINS.items():
        found: dict[str, set[str]] = {}
        for fold in folds:
            for run in fold["runs"]:
                # Each method is trained by code of its own.
                method = run["method"] if key == "code" else ""
                found.setdefault(method, set()).update(map(str, _origin(fold, run, key)))
        values = {value for own in found.values() if len(own) > 1 for value in own}
        if values:
            listed = ", ".join(sorted(values))
            sentences.append(f"{dataset}: its runs come from different {words}: {listed}.")
    # Settings are fingerprinted for all runs of a fold together, so that only folds with the
    # same runs can be compared.
    settings: dict[tuple[tuple[str, int], ...], set[str]] = {}
    for fold in folds:
        runs = tuple((run["method"], run["seed"]) for run in fold["runs"])
        config = fold.get("provenance", {}).get("config")
        if config is not None:
            settings.setdefault(runs, set()).add(config)
    if any(len(configs) > 1 for configs in settings.values()):
        sentences.append(f"{dataset}: its folds were run with different settings.")
    return sentences


def other_settings(
    folds: Sequence[Fold], methods: Mapping[str, Mapping[str, Any] | None]
) -> list[str]:
    """Which folds were run with other settings than the configuration's, in a sentence each.

    Args:
        folds: results of folds.
        methods: the configured settings of every method.
    """
    sentences = []
    for fold in folds:
        expected = fingerprint_of(
            [
                settings_fingerprint(run["method"], run["seed"], methods.get(run["method"]) or {})
                for run in fold["runs"]
            ]
        )
        if fold.get("provenance", {}).get("config") != expected:
            sentences.append(
                f"{fold['dataset']}: fold {fold['fold']} was run with other settings than those of "
                "the configuration."
            )
    return sentences


def _origin(fold: Fold, run: Mapping[str, Any], key: str) -> list[Any]:
    """A fact of a run's provenance: its own, or else its fold's."""
    for place in (run.get("provenance", {}), fold.get("provenance", {})):
        if key in place:
            return [place[key]]
    return []
