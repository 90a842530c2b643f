"""Check what people wrote against a typed model, with messages for people.

A model says once what a setting is: its name, type, range, default, and a sentence. What is wrong
is told all at once: the key, the value, what is allowed, and the sentence.
"""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, ValidationError
from pydantic_core import ErrorDetails

from arsm_l2r.errors import ConfigError

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
"""Unknown keys are mistakes, text is no number, 3.0 is no whole number."""


class Settings(BaseModel):
    """A mapping with known keys."""

    model_config = STRICT


_UNIONS: tuple[Any, ...] = (Union, UnionType)

_Model = TypeVar("_Model", bound=BaseModel)
_Items = TypeVar("_Items", bound=Sequence[Any])


def _unique(items: _Items) -> _Items:
    for at, item in enumerate(items):
        if item in items[:at]:
            raise ValueError(f"{item!r} is there twice")
    return items


Unique = AfterValidator(_unique)
"""Refuses a list that has something twice."""

Positive = Annotated[int, Field(ge=1)]
"""A number of things of which there must be one."""

LARGEST = 2**31 - 1
"""The largest number of libraries that count in 32 bits: a bound for what costs nothing."""


class _Loader(yaml.SafeLoader):
    """Reads YAML, and refuses a key that stands twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """See `yaml`; a second value would silently take the place of the first."""
        seen: list[Any] = []
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen and key_node.tag != "tag:yaml.org,2002:merge":
                mark = key_node.start_mark
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is there twice", mark
                )
            seen.append(key)
        return super().construct_mapping(node, deep)


def load_yaml(path: Path) -> Any:
    """Read a YAML file; say where it is wrong if it cannot be read."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error


def checked(model: type[_Model], given: Any, *, source: str) -> _Model:
    """Check what was given against a model and fill in its defaults.

    Args:
        model: says what is allowed.
        given: what was read from a file.
        source: the file's name, for messages.

    Raises:
        ConfigError: listing every unknown key, wrong type and value out of range.
    """
    found, problems = examined(model, given)
    if found is None:
        raise refusal(source, problems)
    return found


def refusal(source: str, problems: Sequence[str]) -> ConfigError:
    """The error that lists problems found in a source."""
    return ConfigError("\n  - ".join([f"{source}: settings that cannot be used", *problems]))


def examined(
    model: type[_Model], given: Any, *, under: Sequence[str] = (), read_text: bool = True
) -> tuple[_Model | None, list[str]]:
    """What a model makes of what was given, or nothing and everything that is wrong with it.

    Args:
        model: says what is allowed.
        given: what was read from a file.
        under: the keys that lead to it, for messages.
        read_text: text that reads as a number counts as one where one is due.
    """
    try:
        try:
            return model.model_validate(given), []
        except ValidationError as error:
            if not read_text:
                raise
            # Snakemake hands over what stands inside lists and mappings on its command line as
            # text.
            return model.model_validate(_with_text_read(given, error.errors())), []
    except ValidationError as error:
        # One missing key is one error, but they are told together.
        missing: dict[tuple[int | str, ...], list[str]] = {}
        told: list[tuple[tuple[int | str, ...], str]] = []
        for each in error.errors():
            if each["type"] == "missing":
                missing.setdefault(each["loc"][:-1], []).append(str(each["loc"][-1]))
            elif not _follows_from_others(each):
                told.append((each["loc"], _problem(model, each, under)))
        told += [
            (place, f"{_where(under, place)}: missing {', '.join(keys)}")
            for place, keys in missing.items()
        ]
        return None, list(dict.fromkeys(text for _, text in sorted(told, key=_order)))


_DUE = {
    "int_type": "integer",
    "int_from_float": "integer",
    "float_type": "number",
    "bool_type": "boolean",
    "string_type": "string",
    "list_type": "array",
    "tuple_type": "array",
    "dict_type": "object",
    "model_type": "object",
    "model_attributes_type": "object",
    "none_required": "null",
}

_NOT_TEXT = ("int_type", "float_type", "bool_type", "dict_type", "model_type")

_BOUNDS = {
    "greater_than_equal": ("ge", "is less than the minimum of"),
    "greater_than": ("gt", "must be more than"),
    "less_than_equal": ("le", "is greater than the maximum of"),
    "less_than": ("lt", "must be less than"),
}


