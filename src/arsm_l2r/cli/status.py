"""Say what of a reproduction is done, has begun, or is missing; once, or again and again."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arsm_l2r.experiments.plan import Plan

_CLEAR = "\x1b[H\x1b[2J"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--config",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="overrides keys of config/config.yaml, such as config/demo.yaml (default: what the "
        "results were last made with, if there are any)",
    )
    parser.add_argument(
        "--project",
        type=Path,
        default=Path(),
        help="folder with config/ and workflow/ (default: this one)",
    )
    parser.add_argument(
        "--watch",
        type=float,
        nargs="?",
        const=5.0,
        metavar="SECONDS",
        help="show it again every so many seconds (default: 5) until all is done",
    )


def execute(arguments: argparse.Namespace) -> None:
    """Read the configuration, look at the results, print."""
    from arsm_l2r.errors import UserError
    from arsm_l2r.experiments.configuration import CONFIGFILE

    project = arguments.project
    if not (project / CONFIGFILE).exists():
        raise UserError(
            f"{project}: no {CONFIGFILE} there; run this in the project's folder, "
            "or name it with --project"
        )
    if arguments.watch is not None and not 0.1 <= arguments.watch <= 86_400:
        raise UserError(f"--watch {arguments.watch:g}: must be from 0.1 to 86,400 seconds")
    while True:
        done = _show(project, arguments.config, again=arguments.watch is not None)
        if done or arguments.watch is None:
            return
        time.sleep(arguments.watch)


def _show(project: Path, overriding: list[Path], *, again: bool) -> bool:
    """Print how far it is; whether all is done."""
    from arsm_l2r.experiments.status import lines, status_of

    plan, notes = _plan(project, overriding)
    found = status_of(plan)
    if again and sys.stdout.isatty():
        print(f"{_CLEAR}{time.strftime('%H:%M:%S')}")
    print("\n".join([f"Looking at {plan.layout.root}", *notes]), file=sys.stderr, flush=True)
    encoding = sys.stdout.encoding or "utf-8"
    for line in lines(found):
        print(line.encode(encoding, "replace").decode(encoding))
    report = plan.layout.report
    print(f"Report: {report if report.exists() else 'not yet made'}", flush=True)
    runs_done = all(method.done == method.expected for each in found for method in each.methods)
    return runs_done and report.exists()


def _plan(project: Path, overriding: list[Path]) -> "tuple[Plan, list[str]]":
    """What is to be done: what the files say, or what the results were last made with."""
    from arsm_l2r.experiments.configuration import CONFIGFILE, load_configuration
    from arsm_l2r.experiments.plan import Plan

    asked = Plan(load_configuration(project, overriding), project)
    if overriding or not asked.layout.configuration.exists():
        return asked, []
    made = Plan.load(asked.layout.root, project)
    other = _differences(asked.recorded, made.recorded)
    if not other:
        return asked, []
    keys = ", ".join(other[:6]) + (f" and {len(other) - 6} more" if len(other) > 6 else "")
    return made, [
        f"They were last made with another configuration than {CONFIGFILE}: {keys}.",
        "This is about that one; a plain `snakemake` would do what differs again.",
    ]


def _differences(one: Any, other: Any, key: str = "") -> list[str]:
    """The keys in which two configurations differ, with what the second has."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            text
            for name in sorted({*one, *other})
            for text in _differences(one.get(name), other.get(name), f"{key}.{name}".strip("."))
        ]
    return [] if one == other else [f"{key} {'left out' if other is None else other}"]
