"""Check settings against a JSON Schema, with messages for people, and fill in defaults."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as SchemaViolation
from jsonschema.validators import extend

from arsm_l2r.errors import ConfigError

# JSON Schema counts 3.0 as an integer; what takes an integer in Python does not.
_Validator = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


def load_yaml(path: Path) -> Any:
    """Read a YAML file; say where it is wrong if it cannot be read."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from error


def check_settings(settings: Any, schema: dict[str, Any], *, source: str) -> Any:
    """Check settings against a schema and fill in the defaults that it declares.

    Args:
        settings: what was read from the file.
        schema: a JSON Schema; `default` is filled in, `description` is for readers.
        source: the file's name, for messages.

    Returns:
        A copy of the settings with defaults filled in.

    Raises:
        ConfigError: listing every unknown key, wrong type and value out of range.
    """
    filled = _completed(settings, schema, schema)
    violations = sorted(_Validator(schema).iter_errors(filled), key=_place)
    # One missing key is one violation, but they are told together.
    problems = dict.fromkeys(
        problem for violation in violations for problem in _problems(violation)
    )
    if problems:
        raise ConfigError("\n  - ".join([f"{source}: settings that cannot be used", *problems]))
    return filled


def _place(violation: SchemaViolation) -> list[tuple[bool, Any]]:
    """To sort by; numbers (of a list's items, or careless keys) and names do not compare."""
    return [(isinstance(step, str), step) for step in violation.absolute_path]


def _problems(violation: SchemaViolation) -> Iterator[str]:
    where = ".".join(str(step) for step in violation.absolute_path) or "top level"
    schema: Any = violation.schema
    value: Any = violation.instance
    demanded: Any = violation.validator_value
    described = schema.get("description", "").strip()
    match violation.validator:
        case "additionalProperties":
            allowed = ", ".join(schema["properties"])
            for key in value:
                if key not in schema["properties"]:
                    yield f"{where}: unknown key {key!r}; allowed are {allowed}"
        case "required":
            missing = ", ".join(key for key in demanded if key not in value)
            yield f"{where}: missing {missing}"
        case "type":
            kinds = [demanded] if isinstance(demanded, str) else demanded
            yield f"{where}: must be {' or '.join(kinds)}, not {value!r}" + _hint(described)
        case "const":
            yield f"{where}: must be {demanded}, not {value!r}"
        case "enum":
            choices = ", ".join(map(str, demanded))
            yield f"{where}: must be one of {choices}, not {value!r}"
        case "oneOf" | "anyOf" if described:
            yield f"{where}: {value!r} does not fit" + _hint(described)
        case _:
            yield f"{where}: {violation.message}" + _hint(described)


def _hint(description: str) -> str:
    return f" ({' '.join(description.split())})" if description else ""


def _completed(settings: Any, schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """A copy of the settings with defaults filled in, and text read as the type that is due.

    Snakemake hands over what stands inside lists and mappings on its command line as text.
    """
    if "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        schema = target
    if isinstance(settings, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties")
        filled = {key: each["default"] for key, each in known.items() if "default" in each}
        merged = {**settings, **{key: filled[key] for key in filled if key not in settings}}
        return {
            key: _completed(value, known.get(key, others if isinstance(others, dict) else {}), root)
            for key, value in merged.items()
        }
    if isinstance(settings, list):
        return [_completed(item, schema.get("items", {}), root) for item in settings]
    if isinstance(settings, str) and "type" in schema and "string" not in schema["type"]:
        try:
            read = yaml.safe_load(settings)
        except yaml.YAMLError:
            return settings
        return read if isinstance(read, int | float | None) else settings
    return deepcopy(settings)
