"""Kills the service at random moments and checks that nothing is lost.

VERNIER_KILLS sets the number of kills (default 200), VERNIER_CONTAINER_KILLS that
of the loop whose trials run in containers (default 6), VERNIER_SEED the seed, which
every failure prints.
"""

import collections
import os
import random
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import containers  # noqa: E402
import invariants  # noqa: E402
import service as service_module  # noqa: E402
from service import Service, processes_with, wait_for  # noqa: E402

# Says in a shared file that it started and how it ended; a start that is there
# twice with one nonce would be a double launch.
TRIAL = """#!/bin/sh
echo "start $VERNIER_ATTEMPT $CLOUD_ML_JOB_ID $CLOUD_ML_TRIAL_ID" >> "$AUDIT"
sleep 0.0$((CLOUD_ML_TRIAL_ID % 7))
printf '{"global_step": "1", "loss": "0.%s", "timestamp": 1.5, "trial": "%s"}\\n' \\
  "$CLOUD_ML_TRIAL_ID" "$CLOUD_ML_TRIAL_ID" > "$CLOUD_ML_HP_METRIC_FILE"
echo "end $VERNIER_ATTEMPT" >> "$AUDIT"
"""

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 12
    maxParallelTrials: 3
    maxFailedTrials: 12
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 7
  algorithm: RANDOM_SEARCH
  command: [{trial}]
  environment: {{AUDIT: {audit}}}
