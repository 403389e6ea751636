"""The launched trial's side, without a service: parameters, reports, and nothing."""

import json
import os
import tempfile
import unittest

from package import python
from vernier_hpo._current_trial import read_flags

JOB = {"hyperparameters": {"params": [
    {"parameter_name": "lr", "type": "DOUBLE"},
    {"parameter_name": "layers", "type": "INTEGER"},
    {"parameter_name": "batch", "type": "DISCRETE"},
    {"parameter_name": "opt", "type": "CATEGORICAL", "child_parameter_specs": [
        {"parameter_name": "momentum", "type": "DOUBLE"}]}]}}


class LaunchedTrialTest(unittest.TestCase):
    def test_flags_are_read_with_their_types(self):
        types = {"x": "float", "k": "int", "b": "number", "c": "text"}
        self.assertEqual(
            read_flags(["--other", "1", "--x", "-0.5", "--k=3", "--b", "16", "--c", "--d",
                        "--b=0.5", "--x"], types),
            {"x": -0.5, "k": 3, "b": 0.5, "c": "--d"})

    def test_a_program_of_a_trial_knows_its_parameters(self):
        printed = python(
            "import vernier_hpo as vn; trial = vn.trial()\n"
            "print(trial.params, trial.number, trial.job, trial.restart_count)",
            "--epochs", "3", "--lr", "0.5", "--layers=2", "--batch", "16", "--opt", "sgd",
            "--momentum", "0.9",
            env={"CLOUD_ML_JOB": json.dumps(JOB), "VERNIER_TRIAL": "7",
                 "VERNIER_JOB": "digits"})
        self.assertEqual(
            printed, "{'lr': 0.5, 'layers': 2, 'batch': 16, 'opt': 'sgd', "
            "'momentum': 0.9} 7 digits 0\n")

    def test_parameters_have_the_types_that_the_service_gives(self):
        show = "import vernier_hpo as vn; print(vn.trial().params)"
        given = {"lr": 0.5, "x": 3.0, "layers": 2, "bn": True, "aug": False, "opt": "true"}
        self.assertEqual(
            python(show, "--lr", "0.5", "--bn",
                   env={"VERNIER_PARAMETERS": json.dumps(given)}), f"{given}\n")
        # As by hand, in the line that `vernier trials command` prints.
        self.assertEqual(
            python(show, "--lr", "0.25", "--layers=3", "--bn", "false", "--aug", "--other",
                   env={"VERNIER_PARAMETERS": json.dumps(given)}),
            "{'lr': 0.25, 'x': 3.0, 'layers': 3, 'bn': False, 'aug': True, 'opt': 'true'}\n")

    def test_long_parameters_come_in_a_file(self):
        show = "import vernier_hpo as vn; print(vn.trial().params)"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "parameters.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"flag": true}')
            self.assertEqual(python(show, env={"VERNIER_PARAMETERS_FILE": path}),
                             "{'flag': True}\n")

    def test_parameters_that_cannot_be_read_end_the_program_by_name(self):
        for env, said in (
                ({"VERNIER_PARAMETERS_FILE": "/nowhere/p.json"},
                 "cannot be read from VERNIER_PARAMETERS_FILE=/nowhere/p.json"),
                ({"VERNIER_PARAMETERS": "{"}, "cannot be read from VERNIER_PARAMETERS"),
                ({"VERNIER_PARAMETERS": "[]"}, "holds no JSON object"),
                ({"CLOUD_ML_JOB": '{"args": []}', "CLOUD_ML_TRIAL_ID": "3"},
                 "without the search space")):
            printed = python(
                "import vernier_hpo as vn\n"
                "try: print(vn.trial().params or 'by hand')\n"
                "except RuntimeError as error: print(error)", "--lr", "1", env=env)
            self.assertIn(said, printed)

    def test_a_jobs_trials_have_booleans_too(self):
        from vernier_hpo._frozen_trial import frozen_trial
        trial = frozen_trial({"trialId": "1", "state": "COMPLETED", "parameters": [
            {"name": "bn", "value": "True", "isText": True, "isBoolean": True},
            {"name": "aug", "value": "false", "isText": True, "isBoolean": True},
            {"name": "opt", "value": "true", "isText": True},
            {"name": "lr", "value": "0.5"}]}, {}, {"loss": "minimize"})
        self.assertEqual(trial.params, {"bn": True, "aug": False, "opt": "true", "lr": 0.5})

    def test_outside_a_trial_nothing_happens(self):
        printed = python(
            "import vernier_hpo as vn; trial = vn.trial()\n"
            "vn.report('loss', 0.5, 1); trial.report(0.5, 1)\n"
            "vn.report('loss', 'no number', None)\n"
            "print(trial.params, trial.number, vn.should_stop(), trial.should_stop())")
        self.assertEqual(printed, "{} 0 False False\n")

    def test_reports_are_lines_of_the_metric_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "metrics")
            python("import vernier_hpo as vn\n"
                   "vn.report('val/loss', 0.5, 3)\n"
                   "vn.trial().report({'loss': 1, 'accuracy': 0.25}, 4)",
                   env={"VERNIER_METRICS": path})
            with open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
        for line in lines:
            self.assertGreater(line.pop("time"), 0)
        self.assertEqual(lines, [{"val/loss": 0.5, "step": 3}, {"loss": 1.0, "step": 4},
                                 {"accuracy": 0.25, "step": 4}])


if __name__ == "__main__":
    unittest.main()
