"""Jobs on a real Slurm cluster of three nodes: see tests/slurm."""

import http.server
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "slurm")]
import lab as slurm_lab  # noqa: E402
from service import ROOT, Service, binary, wait_for  # noqa: E402

JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  {workers}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  command: [sh, -c, '{script}', sh]
  {more}
"""
GPUS = "{{acceleratorConfig: {{count: {count}, type: NVIDIA_TESLA_V100}}}}"
NODE_LOSS = 150.0  # Slurm notices the loss of a node of the lab after 30 s.

LAB = None


def setUpModule():
    global LAB
    why = slurm_lab.missing()
    if why:
        raise unittest.SkipTest(why)
    LAB = slurm_lab.Lab()
    LAB.start()


def tearDownModule():
    LAB.stop()


class ConformanceTest(unittest.TestCase):
    def test_the_launcher_keeps_the_contract(self):
        program = os.path.join(os.path.dirname(binary()), "tests/vernier_cluster_test")
        if not os.access(program, os.X_OK):
            self.skipTest(f"{program} is not built")
        done = subprocess.run(
            [program, "--gtest_filter=Slurm/LauncherConformance.*", "--gtest_brief=1"],
            env={**os.environ, "VERNIER_SLURM_SHARED": LAB.shared}, timeout=900,
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        self.assertNotIn("SKIPPED", done.stdout)
        self.assertEqual(LAB.queue(), [])


class SlurmBed(unittest.TestCase):
    service = None

    def expect_no_jobs(self):
        wait_for("the queue to be empty", lambda: LAB.queue() == [])

    def submit(self, name, script, trials=1, parallel=1, workers=0, more=""):
        counts = f"workerType: standard\n  workerCount: {workers}" if workers else ""
        self.service.submit(name, JOB.format(script=script, trials=trials, more=more,
                                             parallel=parallel, workers=counts))

    def why(self, name, *trial):
        return self.service.cli("why", name, *trial).stdout

    def await_running(self, count=1):
        return wait_for(f"{count} running jobs", lambda: (
            lambda jobs: jobs if len(jobs) == count else None)(LAB.queue("RUNNING", probes=False)))

    def submit_sleeper(self, name="job", **kwargs):
        """A trial that runs until the file `go` exists, and then reports."""
        go = os.path.join(self.service.home, "go")
        self.submit(name, f"while [ ! -e {go} ]; do sleep 0.1; done; echo loss=1",
                    **kwargs)
        self.await_running()
        wait_for("the service to see it",
                 lambda: "Attempt 1: running" in self.why(name, "1"))
        return go


class SlurmTest(SlurmBed):
    def setUp(self):
        self.service = Service("--launcher", "slurm", "--gpus", "none")
        self.addCleanup(self.expect_no_jobs)
        self.addCleanup(self.service.__exit__)
        self.service.start()

    def test_a_study_succeeds_on_several_nodes(self):
        self.submit("job", "echo loss=0.5; echo $CLUSTER_SPEC", trials=4, parallel=2,
                    workers=2, more="slurm: {cpusPerReplica: 2, partition: main}")
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))
        trials = self.service.json("trials", "list", "job")
        self.assertEqual([t["finalMeasurement"]["value"] for t in trials], [0.5] * 4)

    def test_the_digits_example_runs_by_the_same_job_file(self):
        self.service.cli("jobs", "submit", "training", "digits", "--config",
                         os.path.join(ROOT, "examples/digits_ddp/study.yaml"),
                         "--", "--epochs", "2")
        wait_for("the job's end", lambda: self.service.job("digits")["state"] in (
            "SUCCEEDED", "FAILED", "PAUSED"), 900)
        self.assertEqual(self.service.job("digits")["state"], "SUCCEEDED",
                         self.why("digits", "1"))
        trials = self.service.json("trials", "list", "digits")
        self.assertEqual(len(trials), 12)
        self.assertGreater(max(t["finalMeasurement"]["value"] for t in trials), 0.3)

    def test_one_service_serves_local_jobs_too(self):
        self.submit("there", "echo loss=1; echo on $SLURM_JOB_ID")
        self.submit("here", "echo loss=2; echo on [$SLURM_JOB_ID]",
                    more="launcher: local")
        for name in ("there", "here"):
            self.assertEqual(
                self.service.wait_state(name, "SUCCEEDED", "FAILED")["state"],
                "SUCCEEDED", self.why(name))
        self.assertIn("on []", self.service.cli("trials", "logs", "here", "1").stdout)
        self.assertNotIn("on \n", self.service.cli("trials", "logs", "there", "1").stdout)

    def test_replicas_on_different_nodes_meet(self):
        # Two processors of a node's four each, so that two nodes are needed.
        script = 'echo "$CLUSTER_SPEC" > {home}/$RANK.spec; echo loss=1'
        self.submit("job", script.format(home=self.service.home), workers=2,
                    more="slurm: {cpusPerReplica: 3}")
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))
        with open(os.path.join(self.service.home, "0.spec"), encoding="utf-8") as file:
            spec = file.read()
        if LAB.mode == "netns":
            net = LAB.settings["LAB_NET"]
            hosts = {f"{net}.{10 + n}" for n in (1, 2, 3)}
            self.assertEqual({host for host in hosts if host in spec}, hosts, spec)

    def test_roles_with_other_gpus_are_components(self):
        script = "echo [$CUDA_VISIBLE_DEVICES] $SLURMD_NODENAME; echo loss=1"
        config = JOB.format(
            script=script, trials=1, parallel=1, more="",
            workers="workerType: standard\n  workerCount: 2\n"
                    f"  masterConfig: {GPUS.format(count=2)}\n"
                    f"  workerConfig: {GPUS.format(count=1)}")
        self.service.submit("job", config.replace("standard", "n1-standard-8"))
        wait_for("a heterogeneous job", lambda: "+1" in LAB.command(
            "squeue", "-h", "-t", "all", "-o", "%i"))
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))
        logs = self.service.cli("trials", "logs", "job", "1").stdout
        self.assertEqual(logs.count("[0,1]"), 1, logs)
        self.assertEqual(logs.count("[0]") + logs.count("[1]"), 2, logs)

    def test_an_exit_code_is_the_programs(self):
        self.submit("job", "echo oh; exit 3")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        why = self.why("job", "1")
        self.assertIn("exited with status 3", why)
        self.assertIn("oh\n", why)

    def test_a_partition_that_is_not_there_is_named(self):
        self.submit("job", "true", more="slurm: {partition: nope}")
        self.service.wait_state("job", "FAILED")
        self.assertIn("invalid partition specified: nope", self.why("job", "1"))

    def test_an_image_is_refused_with_what_would_do(self):
        self.service.submit("job", JOB.format(
            script="true", trials=1, parallel=1, more="launcher: slurm",
            workers="masterConfig: {imageUri: some/image}"))
        self.service.wait_state("job", "FAILED")
        self.assertIn("cannot have an image: some/image", self.why("job", "1"))

    def test_a_trial_may_run_for_its_time_only(self):
        self.submit("job", "echo loss=1; sleep 300", more="trialTimeLimit: 2s\n  killGrace: 1s")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        self.assertIn("trialTimeLimit", self.why("job", "1"))

    def test_a_cancelled_job_leaves_nothing(self):
        self.submit_sleeper()
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")

    def test_why_says_what_a_pending_job_waits_for(self):
        self.submit("job", "true", more="slurm: {extraArgs: [--begin=now+1hour]}")
        wait_for("the reason", lambda: "BeginTime" in self.why("job"))
        self.assertIn("in Slurm's queue as job", self.why("job"))
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")

    def test_a_killed_service_finds_its_jobs_again(self):
        go = self.submit_sleeper(workers=1)
        before = self.await_running()
        self.service.kill()
        self.service.start()
        self.assertEqual(LAB.queue("RUNNING", probes=False), before)
        open(go, "w", encoding="utf-8").close()
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))
        self.assertNotIn("attempt 2", self.why("job", "1"))

    def test_an_end_while_the_service_is_away_is_found(self):
        go = self.submit_sleeper()
        self.service.kill()
        open(go, "w", encoding="utf-8").close()
        self.expect_no_jobs()
        self.service.start()
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))
        self.assertNotIn("attempt 2", self.why("job", "1"))

    def test_a_lost_node_costs_no_trial(self):
        if LAB.mode != "netns":
            self.skipTest("a node cannot be powered off here")
        go = self.submit_sleeper()
        node = self.await_running()[0][2]
        self.addCleanup(wait_for, "the node to be back", LAB.is_idle)
        self.addCleanup(LAB.run, "boot", node[1:])
        LAB.run("crash", node[1:])
        wait_for("Slurm to see it", lambda: "NODE_FAIL" in self.why("job", "1"), NODE_LOSS)
        open(go, "w", encoding="utf-8").close()
        self.assertEqual(wait_for("the job's end", lambda: (
            lambda state: state if state in ("SUCCEEDED", "FAILED") else None)(
                self.service.job("job")["state"]), NODE_LOSS), "SUCCEEDED", self.why("job"))
        why = self.why("job", "1")
        self.assertIn("infrastructure", why)
        self.assertIn(f"on {node} as NODE_FAIL", why)
        self.assertIn(node, LAB.command("squeue", "-h", "-t", "all", "-o", "%x").split(),
                      "the second attempt was not to avoid the node")

    def test_a_preempted_trial_starts_again(self):
        go = self.submit_sleeper(more="slurm: {partition: low}")
        blocker = LAB.command("sbatch", "--parsable", "--exclusive", f"--nodes={LAB.nodes}",
                              "--partition=main", "--output=/dev/null",
                              "--wrap=sleep 300").strip()
        self.addCleanup(LAB.command, "scancel", blocker)
        wait_for("the preemption", lambda: "(preempted)" in self.why("job", "1"), NODE_LOSS)
        LAB.command("scancel", blocker)
        open(go, "w", encoding="utf-8").close()
        self.assertEqual(wait_for("the job's end", lambda: (
            lambda state: state if state in ("SUCCEEDED", "FAILED") else None)(
                self.service.job("job")["state"]), NODE_LOSS), "SUCCEEDED", self.why("job"))

    def test_a_program_that_a_preemption_killed_first_starts_again(self):
        """On a busy node the program dies of the SIGTERM before anybody else sees
        it: here it kills itself, and Slurm's word of the preemption is written into
        what the real scontrol says."""
        folder = os.path.join(self.service.home, "bin")
        os.mkdir(folder)
        real = shutil.which("scontrol")
        self.service.write("bin/scontrol", "#!/bin/sh\n"
                           f"[ \"$1\" = show ] || exec {real} \"$@\"\n"
                           f"{real} \"$@\" | sed 's/ SuspendTime=/ "
                           "PreemptTime=2026-01-02T03:04:05&/'\n", 0o755)
        self.service.stop()
        self.service.before = ["env", f"PATH={folder}:{os.environ['PATH']}"]
        self.service.start()
        for name, end in (("signal", "kill -TERM $$"), ("shell", "exit 143")):
            killed = os.path.join(self.service.home, name)
            self.submit(name, f"[ -e {killed} ] || {{ touch {killed}; {end}; }}; echo loss=1")
            self.assertEqual(self.service.wait_state(name, "SUCCEEDED", "FAILED")["state"],
                             "SUCCEEDED", self.why(name, "1"))
            why = self.why(name, "1")
            self.assertIn("(preempted)", why)
            self.assertIn("preempted its job at 2026-01-02T03:04:05", why)

    def test_a_stalled_controller_gets_a_job_once(self):
        controller = LAB.pid_of("slurmctld")
        os.kill(controller, signal.SIGSTOP)
        try:
            self.submit("job", "echo loss=1")
            wait_for("sbatch to wait", lambda: "being submitted" in self.why("job"))
            self.service.kill()
        finally:
            os.kill(controller, signal.SIGCONT)
        self.service.start()
        self.assertEqual(wait_for("the job's end", lambda: (
            lambda state: state if state in ("SUCCEEDED", "FAILED") else None)(
                self.service.job("job")["state"]), NODE_LOSS), "SUCCEEDED", self.why("job"))
        self.assertEqual(len(self.service.json("trials", "list", "job")), 1)


class ProbeTest(SlurmBed):
    """What the service finds out about the nodes before it sends trials there."""

    def start_with(self, *flags):
        self.service = Service("--launcher", "slurm", "--gpus", "none", *flags)
        self.addCleanup(self.expect_no_jobs)
        self.addCleanup(self.service.__exit__)
        self.service.start()

    def expect_no_trial_to_start(self, *words):
        self.submit("job", "echo loss=1")
        for word in words:
            wait_for(word, lambda word=word: word in self.why("job"))
        self.assertEqual(LAB.queue(probes=False), [])
        self.assertIn(words[0], self.service.log())

    def test_a_program_that_the_nodes_lack_is_named(self):
        self.start_with("--slurm-program", "/nowhere/vernier")
        self.expect_no_trial_to_start("cannot run /nowhere/vernier", "--slurm-program")

    def test_a_folder_that_the_nodes_do_not_see_is_named(self):
        if LAB.mode != "netns":
            self.skipTest("the nodes have no folders of their own here")
        folder = tempfile.mkdtemp(prefix="vernier-unshared-")
        self.addCleanup(os.rmdir, folder)
        for node in range(1, LAB.nodes + 1):
            LAB.in_node(node, "mount", "-t", "tmpfs", "none", folder)
            self.addCleanup(LAB.in_node, node, "umount", folder)
        self.service = Service("--launcher", "slurm", "--gpus", "none")
        self.service.data = os.path.join(folder, "data")
        self.addCleanup(shutil.rmtree, self.service.data)
        self.addCleanup(self.service.__exit__)
        self.service.start()
        self.expect_no_trial_to_start(f"does not see {folder}", "that the nodes share")

    def test_a_url_that_the_nodes_do_not_reach_only_warns(self):
        self.start_with("--advertise-url", "http://127.0.0.1:1")
        self.submit("job", "echo loss=1")
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))
        self.assertIn("does not reach http://127.0.0.1:1", self.service.log())

    def test_a_url_that_the_nodes_reach_is_no_cause_to_warn(self):
        if LAB.mode != "netns":
            self.skipTest("the nodes have no network of their own here")
        server = http.server.HTTPServer((f"{LAB.settings['LAB_NET']}.1", 0),
                                        http.server.SimpleHTTPRequestHandler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.handle_request, daemon=True).start()
        self.start_with("--advertise-url", "http://%s:%d" % server.server_address)
        self.submit("job", "echo loss=1")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        self.assertNotIn("does not reach", self.service.log())

    def test_a_partition_that_is_not_there_is_said_at_the_start(self):
        self.start_with("--slurm-partition", "nope")
        wait_for("the log", lambda: "invalid partition specified: nope" in self.service.log())

    def test_a_busy_cluster_delays_no_submission(self):
        blocker = LAB.command("sbatch", "--parsable", "--exclusive", f"--nodes={LAB.nodes}",
                              "--output=/dev/null", "--wrap=sleep 300").strip()
        self.addCleanup(LAB.command, "scancel", blocker)
        wait_for("all nodes to be busy", lambda: LAB.queue("RUNNING") != [])
        self.start_with()
        self.submit("job", "echo loss=1")
        wait_for("the trial's job to be pending",
                 lambda: LAB.queue("PENDING", probes=False) != [])
        self.assertEqual(len(LAB.queue("PENDING")), 2)
        self.service.process.send_signal(signal.SIGTERM)
        self.service.process.wait(30)
        self.assertEqual(len(LAB.queue("PENDING")), 1,
                         f"the probe is left in the queue: {self.service.log()}")
        LAB.command("scancel", blocker)


class DataDirectoryTest(SlurmBed):
    """The script of docs/data-directory.md: databases here, all else on the shared disk."""

    def setUp(self):
        self.addCleanup(self.expect_no_jobs)
        self.home = tempfile.mkdtemp(prefix="home-", dir=LAB.shared)
        self.disk = tempfile.mkdtemp(prefix="vernier-disk-")
        self.addCleanup(shutil.rmtree, self.disk, ignore_errors=True)
        self.local = os.path.join(self.disk, "vernier")
        os.mkdir(os.path.join(self.home, "bin"))
        os.symlink(binary(), os.path.join(self.home, "bin/vernier"))
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith("VERNIER_")}
        self.environment = {
            **kept, "HOME": self.home, "LOCAL": self.local,
            "VERNIER_ENDPOINT": f"unix:{self.local}/vernier.sock",
            "PATH": f"{self.home}/bin:{os.environ['PATH']}"}

    def run_as_user(self, *words):
        done = subprocess.run(words, cwd=self.home, env=self.environment, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=240)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def stop(self):
        """Ends the service, if it runs; the first line of the lock is its process."""
        with open(os.path.join(self.local, "store.lock"), encoding="utf-8") as file:
            process = int(file.read())
        try:
            os.kill(process, signal.SIGTERM)
        except ProcessLookupError:
            return
        wait_for("the service to end", lambda: not os.path.exists(f"/proc/{process}"))

    def start(self):
        with open(os.path.join(ROOT, "docs/data-directory.md"), encoding="utf-8") as file:
            script, = re.findall(r"^<!-- serve-slurm -->\n```sh\n(.*?)^```$", file.read(),
                                 re.MULTILINE | re.DOTALL)
        self.run_as_user("bash", "-euo", "pipefail", "-c", script)

    def test_the_script_of_the_page_keeps_the_databases_here(self):
        made = subprocess.run(["unshare", "--user", "--map-current-user", "--mount", "true"],
                              check=False, capture_output=True, text=True)
        if made.returncode:
            self.skipTest(
                f"users may make no namespaces on this machine: {made.stderr.strip()}")
        with open(os.path.join(self.home, "train.py"), "w", encoding="utf-8") as file:
            file.write("import os, sys\nprint('loss=' + sys.argv[2])\n"
                       "print('slurm', os.environ['SLURM_JOB_ID'])\n")
        self.start()
        self.addCleanup(self.stop)
        job = ("vernier", "run", "-p", "x=0..0.5", "-m", "loss:min", "-j", "2", "--name",
               "job")
        self.run_as_user(*job, "-n", "2", "--", "python3", "train.py")
        self.assertIn("slurm ", self.run_as_user("vernier", "logs", "job", "1"))
        shared = os.path.join(self.home, "vernier")
        self.assertEqual([name for name in os.listdir(shared) if ".db" in name], [])
        self.assertIn("vernier.db", os.listdir(self.local))
        self.assertTrue(os.path.exists(os.path.join(shared, "runs/1/1/1/exit.json")))
        # The same script again, as after a restart of the machine, finds it all.
        self.stop()
        self.start()
        self.assertIn("succeeded", self.run_as_user("vernier", "why", "job"))


if __name__ == "__main__":
    unittest.main()
