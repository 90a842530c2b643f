"""Studies: what happens when settings of a method are changed.

A study names a method, settings that hold for all of its runs, and for some settings the values to
try: one at a time (`vary`), or in all combinations (`grid`). Every such change is one variant,
trained and measured like a method, under a name of its own.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from arsm_l2r.errors import ConfigError

CLAIMS = ("levels", "scorings", "estimators", "losses", "comparison", "ties")
"""The claims of the paper that are put to the test, and one of ours, in the report's order."""

STANDARD = "local-expectation"
"""The estimator whose mean gradient is known best, for those of the others to agree with."""


@dataclass(frozen=True)
class Variant:
    """A method with some settings changed, or none.

    Attributes:
        name: of its runs; the method's own where no setting differs from it.
        method: what is trained.
        changes: the settings that differ from the start of the study.
        settings: all settings.
    """

    name: str
    method: str
    changes: dict[str, Any]
    settings: dict[str, Any]


def variants(
    study: str, description: Mapping[str, Any], methods: Mapping[str, Mapping[str, Any] | None]
) -> list[Variant]:
    """The variants of a study: its start first, then in the order of its description.

    Args:
        study: where it stands in the configuration, for messages.
        description: `method`, `settings` that differ from the method's in all of its runs, and
            `vary` or `grid`: the values to try by setting. A value that the start has already is
            the start.
        methods: settings of every method.

    Raises:
        ConfigError: if the method or a setting is not known.
    """
    method = description["method"]
    own = methods.get(method)
    if own is None:
        raise ConfigError(f"{study}: the method {method!r} is not in the configuration")
    changes = description.get("settings", {})
    vary, grid = description.get("vary", {}), description.get("grid", {})
    for setting in [*changes, *vary, *grid]:
        if setting not in own:
            raise ConfigError(
                f"{study}: {method} has no setting {setting!r}; it has {', '.join(own)}"
            )
    start = {**own, **changes}
    tried: list[dict[str, Any]] = [{}] if vary else []
    tried += [{setting: value} for setting, values in vary.items() for value in values]
    tried += [dict(zip(grid, values, strict=True)) for values in product(*grid.values()) if grid]
    found: dict[str, Variant] = {}
    for each in tried:
        different = {key: value for key, value in each.items() if value != start[key]}
        settings = {**start, **different}
        name = _name(method, own, settings)
        found.setdefault(name, Variant(name, method, different, settings))
    return list(found.values())


def _name(method: str, own: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """A name that says how settings differ from the method's own, and can be part of a path."""
    changes = [f"{key}={_text(settings[key])}" for key in sorted(own) if settings[key] != own[key]]
    return "+".join([method, *changes])


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "x".join(map(_text, value)) or "none"
    text = value if isinstance(value, str) else json.dumps(value)
    return re.sub(r"[^\w.@-]", "-", text)


def ablation_studies(ablations: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The studies that the paper's claims are tested by, as `variants` takes them.

    Args:
        ablations: that part of the configuration.
    """
    common = {key: ablations[key] for key in ("method", "settings")}
    grids = {
        "levels": {"levels": ablations["levels"]},
        "losses": {"loss": ablations["losses"]},
        "ties": {"loss": ablations["ties"]},
        "estimators": {
            "estimator": ablations["estimators"],
            "learning_rate": ablations["learning_rates"],
        },
    }
    return {
        name: {**common, "seeds": ablations["seeds"][name], "grid": grid}
        for name, grid in grids.items()
    }
