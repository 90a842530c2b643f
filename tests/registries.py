"""What a test registers must not be there for the next one."""

from typing import Any

import pytest

from arsm_l2r.registry import Registry


def forget_what_is_added(registry: Registry[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a registry back what it has now when the test is over."""
    for kept in ("_things", "_definitions"):
        monkeypatch.setattr(registry, kept, dict(getattr(registry, kept)))
