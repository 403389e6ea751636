#!/usr/bin/env python3
"""Writes docs/python-reference.md from the signatures and docstrings of the package.

    make_python_reference.py [--check]

With --check it writes nothing, and fails if the page is not what it would write. The
page is the same with every Python from 3.9 on: annotations are taken as the source has
them. Only what is public is in it, and a public name without a docstring is an error.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import pathlib
import re
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/python-reference.md"
SOURCES = ROOT / "python/src"
INTEGRATIONS = ("keras", "lightning", "huggingface", "xgboost", "lightgbm", "sklearn",
                "optuna", "ray")
# Of Optuna's names, which are served by modules of the same names.
OF_OPTUNA = ("study", "trial", "samplers", "pruners", "distributions", "storages",
             "search_space", "artifacts", "importance", "visualization",
             "visualization.matplotlib", "integration", "exceptions", "logging")

HEAD = """# Reference of the Python package

Every public name of `vernier_hpo`, with its signature and what it does, as `help()` shows it in Python. `scripts/docs
reference` writes this page from the package; [Python](python.md) is the guide.

"""

# In what order people look: what makes a study, what they get, and the rest.
GROUPS = (
    ("Studies", ("create_study", "load_study", "list_studies", "delete_study", "Study",
                 "StudySummary", "MaxTrialsCallback")),
    ("Trials", ("Trial", "FrozenTrial", "TrialState")),
    ("Search spaces", ("Float", "Int", "Discrete", "Categorical", "stepped", "Parameter")),
    ("Jobs", ("run", "submit", "load_job", "Job")),
    ("In a program that the service launched",
     ("trial", "LaunchedTrial", "report", "should_stop")),
    ("Errors and warnings", ()),  # The rest.
)


class Undocumented(Exception):
    """A public name has no docstring."""


def module_of(name: str) -> types.ModuleType:
    __import__(name)
    return sys.modules[name]


def doc_of(thing: object, name: str) -> str:
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    is_made_by_dataclass = inspect.isclass(thing) and text.startswith(thing.__name__ + "(")
    if not text or is_made_by_dataclass:
        raise Undocumented(f"{name} has no docstring")
    return text


def prose(text: str) -> str:
    """A docstring as Markdown: lines that it sets in are code, the others are text."""
    out, is_code = [], False
    for line in text.rstrip().splitlines():
        if line.startswith("    ") and not is_code:
            out.append("```python")
            is_code = True
        elif is_code and line and not line.startswith("    "):
            out[-1:] = ["```", ""] if not out[-1] else [out[-1], "```"]
            is_code = False
        out.append(line[4:] if is_code else escaped(line))
    return "\n".join([*out, "```"] if is_code else out)


def escaped(line: str) -> str:
    """Markdown would read `*` and `<` outside of code as its own."""
    parts = line.split("`")
    parts[::2] = [re.sub(r"([*<\[\]]|\b_|_\b(?!\w))", r"\\\1", each) for each in parts[::2]]
    return "`".join(parts)


def annotation_of(thing: object) -> str:
    text = thing if isinstance(thing, str) else getattr(thing, "__name__", str(thing))
    text = re.sub(r"\b(?:typing|datetime|pathlib)\.(?=[A-Z])", "", text)
    return re.sub(r"\bTrialStudy\b", "Study", text)  # A Study, as an objective sees it.


def parameter_text(parameter: inspect.Parameter) -> str:
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    text = star.get(parameter.kind, "") + parameter.name
    is_typed = parameter.annotation is not parameter.empty
    if is_typed:
        text += ": " + annotation_of(parameter.annotation)
    if parameter.default is not parameter.empty:
        text += (" = " if is_typed else "=") + default_text(parameter.default)
    return text


def default_text(value: object) -> str:
    """A default as the source has it; repr() of an enumeration differs by version."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        return f"({' '.join(default_text(each) + ',' for each in value)})"
    return repr(value)


def signature_of(function: object, name: str, is_method: bool) -> str:
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1 if is_method else 0:]
    parts, has_star = [], False
    for each in parameters:
        if each.name.startswith("_"):
            continue
        has_star = has_star or each.kind is each.VAR_POSITIONAL
        if each.kind is each.KEYWORD_ONLY and not has_star:
            parts.append("*")
            has_star = True
        parts.append(parameter_text(each))
    returned = signature.return_annotation
    end = "" if returned is signature.empty else " -> " + annotation_of(returned)
    return folded(name, parts, end)


def folded(name: str, parts: list[str], end: str) -> str:
    line = f"{name}({', '.join(parts)}){end}"
    if len(line) <= 88:
        return line
    return f"{name}(\n" + "".join(f"    {each},\n" for each in parts) + f"){end}"


