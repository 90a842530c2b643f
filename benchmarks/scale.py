#!/usr/bin/env python3
"""Measure how time and memory of every step grow with the data, on data like MSLR's.

Every step is a program of its own, run as the workflow runs it: with the settings of
config/mslr-like.yaml, on one fold and, for the report, on five folds of made-up scores. Time is
what the processor took, which other work on the machine hardly changes; memory is the peak. What
was measured before is kept in the output and not measured again.
"""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from arsm_l2r.command import run
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.configuration import load_configuration
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.files import read_json, write_json
from arsm_l2r.letor.store import read_index
from arsm_l2r.rankers.score_file import write_scores

PROJECT = Path(__file__).parent.parent
DATASET, FEATURES = "mslr-like", 136
STAGES = {
    "data": ("generate", "prepare", "describe"),
    "train": (),
    "rank and measure": ("rank", "evaluate", "analyse", "report", "arsm-l2r train"),
}
"""The panels of the figure, and the steps in each; trainings are those of the configuration."""

Step = tuple[str, list[str | Path]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--queries",
        type=int,
        nargs="+",
        default=[830, 8200, 31531],
        help="default: %(default)s, of about 120 documents each",
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for data and results")
    parser.add_argument("--steps", nargs="+", help="only these, such as prepare or arsm-l2r")
    parser.add_argument(
        "--output", type=Path, default=PROJECT / "benchmarks" / "figures", help="folder"
    )
    arguments = parser.parse_args()
    path = arguments.output / "scale.json"
    found = read_json(path) if path.exists() else {}
    for queries in arguments.queries:
        work = arguments.work / str(queries)
        plan = Plan(
            load_configuration(PROJECT, [PROJECT / "config/mslr-like.yaml"]),
            PROJECT,
            work / "results",
        )
        for name, command in steps(plan, queries, work):
            own = found.setdefault(str(queries), {})
            needed = name in ("generate", "prepare") and not (work / "parts").exists()
            wanted = arguments.steps is None or name in arguments.steps
            if needed or (wanted and name not in own):
                if name == "analyse" and not plan.layout.fold(DATASET, 5).exists():
                    make_up_runs(plan, work)
                own[name] = measured(command)
                print(f"{queries:>8,}  {name:<18}{shown(own[name])}", flush=True)
                if name == "prepare":
                    index = read_index(work / "parts")
                    own["documents"] = sum(part.rows for part in index.parts)
                write_json(path, found)
    print()
    (arguments.output / "scale.md").write_text(table(found) + "\n")
    print(table(found))
    draw(found, arguments.output)


def steps(plan: Plan, queries: int, work: Path) -> Iterator[Step]:
    """Every step with the command that takes it, in order."""
    text, parts, layout = work / "text", work / "parts", plan.layout
    python, script = sys.executable, lambda name: PROJECT / "scripts" / f"{name}.py"
    yield (
        "generate",
        [
            *(python, script("generate_synthetic"), "--like", "mslr"),
            *("--queries", str(queries), "--output", text),
        ],
    )
    if text.exists():
        write_json(text / "source.json", {"source": "generated"})
    of_data = ["--dataset", DATASET, "--catalogue", PROJECT / plan.configuration.catalogue]
    yield "prepare", [python, script("prepare"), *of_data, "--text", text, "--output", parts]
    description = layout.description(DATASET)
    yield (
        "describe",
        [python, script("describe"), *of_data, "--parts", parts, "--output", description],
    )
    for name in plan.methods:
        yield (
            name,
            [
                *(python, script("train"), "--parts", parts, "--dataset", DATASET, "--fold", "1"),
                *("--method", plan.trained[name].method.name, "--ranker", plan.ranker(name)),
                *("--settings", json.dumps(plan.training_settings(name, DATASET))),
                *("--checkpoint", layout.checkpoint(DATASET, 1, name, 0), "--gpus", "0"),
                *("--output", layout.run(DATASET, 1, name, 0).folder),
            ],
        )
    files = layout.run(DATASET, 1, "arsm-l2r", 0)
    test, command = text / "Fold1/test.txt", [Path(sys.executable).parent / "arsm-l2r"]
    yield "rank", [*command, "rank", test, "--model", files.model, "--output", work / "ranked"]
    yield "evaluate", evaluation(parts, 1, files)
    analyse = [python, script("analyse"), "--dataset", DATASET, "--results", layout.root]
    yield "analyse", analyse
    yield "report", ["sh", "-c", " && ".join(report_commands(plan))]
    yield (
        "arsm-l2r train",
        [
            *(*command, "train", text / "Fold1/train.txt", "--vali", text / "Fold1/vali.txt"),
            *("--model", work / "model.npz", "--threads", "1", "--epochs", "2", "--seed", "0"),
        ],
    )


def evaluation(parts: Path, fold: int, files) -> list[str | Path]:
    return [
        *(sys.executable, PROJECT / "scripts/evaluate.py", "--parts", parts, "--dataset", DATASET),
        *("--fold", str(fold), "--vali-scores", files.vali, "--test-scores", files.test),
        *("--measures", files.measures, "--summary", files.summary, "--relevant-from", "2"),
    ]


def report_commands(plan: Plan) -> list[str]:
    """Tables, figures, claims and page, as a shell takes them."""
    from arsm_l2r.experiments.studies import TABLED

    base = f"{sys.executable} {PROJECT}/scripts"
    where = f"--results {plan.layout.root}"
    tables = [f"{base}/tables.py --table {name} {where}" for name in plan.tables]
    return [
        *tables,
        f"{base}/figures.py --dataset {DATASET} {where}",
        f"{base}/claims.py --claims {' '.join(TABLED)} {where}",
        f"{base}/report.py {where}",
    ]


def make_up_runs(plan: Plan, work: Path) -> None:
    """Runs of all folds by random scores, and the record of the training on fold 1."""
    layout = plan.layout
    write_json(layout.configuration, plan.recorded)
    from arsm_l2r.letor.store import read_judged

    draw = np.random.default_rng(0)
    for fold in plan.folds(DATASET):
        vali, test = read_judged(work / "parts", fold, DATASET)
        for name in plan.methods:
            files, first = layout.run(DATASET, fold, name, 0), layout.run(DATASET, 1, name, 0)
            files.folder.mkdir(parents=True, exist_ok=True)
            if fold > 1:
                shutil.copy(first.record, files.record)
                shutil.copy(first.history, files.history)
            for path, judged in ((files.vali, vali), (files.test, test)):
                # Better than chance, as scores are: labels with noise.
                noise = draw.normal(size=len(judged.labels))
                write_scores(path, judged.labels + 4 * noise)
            measured(evaluation(work / "parts", fold, files))
        runs = [layout.run(DATASET, fold, name, 0) for name in plan.methods]
        measured(
            [
                *(sys.executable, PROJECT / "scripts/collect_fold.py", "--dataset", DATASET),
                *("--fold", str(fold), "--runs", *(each.record for each in runs)),
                *("--summaries", *(each.summary for each in runs)),
                *("--output", layout.fold(DATASET, fold)),
            ]
        )


def measured(command: list[str | Path]) -> dict[str, float]:
    """Seconds and peak megabytes of a program and those that it starts.

    Raises:
        UserError: if it fails.
    """
    words, started = [str(word) for word in command], time.perf_counter()
    # The program of a shell is measured with the shell's own children.
    quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    quiet += [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawnp(words[0], words, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    if status:
        raise UserError(f"failed: {' '.join(words)}")
    return {
        "cpu": round(usage.ru_utime + usage.ru_stime, 2),
        "seconds": round(time.perf_counter() - started, 2),
        "megabytes": round(usage.ru_maxrss / 1024),
    }


def shown(values: dict[str, float]) -> str:
    return f"{values['cpu']:>9.1f} s{values['megabytes']:>9,} MB"


def table(found: dict[str, dict]) -> str:
    """A row per step, a column per size."""
    names = list(dict.fromkeys(name for own in found.values() for name in own))
    lines = ["| step | " + " | ".join(f"{own['documents']:,}" for own in found.values()) + " |"]
    lines.append("| --- |" + " ---: |" * len(found))
    for name in names:
        if name != "documents":
            cells = [
                shown(own[name]).split("s", 1) if name in own else None for own in found.values()
            ]
            texts = ["" if c is None else f"{c[0].strip()} s, {c[1].strip()}" for c in cells]
            lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def draw(found: dict[str, dict], folder: Path) -> None:
    """Curves of time and of memory against documents; dotted, what grows as the data do."""
    from matplotlib.figure import Figure

    from arsm_l2r.report.figures.style import figure_style, ticks_at_1_2_5

    sizes = [own["documents"] for own in found.values()]
    other = [name for names in STAGES.values() for name in names]
    names = [name for own in found.values() for name in own if name not in ("documents", *other)]
    stages = {**STAGES, "train": tuple(dict.fromkeys(names))}
    with figure_style("scale"):
        figure = Figure(figsize=(12, 8), layout="constrained")
        panels = figure.subplots(2, 3, sharex=True)
        for column, (stage, steps_of_it) in enumerate(stages.items()):
            for row, (key, label) in enumerate(
                (("cpu", "seconds of processor time"), ("megabytes", "MB at the peak"))
            ):
                panel = panels[row, column]
                panel.set(xscale="log", yscale="log")
                for number, name in enumerate(steps_of_it):
                    at = [own["documents"] for own in found.values() if name in own]
                    values = [own[name][key] for own in found.values() if name in own]
                    panel.plot(at, values, marker="os^DvPX*"[number % 8], label=name)
                low = panel.get_ylim()[0]
                panel.plot(sizes, [low * size / sizes[0] for size in sizes], ":", color="0.5")
                for axis in (panel.xaxis, panel.yaxis):
                    ticks_at_1_2_5(axis)
                panel.set(ylabel=label if column == 0 else "", title="" if row else stage)
            panels[1, column].set(xlabel="documents")
            panels[1, column].legend(
                frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2
            )
        panels[1, 1].axhline(8_000, color="0.5", lw=1)
        panels[1, 1].text(sizes[0], 8_300, "aim: 8 GB", color="0.4")
        panels[1, 0].set_ylim(top=10_000)
        panels[1, 0].axhline(6_000, color="0.5", lw=1)
        panels[1, 0].text(sizes[0], 6_200, "aim: 6 GB", color="0.4")
        folder.mkdir(parents=True, exist_ok=True)
        figure.savefig(folder / "scale.png", dpi=110)
        figure.savefig(folder / "scale.svg", metadata={"Date": None, "Creator": None})
    print(f"\nFigure: {folder / 'scale.svg'}, and .png")


if __name__ == "__main__":
    run(main)
