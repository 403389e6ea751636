"""Tests of the metric writer. The standard library is enough to run them."""

import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import hypertune_compat


class HyperTuneTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "made" / "output.metrics"
        environment = mock.patch.dict(
            os.environ, {"CLOUD_ML_HP_METRIC_FILE": str(self.file),
                         "CLOUD_ML_TRIAL_ID": "7"})
        environment.start()
        self.addCleanup(environment.stop)

    def records(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def test_writes_values_as_text_and_the_time_as_a_number(self):
        hypertune_compat.HyperTune().report_hyperparameter_tuning_metric(
            "accuracy", 0.5, global_step=3)
        (record,) = self.records()
        self.assertIsInstance(record.pop("timestamp"), float)
        self.assertEqual(record, {"trial": "7", "accuracy": "0.5",
                                  "global_step": "3", "checkpoint_path": ""})

    def test_takes_no_step_as_step_zero(self):
        hypertune_compat.HyperTune().report_hyperparameter_tuning_metric(
            "accuracy", 0.5)
        self.assertEqual(self.records()[0]["global_step"], "0")

    def test_uses_the_default_tag_for_an_empty_one(self):
        hypertune_compat.HyperTune().report_hyperparameter_tuning_metric(
            "", 1)
        self.assertEqual(self.records()[0]["training/hptuning/metric"], "1.0")

    def test_keeps_the_last_hundred_reports(self):
        writer = hypertune_compat.HyperTune()
        for step in range(130):
            writer.report_hyperparameter_tuning_metric("accuracy", 0.1, step)
        steps = [int(record["global_step"]) for record in self.records()]
        self.assertEqual(steps, list(range(30, 130)))

    def test_writes_not_a_number_as_text(self):
        hypertune_compat.HyperTune().report_hyperparameter_tuning_metric(
            "loss", float("nan"))
        self.assertEqual(self.records()[0]["loss"], "nan")


if __name__ == "__main__":
    unittest.main()
