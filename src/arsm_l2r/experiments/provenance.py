"""Where a result comes from: versions, and fingerprints of code and settings."""

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arsm_l2r import __version__


@cache
def code_fingerprint() -> str:
    """Hash of the package's source files that a run depends on.

    The command line and the report are left out: a change there changes no result.
    """
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if relative.parts[0] in ("cli", "report"):
            continue
        digest.update(relative.as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def fingerprint_of(content: Any) -> str:
    """Hash of anything that JSON can hold, regardless of the order of keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def settings_fingerprint(method: str, seed: int, settings: Mapping[str, Any]) -> str:
    """Hash of everything about a run that the configuration decides."""
    return fingerprint_of({"method": method, "seed": seed, "settings": dict(settings)})


def provenance(data: str, config: str) -> dict[str, str]:
    """What made a result.

    Args:
        data: the fingerprint of the data.
        config: the fingerprint of the settings.
    """
    return {
        "package": __version__,
        "code": code_fingerprint(),
        "data": data,
        "config": config,
        "tensorflow": version("tensorflow"),
        "python": platform.python_version(),
    }
