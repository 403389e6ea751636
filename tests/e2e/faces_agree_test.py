"""One study, one truth: what each face says of the same study is the same."""

import json
import os
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import DEADLINE, Service, binary, wait_for  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "python", "src"))
import vernier_hpo as vn  # noqa: E402

# Trials 1 to 5 report their number as the loss and end. 6 is so bad that the median
# rule stops it; 7 is infeasible, 8 fails, and 9 reports the best value of all and
# waits until somebody stops it.
TRIAL = """#!/bin/sh
report() {{
  printf '{{"global_step": "%s", "loss": "%s", "timestamp": 1.5, "trial": "%s"}}\\n' \\
    "$1" "$2" "$CLOUD_ML_TRIAL_ID"
}}
metrics=$CLOUD_ML_HP_METRIC_FILE
n=$CLOUD_ML_TRIAL_ID
case $n in
  [1-5]) for step in 1 2 3 4; do report "$step" "$n"; done > "$metrics"; exit 0;;
  6) {{ report 1 90; report 2 80; }} > "$metrics.new";;
  7) exit 78;;
  8) echo "a fault" >&2; exit 1;;
  9) report 1 0.5 > "$metrics.new";;
esac
mv "$metrics.new" "$metrics"
while [ ! -e {home}/go ]; do sleep 0.05; done
"""

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 9
    {enable}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier: {{seed: 3, algorithm: RANDOM_SEARCH, command: [{command}]{more}}}
