"""A user's own Python files: imported, so that the losses, estimators and measures in them exist.

A loss, an estimator and a measure register themselves where they are defined; nothing else has to
be told of them.
"""

import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from arsm_l2r.errors import ConfigError, UserError


def load_extensions(paths: Iterable[Path]) -> list[ModuleType]:
    """Import Python files, each once per process.

    Args:
        paths: the files. Where a path leads decides whether it is the same as another.

    Returns:
        Their modules, in the same order.

    Raises:
        ConfigError: if a file is missing or cannot be imported, with the line at fault.
    """
    return [_loaded(Path(path)) for path in paths]


def _loaded(path: Path) -> ModuleType:
    file = path.resolve()
    name = _module_name(file)
    if name in sys.modules:
        return sys.modules[name]
    if not file.is_file():
        raise ConfigError(f"extensions: there is no file {path}")
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ConfigError(f"extensions: {path} is no Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    # As the import statement does it: what the file defines can look up its own module.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ConfigError(f"extensions: {_explained(error, path, file)}") from error
    return module


def _module_name(file: Path) -> str:
    """A name that is the same in every process, and another for every file."""
    stem = "".join(letter if letter.isalnum() else "_" for letter in file.stem)
    return f"extension_{stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"


def _explained(error: Exception, path: Path, file: Path) -> str:
    """The error in one line, with the last line of the file that led to it."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f"{path}:{error.lineno}: {error.msg}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(file)
    ]
    place = f"{path}:{lines[-1]}" if lines else str(path)
    # What the project refuses is said in its own words.
    reason = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
    return f"{place}: {reason}"
