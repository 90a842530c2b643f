#!/usr/bin/env python3
"""Measure how much each estimator's gradient scatters on a ranking problem.

Queries with a fresh network's logits (Glorot, 46-500-20), NDCG@10. For each estimator: the
variance of a gradient entry, on average over all entries, from independent draws; and what the
variance would be if all were given the time that one ARSM gradient takes.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from made_up import Queries, first_queries, queries_like_mq2007, stored_queries

from arsm_l2r.command import run

if TYPE_CHECKING:
    from arsm_l2r.experiments.scatter import Scatter

PROJECT = Path(__file__).parent.parent
LEVELS, HIDDEN = 20, 500


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", type=Path, help="folder that prepare.py filled, for real data")
    parser.add_argument("--fold", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--queries", type=int, default=16, help="default: %(default)s")
    parser.add_argument("--draws", type=int, default=2000, help="default: %(default)s")
    parser.add_argument("--loss", default="ndcg@10", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--output",
        type=Path,
        default=PROJECT / "results" / "benchmarks-of-code",
        help="folder for the figure (default: results/benchmarks-of-code)",
    )
    arguments = parser.parse_args()

    from arsm_l2r.training.device import prepare_device

    prepare_device(threads=1)
    if arguments.parts:
        queries = stored_queries(arguments.parts, arguments.fold)
    else:
        queries = queries_like_mq2007(arguments.queries, arguments.seed)
    queries = first_queries(queries, arguments.queries)
    found = measured(queries, arguments.loss, arguments.draws, arguments.seed)
    documents = f"{len(queries[2])} queries, {len(queries[1]):,} documents, C = {LEVELS}"
    print(f"{documents}, {arguments.loss}; {arguments.draws:,} draws\n")
    print_table(found)
    draw(found, f"{documents}, {arguments.loss}", arguments.output)


def measured(queries: Queries, loss_name: str, draws: int, seed: int) -> "dict[str, Scatter]":
    from arsm_l2r.experiments.scatter import scatter
    from arsm_l2r.training.network import initial_weights, outputs

    features, labels, group = queries
    weights = initial_weights(features.shape[1], (HIDDEN,), LEVELS, seed)
    (logits,) = outputs(features, weights)
    return scatter(logits, labels, group, loss=loss_name, draws=draws, seed=seed)


def at_equal_time(found: "dict[str, Scatter]", name: str) -> float:
    """The variance of a mean over as many draws as ARSM's time allows."""
    return found[name].variance * found[name].seconds / found["arsm"].seconds


def print_table(found: "dict[str, Scatter]") -> None:
    arsm = found["arsm"].variance
    print(f"{'':<20}{'variance':>12}{'× ARSM':>12}{'ms':>8}{'× ARSM at equal time':>24}")
    for name, scatter in found.items():
        equal = at_equal_time(found, name) / arsm
        print(
            f"{name:<20}{scatter.variance:>12.3e}{scatter.variance / arsm:>12.4g}"
            f"{1e3 * scatter.seconds:>8.2f}{equal:>24.4g}"
        )


def draw(found: "dict[str, Scatter]", title: str, folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, panel = plt.subplots(figsize=(7, 3.2), layout="constrained")
    names = list(found)[::-1]
    places = np.arange(len(names))
    for values, marker, label in (
        ([found[name].variance for name in names], "o", "of one gradient"),
        ([at_equal_time(found, name) for name in names], "D", "in the time of an ARSM gradient"),
    ):
        panel.plot(values, places, marker, label=label)
    panel.set(xscale="log", xlabel="variance of a gradient entry", title=title)
    panel.set_yticks(places, names)
    panel.grid(alpha=0.3)
    figure.legend(frameon=False, loc="outside lower center", ncols=2)
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("png", "svg"):
        figure.savefig(folder / f"gradient-variance.{ending}", dpi=150)
    print(f"\nFigure: {folder / 'gradient-variance.png'}, and .svg")


if __name__ == "__main__":
    run(main)
