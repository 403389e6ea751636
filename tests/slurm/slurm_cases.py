#!/usr/bin/python3
"""The long cases of jobs on a real Slurm cluster, for scripts/check slurm; the
short ones are tests/e2e/slurm_test.py.

Whatever is killed, in every case: never two live attempts of a trial, nothing
lost, no job left in the queue.
"""

import os
import random
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "e2e")]
import lab as slurm_lab  # noqa: E402
from service import Service, wait_for  # noqa: E402

PATIENCE = 600.0
PROGRAM = """#!/bin/sh
echo "start $VERNIER_TRIAL $VERNIER_ATTEMPT $(date +%s%N)" >> {notes}
sleep {seconds}
echo "end $VERNIER_TRIAL $VERNIER_ATTEMPT $(date +%s%N)" >> {notes}
echo loss=$VERNIER_TRIAL
"""
JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  command: [{program}]
  retry: {{maxInfrastructureRetries: 100}}
  {more}
"""


class Bed(unittest.TestCase):
    extra_conf = ""  # For slurm.conf.
    settings = {}  # Of slurm_lab.sh.

    def start_lab(self):
        why = slurm_lab.missing()
        if why:
            self.skipTest(why)
        self.lab = slurm_lab.Lab(**self.settings)
        if self.extra_conf:
            path = os.path.join(self.lab.root, "extra.conf")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.extra_conf)
            self.lab.settings["LAB_EXTRA_CONF"] = path
        self.lab.start()
        self.addCleanup(self.lab.stop)

    def setUp(self):
        self.start_lab()
        self.service = Service("--launcher", "slurm", "--gpus", "none")
        self.addCleanup(self.service.__exit__)
        self.service.start()
        self.notes = os.path.join(self.lab.shared, "notes")
        seed = int(os.environ.get("VERNIER_SEED", time.time_ns() % 1_000_000))
        print(f"VERNIER_SEED={seed}", file=sys.stderr)
        self.random = random.Random(seed)

    def submit(self, trials, seconds=1, more=""):
        program = self.service.write(
            "program.sh", PROGRAM.format(notes=self.notes, seconds=seconds), 0o755)
        self.service.submit("job", JOB.format(
            trials=trials, program=program, more=more, parallel=min(6, trials)))

    def started(self):
        try:
            with open(self.notes, encoding="utf-8") as file:
                return file.read().count("start ")
        except FileNotFoundError:
            return 0

    def await_end(self):
        return wait_for("the job's end", lambda: (
            lambda state: state if state in ("SUCCEEDED", "FAILED") else None)(
                self.service.job("job")["state"]), PATIENCE)

    def check(self, trials):
        self.assertEqual(self.await_end(), "SUCCEEDED", self.service.cli("why", "job").stdout)
        results = self.service.json("trials", "list", "job")
        self.assertEqual([t["finalMeasurement"]["value"] for t in results],
                         [float(number) for number in range(1, trials + 1)])
        wait_for("the queue to be empty", lambda: self.lab.queue() == [], PATIENCE)
        self.check_no_trial_ran_twice_at_once()

    def check_no_trial_ran_twice_at_once(self):
        runs = {}
        with open(self.notes, encoding="utf-8") as file:
            for line in file:
                what, trial, attempt, at = line.split()
                runs.setdefault(trial, {}).setdefault(attempt, {}).setdefault(
                    what, []).append(int(at))
        for trial, attempts in runs.items():
            for attempt, times in attempts.items():
                self.assertEqual(len(times["start"]), 1, f"trial {trial}, {attempt}")
            # One without an end was killed; it ended before the next began, as
            # far as that can be told.
            ordered = sorted(attempts.values(), key=lambda times: times["start"][0])
            for before, after in zip(ordered, ordered[1:]):
                self.assertLess(before.get("end", [0])[0], after["start"][0], trial)


class SlurmCases(Bed):
    def test_the_service_is_killed_at_random(self):
        self.submit(trials=24)
        for _ in range(12):
            time.sleep(self.random.uniform(0.05, 2.5))
            self.service.kill()
            self.service.start()
        self.check(24)

    def test_the_controller_is_killed_under_load(self):
        self.submit(trials=24, seconds=2)
        for _ in range(4):
            time.sleep(self.random.uniform(1, 4))
            self.lab.run("ctld-stop", "KILL")
            self.lab.run("ctld-start")
        self.check(24)

    def test_slurms_time_limit_is_a_cause_of_its_own(self):
        self.submit(trials=1, seconds=300, more="slurm: {timeLimit: 60s}")
        self.assertEqual(self.await_end(), "FAILED")
        why = self.service.cli("why", "job", "1").stdout
        self.assertIn("lost (time limit)", why)
        self.assertIn("TIMEOUT", why)


class ForgetfulControllerCases(Bed):
    """A controller that forgets what ended within seconds, and keeps no accounts."""

    extra_conf = "MinJobAge=2\n"

    def test_ends_while_nobody_looks_are_found(self):
        self.submit(trials=6, seconds=3)
        wait_for("all to run", lambda: self.started() == 6, PATIENCE)
        self.service.kill()
        wait_for("the controller to forget",
                 lambda: self.lab.queue("all") == [], PATIENCE)
        self.service.start()
        self.check(6)
        self.assertEqual(self.started(), 6)


class AccountedCases(Bed):
    """A cluster with slurmdbd, which forgets ended jobs within seconds."""

    settings = {"LAB_DB": "1"}
    extra_conf = "AccountingStorageEnforce=associations,limits\nMinJobAge=2\n"

    def start_lab(self):
        if os.geteuid() != 0:
            self.skipTest("only root can run a database of its own here")
        try:
            super().start_lab()
        except RuntimeError as error:
            if "apt-get failed" not in str(error):
                raise
            self.skipTest("slurmdbd and mariadb-server-core cannot be installed")
        self.sacctmgr("add", "account", "lab")
        self.sacctmgr("add", "user", "root", "account=lab")
        wait_for("the controller to know the user", lambda: "root" in self.lab.command(
            "scontrol", "show", "assoc_mgr", "flags=users"))

    def sacctmgr(self, *words):
        self.lab.command("sacctmgr", "--immediate", *words)

    def test_a_limit_on_submissions_only_delays(self):
        self.sacctmgr("modify", "user", "root", "set", "maxsubmitjobs=2")
        self.submit(trials=6)
        wait_for("the limit to be met", lambda: "AssocMaxSubmitJobLimit"
                 in self.service.cli("why", "job").stdout)
        self.check(6)
        self.assertEqual(self.started(), 6)

    def test_why_names_a_limit_on_running_jobs(self):
        self.sacctmgr("modify", "user", "root", "set", "maxjobs=1")
        self.submit(trials=2, seconds=5)
        wait_for("the reason", lambda: "AssocMaxJobsLimit"
                 in self.service.cli("why", "job").stdout)
        self.check(2)

    def test_an_account_that_is_not_there_is_named(self):
        self.submit(trials=1, more="slurm: {account: nope}")
        self.assertEqual(self.await_end(), "FAILED")
        self.assertIn("Invalid account", self.service.cli("why", "job", "1").stdout)

    def test_the_accounts_tell_how_a_forgotten_job_ended(self):
        self.submit(trials=1, seconds=10)
        wait_for("it to run", lambda: self.started() == 1, PATIENCE)
        name = self.lab.queue("RUNNING")[0][3]
        self.service.kill()
        self.lab.command("scancel", f"--name={name}")
        wait_for("the controller to forget",
                 lambda: self.lab.queue("all") == [], PATIENCE)
        self.service.start()
        self.check(1)
        self.assertIn("as CANCELLED", self.service.cli("why", "job", "1").stdout)


class MemoryCases(Bed):
    settings = {"LAB_CGROUP": "1"}

    def start_lab(self):
        if not os.access("/sys/fs/cgroup/memory/cgroup.procs", os.W_OK):
            self.skipTest("there is no cgroup v1 that confines memory")
        super().start_lab()

    def test_a_replica_without_enough_memory_is_infeasible(self):
        hog = self.service.write("hog.sh", (
            "#!/bin/sh\nexec /usr/bin/python3 -c 'x = bytearray(300 << 20); "
            "x[::4096] = b\"1\" * len(x[::4096])'\n"), 0o755)
        self.service.submit("job", JOB.format(
            trials=1, parallel=1, program=hog,
            more="slurm: {memoryPerReplica: 64M}"))
        self.await_end()
        trial = self.service.json("trials", "list", "job")[0]
        why = self.service.cli("why", "job", "1").stdout
        self.assertEqual(trial["state"], "INFEASIBLE", why)
        self.assertIn("memory", why)


class FolderCases(Bed):
    """Run folders that are not there, or cannot be written, when a job starts."""

    def await_pending(self):
        wait_for("a pending job", lambda: self.lab.queue("PENDING", probes=False))
        runs = os.path.join(self.service.data, "runs")
        folders = [path for path, _, _ in os.walk(runs) if path.endswith("/slurm")]
        self.assertEqual(len(folders), 1, folders)
        return folders[0]

    def test_a_missing_folder_costs_an_attempt(self):
        self.submit(trials=1, more="slurm: {extraArgs: [--begin=now+4]}")
        folder = self.await_pending()
        os.rename(folder, folder + ".away")
        self.check(1)
        self.assertIn("infrastructure", self.service.cli("why", "job", "1").stdout)

    def test_a_folder_that_cannot_be_written_costs_an_attempt(self):
        if self.lab.mode != "netns":
            self.skipTest("the nodes have no folders of their own here")
        self.submit(trials=1, more="slurm: {extraArgs: [--begin=now+4]}")
        folder = os.path.dirname(self.await_pending())
        for node in range(1, self.lab.nodes + 1):
            self.lab.in_node(node, "mount", "--bind", "-o", "ro", folder, folder)
        self.check(1)
        self.assertIn("infrastructure", self.service.cli("why", "job", "1").stdout)


if __name__ == "__main__":
    unittest.main()
