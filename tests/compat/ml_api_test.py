"""Google's own API client, with its own description of ml v1, against us."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import Service, wait_for  # noqa: E402

PARENT = "projects/p1"

JOB = {
    "jobId": "j1",
    "labels": {"team": "a"},
    "trainingInput": {
        "scaleTier": "BASIC",
        "region": "us-central1",
        "args": ["--steps", "3"],
        "hyperparameters": {
            "goal": "MAXIMIZE",
            "hyperparameterMetricTag": "acc",
            "maxTrials": 3,
            "maxParallelTrials": 1,
            "algorithm": "RANDOM_SEARCH",
            "params": [{"parameterName": "lr", "type": "DOUBLE", "minValue": 0.001,
                        "maxValue": 1, "scaleType": "UNIT_LOG_SCALE"}],
        },
    },
}

TRIAL = """#!/bin/sh
printf '{"acc": "0.%s", "global_step": "7", "timestamp": 1.5, "trial": "1"}\\n' \
  "$CLOUD_ML_TRIAL_ID" > "$CLOUD_ML_HP_METRIC_FILE"
"""


def setUpModule():
    clients.use("google_api")


class MlApiTest(unittest.TestCase):
    def setUp(self):
        from google.oauth2.credentials import Credentials
        from googleapiclient import discovery

        self.service = self.enterContext(Service("--http", "127.0.0.1:0"))
        self.endpoint = self.service.json("info")["httpUrl"]
        token = self.service.cli("tokens", "create", "--scope", "admin").stdout.strip()
        # Packed with the client, hence from no network.
        self.ml = discovery.build(
            "ml", "v1", static_discovery=True, cache_discovery=False,
            credentials=Credentials(token),
            client_options={"api_endpoint": self.endpoint})
        self.jobs = self.ml.projects().jobs()

    def job(self, name="j1", trial=TRIAL):
        command = self.service.write(f"{name}.sh", trial, mode=0o755)
        return {**JOB, "jobId": name, "vernier": {"command": [command], "seed": "3"}}

    def name(self, job="j1"):
        return f"{PARENT}/jobs/{job}"

    def tearDown(self):
        self.ml.close()

    def refused(self, status, request):
        """The body of the error that the request is answered with."""
        from googleapiclient.errors import HttpError

        with self.assertRaises(HttpError) as caught:
            request.execute()
        self.assertEqual(caught.exception.resp.status, status, caught.exception)
        return json.loads(caught.exception.content)["error"]

    def finish(self, name="j1"):
        return self.finish_in(PARENT, name)

    def finish_in(self, parent, name="j1"):
        return wait_for("the job to end", lambda: (
            (lambda job: job if "endTime" in job else None)(
                self.jobs.get(name=f"{parent}/jobs/{name}").execute())))

    def test_a_tuning_job_from_its_submission_to_its_best_trial(self):
        created = self.jobs.create(parent=PARENT, body=self.job()).execute()
        self.assertEqual(created["state"], "QUEUED")
        self.assertTrue(created["trainingOutput"]["isHyperparameterTuningJob"])
        job = self.finish()
        self.assertEqual(job["state"], "SUCCEEDED", job)
        output = job["trainingOutput"]
        # Integers of 64 bits are texts, the best trial is the first.
        self.assertEqual(output["completedTrialCount"], "3")
        self.assertEqual([t["trialId"] for t in output["trials"]], ["3", "2", "1"])
        best = output["trials"][0]
        self.assertEqual(best["finalMetric"],
                         {"trainingStep": "7", "objectiveValue": 0.3})
        self.assertRegex(best["hyperparameters"]["lr"], r"^0\.\d+$|^1$")
        self.assertRegex(best["endTime"], r"^\d{4}-\d\d-\d\dT[\d:.]+Z$")

    def test_errors_have_the_codes_that_programs_know(self):
        self.jobs.create(parent=PARENT, body=self.job()).execute()
        self.assertEqual(self.refused(
            409, self.jobs.create(parent=PARENT, body=self.job()))["status"],
            "ALREADY_EXISTS")
        self.assertEqual(self.refused(
            404, self.jobs.get(name=self.name("j2")))["status"], "NOT_FOUND")
        self.refused(404, self.jobs.cancel(name=self.name("j2"), body={}))
        self.finish()
        # As Airflow's hook expects of a job that has ended.
        self.refused(400, self.jobs.cancel(name=self.name(), body={}))
        bad = self.job("j3")
        bad["trainingInput"] = {**bad["trainingInput"], "scaleTier": "HUGE"}
        error = self.refused(400, self.jobs.create(parent=PARENT, body=bad))
        violation = error["details"][0]["fieldViolations"][0]
        self.assertEqual(violation["field"], "trainingInput.scaleTier")

    def test_a_wrong_token_is_refused(self):
        from google.auth.exceptions import RefreshError
        from google.oauth2.credentials import Credentials
        from googleapiclient import discovery

        ml = discovery.build("ml", "v1", static_discovery=True, cache_discovery=False,
                             credentials=Credentials("vernier_wrong"),
                             client_options={"api_endpoint": self.endpoint})
        # The client would refresh what it holds; it cannot, and says so.
        with self.assertRaises(RefreshError):
            ml.projects().jobs().list(parent=PARENT).execute()

    def test_lists_are_filtered_and_paged(self):
        self.assertEqual(self.jobs.list(parent=PARENT).execute(), {})
        for name in ("a1", "a2", "b1"):
            self.jobs.create(parent=PARENT, body=self.job(name)).execute()
        request = self.jobs.list(parent=PARENT, pageSize=2)
        seen = []
        while request is not None:
            page = request.execute()
            seen.append([job["jobId"] for job in page["jobs"]])
            request = self.jobs.list_next(request, page)
        self.assertEqual(seen, [["b1", "a2"], ["a1"]])
        some = self.jobs.list(parent=PARENT, filter="jobId:a*").execute()
        self.assertEqual([job["jobId"] for job in some["jobs"]], ["a2", "a1"])
        only = self.jobs.list(parent=PARENT, fields="jobs/jobId").execute()
        self.assertEqual(only["jobs"][0], {"jobId": "b1"})

    def test_labels_change_under_an_etag(self):
        self.jobs.create(parent=PARENT, body=self.job()).execute()
        job = self.finish()
        changed = self.jobs.patch(
            name=self.name(), updateMask="labels,etag",
            body={"labels": {"team": "b"}, "etag": job["etag"]}).execute()
        self.assertEqual(changed["labels"], {"team": "b"})
        self.refused(409, self.jobs.patch(
            name=self.name(), updateMask="labels,etag",
            body={"labels": {}, "etag": job["etag"]}))

    def test_two_projects_have_a_job_of_the_same_name(self):
        """Each sees, changes and resumes its own; programs see the plain name."""
        other = "projects/example.com:p2"
        trial = TRIAL + 'echo "$CLOUD_ML_JOB_ID of $CLOUD_ML_PROJECT_ID"\n'
        self.jobs.create(parent=PARENT, body=self.job(trial=trial)).execute()
        self.refused(404, self.jobs.get(name=f"{other}/jobs/j1"))
        self.assertEqual(self.jobs.list(parent=other).execute(), {})
        self.jobs.create(parent=other, body=self.job(trial=trial)).execute()
        for parent in (PARENT, other):
            self.finish_in(parent)
            jobs = self.jobs.list(parent=parent).execute()["jobs"]
            self.assertEqual([job["jobId"] for job in jobs], ["j1"])
        self.assertEqual(
            [job["jobId"] for job in self.service.json("jobs", "list")],
            ["j1@example.com:p2", "j1@p1"])
        for project, job in (("p1", "j1@p1"), ("example.com:p2", "j1@example.com:p2")):
            log = self.service.cli("trials", "logs", "j1", "1", "--project", project)
            self.assertIn(f"j1 of {project}", log.stdout)
            self.assertEqual(
                self.service.json("jobs", "describe", "j1", "--project", project)["jobId"],
                job)
        self.assertEqual(self.service.cli("jobs", "describe", "j1", check=False).returncode, 3)

    def test_a_projects_token_sees_its_project_alone(self):
        from google.oauth2.credentials import Credentials
        from googleapiclient import discovery

        self.jobs.create(parent="projects/p2", body=self.job()).execute()
        token = self.service.cli("tokens", "create", "--scope", "project-read",
                                 "--project", "p1").stdout.strip()
        ml = discovery.build("ml", "v1", static_discovery=True, cache_discovery=False,
                             credentials=Credentials(token),
                             client_options={"api_endpoint": self.endpoint})
        jobs = ml.projects().jobs()
        self.assertEqual(jobs.list(parent=PARENT).execute(), {})
        self.refused(404, jobs.list(parent="projects/p2"))
        for parent in (PARENT, "projects/p2"):
            self.refused(404, jobs.get(name=f"{parent}/jobs/j1"))
        ml.close()

    def test_cancel_is_answered_at_once_and_carried_out(self):
        self.jobs.create(parent=PARENT, body=self.job(
            trial="#!/bin/sh\nexec sleep 600\n")).execute()
        self.assertEqual(self.jobs.cancel(name=self.name(), body={}).execute(), {})
        self.assertEqual(self.finish()["state"], "CANCELLED")

    def test_the_other_methods_of_the_description(self):
        self.jobs.create(parent=PARENT, body=self.job()).execute()
        projects = self.ml.projects()
        self.assertIn("serviceAccount", projects.getConfig(name=PARENT).execute())
        locations = projects.locations()
        self.assertEqual(len(locations.list(parent=PARENT).execute()["locations"]), 1)
        self.assertEqual(
            locations.get(name=f"{PARENT}/locations/eu").execute()["name"],
            f"{PARENT}/locations/eu")
        self.assertIn("etag", self.jobs.getIamPolicy(resource=self.name()).execute())
        self.assertEqual(
            self.jobs.testIamPermissions(
                resource=self.name(),
                body={"permissions": ["ml.jobs.get"]}).execute(),
            {"permissions": ["ml.jobs.get"]})
        self.refused(400, self.jobs.setIamPolicy(resource=self.name(), body={}))
        self.finish()

    def test_every_method_of_the_description_has_an_answer(self):
        """No method that the client knows ends in 404 for want of a route."""
        import glob

        import googleapiclient

        path = glob.glob(os.path.join(
            os.path.dirname(googleapiclient.__file__),
            "discovery_cache/documents/ml.v1.json"))[0]
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        missing = []
        for method in all_methods(document):
            where = method["flatPath"]
            while "{" in where:
                where = where[:where.index("{")] + "x" + where[where.index("}") + 1:]
            status, body = self.call(method["httpMethod"], "/" + where)
            if "no such method" in body:
                missing.append(f"{method['id']} {status}")
        self.assertEqual(missing, [])

    def call(self, verb, path):
        import urllib.error
        import urllib.request

        token = self.service.cli("tokens", "create", "--scope", "admin").stdout.strip()
        request = urllib.request.Request(
            self.endpoint + path, method=verb,
            data=b"{}" if verb in ("POST", "PATCH", "PUT") else None,
            headers={"Authorization": f"Bearer {token}",
                     "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def all_methods(resource):
    yield from resource.get("methods", {}).values()
    for child in resource.get("resources", {}).values():
        yield from all_methods(child)


if __name__ == "__main__":
    unittest.main()
