#!/usr/bin/env python3
"""Writes docs/fields.md: the fields of a study file and of a job file, side by side.

    make_fields_page.py [--check]

The names are those of the service's own table, src/study/study_file/study_field.cc;
field_facts.py has the rest. With --check it writes nothing, and fails if the page is not
what it would write. A field without facts is an error.
"""

from __future__ import annotations

import pathlib
import re
import sys

from field_facts import FACTS, WITHOUT_A_WORD

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/fields.md"
TABLE = ROOT / "src/study/study_file/study_field.cc"

HEAD = """# All fields, in both words

Each field of a [study file](study-file.md), and the field of a [job file](job-file.md) in AI Platform's words that it
stands for: `vernier convert` turns one form into the other. `scripts/docs reference` writes this page from the
service's own table of fields.

Durations are `90s`, `90m`, `1h 30m` or `1d` in a study file, and seconds with an `s` in a job file. Sizes are megabytes, or
a number with M, G or T. Words in small letters are in capital letters in a job file. Every field may be left out, but
for those that are required. NAME is any parameter's name. ROLE is `master`, `worker`, `parameter_server` or `evaluator`,
and in a job file `master`, `worker`, `parameterServer` or `evaluator`.

"""
HEADER = ("| study file | job file | type | range | default | meaning |\n"
          "|---|---|---|---|---|---|\n")
REST = """
## Fields of a job file that a study file has no word for

| job file | why |
|---|---|
"""


class Incomplete(Exception):
    """The table of fields and the facts do not fit."""


def rows_of(name: str, source: str) -> list[tuple[str, ...]]:
    """The texts of each entry of one of the source's tables."""
    body = re.search(rf"(?s){name}\[\] = {{\n(.*?)\n}};", source)
    if body is None:
        raise Incomplete(f"{TABLE}: no table {name}")
    return [tuple(re.findall(r'"([^"]*)"', each))
            for each in re.findall(r"{([^{}]*)}", body[1])]


def camel_case(word: str) -> str:
    first, *rest = word.split("_")
    return first + "".join(each.capitalize() for each in rest)


def paths_of_fields() -> dict[str, str]:
    """The job file's field by the study file's word: all at the top, and of `roles`."""
    source = TABLE.read_text(encoding="utf-8")
    paths = {word: path for word, path in rows_of("kFields", source)}
    for word, suffix in rows_of("kRoleFields", source):
        paths[f"roles.ROLE.{word}"] = f"trainingInput.ROLE{suffix}"
    return paths


def path_of(word: str, paths: dict[str, str]) -> str:
    """What is in a mapping has its name below the mapping's."""
    if FACTS[word].path:
        return FACTS[word].path
    if word in paths:
        return paths[word]
    above, _, name = word.rpartition(".")
    if not above:
        raise Incomplete(f"{word} is in field_facts.py and in no table of fields")
    is_list = "list of mappings" in FACTS[above].type
    return f"{path_of(above, paths)}{'[]' if is_list else ''}.{camel_case(name)}"


def order_of(word: str, paths: dict[str, str]) -> tuple[int, int]:
    """As the table of fields has them, each followed by what is in it."""
    top = word.partition(".")[0]
    return list(paths).index(top), list(FACTS).index(word)


def page() -> str:
    paths = paths_of_fields()
    for word in paths:
        if word not in FACTS:
            raise Incomplete(f"{word} has no row in scripts/lib/field_facts.py")
    for word in FACTS:
        path_of(word, paths)
    lines = []
    for word in sorted(FACTS, key=lambda each: order_of(each, paths)):
        facts = FACTS[word]
        cells = (f"`{word}`", f"`{path_of(word, paths)}`", facts.type, facts.range,
                 facts.default, facts.meaning)
        lines.append("| " + " | ".join(cells) + " |\n")
    rest = [f"| `{path}` | {why} |\n" for path, why in WITHOUT_A_WORD.items()]
    return HEAD + HEADER + "".join(lines) + REST + "".join(rest)


def main() -> int:
    try:
        text = page()
    except Incomplete as error:
        print(f"make_fields_page.py: {error}", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
