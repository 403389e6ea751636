"""The whole path with the real binary: job files in, processes run, trials out,
and what happens when something breaks."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import (  # noqa: E402
    ROOT, Service, binary, processes_with, supervisors, wait_for)

# Fails if it gets a parameter of the branch that is not taken.
BRANCHING = """#!/usr/bin/python3
import json, os, sys, time
names = [word[2:] for word in sys.argv[1::2]]
values = dict(zip(names, sys.argv[2::2]))
if values["optimizer"] == "adam":
    assert names == ["optimizer", "lr"], names
    loss = abs(float(values["lr"]) - 0.1)
else:
    assert names == ["optimizer", "momentum"], names
    loss = 1 + float(values["momentum"])
path = os.environ["CLOUD_ML_HP_METRIC_FILE"]
os.makedirs(os.path.dirname(path), exist_ok=True)
with open(path, "w") as file:
    file.write(json.dumps({
        "timestamp": time.time(), "trial": os.environ["CLOUD_ML_TRIAL_ID"],
        "loss": str(loss), "global_step": "1", "checkpoint_path": ""}) + "\\n")
"""

REPORTING = """#!/bin/sh
# usage: trial.sh --x X ...; reports X itself as "loss".
echo "x is $2"
printf '{"global_step": "1", "loss": "%s", "timestamp": 1.5, "trial": "1"}\\n' "$2" \\
  > "$CLOUD_ML_HP_METRIC_FILE"
"""

TUNING = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    maxFailedTrials: {failed}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 3
  command: [{command}]
  {more}
"""


def tuning(command, trials=4, parallel=2, failed=0, more=""):
    return TUNING.format(command=command, trials=trials, parallel=parallel,
                         failed=failed, more=more)


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


class EndToEndTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())

    def reporting(self):
        return self.service.write("trial.sh", REPORTING, 0o755)

    def test_a_job_file_in_and_the_best_trial_out(self):
        self.service.submit("first", tuning(self.reporting()))
        job = self.service.wait_state("first", "SUCCEEDED")
        output = job["trainingOutput"]
        self.assertEqual(output["completedTrialCount"], "4")
        self.assertTrue(output["isHyperparameterTuningJob"])
        values = [t["finalMetric"]["objectiveValue"] for t in output["trials"]]
        self.assertEqual(values, sorted(values))
        best = output["trials"][0]
        self.assertEqual(float(best["hyperparameters"]["x"]),
                         best["finalMetric"]["objectiveValue"])
        self.assertEqual(best["state"], "SUCCEEDED")
        self.assertEqual(best["finalMetric"]["trainingStep"], "1")
        table = self.service.cli("trials", "best", "first").stdout
        self.assertIn(f"Recommended: trial {best['trialId']}", table)
        log = self.service.cli("trials", "logs", "first", best["trialId"]).stdout
        self.assertIn(f"x is {best['hyperparameters']['x']}", log)

    def test_a_gang_of_eight_talks_to_every_peer(self):
        example = os.path.join(ROOT, "examples/cluster_check")
        self.service.cli("jobs", "submit", "training", "gang", "--config",
                         os.path.join(example, "config.yaml"), "--job-dir",
                         os.path.join(self.service.home, "out"), cwd=example)
        job = self.service.wait_state("gang", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["trainingOutput"]["completedTrialCount"], "4")

    def test_running_replicas_survive_a_kill_of_the_service(self):
        audit = os.path.join(self.service.home, "audit")
        trial = self.service.write("slow.sh", f"""#!/bin/sh
echo "start $VERNIER_ATTEMPT" >> {audit}
while [ ! -e {audit}.go ]; do sleep 0.05; done
echo "end $VERNIER_ATTEMPT" >> {audit}
echo '{{"loss": 1}}' > "$CLOUD_ML_HP_METRIC_FILE"
""", 0o755)
        self.service.submit("slow", tuning(trial, trials=2))
        wait_for("both trials to start", lambda: os.path.exists(audit)
                 and len(read_lines(audit)) == 2)
        self.service.kill()
        nonces = {line.split()[1] for line in read_lines(audit)}
        self.assertTrue(processes_with(nonces), "the replicas died with the service")
        self.service.start()
        self.service.write("audit.go", "")
        job = self.service.wait_state("slow", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED")
        lines = read_lines(audit)
        self.assertEqual(sum("start" in line for line in lines), 2, "doubled")
        self.assertEqual(sum("end" in line for line in lines), 2, "lost")

    def test_an_end_while_the_service_is_down_is_found(self):
        go = os.path.join(self.service.home, "go")
        trial = self.service.write("quick.sh", f"""#!/bin/sh
while [ ! -e {go} ]; do sleep 0.05; done
exit 7
""", 0o755)
        empty = os.path.join(self.service.home, "empty")
        os.makedirs(empty)
        self.service.submit("down", tuning(trial, trials=1, parallel=1,
                                           more=f"codeDir: {empty}"))
        wait_for("the trial to be made",
                 lambda: self.service.json("trials", "list", "down") != [])
        wait_for("the trial to run", lambda: self.trial("down", 1)["state"] == "ACTIVE"
                 and self.trial("down", 1)["attempts"][0]["state"] == "RUNNING")
        self.service.kill()
        self.service.write("go", "")
        # The supervisor ends with its program, service or not.
        wait_for("the supervisor to end", lambda: not supervisors(self.service.data))
        self.service.start()
        self.service.wait_state("down", "FAILED")
        attempt = self.trial("down", 1)["attempts"][0]
        self.assertEqual(attempt["exitCode"], 7)
        self.assertEqual(attempt["state"], "EXITED")

    def trial(self, job, number):
        return self.service.json("trials", "describe", job, str(number))

    def test_a_missing_program_is_named_at_once(self):
        self.service.submit("missing", tuning("no_such_program", trials=100))
        job = self.service.wait_state("missing", "FAILED")
        self.assertIn("no_such_program", job["errorMessage"])
        # The second trial may end before the first: then a third had begun.
        self.assertLess(len(job["trainingOutput"]["trials"]), 6)

    def test_instant_failures_in_a_row_pause_the_job(self):
        trial = self.service.write("bad.sh", "#!/bin/sh\necho 'no module torch' >&2\nexit 1\n",
                                   0o755)
        self.service.submit("bad", tuning(trial, trials=100, parallel=1, failed=100))
        job = wait_for("the pause", lambda: (
            lambda job: job if job["vernier"].get("wanted") == "PAUSE" else None)(
                self.service.job("bad")))
        self.assertEqual(len(job["trainingOutput"]["trials"]), 3)
        self.assertIn("no module torch", job["vernier"]["waitingFor"])
        self.assertIn("no module torch", self.service.cli("why", "bad").stdout)

    def test_cancel_leaves_no_process_behind(self):
        audit = os.path.join(self.service.home, "audit")
        trial = self.service.write("stubborn.sh", f"""#!/bin/sh
trap '' TERM
setsid sleep 1000 &
echo "start $VERNIER_ATTEMPT" >> {audit}
sleep 1000
""", 0o755)
        self.service.submit("stubborn", tuning(trial, more='killGrace: "0s"'))
        wait_for("the trials to start", lambda: os.path.exists(audit)
                 and len(read_lines(audit)) == 2)
        self.service.cli("jobs", "cancel", "stubborn")
        self.service.wait_state("stubborn", "CANCELLED")
        nonces = {line.split()[1] for line in read_lines(audit)}
        self.assertEqual(len(nonces), 2)
        wait_for("the processes to be gone", lambda: not processes_with(nonces))

    def test_one_trial_is_stopped_and_the_search_goes_on(self):
        trial = self.service.write("first_hangs.sh", REPORTING.replace(
            "#!/bin/sh\n", '#!/bin/sh\n[ "$CLOUD_ML_TRIAL_ID" != 1 ] || sleep 1000\n', 1),
            0o755)
        self.service.submit("one", tuning(trial, trials=3, parallel=1))
        wait_for("the first trial to run", lambda: any(
            t["state"] == "ACTIVE" for t in self.service.json("trials", "list", "one")))
        self.service.cli("trials", "stop", "one", "1")
        self.service.wait_state("one", "SUCCEEDED")
        self.assertEqual([t["state"] for t in self.service.json("trials", "list", "one")],
                         ["STOPPED", "COMPLETED", "COMPLETED"])
        self.assertEqual(self.trial("one", 1)["endCause"], "stopped_by_user")
        self.assertIn("user stopped it", self.service.cli("why", "one", "1").stdout)
        refused = self.service.cli("trials", "stop", "one", "2", check=False)
        self.assertNotEqual(refused.returncode, 0)

    def test_a_trial_that_runs_too_long_is_ended(self):
        trial = self.service.write("endless.sh", "#!/bin/sh\nsleep 1000\n", 0o755)
        self.service.submit("endless", tuning(trial, trials=1, parallel=1,
                                              more='trialTimeLimit: "1s"'))
        self.service.wait_state("endless", "FAILED")
        self.assertEqual(self.trial("endless", 1)["endCause"], "time_limit")

    def test_pause_resume_extend_and_delete(self):
        name = "life"
        trial = self.reporting()
        self.service.submit(name, tuning(trial, trials=3, parallel=1))
        self.service.wait_state(name, "SUCCEEDED")
        self.service.cli("jobs", "extend", name, "--max-trials", "5")
        wait_for("two more trials", lambda: self.service.job(name)["trainingOutput"]
                 .get("completedTrialCount") == "5")
        self.service.wait_state(name, "SUCCEEDED")
        refused = self.service.cli("jobs", "cancel", name, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("SUCCEEDED", refused.stderr)
        self.service.cli("jobs", "delete", name, "--yes")
        self.assertEqual(self.service.jobs(), [])
        run = os.path.join(self.service.data, "runs")
        self.assertEqual(os.listdir(run), [])

    def test_a_new_job_learns_from_a_finished_one(self):
        trial = self.reporting()
        self.service.submit("old", tuning(trial))
        self.service.wait_state("old", "SUCCEEDED")
        self.service.submit("new", f"""
trainingInput:
  hyperparameters: {{maxTrials: 2, resumePreviousJobId: old}}
vernier: {{command: [{trial}]}}
""")
        job = self.service.wait_state("new", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(job["trainingInput"]["hyperparameters"]["goal"], "MINIMIZE")

    def test_a_program_gets_its_active_parameters_only(self):
        program = os.path.join(self.service.home, "branch.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(BRANCHING)
        os.chmod(program, 0o755)
        self.service.submit("branches", f"""
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    maxTrials: 12
    hyperparameterMetricTag: loss
    params:
    - parameterName: optimizer
      type: CATEGORICAL
      categoricalValues: [sgd, adam]
      defaultValue: adam
      childParameterSpecs:
      - parameterName: momentum
        type: DOUBLE
        minValue: 0
        maxValue: 0.99
        parentCategoricalValues: {{values: [sgd]}}
      - parameterName: lr
        type: DOUBLE
        minValue: 0.0001
        maxValue: 1
        defaultValue: 0.5
        parentCategoricalValues: {{values: [adam]}}
vernier: {{command: [{program}]}}
""")
        job = self.service.wait_state("branches", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        trials = self.service.json("trials", "list", "branches")
        names = [list(trial["parameters"]) for trial in trials]
        self.assertEqual({tuple(each) for each in names},
                         {("optimizer", "momentum"), ("optimizer", "lr")})
        self.assertTrue(all("finalMeasurement" in trial for trial in trials))
        self.assertEqual(trials[0]["parameters"], {"optimizer": "adam", "lr": 0.5})
        self.assertEqual(trials[0]["parameterList"],
                         [{"name": "optimizer", "value": "adam", "isText": True},
                          {"name": "lr", "value": "0.5"}])
        params = job["trainingInput"]["hyperparameters"]["params"]
        self.assertEqual(len(params[0]["childParameterSpecs"]), 2)
        self.assertEqual(params[0]["defaultValue"], "adam")

    def test_editing_the_code_later_changes_no_running_study(self):
        folder = os.path.join(self.service.home, "code")
        os.makedirs(folder)
        path = os.path.join(folder, "train.sh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(REPORTING)
        os.chmod(path, 0o755)
        self.service.submit("pinned", tuning("./train.sh", trials=20, parallel=1,
                                             more=f"codeDir: {folder}"))
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 1\n")
        job = self.service.wait_state("pinned", "SUCCEEDED", "FAILED")
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))

    def test_the_same_seed_gives_the_same_trials_also_across_kills(self):
        trial = self.reporting()
        for name in ("calm", "shaken"):
            self.service.submit(name, tuning(trial, trials=14, parallel=1))
            if name == "shaken":
                for _ in range(3):
                    self.service.kill()
                    self.service.start()
            self.service.wait_state(name, "SUCCEEDED")
        points = [[t["parameters"] for t in self.service.json("trials", "list", name)]
                  for name in ("calm", "shaken")]
        self.assertEqual(len(points[0]), 14)
        self.assertEqual(points[0], points[1])

    def test_a_second_service_on_the_data_folder_is_refused(self):
        second = subprocess.run(
            [binary(), "serve", "--data-dir", self.service.data],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual(second.returncode, 73, second.stderr)
        self.assertTrue(second.stderr.strip())
        self.assertEqual(self.service.cli("jobs", "list").returncode, 0)

    def test_events_can_be_followed_from_where_one_left_off(self):
        self.service.submit("seen", tuning(self.reporting(), trials=1, parallel=1))
        self.service.wait_state("seen", "SUCCEEDED")
        events = self.service.json_lines("events", "seen")
        numbers = [int(event["sequence"]) for event in events]
        self.assertEqual(numbers, sorted(numbers))
        kinds = [event["kind"] for event in events]
        self.assertEqual(kinds[0], "job.created")
        self.assertIn("trial.completed", kinds)


class BadStartTest(unittest.TestCase):
    """Services that cannot start say why, with a code of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="vernier-")
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def serve(self, *args, env=None):
        return subprocess.run(
            [binary(), "serve", *args], stdin=subprocess.DEVNULL, text=True,
            capture_output=True, timeout=60, env={**os.environ, **(env or {})})

    def test_a_socket_path_that_is_too_long(self):
        result = self.serve("--data-dir", os.path.join(self.home, "d" * 120))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("107", result.stderr)

    def test_a_corrupt_database(self):
        data = os.path.join(self.home, "data")
        os.makedirs(data, mode=0o700)
        with open(os.path.join(data, "vernier.db"), "wb") as file:
            file.write(b"this is no database" * 500)
        result = self.serve("--data-dir", data)
        self.assertEqual(result.returncode, 74, result.stderr)
        self.assertIn("vernier.db", result.stderr)

    def test_a_data_folder_that_is_a_file(self):
        path = os.path.join(self.home, "data")
        with open(path, "w", encoding="utf-8"):
            pass
        result = self.serve("--data-dir", path)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(path, result.stderr)

    @unittest.skipIf(os.geteuid() != 0, "needs root to make another user's folder")
    def test_a_data_folder_of_another_user(self):
        path = os.path.join(self.home, "data")
        os.makedirs(path, mode=0o700)
        os.chown(path, 12345, 12345)
        result = self.serve("--data-dir", path)
        self.assertEqual(result.returncode, 77, result.stderr)

    def test_an_address_beyond_this_machine_is_refused(self):
        result = self.serve("--data-dir", os.path.join(self.home, "data"),
                            "--listen", "0.0.0.0:0")
        self.assertEqual(result.returncode, 2, result.stderr)


class BadInputTest(unittest.TestCase):
    def run_cli(self, *args):
        return subprocess.run([binary(), *args], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=60)

    def test_every_error_of_a_file_is_told_with_its_place(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("trainingInput:\n  hyperparameters:\n    maxTrails: 3\n"
                       "    params:\n    - {parameterName: x, type: DOUBLE, "
                       "minValue: 5, maxValue: 1}\n")
            file.flush()
            result = self.run_cli("jobs", "submit", "training", "bad", "--config",
                                  file.name, "--validate-only")
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{file.name}:3:", result.stderr)
            self.assertIn("maxTrials", result.stderr)
            self.assertIn(f"{file.name}:5:", result.stderr)

    def test_a_missing_file_is_named(self):
        result = self.run_cli("jobs", "submit", "training", "bad", "--config",
                              "/no/such/file.yaml", "--validate-only")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/no/such/file.yaml", result.stderr)

    def test_an_endpoint_without_a_service(self):
        result = self.run_cli("jobs", "list", "--endpoint", "unix:/no/such/socket")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("/no/such/socket", result.stderr)


@unittest.skipIf(os.geteuid() != 0, "needs root to mount a small disk")
class FullDiskTest(unittest.TestCase):
    def test_a_full_disk_loses_nothing_and_is_survived(self):
        home = tempfile.mkdtemp(prefix="vernier-")
        self.addCleanup(os.rmdir, home)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", home],
                                 capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("mounting is not allowed here")
        self.addCleanup(subprocess.run, ["umount", "-l", home], check=True)
        service = Service()
        service.data = os.path.join(home, "data")
        with service:
            trial = service.write("trial.sh", REPORTING, 0o755)
            service.submit("before", tuning(trial))
            service.wait_state("before", "SUCCEEDED")
            filler = os.path.join(home, "filler")
            with open(filler, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            codes = set()
            for count in range(40):
                done = service.cli("jobs", "submit", "training", f"full{count}",
                                   "--config", os.path.join(service.home, "before.yaml"),
                                   check=False)
                codes.add(done.returncode)
                if done.returncode != 0:
                    self.assertIn("full", done.stderr.lower())
                    break
            self.assertNotEqual(codes, {0}, "the disk never filled up")
            self.assertEqual(service.job("before")["state"], "SUCCEEDED")
            os.remove(filler)
            service.submit("after", tuning(trial))
            service.wait_state("after", "SUCCEEDED")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
