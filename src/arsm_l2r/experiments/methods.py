"""The methods by name: those of this project and those of users' files, in the order of tables."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from arsm_l2r.errors import ConfigError
from arsm_l2r.rankers import arsm, baselines
from arsm_l2r.rankers.baselines import lambdamart, listnet
from arsm_l2r.rankers.method import Method

OURS = arsm.METHOD.name
"""The paper's own method."""

TUNED = arsm.TUNED.name
"""The same model with settings of our own."""

RIVALS = (lambdamart.METHOD.name, lambdamart.TUNED.name, listnet.NETWORK.name)
"""What the tuned one is to be measured against: methods that the paper does not have."""

_ADDED: dict[str, Method] = {}


@cache
def _built_in() -> dict[str, Method]:
    modules = [
        import_module(f"{baselines.__name__}.{m.name}") for m in iter_modules(baselines.__path__)
    ]
    return {each.name: each for module in [*modules, arsm] for each in _methods_in(module)}


def _methods_in(module: ModuleType) -> list[Method]:
    return [each for each in vars(module).values() if isinstance(each, Method)]


def add_methods(module: ModuleType) -> None:
    """Make the methods that a user's module defines known.

    Raises:
        ConfigError: if one has the name of another.
    """
    for each in _methods_in(module):
        there = known_methods().get(each.name)
        if there is not None and _identity(there) != _identity(each):
            raise ConfigError(f"{module.__file__}: there is a method {each.name!r} already")
        _ADDED[each.name] = each


def _identity(method: Method) -> tuple[str, str]:
    return method.ranker.__module__, method.ranker.__qualname__


def known_methods() -> dict[str, Method]:
    """All methods by name, in the order of tables: the paper's first, forms of its own last."""
    every = {**_built_in(), **_ADDED}
    return dict(sorted(every.items(), key=lambda item: (item[1].order, item[0])))


def method_of(name: str) -> Method | None:
    """The record of a method; None if there is none, as of a variant."""
    return _ADDED.get(name) or _built_in().get(name)


def identifying(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a method that tell its runs from others; all, if it has no record."""
    found = method_of(name)
    return found.ranker.identifying(settings) if found else dict(settings)


def method_title(name: str) -> str:
    """A method as it is printed; one that has no record is printed by its name."""
    found = method_of(name)
    return found.title if found else name


def in_order(names: Iterable[str]) -> list[str]:
    """Methods in the order of tables; those without a record by name, with the baselines."""
    default = Method.order

    def place(name: str) -> tuple[int, str]:
        found = method_of(name)
        return (found.order if found else default, name)

    return sorted(set(names), key=place)
