"""Put files into pages where the pages ask for them, or check that they are there as they are.

    python tools/includes.py [--check] [page ...]

A page asks with a line `<!-- include PATH -->`, PATH from the project's root; the file's text
stands between that line and `<!-- end of PATH -->`. Pages: by default README.md and docs/*.md.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_INCLUDE = re.compile(
    r"^<!-- include (?P<path>\S+) -->\n.*?^<!-- end of (?P=path) -->$", re.M | re.S
)


def with_includes(page: str, root: Path = ROOT) -> str:
    """The page with every file that it asks for, as the file is now."""

    def put(match: re.Match[str]) -> str:
        path = match["path"]
        text = (root / path).read_text(encoding="utf-8").strip()
        return f"<!-- include {path} -->\n{text}\n<!-- end of {path} -->"

    return _INCLUDE.sub(put, page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    arguments = parser.parse_args()
    stale = []
    for page in arguments.pages or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        fresh = with_includes(text)
        if fresh != text:
            stale.append(str(page.relative_to(ROOT)))
            if not arguments.check:
                page.write_text(fresh, encoding="utf-8")
    if stale:
        print(f"{'Stale' if arguments.check else 'Updated'}: {', '.join(stale)}")
    if stale and arguments.check:
        sys.exit("run: python tools/includes.py")


if __name__ == "__main__":
    main()
