"""Where a result comes from: versions, and fingerprints of code, data and settings."""

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from arsm_l2r import __version__

_CHANGED = "+changes"
"""Follows the commit if files of the project differ from it."""


def fingerprint_of(content: Any) -> str:
    """Hash of anything that JSON can hold, regardless of the order of keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def settings_fingerprint(method: str, seed: int, settings: Mapping[str, Any]) -> str:
    """Hash of everything about a run that the configuration decides.

    Args:
        method: its name.
        seed: of the run.
        settings: those that identify a run (`LearnedRanker.identifying`).
    """
    return fingerprint_of({"method": method, "seed": seed, "settings": dict(settings)})


def commit_of(folder: Path) -> str:
    """The commit that a folder was checked out from, and whether its source has changed since.

    `unknown` outside of a repository, or without git.
    """
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return commit + (_CHANGED if changed else "")


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def provenance(data: str, config: str, code: str) -> dict[str, str]:
    """What made a result.

    Args:
        data: the fingerprint of the data.
        config: the fingerprint of the settings.
        code: the version of the code.
    """
    return {
        "package": __version__,
        "code": code,
        "commit": commit_of(Path(__file__).parents[1]),
        "data": data,
        "config": config,
        "tensorflow": version("tensorflow"),
        "python": platform.python_version(),
    }
