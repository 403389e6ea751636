#!/usr/bin/python3
"""Launches trials of every kind for an hour, and looks for what is left behind.

usage: bench/soak.py [--minutes 60] [--round 30] [--no-containers]

Each round submits jobs whose trials succeed, fail, die by a signal, reach their
time limit, are cancelled, report by every way, lease (fake) GPUs, and run in
containers if podman works; jobs of earlier rounds are deleted. The service is
killed with SIGKILL, while trials run, at a sixth and at a third of the time;
what follows is one life of the process. Between rounds nothing may run: what
the service then holds is printed every few rounds. Exits 1 if a process, a
container, a lease or an intent is left, or if descriptors, threads, files or
memory grew from the first third of the last life to its last third. Memory may
grow by what SQLite caches, 16 MiB at most for each connection, since the event
history stays.
"""

import argparse
import collections
import json
import os
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service_bench import (ROOT, Service, machine, missed, report,  # noqa: E402
                           resident_mb, wait_for)
import containers  # noqa: E402
import invariants  # noqa: E402
from service import environments, supervisors  # noqa: E402

FINAL = ("SUCCEEDED", "FAILED", "CANCELLED")
FIXTURE = os.path.join(ROOT, "tests/cluster/metrics/tensorboard/fixtures",
                       "tensorflow-scalars.tfevents")

JOB = """
trainingInput:
  {training}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    maxFailedTrials: {trials}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  algorithm: RANDOM_SEARCH
  {vernier}
"""

GPUS = ("scaleTier: CUSTOM\n  masterType: n1-standard-8\n  masterConfig: "
        "{acceleratorConfig: {count: 2, type: NVIDIA_TESLA_T4}}")


APPENDS = '''
for s in 1 2 3; do echo '{"step": '$s', "loss": 1}' >> $VERNIER_METRICS; done
'''
HYPERTUNE = '''
echo '{"timestamp": 1, "loss": "1", "global_step": "1"}' > $CLOUD_ML_HP_METRIC_FILE
'''


def shell(script):
    return f"command: [/bin/sh, -c, {json.dumps(script)}]"


Kind = collections.namedtuple(
    "Kind", "name trials parallel vernier training cancelled", defaults=("", False))

KINDS = [
    Kind("prints", 12, 4, shell("echo step=1 loss=0.5")),
    Kind("appends", 12, 4, shell(APPENDS)),
    Kind("hypertune", 12, 4, shell(HYPERTUNE)),
    Kind("summaries", 8, 4, shell(
        f"mkdir -p $AIP_TENSORBOARD_LOG_DIR; cp {FIXTURE} $AIP_TENSORBOARD_LOG_DIR/events.out.tfevents.1.host"),
         "jobDir: {home}/out"),
    Kind("fails", 6, 3, shell("echo oh >&2; exit 3")),
    Kind("dies", 3, 3, shell("kill -SEGV $$") +
         "\n  retry: {maxTransientRetries: 1}"),
    Kind("too_long", 3, 3, shell("sleep 60 & sleep 60") + "\n  trialTimeLimit: 1s"),
    Kind("cancelled", 6, 3, shell("sleep 60 & wait"), "", True),
    Kind("leases", 6, 3, shell("echo loss=1; echo $CUDA_VISIBLE_DEVICES"), GPUS),
]

CONTAINERS = [
    Kind("in_containers", 2, 2, "", "masterConfig: {imageUri: %s, containerCommand: "
         "[/bin/sh, -c, 'echo loss=1']}"),
    Kind("containers_cancelled", 1, 1, "", "masterConfig: {imageUri: %s, "
         "containerCommand: [/bin/sh, -c, 'sleep 60']}", True),
]


def container_names():
    """Containers, with the stopped ones, and their monitors."""
    found = subprocess.run(["podman", "ps", "--all", "--format", "{{.Names}}"],
                           capture_output=True, text=True, check=True).stdout.split()
    return [name for name in found if name.startswith("vernier-")]


def processes_of(data):
    """Replicas, by their environment, and supervisors of a service."""
    replicas = {pid for pid, environment in environments()
                if b"VERNIER_ATTEMPT=" in environment
                and data.encode() in environment}
    return replicas | set(supervisors(data))