def code(text: str) -> str:
    return f"```python\n{text}\n```"


def members_of(cls: type) -> list[tuple[str, object]]:
    """Public members of a class and of ours that it is made of, by definition."""
    found: dict[str, object] = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("vernier_"):
            continue
        for name, member in vars(base).items():
            is_code = isinstance(member, (property, staticmethod, classmethod,
                                          types.FunctionType))
            if not is_code or name.startswith("_"):
                continue
            # What a base class describes, it describes for those that are made of it.
            if name in found and not inspect.cleandoc(member.__doc__ or ""):
                continue
            found.pop(name, None)
            found[name] = member
    inherited = vars(parameter_class())
    return [(name, member) for name, member in found.items()
            if cls is parameter_class() or inherited.get(name) is not member]


def parameter_class() -> type:
    return module_of("vernier_hpo").Parameter


def fields_of(cls: type) -> list[str]:
    """The fields of a dataclass, with what the source's `#:` says of each."""
    if not dataclasses.is_dataclass(cls):
        return []
    lines = []
    said: list[str] = []
    for line in inspect.getsource(cls).splitlines():
        comment = re.match(r"    #: ?(.*)", line)
        field = re.match(r"    ([a-z]\w*): (.+?)(?: = .*)?$", line)
        if comment:
            said.append(comment[1])
            continue
        if field:
            about = f": {escaped(' '.join(said))}" if said else ""
            lines.append(f"- `{field[1]}: {field[2]}`{about}")
        said = []
    return lines


def states_of(cls: type) -> list[str]:
    """The members of an enumeration, and their other names."""
    said = dict(re.findall(r"(?m)^    ([A-Z_]+) = .*?#: (.*)$", inspect.getsource(cls)))
    return [f"- `{name}`: {escaped(said[name])}" if name == each.name else
            f"- `{name}`: another name of `{each.name}`."
            for name, each in cls.__members__.items()]


def member_text(cls: type, name: str, member: object, level: str) -> str:
    whole = f"{cls.__name__}.{name}"
    if isinstance(member, property):
        returned = inspect.signature(member.fget).return_annotation
        return (f"{level} {whole}\n\n{code(f'{name}: {annotation_of(returned)}')}\n\n"
                f"{prose(doc_of(member, whole))}\n")
    function = member.__func__ if hasattr(member, "__func__") else member
    if function.__name__ != name:  # A second name.
        return f"{level} {whole}\n\nThe same as `{function.__name__}`.\n"
    is_bound = not isinstance(member, staticmethod)
    return (f"{level} {whole}\n\n{code(signature_of(function, name, is_bound))}\n\n"
            f"{prose(doc_of(function, whole))}\n")


def class_text(cls: type, name: str, level: str) -> str:
    if cls.__name__ != name:
        return f"{level} {name}\n\nAnother name of `{cls.__name__}`.\n"
    parts = [f"{level} {name}\n"]
    constructor = vars(cls).get("__init__")
    is_error = issubclass(cls, (Exception, Warning))
    if is_error:
        bases = ", ".join(each.__name__ for each in cls.__bases__)
        parts.append(code(f"class {name}({bases})") + "\n")
    elif constructor and name not in MADE_BY_US:
        parts.append(code(signature_of(constructor, name, True).replace(" -> None", ""))
                     + "\n")
    parts.append(prose(doc_of(cls, name)) + "\n")
    if issubclass(cls, enum.Enum):
        parts.append("\n".join(states_of(cls)) + "\n")
    fields = fields_of(cls) if name in MADE_BY_US else []
    if fields:
        parts.append("\n".join(fields) + "\n")
    for member, value in members_of(cls):
        parts.append(member_text(cls, member, value, level + "#"))
    return "\n".join(parts)


# Programs get these from calls and never make them.
MADE_BY_US = {"Study", "Job", "Trial", "LaunchedTrial", "FrozenTrial", "StudySummary"}


def thing_text(thing: object, name: str, level: str) -> str:
    if inspect.isclass(thing):
        return class_text(thing, name, level)
    if inspect.isfunction(thing):
        return (f"{level} {name}\n\n{code(signature_of(thing, name, False))}\n\n"
                f"{prose(doc_of(thing, name))}\n")
    raise Undocumented(f"{name} is neither a class nor a function: say here how it is shown")


def public_names(module: types.ModuleType) -> list[str]:
    """What is meant for users: of `__all__`, or what the module itself defines."""
    if hasattr(module, "__all__"):
        return [each for each in module.__all__ if not each.startswith("_")]
    return [name for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", "") ==
            module.__name__ and (inspect.isclass(value) or inspect.isfunction(value))]


