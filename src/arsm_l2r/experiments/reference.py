"""The reference of all settings, from their models: tables for readers, a schema for editors."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from arsm_l2r.declared import OneOf, settings_model
from arsm_l2r.estimators import estimator_descriptions
from arsm_l2r.experiments.configuration import Ablations, Choices, Configuration, Search
from arsm_l2r.experiments.methods import known_methods
from arsm_l2r.letor.catalogue import Entry, Source
from arsm_l2r.letor.part import PartFacts
from arsm_l2r.losses import loss_descriptions
from arsm_l2r.metrics import measure_descriptions
from arsm_l2r.settings import bare

_SHOWN_APART = (Configuration, Ablations, Choices, Search, PartFacts)
"""Models that have a table of their own, rather than lines in that of what they belong to."""


def settings_reference() -> str:
    """Every key of the configuration and of the catalogue, as Markdown."""
    sections = [
        "## The whole configuration",
        _table(Configuration),
        *_methods(),
        "## Losses, estimators and measures",
        "By name; `@K` stands for a cut-off. Files in `extensions` add to them.",
        *map(_named, (loss_descriptions(), estimator_descriptions(), measure_descriptions())),
        "## `search`: each study",
        "Studies by name. `snakemake search` trains the start of each study and, one change at a "
        "time, every\nvalue that it varies, or a number of trials drawn from a space, each as a "
        "job of its own like all others, and writes "
        "`results/search/{study}.html`,\n`.tex`, `.csv` and `.md` from validation measures; test "
        "documents play no part.",
        _table(Search),
        "Each of `space`:",
        _table(Choices),
        "## `ablations`",
        "The experiments of `snakemake ablations`, which put claims to the test and add them to "
        "`results/report.html`.\nModels that the main reproduction trained are scored anew; "
        "everything else is trained as a job of its own.",
        _table(Ablations),
        "## `datasets.yaml`: each data set",
        "The catalogue of data sets; [docs/own-data.md](../docs/own-data.md) shows how to add one.",
        _table(Entry),
        "Each of `sources`:",
        _table(Source),
        "Each of `parts`:",
        _table(PartFacts),
    ]
    return "\n\n".join(sections) + "\n"


def configuration_schema() -> dict[str, Any]:
    """A JSON Schema of the configuration, for editors that check and complete what is typed."""
    schema = Configuration.model_json_schema()
    methods: dict[str, Any] = {}
    for name, method in known_methods().items():
        own = settings_model(method.ranker).model_json_schema()
        own.pop("title", None)
        methods[name] = {"description": method.description, **own, "type": ["object", "null"]}
    schema["properties"]["methods"] |= {"properties": methods, "additionalProperties": False}
    return schema


def _methods() -> list[str]:
    """A section per kind of ranker, with all methods that it is trained as."""
    sections = []
    every = known_methods().values()
    for ranker in dict.fromkeys(method.ranker for method in every):
        own = [method for method in every if method.ranker is ranker]
        sections += [
            f"## {', '.join(f'`methods.{method.name}`' for method in own)}",
            "\n".join(f"- {method.title}: {method.description}." for method in own),
            _table(settings_model(ranker)),
        ]
    return sections


def _named(descriptions: Mapping[str, str]) -> str:
    lines = [f"| `{name}` | {text} |" for name, text in descriptions.items()]
    return "\n".join(["| name | |", "| --- | --- |", *lines])


def _table(model: type[BaseModel]) -> str:
    lines = ["| key | default | meaning |", "| --- | --- | --- |"]
    return "\n".join([*lines, *_rows(model)])


def _rows(model: type[BaseModel], under: str = "") -> list[str]:
    rows = []
    for name, field in model.model_fields.items():
        known = bare(field.annotation)
        nested = isinstance(known, type) and issubclass(known, BaseModel)
        if nested and known not in _SHOWN_APART:
            rows += _rows(known, f"{under}{name}.")
        else:
            meaning = f"{field.description}{_names(field)}".replace("|", "\\|")
            rows.append(f"| `{under}{name}` | {_default(field, nested)} | {meaning} |")
    return rows


def _default(field: FieldInfo, nested: bool) -> str:
    if field.is_required() or nested:
        return ""
    value = field.default
    return f"`{json.dumps(list(value) if isinstance(value, tuple) else value)}`"


def _names(field: FieldInfo) -> str:
    """The names that are allowed, if they are listed somewhere."""
    listed = next((each for each in field.metadata if isinstance(each, OneOf)), None)
    if listed is None:
        return ""
    return f" One of {', '.join(f'`{name}`' for name in listed.names())}."
