"""Which versions of the code are declared to give the same results.

A refactoring changes the fingerprint of the code, and with it everything that was trained. One that
changes no result is declared so by `scripts/same_results.py`; from then on the new code goes by the
version of the old.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from arsm_l2r.files import read_json
from arsm_l2r.source_code import code_of

DECLARED = Path("workflow/same_results.json")
"""The declarations, from the project's folder: a fingerprint, the one it stands for, and why."""


_RUN = "arsm_l2r.experiments.run"
"""What every training imports besides its ranker."""


def training_code(ranker: type, settings: Mapping[str, Any], project: Path = Path()) -> str:
    """The version of the code that trains a ranker with such settings."""
    return accepted(code_of(*definitions_behind(ranker, settings), modules=[_RUN]), project)


@cache
def _declarations(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    return {each["code"]: each["same_as"] for each in read_json(path)}


def accepted(code: str, project: Path = Path()) -> str:
    """The version of the code that a fingerprint stands for."""
    declared = _declarations(project / DECLARED)
    seen = {code}
    while code in declared and declared[code] not in seen:
        code = declared[code]
        seen.add(code)
    return code


def definitions_behind(ranker: type, settings: Mapping[str, Any]) -> list[Any]:
    """The classes and functions that a training runs: the ranker, its loss and its estimator."""
    found: list[Any] = [ranker]
    if isinstance(settings.get("loss"), str):
        from arsm_l2r.losses import loss_by_name

        found.append(type(loss_by_name(settings["loss"])))
    if isinstance(settings.get("estimator"), str):
        from arsm_l2r.estimators import estimator_by_name

        found.append(estimator_by_name(settings["estimator"]))
    return found
