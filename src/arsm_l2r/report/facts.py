"""What the page gives beside the results: settings and commands."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arsm_l2r.analysis.stored import Analysis
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.methods import OURS, in_order, method_of, method_title
from arsm_l2r.experiments.plan import Plan


def method_facts(plan: Plan, analyses: Sequence[Analysis]) -> list[dict[str, Any]]:
    """What each method is and how it is configured."""
    names = {*plan.methods, *(name for each in analyses for name in each.methods)}
    return [
        {
            "title": method_title(name),
            "description": record.description if (record := method_of(name)) else "",
            "settings": settings_shown(plan.methods.get(name, {})),
        }
        for name in in_order(names)
    ]


def settings_shown(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Settings as the page shows them."""
    return [
        (key, "none" if value is None else json.dumps(value, ensure_ascii=False))
        for key, value in settings.items()
    ]


def steps(plan: Plan, options: str = "") -> list[dict[str, str]]:
    """The commands that make each part again.

    Args:
        plan: of the results.
        options: to add to every Snakemake command.
    """
    # Where they are made, wherever they lie now: what is published is made there, too.
    layout, name = Layout(Path(plan.configuration.pathvars.results)), plan.datasets[0]
    run = layout.run(name, 1, OURS if OURS in plan.methods else next(iter(plan.methods)), 0)
    targets = {
        "Everything": "--cores all",
        "One data set: fetch, check and count it": layout.description(name),
        "One fold, and only what it needs": layout.fold(name, 1),
        "One run again": f"{run.record} --forcerun train",
        "What is computed from everything measured on a data set": layout.analysis(name),
        "The tables of a data set": layout.table(name, "html"),
        "The figures of a data set": layout.captions(name),
        "This page": layout.report,
        "The claims that need experiments of their own": "--cores all ablations",
        "Snakemake's own report": f"--report {layout.root / 'snakemake.html'}",
    }
    after = f" {options}" if options else ""
    commands = [(what, f"snakemake {target}{after}") for what, target in targets.items()]
    analysed = "".join(
        f"python scripts/analyse.py --dataset {each} --results {layout.root}\n"
        f"python scripts/figures.py --dataset {each} --results {layout.root}\n"
        for each in plan.datasets
    )
    so_far = f"{analysed}python scripts/report.py --results {layout.root}"
    commands.append(("This page from whatever has been measured so far", so_far))
    return [{"what": what, "command": command} for what, command in commands]