class Soak:
    def __init__(self, service, kinds, image):
        self.service = service
        self.kinds = kinds
        self.image = image
        self.launched = 0
        self.samples = []
        self.begin = time.monotonic()

    def submit(self, number):
        names = []
        for kind in self.kinds:
            name = f"{kind.name}_{number}"
            training = kind.training.replace("{home}", self.service.home)
            if "%s" in training:
                training = training % self.image
            self.service.submit(name, JOB.format(
                training=training, trials=kind.trials, parallel=kind.parallel,
                vernier=kind.vernier))
            names.append((name, kind))
        return names

    def finish(self, names):
        """Cancels what is to be cancelled once it runs, and waits for all."""
        for name, kind in names:
            if kind.cancelled:
                wait_for(f"{name} to run", lambda n=name: any(
                    trial["state"] == "ACTIVE" for trial in
                    self.service.json("trials", "list", n)), 120)
                self.service.cli("jobs", "cancel", name)
        for name, _ in names:
            wait_for(f"{name} to end", lambda n=name: self.has_ended(n), 300)

    def has_ended(self, name):
        """Cancels the job if it has paused itself, as after many failures."""
        job = self.service.job(name)
        if "resume" in job["vernier"].get("waitingFor", ""):
            self.service.cli("jobs", "cancel", name)
        return job["state"] in FINAL

    def delete(self, names):
        for name, _ in names:
            self.service.cli("jobs", "delete", name)

    def sample(self, life):
        pid = self.service.process.pid
        self.samples.append({
            "life": life,
            "minutes": (time.monotonic() - self.begin) / 60,
            "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": len(os.listdir(f"/proc/{pid}/task")),
            "memory": resident_mb(pid),
            "containers": len(container_names()) if self.image else 0,
            "files": sum(len(files) for _, _, files in os.walk(self.service.data)),
        })
        return self.samples[-1]


def growth(samples, what):
    """Median of the last third against that of the first third."""
    third = max(1, len(samples) // 3)
    values = [sample[what] for sample in samples]
    return statistics.median(values[-third:]), statistics.median(values[:third])


def run(soak, minutes, round_seconds):
    end = soak.begin + 60 * minutes
    kills = [soak.begin + 60 * minutes * part for part in (1 / 6, 1 / 3)]
    life, number, earlier = 0, 0, []
    while time.monotonic() < end:
        number += 1
        next_round = time.monotonic() + round_seconds
        names = soak.submit(number)
        if kills and time.monotonic() > kills[0]:
            kills.pop(0)
            life += 1
            soak.service.kill()
            soak.service.start()
        soak.finish(names)
        soak.launched += sum(kind.trials for _, kind in names)
        soak.delete(earlier)
        earlier = names
        # A supervisor ends a moment after its trial.
        wait_for("all processes to end", lambda: not processes_of(soak.service.data))
        now = soak.sample(life)
        if number % 10 == 1:
            print(f"{now['minutes']:5.1f} min  {soak.launched:6d} trials  "
                  + "  ".join(f"{what} {now[what]:.0f}" for what in
                              ("descriptors", "threads", "memory", "files",
                               "containers")), flush=True)
        time.sleep(max(0, next_round - time.monotonic()))
    soak.delete(earlier)
    return life


def count_left(service, had_containers):
    state = invariants.read(service.data)
    report("processes left", len(processes_of(service.data)), "", 0, False)
    report("leases left", len(state.leases), "", 0, False)
    report("jobs left in the database", len(state.jobs), "", 0, False)
    if had_containers:
        report("containers left", len(container_names()), "", 0, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--round", type=float, default=30, help="seconds; less is more")
    parser.add_argument("--no-containers", action="store_true")
    flags = parser.parse_args()
    image, kinds = None, list(KINDS)
    if not flags.no_containers and containers.works():
        image = f"localhost/vernier-soak-{os.getpid()}"
        made = containers.make_image(image)
        if made.returncode != 0:
            sys.exit(made.stderr)
        kinds += CONTAINERS
    print(f"machine: {machine()}; {'with' if image else 'without'} containers")
    before = set(container_names()) if image else set()
    if before:
        sys.exit(f"containers of another run are here: {', '.join(sorted(before))}")
    try:
        with Service("--gpus", "fake:4") as service:
            soak = Soak(service, kinds, image)
            life = run(soak, flags.minutes, flags.round)
            last = [sample for sample in soak.samples if sample["life"] == life]
            print(f"{soak.launched} trials; {len(last)} rounds in the last life")
            service.process.send_signal(signal.SIGTERM)
            service.process.wait()
            count_left(service, image is not None)
            service.start()
        for what, unit, allowed in (("descriptors", "", 2), ("threads", "", 2),
                                    ("memory", "MB", 16), ("files", "", 10)):
            late, early = growth(last, what)
            report(f"{what}, growth from {early:.0f}", late - early, unit, allowed, False)
    finally:
        if image:
            containers.podman("image", "rm", "--force", image)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
