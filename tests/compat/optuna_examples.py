#!/usr/bin/env python3
"""Runs the scripts of the repository optuna/optuna-examples with vernier_hpo.optuna.

    git clone https://github.com/optuna/optuna-examples
    optuna_examples.py optuna-examples [--only sklearn] [--timeout 120] [--trials 12]

Only the imports of each script are changed. One that needs what is not served is run again
with such statements taken out: see CHANGES. Prints a
row for each script: what it came to, and the last line of its error. A study runs at most
`--trials` trials, for a minute. What the scripts need is this Python's: scikit-learn,
pandas, LightGBM, XGBoost, CatBoost, scikit-image, matplotlib, plotly; Optuna must not be
there. VERNIER_BINARY names the engine.
"""

import argparse
import collections
import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python" / "src"

IMPORTS = (
    (r"^(\s*)import optuna *$", r"\1import vernier_hpo.optuna as optuna"),
    (r"^(\s*)import optuna\.([\w.]+) as", r"\1import vernier_hpo.optuna.\2 as"),
    (r"^(\s*)import optuna_integration *$",
     r"\1import vernier_hpo.optuna.integration as optuna_integration"),
    (r"^(\s*)from optuna_integration(\.[\w.]+)? import",
     r"\1from vernier_hpo.optuna.integration import"),
    (r"^(\s*)from optuna(\.[\w.]+)? import", r"\1from vernier_hpo.optuna\2 import"),
)
CHANGES = {
    "storage": ((r"\bstorage=(\"[^\"]*\"|'[^']*'|f\"[^\"]*\"|storage),?", ""),
                (r"^( *)storage = ([\w.]+\([^()]*\)|\"[^\"]*\")$", r"\1storage = None")),
    "plots": ((r"^\s*from vernier_hpo\.optuna\.visualization.*$", ""),
              (r"^(\s*)(\w+ = )?(optuna\.visualization\.)?plot_\w+\(.*\)(\.show\(\))?\s*$",
               r"\1pass"),
              (r"^(\s*)fig\.\w+\(.*\)$", r"\1pass")),
    "terminator": ((r"^\s*from vernier_hpo\.optuna\.terminator.*$", ""),
                   (r"\b(callbacks=)?\[?\w*TerminatorCallback\([^()]*\)\]?,?", ""),
                   (r"^(\s*)report_cross_validation_scores\(.*\)$", r"\1pass")),
    "source trials": ((r"\bsource_trials=[\w.]+,?", ""),),
}
# By what an error says, which change is tried.
SIGNS = {"plots": "visualization", "terminator": "terminator",
         "source trials": "source_trials", "storage": "torage"}

# Runs a script with studies that end early.
RUNNER = """
import runpy, sys
import vernier_hpo.optuna.study as study
most, script = int(sys.argv[1]), sys.argv[2]
full = study.Study.optimize
def optimize(self, func, n_trials=None, timeout=None, *args, **kwargs):
    return full(self, func, min(most, n_trials or most), min(60, timeout or 60),
                *args, **kwargs)
study.Study.optimize = optimize
sys.argv = [script]
runpy.run_path(script, run_name="__main__")
"""


def with_changes(text, changes):
    """The script with its imports changed, and these other changes."""
    for pattern, new in (*IMPORTS, *(each for name in changes for each in CHANGES[name])):
        text = re.sub(pattern, new, text, flags=re.MULTILINE)
    return text


def run(script, text, flags):
    """How a run ended: "" if well, else the last line of its error."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder) / "work"
        shutil.copytree(script.parent, work)
        (work / script.name).write_text(text, encoding="utf-8")
        try:
            result = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", RUNNER, str(flags.trials), script.name],
                cwd=work, timeout=flags.timeout, check=False, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "PYTHONPATH": str(SOURCES), "MPLBACKEND": "agg",
                     "PLOTLY_RENDERER": "json"})
        except subprocess.TimeoutExpired:
            return f"did not end in {flags.timeout} s"
    lines = (result.stderr.strip() or "no message").splitlines()
    return "" if result.returncode == 0 else lines[-1][:200]


def is_missing(error):
    """Whether a run failed since this machine lacks a package, the network or a program."""
    found = re.match(r"ModuleNotFoundError: No module named '(\w+)", error)
    return (found is not None and found[1] != "vernier_hpo") or bool(
        re.search(r"URLError|ConnectionError|HTTPError|Network is unreachable|KeyError: '[A-Z]+_",
                  error))


def outcome_of(script, flags):
    """What became of a script: the class, and the changes or the error."""
    text = script.read_text(encoding="utf-8")
    if not re.search(r"^\s*(import|from) optuna", text, re.MULTILINE):
        return "no Optuna in it", ""
    first = error = run(script, with_changes(text, ()), flags)
    changes = []
    while error and not is_missing(error):
        found = [name for name, word in SIGNS.items() if word in error and name not in changes]
        if not found:
            return "not at all", error
        changes.append(found[0])
        error = run(script, with_changes(text, changes), flags)
    if error:
        return "not tried", error
    return ("changed", f"{', '.join(changes)}: {first}") if changes else ("unchanged", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="paths that contain this")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--trials", type=int, default=12)
    flags = parser.parse_args()
    if any(each.metadata["Name"] == "optuna" for each in importlib.metadata.distributions()):
        parser.error("Optuna is installed in this Python: the scripts are to run without it")
    counts = collections.Counter()
    for script in sorted(flags.folder.rglob("*.py")):
        name = str(script.relative_to(flags.folder))
        if flags.only not in name:
            continue
        outcome, detail = outcome_of(script, flags)
        counts[outcome] += 1
        print(f"{outcome:16}{name:52}{detail}", flush=True)
    print(", ".join(f"{outcome}: {count}" for outcome, count in counts.most_common()))


if __name__ == "__main__":
    main()
