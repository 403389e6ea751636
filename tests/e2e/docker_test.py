"""Containers by Docker, on machines whose daemon runs; by Podman see
containers_test.py."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import ROOT, Service, wait_for  # noqa: E402

JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  workerType: standard
  workerCount: 1
  masterConfig: {{imageUri: {image}, containerCommand: [/bin/sh, -c, '{script}']}}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
"""


def docker(*words):
    return subprocess.run(["docker", *words], capture_output=True, text=True, check=False)


def works():
    try:
        return docker("info").returncode == 0
    except OSError:
        return False


@unittest.skipUnless(works(), "no Docker daemon answers")
class DockerTest(unittest.TestCase):
    def setUp(self):
        self.image = f"localhost/vernier-docker-{os.getpid()}"
        subprocess.run([sys.executable, os.path.join(ROOT, "scripts/lib/make_image.py"),
                        "docker", self.image, "/bin/dash:/bin/sh", "/bin/sleep"],
                       check=True, capture_output=True)
        self.addCleanup(docker, "image", "rm", "--force", self.image)
        self.service = Service("--container-engine", "docker")
        self.service.start()
        self.addCleanup(self.service.__exit__)

    def submit(self, name, script, trials=1, image=None):
        self.service.submit(name, JOB.format(image=image or self.image, script=script,
                                             trials=trials))

    def containers(self, *flags):
        listed = docker("ps", "--format", "{{.Names}}", "--filter",
                        "label=vernier.attempt", *flags)
        return listed.stdout.split()

    def test_trials_succeed_and_leave_nothing(self):
        self.submit("job", "echo loss=0.5", trials=3)
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED")
        for trial in self.service.json("trials", "list", "job"):
            self.assertEqual(trial["finalMeasurement"]["value"], 0.5)
        self.assertEqual(self.containers("--all"), [])

    def test_an_exit_code_is_the_programs(self):
        self.submit("job", "echo oh; exit 3")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        why = self.service.cli("why", "job", "1").stdout
        self.assertIn("exited with status 3", why)
        self.assertIn("oh\n", why)

    def test_a_killed_service_finds_its_containers_again(self):
        self.submit("job", "sleep 300")
        wait_for("both replicas to run", lambda: len(self.containers()) == 2)
        before = self.containers()
        self.service.kill()
        self.service.start()
        self.assertEqual(self.containers(), before)
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")
        self.assertEqual(self.containers("--all"), [])

    def test_an_image_that_nobody_has_is_named(self):
        self.submit("job", "true", image="localhost/no-such-image")
        self.service.wait_state("job", "FAILED")
        self.assertIn("the image localhost/no-such-image cannot be had",
                      self.service.cli("why", "job", "1").stdout)


if __name__ == "__main__":
    unittest.main()
