"""Write the lock files from pyproject.toml: `requirements.lock`, and one more per further extra.

`requirements.lock` is the library and the workflow; an extra's file holds only what it adds. Each
is resolved for every supported Python and platform at once, with hashes and without addresses.

    .venv/bin/python tools/lock.py [--upgrade]
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
BASE = ("workflow",)
"""The extras that everybody who has a clone needs, with those that they include."""


def resolve(target: Path, *options: str) -> None:
    """Let uv resolve pyproject.toml and what is needed to build the package."""
    command = ["uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    command += ["--python-version", "3.11", "--no-annotate", "--no-header"]
    command += ["--no-emit-index-url", "--no-emit-find-links", "--output-file", str(target)]
    build_needs = "hatchling\nhatch-fancy-pypi-readme\neditables\n"
    subprocess.run(
        [*command, *options, "pyproject.toml", "-"],
        cwd=ROOT,
        input=build_needs,
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def entries(path: Path) -> list[str]:
    """The file's requirements, each with its hashes."""
    return re.split(r"\n(?=\S)", path.read_text().strip())


def main() -> None:
    base = ROOT / "requirements.lock"
    options = [part for extra in BASE for part in ("--extra", extra)]
    resolve(base, *options, *sys.argv[1:])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    known = set(entries(base))
    for extra in project["optional-dependencies"]:
        target = ROOT / f"requirements-{extra}.lock"
        resolve(target, *options, "--extra", extra, "--constraints", str(base))
        added = [entry for entry in entries(target) if entry not in known]
        if added:
            target.write_text("\n".join(added) + "\n")
        else:  # an extra that the base has already
            target.unlink()


if __name__ == "__main__":
    main()
