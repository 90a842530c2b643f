#!/usr/bin/env python3
"""Measure the memory that training takes at its peak, each estimator in a process of its own.

Without --parts, data like a training set of MQ2007: 1,017 queries, about 42,000 documents, 46
features.
"""

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from arsm_l2r.command import run
from arsm_l2r.errors import UserError

PROJECT = Path(__file__).parent.parent
QUERIES = 1017
STAGES = {
    "python": "Python, NumPy",
    "data": "data",
    "tensorflow": "TensorFlow",
    "peak": "training",
}
"""What is loaded or done, one after the other."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, help="folder that prepare.py filled, for real data")
    parser.add_argument("--fold", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--epochs", type=int, default=3, help="default: %(default)s")
    parser.add_argument(
        "--estimators",
        nargs="+",
        default=["arsm", "local-expectation", "reinforce"],
        metavar="NAME",
        help="default: arsm local-expectation reinforce",
    )
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--output",
        type=Path,
        default=PROJECT / "results" / "benchmarks-of-code",
        help="folder for the figure (default: results/benchmarks-of-code)",
    )
    parser.add_argument("--train", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.train:
        print(json.dumps(train(arguments, arguments.train)))
        return
    found = {name: in_new_process(name) for name in arguments.estimators}
    shown = next(iter(found.values()))
    print(
        f"{shown['documents']:,} documents, {shown['features_mb']:.0f} MB of features, "
        f"{arguments.epochs} epochs\n"
    )
    print(f"{'MB, peak after':<20}" + "".join(f"{stage:>16}" for stage in STAGES.values()))
    for name, values in found.items():
        print(f"{name:<20}" + "".join(f"{values[stage]:>16,.0f}" for stage in STAGES))
    draw(found, arguments.output)


def in_new_process(estimator: str) -> dict[str, float]:
    """What `train` measures in a process that has done nothing else."""
    done = subprocess.run(
        [sys.executable, *sys.argv, "--train", estimator],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UserError(f"training with {estimator} failed")
    values: dict[str, float] = json.loads(done.stdout)
    return values


def train(arguments: argparse.Namespace, estimator: str) -> dict[str, float]:
    """Peak memory, in MB, after each stage of training."""
    from made_up import queries_like_mq2007, stored_queries

    python = peak_mb()
    if arguments.parts:
        features, labels, group = stored_queries(arguments.parts, arguments.fold)
    else:
        features, labels, group = queries_like_mq2007(QUERIES)
    data = peak_mb()

    from arsm_l2r import ARSMRanker
    from arsm_l2r.training.device import prepare_device

    prepare_device(arguments.threads)
    tensorflow = peak_mb()
    vali = slice(0, int(group[: len(group) // 3].sum()))
    ranker = ARSMRanker.paper(
        estimator=estimator, epochs=arguments.epochs, threads=arguments.threads
    )
    ranker.fit(
        features,
        labels,
        group,
        eval_set=(features[vali], labels[vali], group[: len(group) // 3]),
    )
    return {
        "documents": len(labels),
        "features_mb": features.nbytes / 1e6,
        "python": python,
        "data": data,
        "tensorflow": tensorflow,
        "peak": peak_mb(),
    }


def peak_mb() -> float:
    """The most memory that this process has had so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def draw(found: dict[str, dict[str, float]], folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, panel = plt.subplots(figsize=(7, 2.6), layout="constrained")
    names = list(found)[::-1]
    left = [0.0] * len(names)
    for stage, label in STAGES.items():
        ends = [found[name][stage] for name in names]
        widths = [end - start for end, start in zip(ends, left, strict=True)]
        panel.barh(names, widths, left=left, height=0.6, label=label)
        left = ends
    panel.set(xlabel="MB, peak after each stage")
    panel.grid(axis="x", alpha=0.3)
    figure.legend(frameon=False, loc="outside lower center", ncols=len(STAGES))
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("png", "svg"):
        figure.savefig(folder / f"training-memory.{ending}", dpi=150)
    print(f"\nFigure: {folder / 'training-memory.png'}, and .svg")


if __name__ == "__main__":
    run(main)
