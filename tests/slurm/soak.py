#!/usr/bin/python3
"""A stream of jobs on a real Slurm cluster while nodes are powered off, the
controller is killed and restarted, and the service is killed, all at random.

    VERNIER_SOAK_SECONDS=3600 VERNIER_SEED=1 tests/slurm/soak.py

Jobs are gangs of one to three; some of their programs fail, some crash, and some
jobs are cancelled. Exits 1 if at the end an attempt ran twice, two attempts of a
trial ran at once, a trial or a job has no end or the wrong one, or a job is left
in Slurm's queue.
"""

import collections
import os
import random
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "e2e")]
import lab as slurm_lab  # noqa: E402
from service import Service, wait_for  # noqa: E402

FINAL = ("SUCCEEDED", "FAILED", "CANCELLED")
PATIENCE = 900.0
LIVE_JOBS = 4
TRIALS = 3
# A second start of the same replica of the same attempt finds its note, and
# says so. Each line is one write.
PROGRAM = """#!/bin/sh
note={notes}/$VERNIER_JOB.$VERNIER_TRIAL.$VERNIER_ATTEMPT.$RANK
(set -C; echo "start $(date +%s%N)" > $note) 2>/dev/null ||
  echo "again $(date +%s%N)" >> $note.again
sleep $1
echo "end $(date +%s%N)" >> $note
[ "$RANK" = 0 ] || exit 0
{end}
"""
ENDS = {"ends": "echo loss=$VERNIER_TRIAL", "fails": "echo oh >&2; exit 3",
        "crashes": "kill -SEGV $$"}
JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  {workers}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: 2
    maxFailedTrials: {trials}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  algorithm: RANDOM_SEARCH
  command: [{program}, "{seconds:.1f}"]
  retry: {{maxInfrastructureRetries: 100}}