"""


# Each kill is followed by a check of all that its service ever did, so one
# service for all kills would cost the square of their number.
KILLS_PER_SERVICE = 200


class Client(threading.Thread):
    """Submits jobs and pauses, resumes, updates or cancels some; keeps a durable
    log of what was acknowledged."""

    def __init__(self, target, config, log_path, name, seed):
        super().__init__(daemon=True)
        self.target = target
        self.config = config
        self.log = open(log_path, "a", encoding="utf-8")
        self.prefix = name
        self.random = random.Random(seed)
        self.stopping = False
        self.created = 0

    def close(self):
        self.stopping = True
        self.join(service_module.DEADLINE)
        self.log.close()
        return not self.is_alive()

    def acknowledge(self, *words):
        self.log.write(" ".join(words) + "\n")
        self.log.flush()
        os.fsync(self.log.fileno())

    def run(self):
        count = 0
        while not self.stopping:
            count += 1
            name = f"{self.prefix}_{count}"
            # Told before it is asked: whatever exists must have been asked for.
            self.acknowledge("asked", name)
            done = self.target.cli("jobs", "submit", "training", name, "--config",
                                   self.config, check=False)
            if done.returncode != 0:
                continue
            self.acknowledge("created", name)
            self.created += 1
            verb = self.random.choice(["", "", "pause", "cancel", "update"])
            if verb == "update":
                code = os.path.join(os.path.dirname(self.config), "code")
                os.makedirs(code, exist_ok=True)
                with open(os.path.join(code, "name"), "w", encoding="utf-8") as file:
                    file.write(name)
                if self.target.cli("jobs", "update", name, "--code", code, "--restart",
                                   check=False).returncode == 0:
                    self.acknowledge("update", name)
                continue
            if verb and self.target.cli("jobs", verb, name, check=False).returncode == 0:
                self.acknowledge(verb, name)
                if verb == "pause":
                    if self.target.cli("jobs", "resume", name, check=False).returncode == 0:
                        self.acknowledge("resume", name)


def acknowledged(log_path):
    words = collections.defaultdict(set)
    with open(log_path, encoding="utf-8") as file:
        for line in file:
            verb, name = line.split()
            words[verb].add(name)
    return words


class KillLoopTest(unittest.TestCase):
    def test_nothing_is_lost_doubled_or_orphaned(self):
        kills = int(os.environ.get("VERNIER_KILLS", "200"))
        seed = int(os.environ.get("VERNIER_SEED", str(time.time_ns() % 1000000)))
        print(f"kill loop: {kills} kills, VERNIER_SEED={seed}", flush=True)
        services = -(-kills // KILLS_PER_SERVICE)
        for number in range(services):
            self.shake_one_service((kills + number) // services, seed + number)

    def test_nothing_is_lost_doubled_or_orphaned_in_containers(self):
        image = containers.image_for_tests(self)
        kills = int(os.environ.get("VERNIER_CONTAINER_KILLS", "6"))
        seed = int(os.environ.get("VERNIER_SEED", str(time.time_ns() % 1000000)))
        print(f"kill loop: {kills} kills with containers, VERNIER_SEED={seed}", flush=True)
        nonces = self.shake_one_service(kills, seed, image)
        left = containers.podman("ps", "--all", "--format", "{{.Names}}").stdout
        self.assertEqual([nonce for nonce in nonces if nonce in left], [])

    def shake_one_service(self, kills, seed, image=None):
        chance = random.Random(seed)
        target = Service()
        # Processes must end with the test, however it ends.
        self.addCleanup(target.__exit__)
        audit = os.path.join(target.home, "audit")
        open(audit, "w", encoding="utf-8").close()
        trial = target.write("trial.sh", TRIAL, 0o755)
        text = CONFIG.format(trial=trial, audit=audit)
        if image is not None:
            target.flags += ("--container-engine", "podman", "--container-mount", target.home)
            text = text.replace("trainingInput:", "trainingInput:\n"
                                f"  masterConfig: {{imageUri: '{image}'}}").replace(
                                    "Trials: 12", "Trials: 3")
        config = target.write("job.yaml", text)
        log_path = os.path.join(target.home, "acknowledged")
        open(log_path, "w", encoding="utf-8").close()
        history = invariants.History()
        for kill in range(kills):
            with self.subTest(seed=seed, kill=kill):
                target.start(wait=False)
                client = Client(target, config, log_path, f"job{kill}",
                                chance.random())
                client.start()
                # Some kills hit the start, some the middle of the work; on a
                # slow machine the work begins late, so it is waited for.
                if kill % 3 == 0:
                    time.sleep(chance.uniform(0, 0.05))
                else:
                    wait_for("a job to be acknowledged", lambda c=client: c.created)
                    time.sleep(chance.uniform(0, 0.3))
                target.kill()
                self.assertTrue(client.close())
                if not os.path.exists(os.path.join(target.data, "vernier.db")):
                    continue  # Killed before it made its first database.
                self.check(target, log_path, audit, history, settled=False)
        target.start()
        self.assertGreater(len(acknowledged(log_path)["created"]), kills // 2,
                           "the clients got hardly anything done")
        for job in target.jobs():  # The client was cut off before its resume.
            if job["vernier"].get("wanted") == "PAUSE":
                target.cli("jobs", "resume", job["jobId"])
        wait_for("every job to end", lambda: all(
            job["state"] in ("SUCCEEDED", "FAILED", "CANCELLED")
            for job in target.jobs()), 300)
        target.stop()
        self.check(target, log_path, audit, history, settled=True)
        self.assertGreater(history.attempts_seen, kills // 10)
        if image is not None:
            with open(audit, encoding="utf-8") as file:
                self.assertIn("start ", file.read(), "no container ran")
        print(f"kill loop: {history.attempts_seen} attempts, "
              f"{len(acknowledged(log_path)['created'])} jobs acknowledged")
        return {attempt["nonce"] for attempt in invariants.read(target.data).attempts}

    def check(self, target, log_path, audit, history, settled):
        words = acknowledged(log_path)
        state = invariants.read(target.data)
        problems = invariants.check(state, history)
        names = {job["name"] for job in state.jobs.values()}
        for name in words["created"] - names:
            problems.append(f"I1: acknowledged job {name} is gone")
        for name in names - words["asked"]:
            problems.append(f"I2: nobody asked for job {name}")
        by_name = {job["name"]: job for job in state.jobs.values()}
        for name in words["cancel"]:
            if by_name[name]["wanted"] != "stop":
                problems.append(f"I1: the cancel of {name} was forgotten")
        for name in words["update"]:
            job = by_name[name]
            if job["code_version"] < 2 or not os.path.isdir(job["code_dir"]):
                problems.append(f"I1: the new code of {name} was forgotten")
        with open(audit, encoding="utf-8") as file:
            starts = collections.Counter(
                line.split()[1] for line in file if line.startswith("start "))
        known = {attempt["nonce"] for attempt in state.attempts}
        for nonce, count in starts.items():
            if count > 1:
                problems.append(f"I8: {nonce} was started {count} times")
            if nonce not in known:
                problems.append(f"I2: {nonce} ran without an intent")
        over = {a["nonce"] for a in state.attempts if a["is_terminal"]}
        if settled:
            for pid, nonce in processes_with(known):
                problems.append(f"I10: process {pid} of {nonce} was left behind")
            for attempt in state.attempts:
                if not attempt["is_terminal"]:
                    problems.append(f"I23: attempt {attempt['nonce']} never ended")
        else:
            # A supervisor may still be on its way out for an instant.
            wait_for("processes of ended attempts to be gone",
                     lambda: not processes_with(over))
        self.assertEqual(problems, [])


if __name__ == "__main__":
    unittest.main()
