"""GPUs of the machine: shared, handed over, sick, and kept for gangs. The GPUs
are those that a library in place of NVIDIA's tells of
(tests/cluster/machine/fake_nvml.cc), so that they can break; scripts/gpu_check
does the same with real ones."""

import os
import subprocess
import tempfile
import unittest

from service import ROOT, Service, binary, wait_for

LIBRARY = os.path.join(os.path.dirname(binary()), "tests/libvernier_fake_nvml.so")

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
  command: [sh, -c, '{script}', sh]
  gpusPerReplica: {gpus}
  {more}
"""


@unittest.skipUnless(os.access(LIBRARY, os.R_OK), f"{LIBRARY} is not built")
class GpuTest(unittest.TestCase):
    STATE = ("GPU-a total_mb=81920", "GPU-b total_mb=81920")
    FLAGS = ()

    def setUp(self):
        self.service = Service(*self.FLAGS)
        self.addCleanup(self.service.__exit__)
        self.state = os.path.join(self.service.home, "gpus")
        self.tell(*self.STATE)
        variables = {"VERNIER_NVML_LIBRARY": LIBRARY, "FAKE_NVML_STATE": self.state}
        os.environ.update(variables)
        for name in variables:
            self.addCleanup(os.environ.pop, name)
        self.service.start()

    def tell(self, *lines):
        with open(self.state + ".new", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        os.replace(self.state + ".new", self.state)

    def submit(self, name, script, trials=1, parallel=1, gpus=1, more=""):
        self.service.submit(name, JOB.format(script=script, trials=trials, gpus=gpus,
                                             parallel=parallel, more=more))

    def submit_gated(self, name, **kwargs):
        """Each trial waits for the file NAME.go, and notes its GPU."""
        home = self.service.home
        self.submit(name, f"echo $CUDA_VISIBLE_DEVICES > {home}/{name}.$CLOUD_ML_TRIAL_ID; "
                          f"while [ ! -e {home}/{name}.go ]; do sleep 0.05; done; "
                          "echo loss=1", **kwargs)

    def gpu_of(self, name, trial=1):
        path = os.path.join(self.service.home, f"{name}.{trial}")

        def read():
            if not os.path.exists(path):
                return None
            with open(path, encoding="utf-8") as file:
                return file.read().strip()
        return wait_for(f"trial {trial} of {name} to start", read)

    def let_go(self, name):
        self.service.write(f"{name}.go", "")
        self.assertEqual(self.service.wait_state(name, "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.service.cli("why", name).stdout)

    def devices(self):
        return {device["id"]: device for device in self.service.json("devices")}

    def why(self, *words):
        return self.service.cli("why", *words).stdout

    def test_a_gpu_that_others_use_is_waited_for_and_one_that_is_lost_is_left_alone(self):
        self.tell(f"GPU-a total_mb=81920 process={os.getpid()}", "GPU-b lost=1")
        wait_for("both to be noticed", lambda: [
            device.get("sick", False) for device in self.devices().values()
            if device.get("unusableBecause")] == [False, True])
        self.submit_gated("job")
        wait_for("the reason", lambda: "which no trial started" in self.why("job"))
        self.assertIn("GPU-b does not answer", self.why("job"))
        table = self.service.cli("devices").stdout
        self.assertIn("WAITS: it is used by process", table)
        self.assertIn("SICK: it does not answer", table)
        self.tell("GPU-a total_mb=81920", "GPU-b lost=1")
        self.assertEqual(self.gpu_of("job"), "GPU-a")
        self.assertEqual(self.devices()["GPU-a"]["leasedBy"], "job job trial 1")
        top = self.service.cli("top").stdout
        self.assertIn("1 of 2 GPUs held", top)
        self.assertRegex(top, r"(?m)^  0 .* job job trial 1 +OK$")
        self.assertRegex(top, r"(?m)^  1 .* free +SICK: it does not answer")
        self.let_go("job")

    def test_the_next_trial_waits_for_the_memory_that_a_crash_left_behind(self):
        home = self.service.home
        crash = (f"echo GPU-a total_mb=81920 used_mb=20000 > {self.state}; "
                 f"[ -e {home}/again ] && echo loss=1 && exit 0; touch {home}/again; "
                 "kill -9 $$")
        self.tell("GPU-a total_mb=81920")
        self.submit("job", crash, more="retry: {maxTransientRetries: 3, "
                                       "maxInfrastructureRetries: 3}")
        wait_for("the memory to be noticed", lambda: "in use that no process owns" in
                 self.devices()["GPU-a"].get("unusableBecause", ""))
        attempts = self.service.json("trials", "describe", "job", "1")["attempts"]
        self.assertEqual(len(attempts), 1, "none starts on a GPU that is not clean")
        self.tell("GPU-a total_mb=81920")
        self.assertEqual(self.service.wait_state("job", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED", self.why("job"))

    def test_trials_share_a_gpu_by_the_memory_that_they_declare(self):
        self.submit_gated("job", trials=3, parallel=3,
                          more="gpuMemoryPerReplica: 30G")
        gpus = [self.gpu_of("job", trial) for trial in (1, 2, 3)]
        self.assertEqual(sorted(gpus), ["GPU-a", "GPU-a", "GPU-b"])
        self.assertEqual(self.devices()["GPU-a"]["leasedBy"].count("job job trial"), 2)
        self.let_go("job")
        self.submit("large", "echo loss=1", more="gpuMemoryPerReplica: 100G")
        self.assertEqual(self.service.wait_state("large", "SUCCEEDED", "FAILED")["state"],
                         "FAILED")
        self.assertIn("with 102400 MB of memory (vernier.gpuMemoryPerReplica), and 0 have "
                      "so much", self.why("large"))

    def test_a_restarted_service_knows_who_shares_what(self):
        self.submit_gated("job", trials=2, parallel=2, more="gpuMemoryPerReplica: 30G")
        self.assertEqual({self.gpu_of("job", trial) for trial in (1, 2)}, {"GPU-a"})
        self.service.kill()
        self.service.start()
        self.submit_gated("whole", gpus=1)
        self.assertEqual(self.gpu_of("whole"), "GPU-b")
        self.submit_gated("share", more="gpuMemoryPerReplica: 20G")
        self.assertEqual(self.gpu_of("share"), "GPU-a")
        for name in ("job", "whole", "share"):
            self.let_go(name)


class LinkedGpuTest(GpuTest):
    STATE = ("GPU-a total_mb=9 link=GPU-c", "GPU-b total_mb=9 link=GPU-d",
             "GPU-c total_mb=9 link=GPU-a", "GPU-d total_mb=9 link=GPU-b")
    FLAGS = ("--gang-patience", "1s")

    # Those above are about two GPUs.
    test_a_gpu_that_others_use_is_waited_for_and_one_that_is_lost_is_left_alone = None
    test_the_next_trial_waits_for_the_memory_that_a_crash_left_behind = None
    test_trials_share_a_gpu_by_the_memory_that_they_declare = None
    test_a_restarted_service_knows_who_shares_what = None

    def test_a_pair_gets_linked_gpus_and_a_single_one_breaks_no_second_pair(self):
        self.submit_gated("one")
        self.assertEqual(self.gpu_of("one"), "GPU-a")
        self.submit_gated("pair", gpus=2)
        self.assertEqual(self.gpu_of("pair"), "GPU-b,GPU-d")
        self.submit_gated("other")
        self.assertEqual(self.gpu_of("other"), "GPU-c")
        self.assertIn("NVLINK", self.service.cli("devices").stdout)
        for name in ("one", "pair", "other"):
            self.let_go(name)

    def test_a_stream_of_small_trials_does_not_starve_a_large_one(self):
        self.submit("small", "sleep 0.3; echo loss=1", trials=400, parallel=4)
        wait_for("it to run", lambda: sum(
            1 for device in self.devices().values() if device.get("leasedBy")) == 4)
        self.submit("large", "echo loss=1", gpus=4)
        self.assertEqual(self.service.wait_state("large", "SUCCEEDED", "FAILED")["state"],
                         "SUCCEEDED")
        self.assertEqual(self.service.job("small")["state"], "RUNNING")
        self.service.cli("jobs", "cancel", "small")


class CheckTest(unittest.TestCase):
    """scripts/gpu_check itself, with a driver that computes without a GPU."""

    DRIVER = os.path.join(os.path.dirname(LIBRARY), "libvernier_fake_cuda.so")

    @unittest.skipUnless(os.access(DRIVER, os.R_OK), f"{DRIVER} is not built")
    def test_every_check_runs(self):
        with tempfile.NamedTemporaryFile("w", suffix=".gpus") as state:
            state.write("GPU-a total_mb=8192\n")
            state.flush()
            done = subprocess.run(
                [os.path.join(ROOT, "scripts/gpu_check")], timeout=300, text=True,
                capture_output=True, check=False,
                env={**os.environ, "VERNIER_BINARY": binary(),
                     "VERNIER_NVML_LIBRARY": LIBRARY, "FAKE_NVML_STATE": state.name,
                     "VERNIER_CUDA_LIBRARY": self.DRIVER})
        lines = done.stdout.splitlines()
        self.assertEqual(sum(line.startswith(("ok", "FAIL")) for line in lines), 4,
                         done.stdout + done.stderr)
        # The machines that run this are noisy; the time is for a real GPU.
        self.assertEqual([line for line in lines if line.startswith("FAIL")
                          and "to the next kernel" not in line], [], done.stdout)

    def test_without_a_gpu_it_says_so(self):
        done = subprocess.run(
            [os.path.join(ROOT, "scripts/gpu_check")], timeout=100, text=True,
            capture_output=True, check=False,
            env={**os.environ, "VERNIER_BINARY": binary(), "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
