#!/usr/bin/env python3
"""Which validation measure should select the weights? Decided without a look at test data.

Trains the model on every fold and keeps the validation measures of every query after every epoch.
Then, many times: divide the validation queries at random into two halves, let each rule select an
epoch on one half, and measure what was selected on the other half.

python benchmarks/selection_rule.py --parts data/mq2007/parts data/ohsumed/parts
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from arsm_l2r import ARSMRanker
from arsm_l2r.letor.store import part_note, part_path, read_fold
from arsm_l2r.metrics import LETOR, Judgements, evaluate
from arsm_l2r.rankers import network_ranker as watched
from arsm_l2r.rankers.selection import SELECTION_MEASURES, selection_measures

SINGLE = [name for name in SELECTION_MEASURES if name != "mean"]


def measured_by_query(parts: Path, fold: int, settings: dict[str, object]) -> np.ndarray:
    """(epochs, measures, queries) validation measures."""
    seen: list[np.ndarray] = []

    def watch(scores: np.ndarray, judgements: Judgements, *by: str) -> dict[str, float]:
        found = evaluate(scores, judgements, LETOR)
        seen.append(np.array([found[name] for name in SINGLE]))
        return selection_measures(scores, judgements, *by)

    watched.selection_measures = watch
    data = read_fold(parts, fold)
    ARSMRanker(**settings, threads=1).fit(
        data.train.features,
        data.train.labels,
        data.train.group,
        eval_set=(data.vali.features, data.vali.labels, data.vali.group),
    )
    return np.array(seen)


def selected_on_halves(values: np.ndarray, rounds: int, draw: np.random.Generator) -> np.ndarray:
    """(rules,) mean of all measures on one half, of what each rule selected on the other."""
    found = np.zeros(len(SELECTION_MEASURES))
    for _ in range(rounds):
        order = draw.permutation(values.shape[2])
        first, second = np.array_split(order, 2)
        choice = values[:, :, first].mean(axis=2)
        choice = np.column_stack([choice, choice.mean(axis=1)])
        outcome = values[:, :, second].mean(axis=(1, 2))
        found += outcome[choice.argmax(axis=0)]
    return found / rounds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, nargs="+", required=True, help="of the data sets")
    parser.add_argument("--rounds", type=int, default=1000, help="default: %(default)s")
    parser.add_argument(
        "--settings",
        type=json.loads,
        default={"learning_rate": 1e-3, "epochs": 100},
        help="of ARSMRanker, as JSON (default: %(default)s)",
    )
    arguments = parser.parse_args()
    print(f"{'selected on':<12}" + "".join(f"{path.parent.name:>10}" for path in arguments.parts))
    columns = []
    for parts in arguments.parts:
        folds = range(1, part_note(part_path(parts, 1))["parts"] + 1)
        by_fold = []
        for fold in folds:
            values = measured_by_query(parts, fold, arguments.settings)
            draw = np.random.default_rng(fold)
            by_fold.append(selected_on_halves(values, arguments.rounds, draw))
            print(f"{parts.parent.name}, fold {fold}: done", file=sys.stderr)
        columns.append(np.mean(by_fold, axis=0))
    for name, *values in zip(SELECTION_MEASURES, *columns, strict=True):
        print(f"{name:<12}" + "".join(f"{value:>10.4f}" for value in values))


if __name__ == "__main__":
    main()
