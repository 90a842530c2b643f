"""Things that a configuration names: how losses, estimators and measures are kept and found."""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from arsm_l2r.errors import ConfigError

T = TypeVar("T")

HIGHEST_CUTOFF = 100_000
"""More documents than any query has: a cut-off above it is a mistake, and would fill the memory."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*(@K)?")
_WITH_CUTOFF = re.compile(r"(.+)@([1-9][0-9]*)")


class Registry(Generic[T]):
    """Things of one kind by name, in the order in which they were defined.

    A name that ends in `@K` stands for one with any cut-off: what is kept as `ndcg@K` is found
    as `ndcg@1`, `ndcg@2` and so on.

    Args:
        kind: what the things are, for messages, such as `loss`.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._things: dict[str, T] = {}
        self._definitions: dict[str, Any] = {}

    def add(self, name: str, thing: T, definition: Any) -> None:
        """Keep a thing. One that is defined anew, as in a notebook, takes its own old place.

        Args:
            name: to find it by.
            thing: what is to be found.
            definition: the class or function that defines it, with its docstring.

        Raises:
            ConfigError: if the name cannot be one, or belongs to something else.
        """
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"{name!r} cannot be the name of a {self._kind}: it must consist of lower case "
                "letters, digits and dashes, and may end in @K for a cut-off"
            )
        there = self._definitions.get(name)
        if there is not None and _identity(there) != _identity(definition):
            raise ConfigError(
                f"there are two definitions of the {self._kind} {name!r}: {_place(there)} and "
                f"{_place(definition)}; give one of them another name"
            )
        self._things[name] = thing
        self._definitions[name] = definition

    def find(self, name: str, given: str | None = None) -> tuple[T, int | None]:
        """The thing of a name, and the name's cut-off if it has one.

        Args:
            name: to find it by.
            given: what the user wrote instead, for messages.

        Raises:
            ConfigError: naming those that there are, or the highest cut-off.
        """
        given = name if given is None else given
        if name in self._things and not name.endswith("@K"):
            return self._things[name], None
        parts = _WITH_CUTOFF.fullmatch(name)
        if parts and f"{parts[1]}@K" in self._things:
            if len(parts[2]) > 6 or int(parts[2]) > HIGHEST_CUTOFF:
                raise ConfigError(
                    f"{self._kind} {given!r}: the cut-off must be from 1 to {HIGHEST_CUTOFF:,}, "
                    f"not {parts[2]}"
                )
            return self._things[f"{parts[1]}@K"], int(parts[2])
        raise ConfigError(f"no {self._kind} {given!r}; there are {self._known()}")

    def names(self) -> list[str]:
        """All names, those with a cut-off as `ndcg@K`."""
        return list(self._things)

    def things(self) -> dict[str, T]:
        """Everything by its name, as `names` gives them."""
        return dict(self._things)

    def descriptions(self) -> dict[str, str]:
        """The first line of the docstring behind each name."""
        return {
            name: (definition.__doc__ or "").strip().partition("\n")[0]
            for name, definition in self._definitions.items()
        }

    def _known(self) -> str:
        plain = [name for name in self._things if not name.endswith("@K")]
        cut = [name for name in self._things if name.endswith("@K")]
        if not cut:
            return ", ".join(plain)
        return f"{', '.join(plain)}, and {', '.join(cut)} with a cut-off K"


def import_modules(package: str, folders: Iterable[str]) -> None:
    """Import all modules of a package, so that what they define is found by its name.

    Args:
        package: its name, `__name__` in its `__init__.py`.
        folders: where its modules are, `__path__` there.
    """
    for module in pkgutil.iter_modules(folders):
        importlib.import_module(f"{package}.{module.name}")


def _identity(definition: Any) -> tuple[str, str]:
    return definition.__module__, definition.__qualname__


def _place(definition: Any) -> str:
    module = sys.modules.get(definition.__module__)
    file = getattr(module, "__file__", None) or definition.__module__
    return f"{definition.__qualname__} in {file}"
