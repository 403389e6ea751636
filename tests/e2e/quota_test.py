"""Projects and their quotas, with the real binary."""

import json
import os
import sys
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, wait_for  # noqa: E402

JOB = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 4
    maxParallelTrials: 2
    algorithm: RANDOM_SEARCH
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  command: [{command}]
"""


class QuotaTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.program = self.service.write_gated_program()

    def submit(self, name, project):
        path = self.service.write("job.yaml", JOB.format(command=self.program))
        return self.service.cli("jobs", "submit", "training", name, "--config", path,
                                "--project", project, check=False)

    def use(self, project):
        return self.service.json("projects", "describe", project).get("use", {})

    def test_a_quota_holds_for_its_project_and_outlives_a_kill(self):
        self.service.cli("projects", "set-quota", "p1", "--max-parallel-trials", "3",
                         "--max-studies", "2")
        self.assertEqual(self.submit("a", "p1").returncode, 0)
        self.assertEqual(self.submit("b", "p1").returncode, 0)
        self.assertEqual(self.submit("a", "p2").returncode, 0)
        refused = self.submit("c", "p1")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("project p1 has 2 of 2 studies", refused.stderr)
        reason = "room in the quota of project p1: 3 of 3 parallel trials run"
        wait_for("b to wait", lambda: reason in self.service.cli("why", "b@p1").stdout)
        # Ones that wait for nothing but their own ends.
        wait_for("p2's two", lambda: self.use("p2").get("parallelTrials") == 2)
        self.service.kill()
        self.service.start()
        wait_for("b to wait again", lambda: reason in self.service.job("b@p1")["vernier"][
            "waitingFor"])
        self.assertEqual(self.use("p1"), {"parallelTrials": 3, "studies": 2})
        listed = self.service.cli("projects", "list").stdout
        self.assertRegex(listed, r"p1 +3 of 3 +0 +2 of 2 +0 +0\n")
        self.service.write("go", "")
        for job in ("a@p1", "b@p1", "a@p2"):
            self.service.wait_state(job, "SUCCEEDED")
        self.service.cli("projects", "set-quota", "p1", "--max-studies", "none")
        self.assertEqual(self.submit("c", "p1").returncode, 0)

    def test_names_are_the_projects_that_is_worked_in(self):
        self.service.write("go", "")
        inside = {"VERNIER_PROJECT": "p1"}
        self.assertEqual(self.submit("a", "p1").returncode, 0)
        self.assertEqual(self.submit("a", "default").returncode, 0)
        self.service.wait_state("a@p1", "SUCCEEDED")
        self.service.wait_state("a", "SUCCEEDED")
        self.assertEqual([job["jobId"] for job in self.service.jobs()], ["a", "a@p1"])
        self.assertEqual(
            [job["jobId"] for job in self.service.json("jobs", "list", env=inside)],
            ["a@p1"])
        self.service.cli("jobs", "delete", "a", "--yes", env=inside)
        self.assertEqual([job["jobId"] for job in self.service.jobs()], ["a"])
        wrong = self.service.cli("jobs", "list", "--project", "No_Project", check=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("lower-case letters", wrong.stderr)

    def test_what_buckets_hold_is_limited(self):
        token = self.service.cli("tokens", "create", "--scope", "project-write",
                                 "--project", "p1").stdout.strip()
        self.service.cli("buckets", "create", "models", "--project", "p1")
        self.service.cli("projects", "set-quota", "p1", "--max-bucket-bytes", "1M",
                         "--max-bucket-objects", "3")
        url = self.service.json("info")["httpUrl"]

        def put(name, size):
            request = urllib.request.Request(
                f"{url}/upload/storage/v1/b/models/o?uploadType=media&name={name}",
                data=b"x" * size, method="POST",
                headers={"Authorization": "Bearer " + token})
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.status, ""
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, json.load(error)["error"]["message"]

        self.assertEqual(put("a", 700_000), (200, ""))
        status, message = put("b", 700_000)
        self.assertEqual(status, 413)
        self.assertIn("project p1 has 700000 of 1048576 bytes in its buckets", message)
        with open(os.path.join(self.service.data, "buckets", "models", "program"),
                  "w", encoding="utf-8"):
            pass
        self.service.kill()
        self.service.start()
        url = self.service.json("info")["httpUrl"]
        self.assertEqual(put("b", 1), (200, ""))
        status, message = put("c", 1)
        self.assertEqual(status, 413)
        self.assertIn("3 of 3 objects", message)
        self.assertEqual(self.use("p1"), {"bucketBytes": "700001", "bucketObjects": "3"})
        self.assertRegex(self.service.cli("projects", "list").stdout,
                         r"p1 .* 700001 of 1048576 +3 of 3\n")
        self.service.cli("projects", "set-quota", "p1", "--max-bucket-bytes", "none",
                         "--max-bucket-objects", "none")
        self.assertEqual(put("c", 2_000_000), (200, ""))
        wrong = self.service.cli("projects", "set-quota", "p1", "--max-bucket-bytes",
                                 "10X", check=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("500M, 20G or 1T", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
