"""The command `arsm-l2r`: train, rank, evaluate, export; how far the workflow is."""

import argparse
from types import ModuleType
from typing import Any

from arsm_l2r import __version__
from arsm_l2r.advice import print_advice_as_lines
from arsm_l2r.cli import check, evaluate, export, rank, status, train
from arsm_l2r.command import run


class _Command(argparse.ArgumentParser):
    """A command whose options are declared when it is asked for, with all that they import."""

    module: ModuleType | None = None

    def parse_known_args(self, *arguments: Any, **options: Any) -> Any:
        """See `argparse`."""
        if self.module is not None:
            self.module.add_arguments(self)
            self.set_defaults(execute=self.module.execute)
        return super().parse_known_args(*arguments, **options)


def main() -> None:
    """Run the command line."""
    run(_main)


def _main() -> None:
    print_advice_as_lines()
    parser = argparse.ArgumentParser(
        prog="arsm-l2r", description="Learning to rank on metrics that have no gradient."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(metavar="command", required=True, parser_class=_Command)
    for module in (train, rank, evaluate, export, check, status):
        name = module.__name__.rpartition(".")[2]
        text = module.__doc__ or ""
        command = commands.add_parser(name, help=text.splitlines()[0], description=text)
        command.module = module
    arguments = parser.parse_args()
    arguments.execute(arguments)
