"""What a page of the documentation tells its reader to type."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]


def blocks(page: str, language: str) -> list[str]:
    """The examples of a page in one language, from first to last."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)
    assert found, f"{page} has no example in {language}"
    return found


def run_examples(page: str) -> dict[str, Any]:
    """Run a page's Python examples one after the other, in one namespace."""
    namespace: dict[str, Any] = {"__name__": page}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), namespace)
    return namespace


def files(page: str) -> dict[str, str]:
    """The files that a page tells to write: examples that begin with the file's name."""
    named = {
        first.removeprefix("# "): block
        for block in blocks(page, "python")
        if re.fullmatch(r"# \S+\.py", first := block.partition("\n")[0])
    }
    assert named, f"{page} has no file"
    return named


def configuration(page: str) -> dict[str, Any]:
    """What a page tells to write into the configuration."""
    (block,) = blocks(page, "yaml")
    return dict(yaml.safe_load(block))
