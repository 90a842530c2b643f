"""Say what of the full reproduction is done, has begun, or is missing."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--config",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="overrides keys of config/config.yaml, such as config/demo.yaml",
    )
    parser.add_argument(
        "--project",
        type=Path,
        default=Path(),
        help="folder with config/ and workflow/ (default: this one)",
    )


def execute(arguments: argparse.Namespace) -> None:
    """Read the configuration, look at the results, print."""
    from arsm_l2r.errors import UserError
    from arsm_l2r.experiments.configuration import CONFIGFILE, load_configuration
    from arsm_l2r.experiments.plan import Plan
    from arsm_l2r.experiments.status import lines, status_of

    project = arguments.project
    if not (project / CONFIGFILE).exists():
        raise UserError(
            f"{project}: no {CONFIGFILE} there; run this in the project's folder, "
            "or name it with --project"
        )
    plan = Plan(load_configuration(project, arguments.config), project)
    print(f"Looking at {plan.layout.root}", file=sys.stderr)
    print("\n".join(lines(status_of(plan))))
    report = plan.layout.report
    print(f"Report: {report if report.exists() else 'not yet made'}")
