"""TensorBoard event files as the libraries of programs write them, live."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import Service  # noqa: E402

JOB = """
trainingInput:
  jobDir: {home}/out
  hyperparameters:
    goal: MAXIMIZE
    hyperparameterMetricTag: {metric}
    maxTrials: 2
    maxParallelTrials: 2
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  seed: 1
  metricSources: [TENSORBOARD]
  codeDir: {home}/code
  command: [{python}, program.py]
"""

START = """
import os, sys
x = float(sys.argv[2])
logs = os.environ["AIP_TENSORBOARD_LOG_DIR"]
"""

TENSORFLOW_2 = START + """
import tensorflow as tf
for kind, sign in (("train", -1), ("eval", 1)):
    with tf.summary.create_file_writer(logs + "/" + kind).as_default():
        for step in range(3):
            tf.summary.scalar("accuracy", sign * x * (step + 1), step=step)
"""

TENSORFLOW_1 = START + """
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
value = tf.placeholder(tf.float32)
merged = tf.summary.merge([tf.summary.scalar("accuracy", value)])
with tf.Session() as session:
    writer = tf.summary.FileWriter(logs, session.graph)
    for step in (2, 1, 3):
        writer.add_summary(session.run(merged, {value: x * step}), step)
    writer.close()
"""

ESTIMATOR = START + """
import tensorflow as tf
def data():
    return tf.data.Dataset.from_tensors(({"a": [[x]]}, [[1]])).repeat(20)
estimator = tf.estimator.DNNClassifier(
    [2], [tf.feature_column.numeric_column("a")], model_dir=sys.argv[4])
tf.estimator.train_and_evaluate(
    estimator, tf.estimator.TrainSpec(data, max_steps=10),
    tf.estimator.EvalSpec(data, steps=2))
"""

KERAS = START + """
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
model.compile("sgd", "mse", metrics=["mae"])
xs = tf.constant([[x], [0.0]])
history = model.fit(
    xs, xs, epochs=3, verbose=0, validation_data=(xs, xs),
    callbacks=[tf.keras.callbacks.TensorBoard(logs, update_freq=1)])
open(sys.argv[4] + "/expected", "w").write(repr(history.history["val_mae"][-1]))
"""

# Both write below "runs" in the working directory, in a folder with the second
# as its name.
DEFAULT_FOLDER = START + """
from {package} import SummaryWriter
writer = SummaryWriter()
for step in range(3):
    writer.add_scalar("Accuracy/test", x * (step + 1), step)
    writer.add_scalars("both", {{"a": 1.0, "b": 2.0}}, step)
writer.close()
"""

HPARAMS = START + """
from tensorboardX import SummaryWriter
with SummaryWriter(logs) as writer:
    writer.add_hparams({"x": x}, {"hparam/accuracy": 3 * x})
"""


class EventWritersTest(unittest.TestCase):
    def run_job(self, environment, program, metric):
        """Runs the program in two trials side by side; both trials, each with what
        it left in its job dir as `expected`."""
        python = clients.python(environment)
        with Service() as service:
            os.mkdir(os.path.join(service.home, "code"))
            service.write("code/program.py", program)
            service.submit("job", JOB.format(home=service.home, metric=metric,
                                             python=python))
            job = service.wait_state("job", "SUCCEEDED", "FAILED")
            self.assertEqual(job["state"], "SUCCEEDED",
                             service.cli("why", "job", "1", check=False).stdout)
            trials = service.json("trials", "list", "job")
            for trial in trials:
                path = os.path.join(service.home, "out", trial["trialId"], "expected")
                if os.path.exists(path):
                    with open(path, encoding="utf-8") as file:
                        trial["expected"] = json.load(file)
                self.assertIn("finalMeasurement", trial)
        return trials

    def assert_final(self, trials, expected):
        self.assertEqual(len(trials), 2)
        for trial in trials:
            x = float(trial["parameters"]["x"])
            self.assertAlmostEqual(trial["finalMeasurement"]["value"], expected(x), 5)

    def test_tensorflow_2(self):
        self.assert_final(self.run_job("tensorflow", TENSORFLOW_2, "accuracy"),
                          lambda x: 3 * x)

    def test_tensorflow_1(self):
        self.assert_final(self.run_job("tensorflow", TENSORFLOW_1, "accuracy"),
                          lambda x: 3 * x)

    def test_estimator(self):
        for trial in self.run_job("tensorflow", ESTIMATOR, "accuracy"):
            self.assertIn(trial["finalMeasurement"]["value"], (0, 1))
            self.assertEqual(trial["finalMeasurement"]["step"], "10")

    def test_keras(self):
        for trial in self.run_job("tensorflow", KERAS, "epoch_mae"):
            self.assertAlmostEqual(trial["finalMeasurement"]["value"],
                                   trial["expected"], 5)

    def test_torch(self):
        self.assert_final(
            self.run_job("torch", DEFAULT_FOLDER.format(
                package="torch.utils.tensorboard"), "Accuracy/test"),
            lambda x: 3 * x)

    def test_tensorboardx(self):
        self.assert_final(
            self.run_job("tensorboardx", DEFAULT_FOLDER.format(
                package="tensorboardX"), "Accuracy/test"), lambda x: 3 * x)

    def test_hparams(self):
        self.assert_final(
            self.run_job("tensorboardx", HPARAMS, "hparam/accuracy"),
            lambda x: 3 * x)


if __name__ == "__main__":
    unittest.main()
