#!/usr/bin/env python3
"""Declare that a change of the code changes no result, so that nothing is trained again.

    python scripts/same_results.py --because "the loop was split into two functions"

compares the code that trains each method with that of a commit (by default the last one) and
writes down, in workflow/same_results.json, that the new goes by the version of the old. Commit
that file with the change, and only after a comparison: scripts/compare.py says whether a fold that
was run again is what it was.
"""

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from arsm_l2r.command import run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--because", required=True, help="why no result changes")
    parser.add_argument("--since", default="HEAD", help="the commit to compare with")
    parser.add_argument(
        "--configfile", type=Path, nargs="*", default=[], help="that override config/config.yaml"
    )
    arguments = parser.parse_args()

    from arsm_l2r.experiments.code_versions import DECLARED, accepted, declare, training_codes
    from arsm_l2r.experiments.configuration import load_configuration

    methods = load_configuration(Path(), arguments.configfile).methods
    now = training_codes(methods)
    before = _codes_at(arguments.since, arguments.configfile)
    changed = {
        name: (before[name], code) for name, code in now.items() if before.get(name, code) != code
    }
    for name, (old, new) in changed.items():
        print(f"{name}: {new} gives the same results as {accepted(old)}")
    declare({new: accepted(old) for old, new in changed.values()}, arguments.because)
    print(f"Written to {DECLARED}" if changed else "No code that trains a method has changed")


def _codes_at(commit: str, configfiles: list[Path]) -> dict[str, str]:
    """The fingerprints of the code that trained each method at a commit."""
    from arsm_l2r.errors import UserError

    packed = subprocess.run(["git", "archive", commit, "src"], capture_output=True)
    if packed.returncode:
        raise UserError(f"no source at {commit}: {packed.stderr.decode().strip()}")
    program = (
        "import json, sys\n"
        "from pathlib import Path\n"
        "from arsm_l2r.experiments.code_versions import training_codes\n"
        "from arsm_l2r.experiments.configuration import load_configuration\n"
        "methods = load_configuration(Path(), map(Path, sys.argv[1:])).methods\n"
        "print(json.dumps(training_codes(methods)))\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, configfiles)],
            env={"PYTHONPATH": f"{folder}/src"},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise UserError(f"the code at {commit} does not tell its version:\n{done.stderr}")
    codes: dict[str, str] = json.loads(done.stdout)
    return codes


if __name__ == "__main__":
    run(main)
