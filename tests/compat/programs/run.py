#!/usr/bin/env python3
"""Tunes other people's training programs, unchanged, with their own job files.

    tests/compat/programs/run.py --sources FOLDER [--only NAME,...] [--keep]

FOLDER holds clones of public repositories, under the names in programs.py:

    git clone https://github.com/GoogleCloudPlatform/cloudml-samples
    git clone https://github.com/GoogleCloudPlatform/ai-platform-samples
    git clone https://github.com/GoogleCloudPlatform/training-data-analyst
    git clone https://github.com/pytorch/examples pytorch-examples
    git clone https://github.com/ikostrikov/pytorch-ddpg-naf

Their libraries come from PyPI into build/compat; those of 2019 need a
`python3.7` in PATH. Data sets that the programs would download are made here
(data.py). Prints a row per program, and exits 1 if a trial that did not fail ended
without its metric.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "e2e")]
import data  # noqa: E402
from programs import ENVIRONMENTS, PROGRAMS  # noqa: E402
from service import ROOT, Service, binary, wait_for  # noqa: E402

SECONDS = 1800


def make_environment(name):
    """The Python of an environment, made if it is not there or has changed."""
    command, *requirements = ENVIRONMENTS[name]
    folder = os.path.join(ROOT, "build", "compat", name)
    marker = os.path.join(folder, "complete")
    python = os.path.join(folder, "bin", "python")
    wanted = "\n".join(requirements)
    if os.path.exists(marker):
        with open(marker, encoding="utf-8") as file:
            if file.read() == wanted:
                return python
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([*command.split(), folder], check=True)
    # The oldest of these programs need an older setuptools to be built.
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--upgrade",
                    "pip<24", "setuptools<66", "wheel"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements],
                   check=True)
    with open(marker, "w", encoding="utf-8") as file:
        file.write(wanted)
    return python


def sources_of(measurements, metric):
    """By which ways the metric came."""
    found = {measurement.get("source", "?") for measurement in measurements
             if measurement["metric"] == metric}
    return ",".join(sorted(found)) or "none"


def tune(program, python, sources, service):
    """Runs a program's job; its row, and whether every trial has its metric."""
    folder = os.path.join(service.home, program.name)
    shutil.copytree(os.path.join(sources, program.folder), folder)
    config = os.path.join(sources, program.config)
    text = program.own_config
    if program.addition or program.replaced:
        with open(config, encoding="utf-8") as file:
            text = file.read() + "\n" + program.addition
        if program.replaced:
            assert program.replaced[0] in text
            text = text.replace(*program.replaced)
    if text:
        config = os.path.join(service.home, "job.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(text)
    made = data.make(program.data, folder)
    words = dict(made, folder=folder, home=service.home, python=python)
    arguments = [text.format(**words) for text in program.arguments]
    environment = {"VIRTUAL_ENV": os.path.dirname(os.path.dirname(python)),
                   "PATH": os.path.dirname(python) + ":" + os.environ["PATH"]}
    start = time.monotonic()
    if program.verb == "run":
        with open(os.path.join(service.home, "run.log"), "wb") as log:
            subprocess.Popen(
                [binary(), "run", "--name", program.name, "--config", config,
                 *arguments],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "VERNIER_ENDPOINT": service.endpoint,
                     **environment})
        wait_for("the job", lambda: service.cli(
            "jobs", "describe", program.name, check=False).returncode == 0)
    else:
        service.cli("jobs", "submit", "training", program.name, "--config", config,
                    *arguments, cwd=folder, env=environment)
    while True:
        job = service.job(program.name)
        if (job["state"] in ("SUCCEEDED", "FAILED", "CANCELLED")
                or "resume" in job.get("vernier", {}).get("waitingFor", "")):
            break
        if time.monotonic() - start > SECONDS:
            service.cli("jobs", "cancel", program.name)
            break
        time.sleep(1)
    change = program.addition.strip() or " for ".join(reversed(program.replaced))
    metric = job["trainingInput"]["hyperparameters"]["hyperparameterMetricTag"]
    trials = service.json("trials", "list", program.name)
    done = [trial for trial in trials if "finalMeasurement" in trial]
    # Programs have faults of their own at the ends of their ranges.
    faults = [trial for trial in trials if trial.get("endCause") == "user_error"]
    ways = set()
    for trial in trials:
        seen = service.json("trials", "measurements", program.name,
                            str(trial["trialId"]), "--limit", "100000")
        ways.add(sources_of(seen, metric))
    well = (job["state"] == "SUCCEEDED" and len(done) > len(faults)
            and len(done) + len(faults) == len(trials))
    row = (program.name, program.kind, f"{len(done)} of {len(trials)}",
           metric, " ".join(sorted(ways)), f"{time.monotonic() - start:.0f} s",
           job["state"], change)
    if not well:
        print(service.cli("trials", "list", program.name).stdout)
        if trials:
            print(service.cli("why", program.name, str(trials[0]["trialId"]),
                              check=False).stdout)
            print(service.cli("trials", "logs", program.name, "--tail", "30",
                              check=False).stdout[-6000:])
    return row, well


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wanted = [name for name in options.only.split(",") if name]
    unknown = set(wanted) - {program.name for program in PROGRAMS}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are "
                     + ", ".join(program.name for program in PROGRAMS))
    failed = 0
    rows = []
    for program in PROGRAMS:
        if wanted and program.name not in wanted:
            continue
        python = make_environment(program.environment)
        with Service() as service:
            row, well = tune(program, python, options.sources, service)
        rows.append(row)
        failed += not well
        print("  ".join(row), flush=True)
    print(f"\n{len(rows) - failed} of {len(rows)} programs: every trial has its"
          " metric")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
