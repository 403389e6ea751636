"""Jobs with images where most people run them: with Podman, as a user who is not root.

As root, each test runs once more as a user made for it; otherwise as this one."""

import functools
import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from containers import podman, works  # noqa: E402
from ordinary_user import OrdinaryUser  # noqa: E402
from service import ROOT, Service, processes_with, supervisors, wait_for  # noqa: E402

IMAGE = f"localhost/vernier-rootless-{os.getpid()}"
OF_A_USER = IMAGE + "-user"  # Its programs are not root, in the container either.

JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  workerType: standard
  workerCount: {workers}
  masterConfig: {{imageUri: {image}, containerCommand: [/bin/sh, -c, {script}]}}
  jobDir: {job_dir}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 1
    params: [{{parameterName: x, type: DOUBLE, minValue: 0.1, maxValue: 1}}]
vernier: {{killGrace: 20s}}
"""


def as_an_ordinary_user(test):
    """Runs a test as the class's user, if this is root."""
    @functools.wraps(test)
    def run(self):
        if self.user is None:
            return test(self)
        done = self.user.run(
            "/usr/bin/python3", "-m", "unittest", "-v",
            f"rootless_podman_test.RootlessPodmanTest.{test.__name__}",
            cwd=os.path.join(self.user.root, "tests/e2e"))
        if "skipped=1" in done.stderr:
            self.skipTest(done.stderr.split("skipped", 1)[1].splitlines()[0])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Ran 1 test", done.stderr)
        return None
    return run


