"""What is missing from what should have been measured, and what does not belong together."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from arsm_l2r.analysis.words import counted, listed
from arsm_l2r.experiments.methods import identifying, method_title
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
        lost: dict[tuple[int, ...], list[int]] = {}
        for number in sorted(found):
            without = tuple(seed for seed in seeds if (number, method, seed) not in runs)
            lost.setdefault(without, []).append(number)
        for seed_gap, numbers in lost.items():
            if seed_gap:
                gaps.setdefault((seed_gap, tuple(numbers)), []).append(method_title(method))
    for (seed_gap, fold_gap), titles in gaps.items():
        sentences.append(
            f"{dataset}: {counted('seed', seed_gap)} {'are' if len(seed_gap) > 1 else 'is'} "
            f"missing for {', '.join(titles)} in {counted('fold', fold_gap)}."
        )
    return sentences


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
    origins = [
        (run["method"], {**fold.get("provenance", {}), **run.get("provenance", {})})
        for fold in folds
        for run in fold["runs"]
    ]
    for key, words in _ORIGINS.items():
        # Each method is trained by code of its own.
        values = differing(
            (method if key == "code" else "", str(origin[key]))
            for method, origin in origins
            if key in origin
        )
        if values:
            listed = ", ".join(values)
            sentences.append(f"{dataset}: its runs come from different {words}: {listed}.")
    # Settings are fingerprinted for all runs of a fold together, so that only folds with the
    # same runs can be compared.
    settings = differing(
        (tuple((run["method"], run["seed"]) for run in fold["runs"]), config)
        for fold in folds
        if (config := fold.get("provenance", {}).get("config")) is not None
    )
    if settings:
        sentences.append(f"{dataset}: its folds were run with different settings.")
    return sentences


def relevant_from(folds: Sequence[Fold]) -> set[int]:
    """From which labels on MAP counts documents as relevant: one, if all was measured alike."""
    return {run.get("relevant_from", 1) for fold in folds for run in fold["runs"]}


def mixed_relevance(dataset: str, folds: Sequence[Fold]) -> list[str]:
    """That MAP was measured in different ways, in a sentence, if it was."""
    found = sorted(relevant_from(folds))
    if len(found) < 2:
        return []
    counted_from = listed(map(str, found))
    return [f"{dataset}: MAP counts labels from {counted_from} as relevant, by run."]


def differing(facts: Iterable[tuple[Hashable, str]]) -> list[str]:
    """The values of whatever has more than one of them, in order.

    Args:
        facts: pairs of what should have one value only, and a value of it.
    """
    found: dict[Hashable, set[str]] = {}
    for key, value in facts:
        found.setdefault(key, set()).add(value)
    return sorted({value for own in found.values() if len(own) > 1 for value in own})


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
                settings_fingerprint(
                    run["method"],
                    run["seed"],
                    identifying(run["method"], methods.get(run["method"]) or {}),
                )
                for run in fold["runs"]
            ]
        )
        if fold.get("provenance", {}).get("config") != expected:
            sentences.append(
                f"{fold['dataset']}: fold {fold['fold']} was run with other settings than those of "
                "the configuration."
            )
    return sentences


_UNKNOWN = "unknown"
"""What is recorded for a commit outside of a repository."""


def commit_in(provenance: Mapping[str, Any]) -> str:
    """The commit that something was trained by, as far as its provenance says."""
    return str(provenance.get("commit", _UNKNOWN))


def commits(folds: Sequence[Fold]) -> set[str]:
    """The commits that the runs of folds were trained by."""
    return {
        commit_in({**fold.get("provenance", {}), **run.get("provenance", {})})
        for fold in folds
        for run in fold["runs"]
    }


def several_commits(found: set[str]) -> list[str]:
    """Why results cannot be traced to one commit, in a sentence, if they cannot.

    Args:
        found: what `commit_of` said when they were trained.
    """
    if len(found) > 1:
        return [
            "Runs, those of searches and experiments included, were trained by different commits: "
            f"{listed(sorted(found))}."
        ]
    if _UNKNOWN in found:
        return ["Runs do not say which commit they were trained by."]
    changed = [commit.partition("+")[0] for commit in found if "+" in commit]
    return [f"Runs were trained by files that differ from commit {each}." for each in changed]
