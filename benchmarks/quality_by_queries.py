#!/usr/bin/env python3
"""What ARSM-L2R, ListNet's loss on the same network, and LambdaMART make of more and more queries.

Data are made up like MSLR's. At every number of training queries each method has the same time of
one core to spend: it trains the settings that config/mslr.yaml has for it, then trials of its
search in config/config.yaml one after the other until the time is used up, and keeps what is best
on the validation queries (a third as many as there are to train on). Every trial counts, also the
last, which may end after the time. All are tested on the same further queries, once.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from arsm_l2r.command import run, use_threads
from arsm_l2r.errors import UserError
from arsm_l2r.files import read_json, write_json

PROJECT = Path(__file__).parent.parent
SEARCHES = {
    "arsm-l2r-tuned": "tuned-arsm",
    "listnet-network": "tuned-listnet",
    "lambdamart": "tuned-trees",
}
"""The methods, and the searches that their further trials are from."""

RELEVANT_FROM = 2
TEST_QUERIES = 2000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument(
        "--minutes", type=float, nargs="+", default=[1.5, 4, 12], help="default: %(default)s"
    )
    parser.add_argument(
        "--epochs", type=int, nargs="+", default=[40, 40, 12], help="of networks, at each number"
    )
    parser.add_argument(
        "--output", type=Path, default=PROJECT / "benchmarks" / "figures", help="folder"
    )
    parser.add_argument("--method", choices=[*SEARCHES], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not len(arguments.queries) == len(arguments.minutes) == len(arguments.epochs):
        raise UserError("--queries, --minutes and --epochs need as many numbers each")
    if arguments.method:
        print(json.dumps(best_in_time(arguments)))
        return
    path = arguments.output / "quality-by-queries.json"
    found = read_json(path) if path.exists() else {}
    sizes = zip(arguments.queries, arguments.minutes, arguments.epochs, strict=True)
    for queries, minutes, epochs in sizes:
        for method in SEARCHES:
            if f"{method} {queries}" in found:
                continue
            values = in_new_process(method, queries, minutes, epochs)
            found[f"{method} {queries}"] = {"method": method, "queries": queries, **values}
            write_json(path, found)
            print(shown(found[f"{method} {queries}"]), flush=True)
    (arguments.output / "quality-by-queries.md").write_text(table(found) + "\n")
    print("\n" + table(found))
    draw(found, arguments.output)


def in_new_process(method: str, queries: int, minutes: float, epochs: int) -> dict[str, Any]:
    """What `best_in_time` finds in a process that has done nothing else."""
    command = [sys.executable, __file__, "--method", method, "--queries", str(queries)]
    command += ["--minutes", str(minutes), "--epochs", str(epochs)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise UserError(f"{method} failed on {queries} queries")
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def best_in_time(arguments: argparse.Namespace) -> dict[str, Any]:
    """Train until the time is used up; what the best trial by validation measures on the test."""
    use_threads(1)
    from arsm_l2r.experiments.methods import known_methods
    from arsm_l2r.metrics import PAPER, PAPER_MEASURES, Judgements, bootstrap_interval, evaluate
    from arsm_l2r.rankers.selection import selection_measures

    (queries,), (minutes,), (epochs,) = arguments.queries, arguments.minutes, arguments.epochs
    train, vali, test = drawn(queries)
    ranker = known_methods()[arguments.method].ranker
    judged = Judgements(*vali[1:], relevant_from=RELEVANT_FROM)
    best, best_value, trials = None, -np.inf, 0
    started = time.process_time()
    for settings in candidates(arguments.method, epochs):
        own = ranker(**settings, relevant_from=RELEVANT_FROM, threads=1)
        own.fit(*train, eval_set=vali, verbose=False)
        trials += 1
        value = selection_measures(own.predict(vali[0]), judged, "paper")["mean"]
        if value > best_value:
            best, best_value, number = own, value, trials
        if time.process_time() - started > 60 * minutes:
            break
    seconds = time.process_time() - started
    judgements = Judgements(*test[1:], relevant_from=RELEVANT_FROM)
    by_query = evaluate(best.predict(test[0]), judgements, PAPER)
    interval = bootstrap_interval(by_query["ndcg@10"])
    return {
        "trials": trials,
        "best": number,
        "minutes": seconds / 60,
        "low": interval.low,
        "high": interval.high,
        **{name: float(np.mean(by_query[name])) for name in PAPER_MEASURES},
    }


def candidates(method: str, epochs: int) -> list[dict[str, Any]]:
    """The settings to try, in order; features that are not scaled are seen by rank."""
    from arsm_l2r.experiments.configuration import load_configuration
    from arsm_l2r.experiments.plan import Plan

    web = Plan(load_configuration(PROJECT, [PROJECT / "config/mslr.yaml"]), PROJECT)
    search = Plan(load_configuration(PROJECT), PROJECT).searches[SEARCHES[method]]
    given = [web.methods[method], *(each.settings for each in search.variants)]
    network = method != "lambdamart"
    fixed: dict[str, Any] = {"select_by": "paper", "select_on": "mean"}
    if network:
        fixed |= {"feature_scaling": "quantile", "epochs": epochs}
    own = ("relevant_from",)
    return [
        {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in {**settings, **fixed}.items()
            if name not in own
        }
        for settings in given
    ]


def drawn(queries: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Queries to train, validate and test on; the last are the same whatever their number."""
    from arsm_l2r.letor.web_like import web_like_queries

    validating = max(1, queries // 3)
    features, labels, group = web_like_queries(queries + validating, seed=1)
    at = int(group[:queries].sum())
    return [
        (features[:at], labels[:at], group[:queries]),
        (features[at:], labels[at:], group[queries:]),
        web_like_queries(TEST_QUERIES, seed=2),
    ]


def shown(row: dict[str, Any]) -> str:
    return (
        f"{row['queries']:>8,}  {row['method']:<18}{row['ndcg@10']:.4f} "
        f"[{row['low']:.4f}, {row['high']:.4f}]  best of {row['trials']} in "
        f"{row['minutes']:.1f} min"
    )


def table(found: dict[str, Any]) -> str:
    sizes = sorted({row["queries"] for row in found.values()})
    lines = ["| NDCG@10 (trials) | " + " | ".join(f"{size:,} queries" for size in sizes) + " |"]
    lines.append("| --- |" + " ---: |" * len(sizes))
    for method in SEARCHES:
        cells = [found.get(f"{method} {size}") for size in sizes]
        texts = [f"{row['ndcg@10']:.4f} ({row['trials']})" if row else "" for row in cells]
        lines.append(f"| {method} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def draw(found: dict[str, Any], folder: Path) -> None:
    """Curves of test NDCG@10, with intervals over the test queries."""
    from arsm_l2r.experiments.methods import method_of
    from arsm_l2r.report.figures.style import (
        figure_style,
        method_style,
        new_figure,
        plain_numbers,
    )

    with figure_style("quality-by-queries"):
        figure = new_figure("Quality against queries to train on", width=7.0)
        panel = figure.subplots()
        for method in SEARCHES:
            rows = [row for row in found.values() if row["method"] == method]
            rows.sort(key=lambda row: row["queries"])
            values = np.array([row["ndcg@10"] for row in rows])
            low, high = (np.array([row[end] for row in rows]) for end in ("low", "high"))
            panel.errorbar(
                [row["queries"] for row in rows],
                values,
                yerr=[values - low, high - values],
                capsize=3,
                label=method_of(method).title,
                **method_style(method),
            )
        panel.set(xscale="log", xlabel="training queries", ylabel="test NDCG@10")
        plain_numbers(panel.xaxis)
        figure.legend(frameon=False, loc="outside lower center", ncols=len(SEARCHES))
        folder.mkdir(parents=True, exist_ok=True)
        figure.savefig(folder / "quality-by-queries.png", dpi=110)
        figure.savefig(folder / "quality-by-queries.svg", metadata={"Date": None, "Creator": None})
    print(f"\nFigure: {folder / 'quality-by-queries.svg'}, and .png")


if __name__ == "__main__":
    run(main)