def page() -> str:
    package = module_of("vernier_hpo")
    names = public_names(package)
    placed = {each for _, group in GROUPS for each in group}
    missing = placed - set(names)
    if missing:
        raise Undocumented(f"no public name any more: {', '.join(sorted(missing))}")
    parts = [HEAD]
    for title, group in GROUPS:
        chosen = group or sorted(each for each in names if each not in placed)
        parts.append(f"## {title}\n\n")
        parts += [thing_text(getattr(package, each), each, "###") + "\n"
                  for each in chosen]
    parts.append("## Training libraries\n\nEach module is imported by its name, as in "
                 "`from vernier_hpo.integration.keras import VernierCallback`, and needs "
                 "the library that it is for.\n\n")
    for name in INTEGRATIONS:
        parts.append(integration_text(f"vernier_hpo.integration.{name}"))
    parts += of_optuna()
    parts.append("## vernier_report\n\nFor programs that the service launched where the "
                 "package is not installed: [one file](../python/src/vernier_report.py), "
                 "which lies beside the program.\n\n")
    reports = module_of("vernier_report")
    parts += [thing_text(getattr(reports, each), f"vernier_report.{each}", "###") + "\n"
              for each in public_names(reports)]
    parts.append(aliases_text("".join(parts)))
    return "".join(parts).rstrip("\n") + "\n"


def of_optuna() -> list[str]:
    """The classes and functions of each module of vernier_hpo.optuna."""
    about = prose(doc_of(module_of("vernier_hpo.optuna"), "vernier_hpo.optuna"))
    parts = [f"## vernier_hpo.optuna\n\n{about}\n\n"]
    for each in OF_OPTUNA:
        name = f"vernier_hpo.optuna.{each}"
        module = module_of(name)
        parts.append(f"### {name}\n\n{prose(doc_of(module, name))}\n\n")
        things = [(name, getattr(module, name)) for name in public_names(module)]
        parts += [thing_text(thing, name, "####") + "\n" for name, thing in things
                  if inspect.isclass(thing) or inspect.isfunction(thing)]
    return parts


def aliases_text(text: str) -> str:
    """What the signatures call by a name of the package that is not public."""
    shown = "\n".join(re.findall(r"(?s)```python\n(.*?)```", text))
    parts = ["## Types in the signatures\n\n"]
    found = set()
    for path in sorted((SOURCES / "vernier_hpo").glob("**/*.py")):
        for name, what in re.findall(r"(?m)^([A-Z]\w+) = ((?:Union|Mapping|Callable|Dict|"
                                     r"Sequence)\[.*\])$", path.read_text(encoding="utf-8")):
            is_callbacks = path.parent.name == "integration"
            where = ", in training libraries" if is_callbacks else ""
            if re.search(rf"\b{name}\b", shown) and (name, where) not in found:
                parts.append(f"- `{name}`{where}: `{what}`\n")
            found.add((name, where))
    return "".join(parts)


def integration_text(name: str) -> str:
    """From the source, since the library that it is for need not be here. Methods are
    hooks, which the library calls."""
    path = SOURCES / (name.replace(".", "/") + ".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = [f"### {name}\n\n{prose(source_doc(tree, name))}\n\n"]
    for cls in tree.body:
        if isinstance(cls, ast.ClassDef) and not cls.name.startswith("_"):
            makers = [each for each in cls.body if isinstance(each, ast.FunctionDef)
                      and each.name == "__init__"]
            shown = source_signature(makers[0], cls.name) if makers else cls.name
            parts.append(f"{code(shown)}\n\n{prose(source_doc(cls, f'{name}.{cls.name}'))}\n\n")
    return "".join(parts)


def source_doc(node: ast.AST, name: str) -> str:
    """What a module's docstring sets in stays so, if it is all that follows."""
    text = ast.get_docstring(node, clean=not isinstance(node, ast.Module))
    if not text:
        raise Undocumented(f"{name} has no docstring")
    return text


def source_signature(function: ast.FunctionDef, name: str) -> str:
    """Without the first parameter, `self`."""
    given = function.args
    defaults = [None] * (len(given.args) - len(given.defaults)) + given.defaults
    parts = [source_parameter(*each) for each in list(zip(given.args, defaults))[1:]]
    parts += ["*"] if given.kwonlyargs else []
    parts += [source_parameter(*each) for each in zip(given.kwonlyargs, given.kw_defaults)]
    return folded(name, parts, "")


def source_parameter(argument: ast.arg, default: ast.expr | None) -> str:
    text = f"{argument.arg}: {ast.unparse(argument.annotation)}"
    return text if default is None else f"{text} = {ast.unparse(default)}"


def main() -> int:
    sys.path.insert(0, str(SOURCES))
    sys.dont_write_bytecode = True
    try:
        text = page()
    except Undocumented as error:
        print(f"make_python_reference.py: {error}", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
