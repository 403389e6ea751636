"""Studies over REST, by Google's own API client."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import Service  # noqa: E402

PARENT = "projects/p1/locations/us-central1"

CONFIG = {
    "metrics": [{"metric": "loss", "goal": "MINIMIZE"}],
    "algorithm": "RANDOM_SEARCH",
    "automatedStoppingConfig": {"decayCurveStoppingConfig": {"useElapsedTime": True}},
    "parameters": [
        {"parameter": "lr", "type": "DOUBLE", "scaleType": "UNIT_LOG_SCALE",
         "doubleValueSpec": {"minValue": 0.001, "maxValue": 1}},
        {"parameter": "layers", "type": "INTEGER",
         "integerValueSpec": {"minValue": "1", "maxValue": "4"}},
        {"parameter": "batch", "type": "DISCRETE",
         "discreteValueSpec": {"values": [16, 32, 64]}},
        {"parameter": "act", "type": "CATEGORICAL",
         "categoricalValueSpec": {"values": ["relu", "tanh"]},
         "childParameterSpecs": [
             {"parameter": "slope", "type": "DOUBLE",
              "doubleValueSpec": {"minValue": 0.5, "maxValue": 1},
              "parentCategoricalValues": {"values": ["relu"]}}]},
    ],
}


def setUpModule():
    clients.use("google_api")


class MlStudiesTest(unittest.TestCase):
    def setUp(self):
        from google.oauth2.credentials import Credentials

        self.service = self.enterContext(Service("--http", "127.0.0.1:0"))
        token = self.service.cli("tokens", "create", "--scope", "admin").stdout.strip()
        self.credentials = Credentials(token)
        self.connect()

    def connect(self):
        from googleapiclient import discovery

        self.ml = discovery.build(
            "ml", "v1", static_discovery=True, cache_discovery=False,
            credentials=self.credentials,
            client_options={"api_endpoint": self.service.json("info")["httpUrl"]})
        self.studies = self.ml.projects().locations().studies()
        self.trials = self.studies.trials()

    def tearDown(self):
        self.ml.close()

    def create(self, name="s1", config=None):
        return self.studies.create(parent=PARENT, studyId=name, body={
            "studyConfig": config or CONFIG}).execute()

    def suggest(self, study, client="c1", count=1):
        operation = self.trials.suggest(
            parent=study, body={"suggestionCount": count, "clientId": client}).execute()
        self.assertTrue(operation["done"])
        again = self.ml.projects().locations().operations().get(
            name=operation["name"]).execute()
        self.assertEqual(again["response"], operation["response"])
        self.assertIn("SuggestTrialsResponse", operation["response"]["@type"])
        return operation["response"].get("trials", [])

    def refused(self, status, request):
        from googleapiclient.errors import HttpError

        with self.assertRaises(HttpError) as caught:
            request.execute()
        self.assertEqual(caught.exception.resp.status, status, caught.exception)
        return json.loads(caught.exception.content)["error"]

    def measure(self, trial, step, value):
        return self.trials.addMeasurement(name=trial, body={"measurement": {
            "stepCount": str(step), "elapsedTime": "1.5s",
            "metrics": [{"metric": "loss", "value": value}]}}).execute()

    def test_an_end_by_a_metric_that_the_study_has_not_loses_nothing(self):
        study = self.create()["name"]
        trial = self.suggest(study)[0]["name"]
        error = self.refused(400, self.trials.complete(name=trial, body={
            "finalMeasurement": {"stepCount": "1",
                                 "metrics": [{"metric": "los", "value": 1}]}}))
        self.assertIn('the study has no metric', error["message"])
        self.assertEqual(self.trials.get(name=trial).execute()["state"], "ACTIVE")
        done = self.trials.complete(name=trial, body={"finalMeasurement": {
            "stepCount": "1", "metrics": [{"metric": "loss", "value": 0.5},
                                          {"metric": "aside", "value": 2}]}}).execute()
        self.assertEqual([(each["metric"], each["value"])
                          for each in done["finalMeasurement"]["metrics"]],
                         [("loss", 0.5), ("aside", 2)])

    def test_a_study_is_made_once_and_keeps_its_config(self):
        study = self.create()
        self.assertEqual(study["name"], f"{PARENT}/studies/s1")
        self.assertEqual(study["state"], "ACTIVE")
        self.assertEqual(study["studyConfig"], CONFIG)
        self.assertEqual(self.studies.get(name=study["name"]).execute(), study)
        self.assertEqual(self.studies.list(parent=PARENT).execute(),
                         {"studies": [study]})
        self.assertEqual(
            self.refused(409, self.studies.create(
                parent=PARENT, studyId="s1", body={"studyConfig": CONFIG}))["status"],
            "ALREADY_EXISTS")
        self.refused(404, self.studies.get(name=f"{PARENT}/studies/s2"))
        self.assertEqual(self.studies.delete(name=study["name"]).execute(), {})
        self.assertEqual(self.studies.list(parent=PARENT).execute(), {})

    def test_a_loop_of_ones_own(self):
        study = self.create()["name"]
        for value in (0.5, 0.25):
            trial = self.suggest(study)[0]
            self.assertEqual(trial["state"], "ACTIVE")
            self.assertEqual(trial["clientId"], "c1")
            kinds = {p["parameter"]: set(p) - {"parameter"} for p in trial["parameters"]}
            self.assertEqual(kinds["lr"], {"floatValue"})
            self.assertEqual(kinds["layers"], {"intValue"})
            self.assertEqual(kinds["batch"], {"floatValue"})
            self.assertEqual(kinds["act"], {"stringValue"})
            # The same client gets its open trial again.
            self.assertEqual(self.suggest(study)[0]["name"], trial["name"])
            self.measure(trial["name"], 1, 0.9)
            # The whole trial, with all its measurements in their order.
            measured = self.measure(trial["name"], 2, 0.8)
            self.assertEqual([m["stepCount"] for m in measured["measurements"]],
                             ["1", "2"])
            self.assertEqual(measured["parameters"], trial["parameters"])
            done = self.trials.complete(name=trial["name"], body={"finalMeasurement": {
                "stepCount": "2",
                "metrics": [{"metric": "loss", "value": value}]}}).execute()
            self.assertEqual(done["state"], "COMPLETED")
            self.assertEqual(done["finalMeasurement"]["metrics"][0]["value"], value)
            self.refused(400, self.trials.complete(name=trial["name"], body={}))
        best = self.trials.listOptimalTrials(parent=study, body={}).execute()["trials"]
        self.assertEqual([t["name"] for t in best], [f"{study}/trials/2"])
        # A study made here is one like any other.
        self.assertEqual(self.service.json("trials", "best", study)[0]["trialId"], "2")

    def test_trials_of_ones_own_choice(self):
        study = self.create()["name"]
        parameters = [{"parameter": "lr", "floatValue": 0.1},
                      {"parameter": "layers", "intValue": "2"},
                      {"parameter": "batch", "floatValue": 32},
                      {"parameter": "act", "stringValue": "tanh"}]
        trial = self.trials.create(parent=study, body={"parameters": parameters}).execute()
        self.assertEqual(trial["state"], "REQUESTED")
        self.assertEqual(self.suggest(study)[0]["name"], trial["name"])
        stopped = self.trials.stop(name=trial["name"], body={}).execute()
        self.assertEqual(stopped["state"], "STOPPING")
        done = self.trials.complete(name=trial["name"], body={
            "trialInfeasible": True, "infeasibleReason": "too hot"}).execute()
        self.assertTrue(done["trialInfeasible"])
        self.assertEqual(done["infeasibleReason"], "too hot")
        self.refused(400, self.trials.create(parent=study, body={
            "parameters": [{"parameter": "lr", "floatValue": 7}]}))
        self.assertEqual(self.trials.delete(name=trial["name"]).execute(), {})
        self.refused(404, self.trials.get(name=trial["name"]))
        self.assertEqual(self.trials.list(parent=study).execute(), {})

    def test_early_stopping_is_answered_by_an_operation(self):
        study = self.create()["name"]
        trial = self.suggest(study)[0]["name"]
        self.measure(trial, 1, 0.5)
        operation = self.trials.checkEarlyStoppingState(name=trial, body={}).execute()
        self.assertTrue(operation["done"])
        # There is nothing to compare it with.
        self.assertNotIn("shouldStop", operation["response"])
        self.assertIn("Metatdata", operation["metadata"]["@type"])
        self.assertEqual(operation["metadata"]["stoppingRule"], "DECAY_CURVE")
        self.assertIn("useElapsedTime is ignored",
                      operation["metadata"]["reason"])
        operations = self.ml.projects().locations().operations()
        self.assertTrue(operations.get(name=operation["name"]).execute()["done"])
        self.assertEqual(operations.cancel(name=operation["name"]).execute(), {})
        self.refused(404, operations.get(name=f"{PARENT}/operations/suggest-9-9"))
        other = operation["name"].replace("us-central1", "eu")
        self.refused(404, operations.get(name=other))

    def should_stop(self, trial):
        operation = self.trials.checkEarlyStoppingState(name=trial, body={}).execute()
        return operation["response"].get("shouldStop", False)

    # A loop that only asks, and completes what it has broken off like any other.
    def test_a_verdict_stays_and_its_trial_is_no_complete_training(self):
        study = self.create()["name"]
        for i in range(6):
            trial = self.suggest(study)[0]["name"]
            for step in range(1, 11):
                self.measure(trial, step, 0.1 * (i + 1) + 1 / step)
                self.assertFalse(i == 0 and self.should_stop(trial))
            self.trials.complete(name=trial, body={}).execute()
        bad, twin = [trial["name"] for trial in self.suggest(study, count=2)]
        for step in (1, 2, 3):
            self.measure(bad, step, 5 + 1 / step)
            self.measure(twin, step, 5 + 1 / step)
        self.assertTrue(self.should_stop(bad))
        self.assertEqual(self.trials.get(name=bad).execute()["state"], "STOPPING")
        self.service.kill()
        self.service.start()
        self.ml.close()
        self.connect()
        self.assertTrue(self.should_stop(bad))
        self.assertTrue(self.should_stop(twin), "by what is stored alone")
        self.assertEqual(self.measure(bad, 4, 5)["state"], "STOPPING")
        done = self.trials.complete(name=bad, body={}).execute()
        self.assertEqual(done["state"], "COMPLETED")
        self.assertEqual(done["finalMeasurement"]["stepCount"], "4")
        described = self.service.json("trials", "describe", study, "7")
        self.assertEqual(described["endCause"], "stopped_early")
        why = self.service.cli("why", study, "7").stdout
        self.assertRegex(why, "The decay curve rule stopped it at step 3 of 10: it is "
                              "expected to end at")
        best = self.service.json("trials", "best", study)[0]
        self.assertEqual(best["trialId"], "1")

    def test_mistakes_are_told(self):
        for config in ({}, {**CONFIG, "parameters": []},
                       {**CONFIG, "metrics": []},
                       {**CONFIG, "parameters": [{"parameter": "x", "type": "DOUBLE"}]}):
            self.refused(400, self.studies.create(
                parent=PARENT, studyId="s1", body={"studyConfig": config}))
        self.refused(400, self.studies.create(
            parent=PARENT, studyId="s1", body={"studyConfig": {"nonsense": 1}}))
        study = self.create()["name"]
        self.refused(404, self.trials.get(name=f"{study}/trials/9"))
        self.refused(404, self.trials.get(name=f"{study}/trials/x"))
        self.refused(400, self.trials.suggest(
            parent=study, body={"suggestionCount": -1, "clientId": "c"}))


if __name__ == "__main__":
    unittest.main()