"""


class Soak:
    def __init__(self, lab, service, chance):
        self.lab = lab
        self.service = service
        self.random = chance
        self.notes = os.path.join(lab.shared, "notes")
        os.mkdir(self.notes)
        self.kinds = {}  # By job.
        self.cancelled = set()
        self.live = set()
        self.off = {}  # Nodes that are powered off, and when they are back.
        self.done = collections.Counter()
        self.programs = {
            kind: service.write(f"{kind}.sh", PROGRAM.format(notes=self.notes, end=end), 0o755)
            for kind, end in ENDS.items()}

    def submit(self):
        kind = self.random.choices(list(ENDS), weights=(8, 1, 1))[0]
        workers = self.random.randrange(3)
        name = f"{kind}{len(self.kinds)}"
        counts = f"workerType: standard\n  workerCount: {workers}" if workers else ""
        self.service.submit(name, JOB.format(
            workers=counts, trials=TRIALS, program=self.programs[kind],
            seconds=self.random.uniform(0, 4)))
        self.kinds[name] = kind
        self.live.add(name)

    def refill(self):
        states = {job["jobId"]: job["state"] for job in self.service.jobs()}
        self.live = {name for name in self.live if states[name] not in FINAL}
        while len(self.live) < LIVE_JOBS:
            self.submit()

    def crash_node(self):
        up = [n for n in range(1, self.lab.nodes + 1) if n not in self.off]
        if len(up) < 2:
            return
        node = self.random.choice(up)
        self.lab.run("crash", str(node))
        self.off[node] = time.monotonic() + self.random.uniform(5, 60)
        self.done["nodes powered off"] += 1

    def boot_nodes(self, everything=False):
        for node, at in list(self.off.items()):
            if everything or time.monotonic() >= at:
                self.lab.run("boot", str(node))
                del self.off[node]

    def resume_nodes(self):
        """As an administrator does: a controller that was killed gives numbers of
        jobs away twice, and drains the nodes that tell it so."""
        listed = self.lab.command("sinfo", "-h", "-N", "-t", "drain", "-o", "%N", check=False)
        for node in sorted(set(listed.split())):
            self.lab.command("scontrol", "update", f"nodename={node}", "state=resume",
                             check=False)
            self.done["drained nodes resumed"] += 1

    def kill_controller(self):
        self.lab.run("ctld-stop", "KILL")
        time.sleep(self.random.uniform(0, 3))
        self.lab.run("ctld-start")
        self.done["controllers killed"] += 1

    def kill_service(self):
        self.service.kill()
        time.sleep(self.random.uniform(0, 3))
        self.service.start()
        self.done["services killed"] += 1

    def cancel_job(self):
        name = self.random.choice(sorted(self.live))
        if self.service.cli("jobs", "cancel", name, check=False).returncode == 0:
            self.cancelled.add(name)
            self.done["jobs cancelled"] += 1

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.boot_nodes()
            self.resume_nodes()
            self.refill()
            time.sleep(self.random.uniform(0.5, 6))
            what = self.random.choices(
                (None, self.kill_service, self.kill_controller, self.crash_node,
                 self.cancel_job), weights=(6, 4, 2, 1, 1))[0]
            if what is not None:
                what()
        self.boot_nodes(everything=True)
        wait_for("the last jobs to end", self.have_all_ended, PATIENCE)
        wait_for("the queue to be empty", lambda: self.lab.queue() == [], PATIENCE)

    def have_all_ended(self):
        self.resume_nodes()
        time.sleep(1)
        return all(job["state"] in FINAL for job in self.service.jobs())

    def wrong_ends(self):
        wrong = []
        states = {job["jobId"]: job["state"] for job in self.service.jobs()}
        for name, kind in self.kinds.items():
            if name not in states:
                wrong.append(f"job {name} is lost")
                continue
            if name in self.cancelled:
                continue
            trials = self.service.json("trials", "list", name)
            self.done["trials"] += len(trials)
            got = [t.get("finalMeasurement", {}).get("value") for t in trials]
            want = [float(n) if kind == "ends" else None for n in range(1, TRIALS + 1)]
            if got != want:
                wrong.append(f"{name} is {states[name]} with {got}: "
                             + self.service.cli("why", name).stdout)
        return wrong

    def doubles(self):
        """Replicas that ran twice, and trials of which two attempts ran at once."""
        found, spans = [], collections.defaultdict(list)
        for file in sorted(os.listdir(self.notes)):
            if file.endswith(".again"):
                found.append(f"{file} ran twice")
                continue
            job, trial, attempt, rank = file.rsplit(".", 3)
            with open(os.path.join(self.notes, file), encoding="utf-8") as lines:
                times = dict(line.split() for line in lines)
            self.done["replicas started"] += 1
            if rank == "0":
                self.done["attempts started"] += 1
                spans[job, trial].append((int(times.get("start", 0)), attempt,
                                          int(times.get("end", 0))))
        for trial, attempts in spans.items():
            attempts.sort()
            self.done["further attempts"] += len(attempts) - 1
            # One that was killed has no end.
            for (_, number, end), (start, after, _) in zip(attempts, attempts[1:]):
                if end > start:
                    found.append(f"{trial}: attempt {number} ran beside {after}")
        return found


def main():
    why = slurm_lab.missing()
    if why:
        sys.exit(f"soak: {why}")
    seconds = float(os.environ.get("VERNIER_SOAK_SECONDS", "3600"))
    seed = int(os.environ.get("VERNIER_SEED", time.time_ns() % 1_000_000))
    print(f"VERNIER_SEED={seed}, {seconds:.0f} s", flush=True)
    lab = slurm_lab.Lab()
    lab.start()
    try:
        with Service("--launcher", "slurm", "--gpus", "none") as service:
            soak = Soak(lab, service, random.Random(seed))
            try:
                soak.run(seconds)
                wrong = soak.wrong_ends() + soak.doubles()
            except BaseException:
                print(service.log(), lab.queue(), dict(soak.done), flush=True)
                for name in sorted(soak.live):
                    print(service.cli("why", name, check=False).stdout, flush=True)
                raise
    finally:
        lab.stop()
    print(f"{len(soak.kinds)} jobs; " + ", ".join(
        f"{count} {what}" for what, count in soak.done.items()))
    print("\n".join(wrong) or "nothing lost, doubled or left in the queue")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
