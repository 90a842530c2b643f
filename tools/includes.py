"""Put files into pages where the pages ask for them, or check that they are there as they are.

    python tools/includes.py [--check] [page ...]

A page asks with a line `<!-- include PATH -->`, PATH from the project's root; the file's text
stands between that line and `<!-- end of PATH -->`, its links as seen from the page. Pages: by
default README.md and docs/*.md.
"""

import argparse
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BEGIN = re.compile(r"^<!-- include (\S+) -->$", re.M)
_LINK = re.compile(r"\]\((?![a-z]+:|[/#])([^)\s]+)\)")


def with_includes(page: Path) -> str:
    """The page's text with every file that it asks for, as the file is now."""
    text = page.read_text(encoding="utf-8")
    for path in _BEGIN.findall(text):
        begin, end = f"<!-- include {path} -->\n", f"<!-- end of {path} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            sys.exit(f"{page}: no line {end!r} after the one that includes {path}")
        try:
            content = (ROOT / path).read_text(encoding="utf-8").strip()
        except OSError as error:
            sys.exit(f"{page}: {path} cannot be included: {error.strerror}")
        folder = os.path.relpath((ROOT / path).parent, page.resolve().parent)
        linked = _LINK.sub(lambda link, at=folder: f"]({at}/{link[1]})", content)
        text = f"{before}{begin}{linked}\n{end}{after}"
    return text


def default_pages() -> list[Path]:
    """The pages of this project."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    arguments = parser.parse_args()
    stale = []
    for page in arguments.pages or default_pages():
        fresh = with_includes(page)
        if fresh != page.read_text(encoding="utf-8"):
            stale.append(str(page))
            if not arguments.check:
                page.write_text(fresh, encoding="utf-8")
    if stale:
        print(f"{'Stale' if arguments.check else 'Updated'}: {', '.join(stale)}")
    if stale and arguments.check:
        sys.exit("run: python tools/includes.py")


if __name__ == "__main__":
    main()
