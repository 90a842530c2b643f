"""Versions of the code that trains, and which of them are declared to give the same results.

A refactoring changes the fingerprint of the code, and with it everything that was trained. One that
changes no result is declared so by `scripts/same_results.py`; from then on the new code goes by the
version of the old.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import RootModel

from arsm_l2r.declared import declared
from arsm_l2r.experiments.methods import known_methods
from arsm_l2r.files import read_json, write_json
from arsm_l2r.rankers.learned_ranker import LearnedRanker
from arsm_l2r.settings import Settings, checked
from arsm_l2r.source_code import code_of

DECLARED = Path("workflow/same_results.json")
"""The declarations, from the project's folder: a fingerprint, the one it stands for, and why."""


class _Declaration(Settings):
    code: str
    same_as: str
    because: str


class _Declarations(RootModel[list[_Declaration]]):
    pass


_RUN = "arsm_l2r.experiments.run"
"""What every training imports besides its ranker."""


def training_code(
    ranker: type[LearnedRanker], settings: Mapping[str, Any], project: Path = Path()
) -> str:
    """The version of the code that trains a ranker with such settings."""
    return accepted(_fingerprint(ranker, settings), project)


def training_codes(methods: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The fingerprint of the code that trains each method, whatever was declared about it."""
    known = known_methods()
    return {name: _fingerprint(known[name].ranker, own) for name, own in methods.items()}


def accepted(code: str, project: Path = Path()) -> str:
    """The version of the code that a fingerprint stands for."""
    declared = _declarations(project / DECLARED)
    return declared.get(code, code)


def declare(same: Mapping[str, str], because: str, project: Path = Path()) -> None:
    """Write down that fingerprints give the same results as versions, and why."""
    path = project / DECLARED
    before = _read(path)
    known = {each["code"] for each in before}
    new = [
        {"code": code, "same_as": version, "because": because}
        for code, version in same.items()
        if code not in known
    ]
    if new:
        write_json(path, [*before, *new])


@cache
def _declarations(path: Path) -> dict[str, str]:
    return {each["code"]: each["same_as"] for each in _read(path)}


def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    content = read_json(path)
    checked(_Declarations, content, source=str(path))
    return list(content)


def _fingerprint(ranker: type[LearnedRanker], settings: Mapping[str, Any]) -> str:
    defaults = {name: field.default for name, field in declared(ranker).items()}
    return code_of(*ranker.definitions({**defaults, **settings}), modules=[_RUN])
