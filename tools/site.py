"""Build the documentation site: pages, API reference, tutorial, published report.

    .venv/bin/python tools/site.py [--output .site]

The pages lie where they belong in the repository, and link to each other as files. They are copied
to `OUTPUT/pages` as they lie, so that the same links work on the site, in `OUTPUT/html`. Nothing is
fetched, and a warning is an error.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOWN = ("*.md", "LICENSE", "CITATION.cff", "benchmarks", "config", "docs", "results/README.md")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.py", "*.parquet", "fold*.json")


def put_together(pages: Path) -> None:
    """Copy what the site shows, and what its pages link to."""
    shutil.rmtree(pages, ignore_errors=True)
    for pattern in SHOWN:
        for source in ROOT.glob(pattern):
            target = pages / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=LEFT_OUT)
            else:
                shutil.copy(source, target)
    for page in pages.rglob("*.md"):  # which becomes a page of that name
        page.with_suffix(".html").unlink(missing_ok=True)


def build(output: Path) -> int:
    """Build the site; 0 if there was no warning."""
    put_together(output / "pages")
    own = f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {output / 'pages'}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".yml", dir=output) as configuration:
        configuration.write(own)
        configuration.flush()
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"]
        command += ["--config-file", configuration.name, "--site-dir", str(output / "html")]
        # The theme tells of its successor.
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    if done.returncode:
        sys.stderr.write(done.stdout)
    return done.returncode


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--output", type=Path, default=ROOT / ".site", help="default: .site")
    output = parser.parse_args().output.absolute()
    code = build(output)
    if code == 0:
        print(f"Open {output / 'html' / 'index.html'}")
    sys.exit(code)


if __name__ == "__main__":
    main()
