"""Naming an objective so that another process can find it."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
import runpy
import sys
from dataclasses import dataclass
from typing import Any, Callable, List, Union

# What __name__ is while a trial reads the objective's file: not "__main__", so that
# what stands below `if __name__ == "__main__":` is not run.
FILE_MODULE = "__vernier_trial__"

# Whether this process, a trial, is reading the code that has its objective.
_is_loading = False


@dataclass(frozen=True)
class ObjectiveReference:
    """A function of a module, or of a Python file (`module` empty)."""

    module: str
    file: str
    function: str

    @property
    def folder(self) -> str:
        """The folder whose code the trials need: the file's, or the top package's."""
        folder = os.path.dirname(self.file)
        for _ in range(self.module.count(".") + (
                1 if os.path.basename(self.file) == "__init__.py" and self.module else 0)):
            folder = os.path.dirname(folder)
        return folder

    def load(self) -> Callable[[Any], Any]:
        """The function itself, in a process that has the code."""
        global _is_loading
        _is_loading = True
        try:
            return self._find()
        finally:
            _is_loading = False

    def _find(self) -> Callable[[Any], Any]:
        if self.module:
            found: Any = importlib.import_module(self.module)
            for part in self.function.split("."):
                found = getattr(found, part)
        else:
            sys.path.insert(0, os.path.dirname(os.path.abspath(self.file)))
            names = runpy.run_path(self.file, run_name=FILE_MODULE)
            if self.function not in names:
                raise ImportError(
                    f"{self.file} defines no {self.function} when it is read by a trial; "
                    f'it must not stand below if __name__ == "__main__":')
            found = names[self.function]
        if not callable(found):
            raise TypeError(f"{self.function} is no function: {found!r}")
        return found  # type: ignore[no-any-return]


# With these a module may have names that its text does not show.
_DYNAMIC = ("import *", "__getattr__", "globals(", "exec(", "setattr(")


def _check_is_defined(file: str, name: str) -> None:
    """ValueError if the text of a file rules out that a trial finds the name in it."""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            text = opened.read()
        body = ast.parse(text).body
    except (OSError, SyntaxError, ValueError):
        return
    below = [each for each in body if isinstance(each, ast.If) and _asks_for_main(each.test)]
    others = [each for each in body if each not in below]
    if _binds([*others, *(each for one in below for each in one.orelse)], name) or any(
            each in text for each in _DYNAMIC):
        return
    if _binds([each for one in below for each in one.body], name):
        raise ValueError(f'{name} stands below if __name__ == "__main__":, which a trial does '
                         f"not run: write it above")
    raise ValueError(f"{file} defines no {name}")


def _asks_for_main(test: ast.expr) -> bool:
    return (isinstance(test, ast.Compare) and isinstance(test.left, ast.Name)
            and test.left.id == "__name__" and isinstance(test.ops[0], ast.Eq)
            and isinstance(test.comparators[0], ast.Constant)
            and test.comparators[0].value == "__main__")


def _binds(statements: List[ast.stmt], name: str) -> bool:
    """Whether any of these, or what is in them, gives something the name."""
    for each in (found for one in statements for found in ast.walk(one)):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            given = each.name
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            given = each.id
        elif isinstance(each, ast.alias):
            given = (each.asname or each.name).partition(".")[0]
        else:
            continue
        if given == name:
            return True
    return False


def refer_to(objective: Union[str, Callable[[Any], Any]]) -> ObjectiveReference:
    """The reference of "module:function", or of a function of a module or script.

    ValueError for a function that another process cannot find: a lambda, one that was
    made inside of another function, or one of a notebook or an interactive session.
    RuntimeError in a trial that reads its code: it would begin the job once more.
    """
    if _is_loading:
        raise RuntimeError(
            "a trial reads this code to find its objective: what begins a job belongs "
            'below if __name__ == "__main__":')
    if isinstance(objective, str):
        module, _, function = objective.partition(":")
        if not module or not function:
            raise ValueError(f'an objective by name is "module:function": {objective!r}')
        spec = importlib.util.find_spec(module)
        if spec is None or not spec.origin:
            raise ValueError(f"there is no module {module}")
        file = os.path.abspath(spec.origin)
        if file.endswith(".py"):
            _check_is_defined(file, function.partition(".")[0])
        return ObjectiveReference(module, file, function)
    name = getattr(objective, "__qualname__", "")
    if not inspect.isfunction(objective) or "<" in name:
        raise ValueError(
            f"another process cannot find {objective!r}: the objective must be a "
            f"function at the top level of a module or script, or \"module:function\"")
    try:
        file = os.path.abspath(inspect.getsourcefile(objective) or "")
    except TypeError:
        file = ""
    if not os.path.isfile(file):
        raise ValueError(
            f"{name} is in no file (an interactive session or a notebook): write it into "
            f"a module, or use study.optimize, which runs it in this process")
    _check_is_defined(file, name.partition(".")[0])
    module = objective.__module__
    if module in ("__main__", FILE_MODULE):
        # Started by `python -m package.module` it has that name; a script has none.
        spec = objective.__globals__.get("__spec__")
        module = "" if spec is None or spec.name == "__main__" else spec.name
    return ObjectiveReference(module, file, name)
