"""Runs whole gangs of the check by hand, good ones and spoiled ones."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent / "check.py"
ROLES = {"master": 1, "worker": 4, "ps": 3}
ARGUMENTS = ["--greeting", "hello, $HOME; it's me", "--x", "0.25",
             "--layers", "2", "--shape", "256 128 16",
             "--job-dir", "/nowhere/7"]


def own_addresses(count):
    """Addresses on a loopback host of this test's own: nobody else's ports."""
    host = "127.{}.{}.{}".format(*(random.randrange(1, 255) for _ in range(3)))
    return [f"{host}:{21000 + i}" for i in range(count)]


class Gang:
    """A cluster as the service would describe it."""

    def __init__(self, folder):
        addresses = iter(own_addresses(sum(ROLES.values())))
        self.cluster = {role: [next(addresses) for _ in range(n)]
                        for role, n in ROLES.items()}
        self.metric_file = pathlib.Path(folder) / "output.metrics"
        self.processes = {}

    def environment(self, role, index):
        described = {"cluster": self.cluster, "environment": "cloud",
                     "task": {"type": role, "index": index, "trial": "7"},
                     "job": {"scale_tier": "STANDARD_1"}}
        rank = 0 if role == "master" else 1 + index
        return dict(os.environ, TF_CONFIG=json.dumps(described),
                    CLUSTER_SPEC=json.dumps(described),
                    CLOUD_ML_JOB=json.dumps(described["job"]),
                    CLOUD_ML_JOB_ID="check", CLOUD_ML_TRIAL_ID="7",
                    CLOUD_ML_HP_METRIC_TAG="score",
                    CLOUD_ML_HP_METRIC_FILE=str(self.metric_file),
                    RANK=str(rank), WORLD_SIZE="5", MASTER_ADDR="127.0.0.1",
                    MASTER_PORT="20999")

    def start(self, role, index, arguments=None, **changed):
        self.processes[role, index] = subprocess.Popen(
            [sys.executable, str(PROGRAM)] + (arguments or ARGUMENTS),
            env=dict(self.environment(role, index), **changed),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def start_all(self, leave_out=(), **changed):
        for role, count in ROLES.items():
            for index in range(count):
                if (role, index) not in leave_out:
                    self.start(role, index, **changed)

    def stop(self):
        """Ends the replicas; what each printed that nobody has read."""
        outputs = []
        for process in self.processes.values():
            process.kill()
            outputs.append(process.communicate(timeout=60)[0] or "")
        return outputs

    def end_of(self, role, index):
        output, _ = self.processes[role, index].communicate(timeout=60)
        return self.processes[role, index].returncode, output


class ClusterCheckTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.gang = Gang(folder.name)
        self.addCleanup(self.gang.stop)

    def test_a_whole_gang_meets_and_reports(self):
        self.gang.start_all()
        status, output = self.gang.end_of("master", 0)
        self.assertEqual((status, output),
                         (0, "master-0-of-trial-7 has met 7 peers\n"))
        for index in range(4):
            self.assertEqual(self.gang.end_of("worker", index)[0], 0)
        record = json.loads(self.gang.metric_file.read_text())
        self.assertAlmostEqual(float(record["score"]), -0.2025)

    def test_the_master_fails_when_a_peer_is_missing(self):
        for role, index in (("master", 0), ("worker", 0)):
            self.gang.start(role, index, CLUSTER_CHECK_DEADLINE="0.3")
        status, output = self.gang.end_of("master", 0)
        self.assertEqual(status, 1)
        self.assertIn("check failed: no answer from 127.", output)
        self.assertFalse(self.gang.metric_file.exists())

    def test_a_replica_fails_when_its_trial_is_not_its_tasks(self):
        self.gang.start("worker", 1, CLOUD_ML_TRIAL_ID="8")
        status, output = self.gang.end_of("worker", 1)
        self.assertEqual(status, 1)
        self.assertIn("task trial should be '8': '7'", output)

    def test_a_replica_fails_when_another_answers_in_its_peers_place(self):
        # Who has noticed is gone, and the others need not wait for it long.
        patience = {"CLUSTER_CHECK_DEADLINE": "5"}
        self.gang.start_all(leave_out=[("worker", 0), ("worker", 1)],
                            **patience)
        # Worker 1 takes worker 0's place and its own stays empty.
        worker = self.gang.cluster["worker"]
        worker[0], worker[1] = worker[1], worker[0]
        self.gang.start("worker", 0, **patience)
        self.gang.start("worker", 1, **patience)
        status, output = self.gang.end_of("master", 0)
        self.assertEqual(status, 1)
        # Whoever notices first ends, and the master may only see it go.
        outputs = [output] + self.gang.stop()
        self.assertTrue(any("should be 'worker-" in each for each in outputs),
                        outputs)

    def test_a_replica_fails_when_an_argument_was_cut(self):
        self.gang.start("ps", 0, arguments=" ".join(ARGUMENTS).split(" "))
        status, output = self.gang.end_of("ps", 0)
        self.assertEqual(status, 2)
        self.assertIn("unrecognized arguments", output)


if __name__ == "__main__":
    unittest.main()
