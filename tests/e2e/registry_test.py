"""Images that a registry has, of which a real one runs on this machine."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import containers  # noqa: E402
from service import Service, free_port, wait_for  # noqa: E402

JOB = """
trainingInput:
  masterConfig: {{imageUri: {image}, containerCommand: [/bin/sh, -c, 'echo loss=0.5']}}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 1
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
"""

REGISTRY = """
version: 0.1
storage: {{filesystem: {{rootdirectory: {folder}/images}}}}
http: {{addr: "{address}"}}
"""


def free_address():
    return f"127.0.0.1:{free_port()}"


def answers(address):
    host, port = address.split(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


@unittest.skipUnless(shutil.which("docker-registry"), "scripts/test installs docker-registry")
class RegistryTest(unittest.TestCase):
    def setUp(self):
        local = containers.image_for_tests(self)
        self.folder = tempfile.mkdtemp(prefix="vernier-registry-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.address = free_address()
        config = os.path.join(self.folder, "config.yml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(REGISTRY.format(folder=self.folder, address=self.address))
        registry = subprocess.Popen(
            ["docker-registry", "serve", config], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(registry.wait)
        self.addCleanup(registry.send_signal, signal.SIGTERM)
        wait_for("the registry to answer", lambda: answers(self.address))
        self.image = f"{self.address}/team/trainer:7"
        pushed = containers.podman("push", "--quiet", "--tls-verify=false", local,
                                   self.image)
        self.assertEqual(pushed.returncode, 0, pushed.stderr)
        self.addCleanup(containers.podman, "image", "rm", "--force", self.image)
        # Podman asks others by TLS only.
        registries = os.path.join(self.folder, "registries.conf")
        with open(registries, "w", encoding="utf-8") as file:
            file.write(f'[[registry]]\nlocation = "{self.address}"\ninsecure = true\n')
        os.environ["CONTAINERS_REGISTRIES_CONF"] = registries
        self.addCleanup(os.environ.pop, "CONTAINERS_REGISTRIES_CONF")
        self.service = Service()
        self.service.start()
        self.addCleanup(self.service.__exit__)

    def run_job(self, image):
        """The job's state, and what is said of its trial."""
        self.service.submit("job", JOB.format(image=image))
        state = self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"]
        return state, self.service.cli("why", "job", "1").stdout

    def test_an_image_is_pulled_when_it_is_needed(self):
        self.assertNotEqual(
            containers.podman("image", "exists", self.image).returncode, 0)
        state, why = self.run_job(self.image)
        self.assertEqual(state, "SUCCEEDED", why)
        self.assertEqual(
            containers.podman("image", "exists", self.image).returncode, 0)

    def test_a_tag_that_is_not_there_is_named(self):
        state, why = self.run_job(f"{self.address}/team/trainer:8")
        self.assertEqual(state, "FAILED")
        self.assertIn("team/trainer:8 cannot be had: there is no such image", why)

    def test_a_registry_that_is_not_there_is_named(self):
        nowhere = free_address()
        state, why = self.run_job(f"{nowhere}/team/trainer:7")
        self.assertEqual(state, "FAILED")
        self.assertIn("cannot be had: its registry cannot be reached", why)


if __name__ == "__main__":
    unittest.main()
