"""Settings declared once, as the annotated attributes of a class.

    @settings
    class MyRanker(LearnedRanker):
        rounds: Annotated[int, Field(ge=1, description="Most rounds.")] = 100

makes `rounds` an argument of the constructor, so that scikit-learn's `get_params` and `clone` know
it, a checked key of the workflow's configuration, and a line of the documentation.
"""

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, dataclass_transform, get_origin, get_type_hints

import numpy as np
from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, create_model
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from arsm_l2r.settings import STRICT, bare, examined

_Class = TypeVar("_Class")


@dataclasses.dataclass(frozen=True)
class ByRun:
    """Marks a setting that a run gives, and not the configuration.

    Attributes:
        local: it says where or how fast something is learnt, not what: no model keeps it.
    """

    local: bool = True


@dataclasses.dataclass(frozen=True)
class OneOf:
    """Marks text that must be one of some names.

    Attributes:
        names: gives them; asked when something is checked, so that more can be registered.
    """

    names: Callable[[], Sequence[str]]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Check the text after its type."""
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The names, for editors."""
        return {**handler(schema), "enum": list(self.names())}

    def _check(self, name: Any) -> Any:
        if name not in self.names():
            raise ValueError(f"must be one of {', '.join(self.names())}, not {name!r}")
        return name


@dataclass_transform(kw_only_default=True)
def settings(owner: type[_Class]) -> type[_Class]:
    """Make the annotated attributes of a class its settings, and document them."""
    made = dataclasses.dataclass(kw_only=True, eq=False, repr=False)(owner)
    lines = [
        f"    {name} ({_type_name(field)}): {field.description} Default: {field.default!r}."
        for name, field in declared(made).items()
    ]
    made.__doc__ = "\n".join([inspect.cleandoc(owner.__doc__ or ""), "", "Args:", *lines, ""])
    return made


def _type_name(field: FieldInfo) -> str:
    """The type of a setting, for people."""
    kind = bare(field.annotation)
    if get_origin(kind) is Literal:
        kind = str
    return getattr(get_origin(kind) or kind, "__name__", str(kind))


def declared(owner: Any) -> dict[str, FieldInfo]:
    """Every setting of a class: type, range, default and sentence."""
    hints = get_type_hints(owner, include_extras=True)
    return {
        each.name: FieldInfo.from_annotated_attribute(hints[each.name], each.default)
        for each in dataclasses.fields(owner)
    }


def by_run(field: FieldInfo) -> ByRun | None:
    """Whether a run gives the setting, and in what way; None if the configuration does."""
    return next((each for each in field.metadata if isinstance(each, ByRun)), None)


def settings_model(owner: type, *, configured: bool = True) -> type[BaseModel]:
    """The settings of a class as a model to check against.

    Args:
        owner: the class; those in its `not_offered` are left out.
        configured: only those that the configuration gives.
    """
    chosen: dict[str, Any] = {
        name: (field.annotation, field)
        for name, field in declared(owner).items()
        if not configured or (by_run(field) is None and name not in _not_offered(owner))
    }
    return create_model(owner.__name__, __config__=STRICT, **chosen)


def check_declared(given: Any, *, without: Sequence[str] = ()) -> None:
    """Refuse settings of an object that are not what they were declared to be.

    Args:
        given: the object.
        without: settings to leave unchecked, which then count as their defaults.

    Raises:
        ValueError: naming each, its value and what is allowed.
    """
    names = [name for name in declared(type(given)) if name not in without]
    values = {name: getattr(given, name) for name in names}
    numbers = {name: plain(value) for name, value in values.items()}
    found, problems = examined(settings_model(type(given), configured=False), numbers)
    if found is None:
        raise ValueError("; ".join(problems))


def plain(value: Any) -> Any:
    """A setting as a plain number or tuple of them where it is one of NumPy's, as in grids."""
    if isinstance(value, np.generic):
        return value.item()
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def _not_offered(owner: type) -> Sequence[str]:
    names: Sequence[str] = getattr(owner, "not_offered", ())
    return names
