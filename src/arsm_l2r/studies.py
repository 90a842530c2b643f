"""Studies: what happens when one setting of a method is changed at a time.

A study names a method, settings that hold for all of its runs, and for some settings the values to
try. Every value of every such setting is one variant: the method with that one change. A variant
is trained and measured like a method, under a name of its own.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arsm_l2r.errors import ConfigError


@dataclass(frozen=True)
class Variant:
    """A method with one setting changed, or with none.

    Attributes:
        name: of its runs; the method's own where no setting differs from it.
        method: what is trained.
        setting: the setting that was changed; None for the start of the study.
        value: what it was changed to.
        settings: all settings.
    """

    name: str
    method: str
    setting: str | None
    value: Any
    settings: dict[str, Any]


def variants(
    study: str, description: Mapping[str, Any], methods: Mapping[str, Mapping[str, Any] | None]
) -> list[Variant]:
    """The variants of a study: its start first, then in the order of its description.

    Args:
        study: name of the study.
        description: `method`, `settings` that differ from the method's in all of its runs, and
            `vary`: the values to try by setting. A value that the start has already is the start.
        methods: settings of every method.

    Raises:
        ConfigError: if the method or a setting is not known.
    """
    method = description["method"]
    own = methods.get(method)
    if own is None:
        raise ConfigError(f"search.{study}: the method {method!r} is not in the configuration")
    changes = description.get("settings", {})
    for setting in [*changes, *description.get("vary", {})]:
        if setting not in own:
            raise ConfigError(
                f"search.{study}: {method} has no setting {setting!r}; it has {', '.join(own)}"
            )
    start = {**own, **changes}
    found = [Variant(_name(method, own, start), method, None, None, start)]
    for setting, values in description.get("vary", {}).items():
        for value in values:
            if value != start[setting]:
                settings = {**start, setting: value}
                name = _name(method, own, settings)
                found.append(Variant(name, method, setting, value, settings))
    return found


def _name(method: str, own: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """A name that says how settings differ from the method's own, and can be part of a path."""
    changes = [f"{key}={_text(value)}" for key, value in settings.items() if value != own[key]]
    return "+".join([method, *changes])


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "x".join(map(_text, value)) or "none"
    text = value if isinstance(value, str) else json.dumps(value)
    return re.sub(r"[^\w.@-]", "-", text)
