#!/usr/bin/python3
"""Measures jobs on a real Slurm cluster of three nodes on this machine: the time
from a submission to a program's first line, beside a bare `sbatch` of the same
gang in turns, and what it costs to watch many jobs.

    bench/slurm_bench.py [--rounds 11] [--jobs 5000] [--seconds 60]

Exits 1 if the median start is above 1.3 times the bare one, or if watching takes
more than 2 % of a processor.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("VERNIER_BINARY", os.path.join(ROOT, "build/release/vernier"))
for folder in ("bench", "tests/e2e", "tests/slurm"):
    sys.path.insert(0, os.path.join(ROOT, folder))
from lab import Lab, missing  # noqa: E402
from service import Service, binary, wait_for  # noqa: E402

ALLOWED_OF_BARE = 1.3
ALLOWED_SHARE = 0.02
WORKERS = 2
JOB = """
trainingInput: {{scaleTier: CUSTOM, masterType: standard, workerType: standard,
  workerCount: {workers}}}
vernier: {{command: [{program}]}}
"""


def read_time(path):
    def contents():
        try:
            with open(path, encoding="utf-8") as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""
    return float(wait_for(f"{path} to be written", contents))


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def bare_start(lab, folder, number):
    """Of a batch script that starts the same three replicas by srun."""
    mark = os.path.join(folder, f"bare-{number}")
    script = write(os.path.join(folder, "bare.sh"),
                   "#!/bin/sh\n"
                   f"srun --exact --ntasks=1 --mem=0 sh -c 'date +%s.%N > {mark}' &\n"
                   f"srun --exact --ntasks={WORKERS} --mem=0 true &\nwait\n")
    begin = time.time()
    lab.command("sbatch", "--parsable", f"--ntasks={1 + WORKERS}", "--cpus-per-task=1",
                f"--chdir={folder}", "--output=/dev/null", script)
    return read_time(mark) - begin


def own_start(service, folder, number):
    mark = os.path.join(folder, f"own-{number}")
    program = write(os.path.join(folder, f"own-{number}.sh"),
                    f'#!/bin/sh\n[ "$RANK" = 0 ] && date +%s.%N > {mark}\nexit 0\n')
    config = JOB.format(workers=WORKERS, program=program)
    begin = time.time()
    service.submit(f"job{number}", config)
    seconds = read_time(mark) - begin
    service.wait_state(f"job{number}", "SUCCEEDED")
    return seconds


def await_phase(share):
    """Waits until this share of a second of the clock is over. Slurm starts batch
    jobs once a second: what is submitted in turns, each as soon as the other has
    ended, would always wait for different parts of it."""
    time.sleep((share - time.time()) % 1)


def measure_start(lab, rounds):
    bare, own = [], []
    with Service("--launcher", "slurm", "--gpus", "none") as service:
        for number in range(rounds):
            share = (number + 0.5) / rounds
            wait_for("the nodes to be idle", lab.is_idle)
            await_phase(share)
            bare.append(bare_start(lab, lab.shared, number))
            wait_for("the nodes to be idle", lab.is_idle)
            await_phase(share)
            own.append(own_start(service, lab.shared, number))
    return statistics.median(bare), statistics.median(own)


def measure_watch(lab, jobs, seconds):
    """The share of a processor that watching so many pending jobs takes."""
    names = [f"vernier-be5c0000-{number:032d}" for number in range(1, jobs + 1)]
    script = write(os.path.join(lab.shared, "held.sh"), "#!/bin/sh\ntrue\n")
    for begin in range(0, jobs, 500):
        lines = "".join(
            f"sbatch --quiet --hold --job-name={name} --output=/dev/null {script}\n"
            for name in names[begin:begin + 500])
        subprocess.run(["sh", "-e"], input=lines, text=True, check=True,
                       stdout=subprocess.DEVNULL)
    program = os.path.join(os.path.dirname(binary()), "bench/slurm_watch")
    done = subprocess.run([program, os.path.join(lab.shared, "watch"), str(jobs),
                           str(seconds)], check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    why = missing()
    if why:
        sys.exit(f"slurm_bench: {why}")
    lab = Lab()
    lab.start()
    try:
        bare, own = measure_start(lab, arguments.rounds)
        share = measure_watch(lab, arguments.jobs, arguments.seconds)
    finally:
        lab.stop()
    print(f"bare sbatch to the first line: {1000 * bare:.0f} ms")
    print(f"a submission to the first line: {1000 * own:.0f} ms "
          f"({own / bare:.2f} times; at most {ALLOWED_OF_BARE})")
    print(f"{arguments.jobs} jobs watched: {100 * share:.2f} % of a processor "
          f"(at most {100 * ALLOWED_SHARE:.0f} %)")
    sys.exit(0 if own <= ALLOWED_OF_BARE * bare and share <= ALLOWED_SHARE else 1)


if __name__ == "__main__":
    main()