def _follows_from_others(error: ErrorDetails) -> bool:
    """A list that is too short only without its wrong items is told by those."""
    if error["type"] != "too_short":
        return False
    return len(error["input"]) >= int(error["ctx"]["min_length"])


def _problem(model: type[BaseModel], error: ErrorDetails, under: Sequence[str]) -> str:
    place, value, kind = error["loc"], error["input"], error["type"]
    if kind == "extra_forbidden":
        allowed = ", ".join(keys_of(bare(_at(model, place[:-1])[0])))
        return f"{_where(under, place[:-1])}: unknown key {str(place[-1])!r}; allowed are {allowed}"
    where = _where(under, place)
    annotation, sentence = _at(model, place)
    hint = f" ({' '.join(sentence.split())})" if sentence else ""
    context = error.get("ctx", {})
    if kind in ("list_type", "tuple_type") and isinstance(value, int | float):
        return f"{where}: must be a list, such as [{value}], not {value}{hint}"
    if kind in _DUE:
        due = _DUE[kind] + (" or null" if NoneType in get_args(annotation) else "")
        return f"{where}: must be {due}, not {value!r}{hint}"
    if kind == "literal_error":
        choices = ", ".join(map(str, get_args(bare(annotation))))
        return f"{where}: must be one of {choices}, not {value!r}"
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        bound = context[key]
        shown = f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"
        return f"{where}: {value!r} {words} {shown}{hint}"
    if kind == "too_long":
        return f"{where}: must have at most {context['max_length']}, not {len(value)}{hint}"
    if kind == "too_short":
        return f"{where}: must have at least {context['min_length']}, not {value!r}{hint}"
    if kind == "string_pattern_mismatch":
        return f"{where}: {value!r} does not match {context['pattern']!r}{hint}"
    if kind == "finite_number":
        return f"{where}: must be a finite number, not {value!r}{hint}"
    if kind == "value_error":
        return f"{where}: {context['error']}{hint}"
    return f"{where}: {value!r}: {error['msg'][0].lower()}{error['msg'][1:]}{hint}"


def keys_of(model: Any) -> list[str]:
    """The keys that a model knows, by the names that people write."""
    return [field.alias or name for name, field in model.model_fields.items()]


def bare(annotation: Any) -> Any:
    """A type without what `Annotated` or `| None` add to it."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif get_origin(annotation) in _UNIONS:
            annotation = next(each for each in get_args(annotation) if each is not NoneType)
        else:
            return annotation


def _at(model: type[BaseModel], place: Sequence[int | str]) -> tuple[Any, str]:
    """The type that is due at a place, and the sentence about the setting that it belongs to."""
    annotation: Any = model
    if issubclass(model, RootModel):
        annotation = model.model_fields["root"].annotation
    sentence = ""
    for step in place:
        known = bare(annotation)
        if isinstance(known, type) and issubclass(known, BaseModel):
            fields = {field.alias or name: field for name, field in known.model_fields.items()}
            if step not in fields:
                break
            annotation = fields[str(step)].annotation
            sentence = fields[str(step)].description or sentence
        elif get_args(known):
            inside = [each for each in get_args(known) if each is not Ellipsis]
            annotation = inside[-1]
    return annotation, sentence


def _order(told: tuple[tuple[int | str, ...], str]) -> list[tuple[bool, Any]]:
    """To sort by; numbers (of a list's items, or careless keys) and names do not compare."""
    return [(isinstance(step, str), step) for step in told[0]]


def _where(under: Sequence[str], place: Sequence[int | str]) -> str:
    if place and place[-1] == "[key]":
        place = place[:-2]
    steps = [*under, *map(str, place)]
    return ".".join(steps) or "top level"


def _with_text_read(given: Any, errors: Sequence[ErrorDetails]) -> Any:
    """A copy of what was given in which text is a number, or nothing, where one is due."""
    copy = deepcopy(given)
    for error in errors:
        if error["loc"] and isinstance(error["input"], str) and error["type"] in _NOT_TEXT:
            *path, last = error["loc"]
            holder = copy
            for step in path:
                holder = holder[step]
            try:
                read = yaml.safe_load(error["input"])
            except yaml.YAMLError:
                continue
            if isinstance(read, int | float | None):
                holder[last] = read
    return copy
