"""Packages that only an extra installs."""

from importlib import import_module
from typing import Any

from arsm_l2r.errors import UserError


def optional(package: str, extra: str, purpose: str) -> Any:
    """Import a package that may be missing.

    Args:
        package: its name.
        extra: what installs it.
        purpose: what needs it, for the message.

    Raises:
        UserError: saying how to install it.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise UserError(
            f"{purpose} needs the package {package}, which cannot be imported ({error}): "
            f'pip install "arsm-l2r[{extra}]"'
        ) from error