class RootlessPodmanTest(unittest.TestCase):
    user = None  # Set if this is root.

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            cls.prepare_as_the_user()
            return
        for tool in ("podman", "useradd", "setpriv", "newuidmap"):
            if subprocess.run(["which", tool], capture_output=True, check=False).returncode:
                raise unittest.SkipTest(f"{tool} is not installed")
        cls.user = OrdinaryUser()
        cls.addClassCleanup(cls.user.remove)
        if not cls.user.has_subordinate_ids():
            raise unittest.SkipTest("useradd gives no subordinate ids on this machine")
        namespace = cls.user.run("unshare", "--user", "true")
        if namespace.returncode:
            raise unittest.SkipTest(
                f"users may make no namespaces on this machine: {namespace.stderr.strip()}")

    @classmethod
    def prepare_as_the_user(cls):
        if not works():
            raise unittest.SkipTest("podman is not installed or does not work for this user")
        for name, flags in ((IMAGE, ()), (OF_A_USER, ("--user", "user"))):
            # Small, since the storage driver of users may copy it for each container.
            made = subprocess.run(
                [sys.executable, os.path.join(ROOT, "scripts/lib/make_image.py"), "podman",
                 name, *flags, "/bin/dash:/bin/sh", "/bin/sleep", "/bin/cat"],
                capture_output=True, text=True, check=False)
            if made.returncode:
                raise AssertionError(f"podman cannot import an image: {made.stderr[-300:]}")
            cls.addClassCleanup(podman, "image", "rm", "--force", name)

    def setUp(self):
        if self.user is not None:
            return
        self.service = Service().__enter__()
        self.addCleanup(self.service.__exit__, None, None, None)
        self.job_dir = os.path.join(self.service.home, "out")

    def submit(self, script, image=IMAGE, workers=0, *flags):
        self.service.submit("job", JOB.format(
            image=image, script=json.dumps(script), workers=workers,
            job_dir=self.job_dir), *flags)

    def finish(self):
        return self.service.wait_state("job", "SUCCEEDED", "FAILED", "CANCELLED", "PAUSED")

    def trial(self):
        return self.service.json("trials", "describe", "job", "1")

    def nonces(self):
        import invariants
        return {a["nonce"] for a in invariants.read(self.service.data).attempts}

    def containers(self, *flags):
        """The ids of this service's containers."""
        listed = podman("ps", "--format", "{{.ID}} {{.Names}}", *flags).stdout.splitlines()
        nonces = self.nonces()
        return {line.split()[0] for line in listed if any(nonce in line for nonce in nonces)}

    def assert_nothing_is_left(self):
        nonces = self.nonces()
        self.assertEqual(processes_with(nonces), [])
        self.assertEqual(self.containers("--all"), set())
        monitors = subprocess.run(["pgrep", "-a", "conmon"], capture_output=True, text=True,
                                  check=False).stdout
        for nonce in nonces:
            self.assertNotIn(nonce, monitors)

    def wait_for_containers(self, count):
        wait_for("the containers to run", lambda: len(self.containers()) == count)
        return self.containers()

    @as_an_ordinary_user
    def test_a_gang_reports_and_leaves_nothing(self):
        self.submit("echo '{\"step\": 1, \"loss\": 0.5}' >> $VERNIER_METRICS; "
                    "echo trained > ${AIP_MODEL_DIR%model/}mark; "
                    "echo uid map $(cat /proc/self/uid_map)", workers=1)
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", job.get("errorMessage"))
        self.assertEqual(self.trial()["finalMeasurement"], {"value": 0.5, "step": "1"})
        # Root of the container is this user, who thus owns what it wrote.
        mark = os.path.join(self.job_dir, "1/mark")
        self.assertEqual(os.stat(mark).st_uid, os.getuid())
        self.assertIn(f"uid map 0 {os.getuid()} 1",
                      self.service.cli("trials", "logs", "job", "1").stdout)
        self.assert_nothing_is_left()

    @as_an_ordinary_user
    def test_an_image_of_another_user_reports_too(self):
        os.mkdir(self.job_dir)
        os.chmod(self.job_dir, 0o777)
        self.submit("echo '{\"step\": 1, \"loss\": 0.25}' >> $VERNIER_METRICS; "
                    "echo trained > ${AIP_MODEL_DIR%model/}mark", image=OF_A_USER)
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", self.service.cli("why", "job", "1").stdout)
        self.assertEqual(self.trial()["finalMeasurement"], {"value": 0.25, "step": "1"})
        mark = os.path.join(self.job_dir, "1/mark")
        self.assertNotEqual(os.stat(mark).st_uid, os.getuid())
        self.assert_nothing_is_left()

    @as_an_ordinary_user
    def test_a_trial_can_be_run_by_hand(self):
        self.submit("echo '{\"step\": 1, \"loss\": 0.25}' >> $VERNIER_METRICS; exit 3",
                    image=OF_A_USER)
        self.finish()
        line = self.service.cli("trials", "command", "job", "1").stdout
        done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True,
                              check=False, stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(json.loads(done.stdout), {"step": 1, "loss": 0.25})
        self.assertEqual(podman("ps", "--all", "--quiet").stdout, "")

    @as_an_ordinary_user
    def test_limits_that_cannot_be_had_are_no_limits_in_silence(self):
        self.service.stop()
        self.service.flags += ("--container-limits",)
        self.service.start()
        self.submit("sleep 1; echo loss=1")
        job = self.finish()
        why = self.service.cli("why", "job", "1").stdout
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            has_version_1 = any(":memory:" in line for line in file)
        if has_version_1:
            self.assertNotEqual(job["state"], "SUCCEEDED")
            self.assertIn("Resource limits are not supported", why)
        elif job["state"] != "SUCCEEDED":
            self.assertIn("cgroup", why)  # None was delegated.
        self.assert_nothing_is_left()

    @as_an_ordinary_user
    def test_an_exit_code_is_the_programs(self):
        self.submit("echo oh; exit 3")
        self.finish()
        why = self.service.cli("why", "job", "1").stdout
        self.assertIn("exited with status 3", why)
        self.assertIn("oh\n", why)
        self.assert_nothing_is_left()

    @as_an_ordinary_user
    def test_a_killed_service_finds_its_containers_again(self):
        self.submit("sleep 300", workers=1)
        before = self.wait_for_containers(2)
        self.service.kill()
        self.service.start()
        self.assertEqual(self.containers(), before)
        self.service.cli("jobs", "cancel", "job")
        self.assertEqual(self.finish()["state"], "CANCELLED")
        self.assertEqual(len(self.nonces()), 1)
        self.assert_nothing_is_left()

    @as_an_ordinary_user
    def test_containers_of_a_killed_supervisor_are_removed(self):
        for image in (IMAGE, OF_A_USER):
            with self.subTest(image=image):
                self.submit("sleep 300", image=image)
                before = self.wait_for_containers(1)
                self.service.kill()
                for pid in supervisors(self.service.data):
                    os.kill(pid, signal.SIGKILL)
                self.service.start()
                wait_for("another container", lambda: self.containers() - before)
                self.assertFalse(self.containers("--all") & before)
                self.service.cli("jobs", "cancel", "job")
                self.finish()
                self.assert_nothing_is_left()
                self.service.cli("jobs", "delete", "job", "--yes")


if __name__ == "__main__":
    unittest.main()
