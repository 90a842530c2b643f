"""The identity of code: a fingerprint of a module and of everything of this project it imports.

What is hashed is the code and the data files beside it that it names, not comments, docstrings and
blank lines, nor how a method is shown (its `Method`): changing those changes no result.
"""

import ast
import hashlib
import inspect
import io
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = "arsm_l2r"
_FOLDER = Path(__file__).parent

_FINDER = "import_modules"
"""What a package calls to import all of its modules, see `arsm_l2r.registry`."""

_SHOWN = "Method"
"""What says how a method is shown, see `arsm_l2r.rankers.method`."""


def code_fingerprint(modules: Iterable[str], files: Iterable[Path] = ()) -> str:
    """Hash of the code of modules, of files, and of what they import from this project.

    Args:
        modules: names such as `arsm_l2r.rankers.arsm`.
        files: that are no part of the project, such as a user's loss.
    """
    own = sorted(files)
    imported = {name for path in own for name in _imports(path, "")}
    found = modules_behind([*modules, *imported])
    digest = hashlib.sha256()
    for name, path in [*found.items(), *((path.name, path) for path in own)]:
        digest.update(name.encode() + b"\0" + _code(path).encode() + b"\0")
        for data in _data(path):
            digest.update(data.name.encode() + b"\0" + data.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def code_of(*definitions: Any, modules: Iterable[str] = ()) -> str:
    """Hash of the code of classes and functions, and of what their modules import.

    Args:
        definitions: the classes and functions; those of a user's file count with that file.
        modules: further modules of this project.
    """
    own = [each for each in definitions if each.__module__.partition(".")[0] == PACKAGE]
    files, typed = set(), []
    for each in definitions:
        if each in own:
            continue
        try:
            files.add(Path(inspect.getfile(each)))
        except (OSError, TypeError):
            typed.append(_compiled(each))
    found = code_fingerprint({*modules, *(each.__module__ for each in own)}, files)
    return hashlib.sha256("".join([found, *typed]).encode()).hexdigest()[:16] if typed else found


def users_files(definitions: Iterable[Any]) -> list[str]:
    """The files of classes and functions that are no part of this project, each once."""
    own = (each for each in definitions if each.__module__.partition(".")[0] != PACKAGE)
    return list(dict.fromkeys(_place(each) for each in own))


def _place(definition: Any) -> str:
    path = Path(inspect.getfile(definition))
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _compiled(definition: Any) -> str:
    """What was compiled of a class or function that is in no file, as in a notebook."""
    functions = vars(definition).values() if inspect.isclass(definition) else [definition]
    codes = [each.__code__ for each in functions if inspect.isfunction(each)]
    return repr([(code.co_code, code.co_names, str(code.co_consts)) for code in codes])


def reference(definition: type) -> str:
    """Where a class is: `module:Class`, or `file.py:Class` if it is in a user's file."""
    module = definition.__module__
    if module.partition(".")[0] == PACKAGE:
        return f"{module}:{definition.__name__}"
    return f"{_place(definition)}:{definition.__name__}"


def modules_behind(modules: Iterable[str]) -> dict[str, Path]:
    """The files of modules and of all that they import from this project, by name, in order.

    Imports inside of functions count as well; those for type checkers only do not.
    """
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if path is None or name in found:
            continue
        found[name] = path
        waiting += [name.rpartition(".")[0], *_imports(path, name)]
    return dict(sorted(found.items()))


def _file(module: str) -> Path | None:
    """The file of a module of this project; None if there is none of that name."""
    if module.partition(".")[0] != PACKAGE:
        return None
    stem = _FOLDER.joinpath(*module.split(".")[1:])
    for path in (stem / "__init__.py", stem.with_suffix(".py")):
        if path.is_file() and stem != _FOLDER.with_suffix(".py"):
            return path
    return None


@cache
def _imports(path: Path, module: str) -> tuple[str, ...]:
    """The names of what a file may import, modules or not."""
    found: list[str] = []
    for node in _statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if not _is_about_showing(node):
                found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and _called(node) == _FINDER:
            found += [f"{module}.{each.stem}" for each in path.parent.glob("[!_]*.py")]
    return tuple(found)


@cache
def _data(path: Path) -> tuple[Path, ...]:
    """The files beside a module that it names, such as a template."""
    said = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    names = {
        node.value
        for node in said
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value
    }
    beside = {each.name: each for each in path.parent.iterdir() if each.suffix != ".py"}
    return tuple(beside[name] for name in sorted(names & beside.keys()))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers see, or who asks a module for a name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
            continue
        yield node
        yield from _statements(node)


def _is_about_showing(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(alias.name == _SHOWN for alias in node.names)
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and _called(node.value) == _SHOWN
    )


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


@cache
def _code(path: Path) -> str:
    """The lines of a file that do something."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(text)):
        said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if said or _is_about_showing(node):
            assert isinstance(node, ast.stmt)
            for row in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[row] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())
