"""Studies: what happens when settings of a method are changed, and which claims rest on that.

A study names a method, settings that hold for all of its runs, and for some settings the values to
try: one at a time (`vary`), in all combinations (`grid`), or drawn from a space (`trials`). Every
such change is one variant, trained and measured like a method, under a name of its own.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from arsm_l2r.declared import settings_model
from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.configuration import Ablations, Search
from arsm_l2r.settings import bare

STANDARD = "local-expectation"
"""The estimator whose mean gradient is known best, for those of the others to agree with."""


@dataclass(frozen=True)
class Needs:
    """What a claim is judged by.

    Attributes:
        analyses: what was computed from the main results.
        study: an experiment of the ablations.
        files: which files of its runs, by their names in `RunFiles`.
        rescored: trained models under other ways of scoring.
        gradients: how gradients scatter.
        papers: whether it is the paper's claim, and not ours.
    """

    analyses: bool = False
    study: str | None = None
    files: tuple[str, ...] = ()
    rescored: bool = False
    gradients: bool = False
    papers: bool = True

    @property
    def ablations(self) -> bool:
        """Whether more is needed than the main results."""
        return self.study is not None or self.rescored or self.gradients


CLAIMS = {
    "highest": Needs(analyses=True),
    "significance": Needs(analyses=True),
    "comparison": Needs(analyses=True),
    "reproduced": Needs(analyses=True),
    "levels": Needs(study="levels", files=("record", "measures", "history")),
    "scorings": Needs(rescored=True),
    "estimators": Needs(study="estimators", files=("record", "history"), gradients=True),
    "losses": Needs(study="losses", files=("record", "measures"), rescored=True),
    "tuned": Needs(analyses=True, papers=False),
    "ties": Needs(study="ties", files=("record", "measures"), papers=False),
    "entropy": Needs(study="entropy", files=("record", "measures", "history"), papers=False),
}
"""The claims that are put to the test, in the report's order: the paper's, and then ours."""

TABLED, STUDIED = (
    [name for name, needs in CLAIMS.items() if needs.ablations == own] for own in (False, True)
)
"""The claims that the main tables decide, and those that need experiments of their own."""

DRAWN = ("comparison", "tuned")
"""The claims of `TABLED` that have a figure."""


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


@dataclass(frozen=True)
class Study:
    """A study of a method: its variants, each trained with some seeds.

    Attributes:
        name: of the study.
        method: that is studied.
        seeds: that each variant is trained with.
        variants: of changes to a start, the start first; or trials, in the order of drawing.
        space: what trials were drawn from, by setting, in words; nothing, of other variants.
    """

    name: str
    method: str
    seeds: Sequence[int]
    variants: Sequence[Variant]
    space: Mapping[str, str] = field(default_factory=dict)


def variants(
    study: str,
    method: str,
    methods: Mapping[str, Mapping[str, Any]],
    *,
    settings: Mapping[str, Any],
    vary: Mapping[str, Sequence[Any]] | None = None,
    grid: Mapping[str, Sequence[Any]] | None = None,
) -> list[Variant]:
    """The variants of a study: its start first, then in the order of its description.

    Args:
        study: where it stands in the configuration, for messages.
        method: what is varied.
        methods: settings of every method.
        settings: those that differ from the method's in all runs of the study.
        vary: values to try by setting, one change at a time. A value that the start has already is
            the start.
        grid: values to try by setting, in all combinations.

    Raises:
        ConfigError: if the method or a setting is not known.
    """
    own = methods.get(method)
    if own is None:
        raise ConfigError(f"{study}: the method {method!r} is not in the configuration")
    vary, grid = vary or {}, grid or {}
    for setting in [*settings, *vary, *grid]:
        if setting not in own:
            raise ConfigError(
                f"{study}: {method} has no setting {setting!r}; it has {', '.join(own)}"
            )
    start = {**own, **settings}
    tried: list[dict[str, Any]] = [{}] if vary else []
    tried += [{setting: value} for setting, values in vary.items() for value in values]
    tried += [dict(zip(grid, values, strict=True)) for values in product(*grid.values()) if grid]
    found: dict[str, Variant] = {}
    for each in tried:
        different = {key: value for key, value in each.items() if value != start[key]}
        changed = {**start, **different}
        name = _name(method, own, changed)
        found.setdefault(name, Variant(name, method, different, changed))
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


def trials(study: str, search: Search, ranker: Any) -> list[Variant]:
    """Points of a search's space, each a variant.

    They are those of a scrambled Halton sequence, which covers a space more evenly than
    independent draws: known before anything is trained, so that each can be a job of its own, and
    the same however many more there are. A trial has nothing of the method's own settings, so that
    these can be set to what came out.

    Args:
        study: the study's name, which is part of theirs.
        search: the method, the space, and settings that hold for all.
        ranker: the class that the method trains.

    Raises:
        ConfigError: if a setting is not known.
    """
    model = settings_model(ranker)
    fields = model.model_fields
    for setting in [*search.settings, *search.space]:
        if setting not in fields:
            raise ConfigError(
                f"search.{study}: {search.method} has no setting {setting!r}; it has "
                f"{', '.join(fields)}"
            )
    count = search.trials or 0
    # SciPy takes a while to import.
    from scipy.stats import qmc

    points = qmc.Halton(len(search.space), seed=search.drawn_with).random(count)
    # Settings that came later are what was done before, so that trials stay what they were.
    start = model(**ranker.identified({})).model_dump(mode="json") | search.settings
    found = []
    for number, point in enumerate(points, start=1):
        drawn = {
            setting: _set(choices.at(share), fields[setting].annotation)
            for (setting, choices), share in zip(search.space.items(), point, strict=True)
        }
        name = f"{search.method}+{study}-{number:02}"
        found.append(Variant(name, search.method, drawn, {**start, **drawn}))
    return found


def _set(value: Any, annotation: Any) -> Any:
    """A value as a setting of that type takes it: a whole number, or one of three digits."""
    if bare(annotation) is int:
        return round(value)
    return float(f"{value:.3g}") if isinstance(value, float) else value


def ablation_studies(
    ablations: Ablations, methods: Mapping[str, Mapping[str, Any]]
) -> dict[str, Study]:
    """The studies that claims are tested by."""
    entropy = ablations.entropy
    grids: dict[str, dict[str, Sequence[Any]]] = {
        "levels": {"levels": ablations.levels},
        "losses": {"loss": ablations.losses},
        "ties": {"loss": ablations.ties},
        "estimators": {
            "estimator": ablations.estimators,
            "learning_rate": ablations.learning_rates,
        },
        "entropy": {
            "estimator": entropy.estimators,
            "feature_scaling": entropy.feature_scalings,
            "entropy": entropy.weights,
        },
    }
    return {
        name: Study(
            name,
            ablations.method,
            getattr(ablations.seeds, name),
            variants(
                f"ablations.{name}",
                ablations.method,
                methods,
                settings=entropy.settings if name == "entropy" else ablations.settings,
                grid=grid,
            ),
        )
        for name, grid in grids.items()
    }
