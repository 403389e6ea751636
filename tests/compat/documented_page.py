"""Runs what a page of the documentation shows, word for word.

A comment right before a fenced block, which readers do not see, says that the
block is run and how:

    <!-- run -->               `sh` and `python`: run; what they print is kept
    <!-- run: NAME -->         the same, but only where NAME is at hand: another
                               tool, which not every test of the page has
    <!-- file: NAME -->        written to this file of the working folder
    <!-- prints -->            what the block before it must have printed
    <!-- dialogue -->          `$ COMMAND`, then JSON lines: requests, which hold
                               an "op", and the answers they must get

Blocks without a comment are for reading only. All blocks of a page run in one
shell and one folder, in their order, so that one may build on another.
"""

import dataclasses
import json
import math
import os
import re
import subprocess

BLOCK = re.compile(r"^<!-- (run(?:: \w+)?|prints|dialogue|file: \S+) -->\n"
                   r"```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The copies of the engine round differently.
TOLERANCE = 1e-5


@dataclasses.dataclass
class Block:
    """One fenced block: how it is run, its language and its text."""

    kind: str
    language: str
    text: str
    line: int

    @property
    def file(self):
        return self.kind.removeprefix("file: ")

    def runs_with(self, tools):
        """Whether it is run where these other tools are at hand."""
        return self.kind == "run" or (self.kind.startswith("run: ") and
                                      self.kind.removeprefix("run: ") in tools)


def blocks_of(path):
    """The blocks of a page that are run, in their order; at least one."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    blocks = [Block(match[1], match[2], match[3], text.count("\n", 0, match.start(3)) + 1)
              for match in BLOCK.finditer(text)]
    if not blocks or len(blocks) != text.count("\n<!-- "):
        raise AssertionError(f"{path}: a comment is not before a block, or says nothing known")
    return blocks


def write_files(blocks, folder):
    """Writes the files that a page shows."""
    for block in blocks:
        if not block.kind.startswith("file: "):
            continue
        path = os.path.join(folder, block.file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(block.text)


def run(path, folder, environment, tools=()):
    """Runs the blocks of a page in `folder`. Returns what each block printed.

    `tools` are the other tools that are at hand, by the names that the page uses. Fails if a block ends with an error, or does not print what the page says.
    """
    blocks = blocks_of(path)
    write_files(blocks, folder)
    parts = ["set -euo pipefail"]
    for number, block in enumerate(blocks):
        if not block.runs_with(tools):
            continue
        # In this shell, so that variables stay.
        parts.append(f"echo '{path}:{block.line}' >&3\n"
                     f"{{\n{_command(block, number, folder)}\n}} > .printed-{number}")
    where = os.path.join(folder, ".where")
    with open(where, "w", encoding="utf-8") as file:
        result = subprocess.run(
            ["bash", "-c", "exec 3>>.where\n" + "\n".join(parts)], cwd=folder,
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=900, check=False)
    printed = [_read(os.path.join(folder, f".printed-{number}"))
               for number in range(len(blocks))]
    if result.returncode != 0:
        at = _read(where).splitlines()[-1:]
        raise AssertionError(f"{' '.join(at)} ended with {result.returncode}:\n"
                             + "\n".join(printed)[-3000:] + result.stdout[-6000:])
    _check(path, blocks, printed, folder, environment)
    return printed


def _command(block, number, folder):
    if block.language == "sh":
        return block.text
    if block.language == "python":
        name = f".block-{number}.py"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(block.text)
        return f"python3 {name}"
    raise AssertionError(f"cannot run a block of {block.language!r}")


def _read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def _check(path, blocks, printed, folder, environment):
    for number, block in enumerate(blocks):
        if block.kind == "prints" and printed[number - 1] != block.text:
            raise AssertionError(
                f"{path}:{block.line} says\n{block.text}\nbut it was\n{printed[number - 1]}")
        if block.kind == "dialogue":
            _hold_dialogue(f"{path}:{block.line}", block.text, folder, environment)


def _hold_dialogue(place, text, folder, environment):
    command, *lines = text.splitlines()
    requests = [line for line in lines if '"op"' in line]
    result = subprocess.run(
        ["bash", "-c", command.removeprefix("$ ")], cwd=folder, env=environment,
        input="\n".join(requests) + "\n", capture_output=True, text=True, timeout=300,
        check=True)
    answers = [json.loads(line) for line in lines if '"op"' not in line]
    got = [json.loads(line) for line in result.stdout.splitlines()]
    if not answers or not _is_close(answers, got):
        raise AssertionError(f"{place}: the answers are\n{result.stdout}")


def _is_close(a, b):
    """The same JSON but for the rounding of numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_is_close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_is_close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=TOLERANCE)
    return a == b
