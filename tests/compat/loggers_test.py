"""Programs that log by other libraries run unchanged, and are read live."""

import glob
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import Service  # noqa: E402

# As a sweep's program is: it knows W&B alone.
SWEPT = """
import wandb

run = wandb.init(project="p", config={"lr": 1.0, "layers": 7, "momentum": 0.5})
run.config.update({"layers": 9}, allow_val_change=True)
assert run.config["optimizer"]["name"] == "adam"
assert type(run.config.layers) is int and type(run.config.lr) is float
for epoch in range(4):
    run.log({"loss": run.config.lr * (4 - epoch), "val": {"layers": run.config.layers},
             "beta": run.config.optimizer["betas"]["first"],
             "momentum": run.config.momentum, "note": "text"})
run.summary["best"] = run.config.lr / 2
run.finish()
"""

SWEEP = """
program: train.py
method: random
metric: {name: loss, goal: minimize}
run_cap: 3
command:
- ${env}
- PYTHON
- ${program}
parameters:
  lr: {distribution: log_uniform_values, min: 0.00001, max: 0.0001}
  layers: {min: 1, max: 4}
  momentum: {value: 0.75}
  optimizer:
    parameters:
      name: {value: adam}
      betas: {parameters: {first: {min: 0.5, max: 0.9}}}
"""

KERAS = """
import sys
import tensorflow as tf
x = float(sys.argv[2])
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
model.compile("sgd", "mse", metrics=["mae"])
xs = tf.constant([[x], [0.0]])
history = model.fit(xs, xs, epochs=3, verbose=0, validation_data=(xs, xs),
                    callbacks=[tf.keras.callbacks.CSVLogger("log.csv")])
open("expected", "w").write(repr([x, *history.history["val_mae"]]))
"""

KERAS_STUDY = """
run: PYTHON train.py
metric: {val_mae: minimize}
trials: 2
parameters: {x: {float: [0.5, 1]}}
"""

# It may speak to nobody, and begins one run after another.
TRACKIO = """
import math, sys

def refuse(event, arguments):
    assert event not in ("socket.connect", "socket.bind", "socket.getaddrinfo",
                         "subprocess.Popen"), (event, arguments)

sys.addaudithook(refuse)
import trackio

x = float(sys.argv[2])
trackio.init(project="My Project", name="first", config={"x": x})
for step in range(3):
    trackio.log({"loss": x * (3 - step), "val": {"acc": step}, "note": "0.7",
                 "bad": math.nan}, step=10 * step)
trackio.log({"extra": 1})
trackio.finish()
trackio.init(project="My Project", name="second")
trackio.log({"loss": x / 2}, step=40)
trackio.log({"loss": x / 4}, step=40)
trackio.finish()
"""

TRACKIO_STUDY = """
run: PYTHON train.py
metric: {loss: minimize}
trials: 2
parameters: {x: {float: [0.5, 1]}}
"""


class LoggersTest(unittest.TestCase):
    def run_study(self, service, python, config, program):
        os.mkdir(os.path.join(service.home, "code"))
        service.write("code/train.py", program)
        path = service.write("code/config.yaml", config.replace("PYTHON", python))
        service.cli("run", "--config", path, "--name", "study")
        return service.json("trials", "list", "study")

    def measured(self, service, trial, metric):
        printed = service.json("trials", "measurements", "study", trial["trialId"])
        return [one for one in printed if one["metric"] == metric]

    def test_a_sweep_runs_unchanged(self):
        python = clients.python("wandb")
        with Service() as service:
            trials = self.run_study(service, python, SWEEP, SWEPT)
            self.assertEqual(len(trials), 3)
            for trial in trials:
                lr = float(trial["parameters"]["lr"])
                layers = float(trial["parameters"]["layers"])
                self.assertAlmostEqual(trial["finalMeasurement"]["value"], lr, 12)
                loss = self.measured(service, trial, "loss")
                self.assertEqual({one["source"] for one in loss}, {"WANDB"})
                self.assertEqual([int(one["step"]) for one in loss], [0, 1, 2, 3])
                self.assertEqual(
                    {one["value"] for one in self.measured(service, trial, "val.layers")},
                    {layers})
                beta = float(trial["parameters"]["optimizer.betas.first"])
                self.assertEqual(
                    {one["value"] for one in self.measured(service, trial, "beta")},
                    {beta})
                # A constant of the sweep wins over the program's own value.
                self.assertEqual(
                    {one["value"] for one in self.measured(service, trial, "momentum")},
                    {0.75})
                self.assertEqual(
                    [one["value"] for one in self.measured(service, trial, "best")],
                    [lr / 2])
                self.assertEqual(self.measured(service, trial, "note"), [])
            files = glob.glob(
                os.path.join(service.data, "**", "offline-run-*", "*.wandb"),
                recursive=True)
            self.assertEqual(len(files), 3)

    def test_the_csv_logger_of_keras(self):
        python = clients.python("tensorflow")
        with Service() as service:
            trials = self.run_study(service, python, KERAS_STUDY, KERAS)
            self.assertEqual(len(trials), 2)
            expected = {}
            for path in glob.glob(os.path.join(service.data, "**", "work", "expected"),
                                  recursive=True):
                with open(path, encoding="utf-8") as file:
                    x, *values = json.load(file)
                    expected[x] = values
            for trial in trials:
                found = self.measured(service, trial, "val_mae")
                self.assertEqual({one["source"] for one in found}, {"CSV_FILE"})
                values = expected[float(trial["parameters"]["x"])]
                for one, value in zip(found, values, strict=True):
                    self.assertAlmostEqual(one["value"], value, 6)

    def test_trackio(self):
        python = clients.python("trackio")
        with Service() as service:
            trials = self.run_study(service, python, TRACKIO_STUDY, TRACKIO)
            self.assertEqual(len(trials), 2)
            for trial in trials:
                x = float(trial["parameters"]["x"])
                self.assertEqual(trial["finalMeasurement"]["value"], x / 4)
                loss = self.measured(service, trial, "loss")
                self.assertEqual({one["source"] for one in loss}, {"TRACKIO"})
                self.assertEqual(
                    [(int(one["step"]), one["value"]) for one in loss],
                    [(0, x * 3), (10, x * 2), (20, x), (40, x / 2), (40, x / 4)])
                self.assertEqual(
                    [(int(one["step"]), one["value"])
                     for one in self.measured(service, trial, "val.acc")],
                    [(0, 0), (10, 1), (20, 2)])
                self.assertEqual(
                    [int(one["step"]) for one in self.measured(service, trial, "extra")],
                    [21])
                self.assertEqual(
                    {one["value"] for one in self.measured(service, trial, "bad")},
                    {"NaN"})
                self.assertEqual(self.measured(service, trial, "note"), [])
            files = glob.glob(
                os.path.join(service.data, "**", "metrics", "trackio", "MyProject.db"),
                recursive=True)
            self.assertEqual(len(files), 2)


if __name__ == "__main__":
    unittest.main()