"""

STATES = {1: "completed", 2: "completed", 3: "completed", 4: "completed", 5: "completed",
          6: "stopped", 7: "infeasible", 8: "failed", 9: "stopped"}
COUNTS = {"completed": 5, "stopped": 2, "infeasible": 1, "failed": 1}


class FacesTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service("--http", "127.0.0.1:0"))
        self.url = self.service.cli("info", "--format", "value(httpUrl)").stdout.strip()
        self.token = self.service.cli("tokens", "create", "--scope", "admin",
                                      "--may-run").stdout.split()[0]

    def rest(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from None

    def native(self, service, method, body):
        return self.rest(f"/ui/rpc/vernier.v1.{service}/{method}", body)

    def test_counts_states_and_the_best_are_the_same_everywhere(self):
        self.run_study()
        cli, job = self.service, self.service.job("one")
        study = self.rest("/ui/api/studies/one")
        python = vn.load_job("one", endpoint=cli.endpoint)
        described = self.native("StudyService", "GetStudy", {"study": "one"})

        states = {
            "trials list": {int(each["trialId"]): each["state"].lower()
                            for each in cli.json("trials", "list", "one")},
            "trials list, filtered": {
                int(each["trialId"]): state for state in COUNTS
                for each in cli.json("trials", "list", "one", "--filter", f"state={state}")},
            "REST, trials": {int(each["trialId"]): each["state"].lower()
                             for each in self.native("JobService", "ListTrials",
                                                     {"jobId": "one"})["trials"]},
            "Python": {each.number: str(each.state) for each in python.trials},
        }
        for face, found in states.items():
            with self.subTest(face):
                self.assertEqual(found, STATES)

        counts = {
            "jobs describe": job["vernier"]["trialCounts"],
            "REST, job": self.rest("/v1/projects/default/jobs/one")["vernier"]["trialCounts"],
            "gRPC, job": self.native("JobService", "GetJob", {
                "jobId": "one"})["vernier"]["trialCounts"],
            "Python": python.describe()["vernier"]["trialCounts"],
            "dashboard": {state: study["counts"][state] for state in COUNTS},
            "dashboard's list": {
                state: next(each for each in self.rest("/ui/api/jobs")["jobs"]
                            if each["id"] == "one")["counts"][state] for state in COUNTS},
        }
        for face, found in counts.items():
            with self.subTest(face):
                self.assertEqual(found, COUNTS)

        ranked = self.rest("/v1/projects/default/jobs/one")["trainingOutput"]
        best = {
            "trials best": [(int(each["trialId"]), each["finalMeasurement"]["value"])
                            for each in cli.json("trials", "best", "one", "--limit", "1")],
            "Python": [(python.best_trial.number, python.best_trial.value)],
            "Python, all": [(each.number, each.value) for each in python.best_trials[:1]],
            "dashboard": [(study["best"]["trial"], study["best"]["value"])],
            "gRPC, study": [(int(described["bestTrial"]["trialId"]),
                             described["bestTrial"]["finalMeasurement"]["value"])],
            "REST, job": [(int(ranked["trials"][0]["trialId"]),
                           ranked["trials"][0]["finalMetric"]["objectiveValue"])],
        }
        for face, found in best.items():
            with self.subTest(face):
                self.assertEqual(found, [(1, 1)])
        # In AI Platform's words, a training that its rule ended has ended well.
        self.assertEqual(ranked["completedTrialCount"], str(COUNTS["completed"] + 1))
        self.assertIn("Best so far: trial 1 with 1 ", cli.cli("why", "one").stdout)
        causes = {each.number: each.end_cause for each in python.trials}
        self.assertEqual([causes[number] for number in (6, 7, 8, 9)],
                         ["stopped_early", "infeasible", "user_error", "stopped_by_user"])

    def run_study(self):
        path = self.service.write("one.sh", TRIAL.format(home=self.service.home), 0o755)
        self.service.submit("one", CONFIG.format(
            enable="", command=path,
            more=', killGrace: "1s", earlyStopping: MEDIAN, maxInstantFailures: 9'))
        wait_for("trial 9 to report", lambda: [
            each for each in self.service.json("trials", "list", "one")
            if each["trialId"] == "9" and "lastMeasurement" in each])
        self.service.cli("trials", "stop", "one", "9")
        self.service.wait_state("one", "SUCCEEDED")

    def test_enabling_early_stopping_is_the_rule_auto_on_every_face(self):
        text = CONFIG.format(enable="enableTrialEarlyStopping: true", command="/bin/true",
                             more=", maxInstantFailures: 9")
        job = {"trainingInput": {"hyperparameters": {
            "goal": "MINIMIZE", "hyperparameterMetricTag": "loss", "maxTrials": 9,
            "enableTrialEarlyStopping": True,
            "params": [{"parameterName": "x", "type": "DOUBLE", "minValue": 0,
                        "maxValue": 1}]}},
            "vernier": {"command": ["/bin/true"], "maxInstantFailures": 9}}
        self.service.submit("by_file", text)
        self.service.cli("run", "--detach", "--name", "by_run", "--config",
                         self.service.write("run.yaml", text))
        self.rest("/v1/projects/default/jobs", {"jobId": "by_rest", **job})
        self.native("JobService", "CreateJob", {"job": {"jobId": "by_grpc", **job}})
        self.rest("/ui/api/submit", {"text": f"jobId: by_page\n{text}", "project": "default",
                                     "requestId": "page"})
        vn.submit({"jobId": "by_python", **job}, endpoint=self.service.endpoint)
        vn.create_study({"x": vn.Float(0, 1)}, name="asked", early_stopping=True,
                        endpoint=self.service.endpoint)
        vn.run("json:dumps", {"x": vn.Float(0, 1)}, 1, name="by_objective",
               early_stopping=True, wait=False, copy_code=False,
               endpoint=self.service.endpoint)
        for name in ("by_file", "by_run", "by_rest", "by_grpc", "by_page", "by_python",
                     "by_objective", "projects/default/locations/local/studies/asked"):
            with self.subTest(name):
                found = self.native("StudyService", "GetStudy", {"study": name})
                self.assertEqual(found["stoppingRule"], "AUTO")
        for name in ("by_file", "by_rest", "by_grpc", "by_page", "by_python"):
            with self.subTest(name):
                self.assertEqual(self.service.job(name)["vernier"]["earlyStopping"],
                                 {"rule": "AUTO"})

    def test_vizier_names_its_rules_and_suggest_has_the_same_flag(self):
        for config, rule in (({"decayCurveStoppingSpec": {}}, "DECAY_CURVE"),
                             ({"medianAutomatedStoppingSpec": {}}, "MEDIAN"), ({}, "NONE")):
            with self.subTest(rule):
                self.assertEqual(self.vizier_rule(rule.lower(), config), rule)
        flag = self.first_stop({"hyperparameters": {"enableTrialEarlyStopping": True}})
        self.assertTrue(flag)
        self.assertEqual(flag, self.first_stop({"earlyStopping": "AUTO"}))
        self.assertNotEqual(flag, self.first_stop({"earlyStopping": "MEDIAN"}))

    def vizier_rule(self, name, config):
        """The rule of a study that a client of AI Platform's Vizier makes."""
        made = self.rest(f"/v1/projects/default/locations/local/studies?studyId={name}", {
            "studyConfig": {
                "metrics": [{"metric": "loss", "goal": "MINIMIZE"}],
                "parameters": [{"parameter": "x", "type": "DOUBLE",
                                "doubleValueSpec": {"minValue": 0, "maxValue": 1}}],
                "automatedStoppingConfig": {
                    key.replace("Spec", "Config"): value for key, value in config.items()}}})
        return self.native("StudyService", "GetStudy", {
            "study": made["name"]}).get("stoppingRule") or "NONE"

    def first_stop(self, settings):
        """Why `vernier suggest` stops the first trial that it stops."""
        hyperparameters = {
            "goal": "MINIMIZE", "params": [{"parameterName": "lr", "type": "DOUBLE",
                                            "minValue": 0.001, "maxValue": 1,
                                            "scaleType": "UNIT_LOG_SCALE"}],
            **settings.get("hyperparameters", {})}
        engine = subprocess.Popen([binary(), "suggest"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(engine.wait)
        self.addCleanup(engine.stdout.close)
        self.addCleanup(engine.stdin.close)

        def call(**request):
            engine.stdin.write(json.dumps(request) + "\n")
            engine.stdin.flush()
            return json.loads(engine.stdout.readline())

        self.assertEqual(call(op="create", seed=3, **{
            **settings, "hyperparameters": hyperparameters}), {"ok": True})
        for number in range(1, 30):
            rate = call(op="ask")["trials"][0]["parameters"]["lr"]
            loss = 0
            for step in range(1, 21):
                loss = (1 + abs(rate - 0.05)) * (0.2 + 0.9 ** step)
                answer = call(op="report", id=number, step=step, value=loss)
                if answer.get("stop"):
                    return answer["reason"]
            call(op="tell", id=number, value=loss)
        return ""


if __name__ == "__main__":
    unittest.main()
