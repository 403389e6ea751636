"""LCBench's learning curves, by the surrogate that YAHPO Gym publishes.

Zimmer, Lindauer and Hutter 2021 recorded 2,000 trainings of networks on each of
34 tables of OpenML; Pfisterer et al. 2022 fitted one network to all of them. It
is not a part of this repository: YAHPO_DATA must name a checkout of
https://github.com/slds-lmu/yahpo_data (Apache-2.0), and the Python that runs
this needs onnxruntime.
"""
import json
import os
import pathlib

import numpy
from families import Parameter, log

EPOCHS = 52
# In the order of its list: constants may be chosen on the first twelve, and
# figures that count are of the rest.
TUNING = 12
# Those that the surrogate calls x_cont, in its order, after the epoch.
PARAMETERS = (
    log("batch_size", 16, 512, True),
    log("learning_rate", 1e-4, 0.1),
    Parameter("momentum", 0.1, 0.99),
    Parameter("weight_decay", 1e-5, 0.1),
    Parameter("num_layers", 1, 5, is_whole=True),
    log("max_units", 64, 1024, True),
    Parameter("max_dropout", 0, 1),
)
# Among the surrogate's outputs: seconds since the training began, and the
# accuracy of validation in per cent.
TIME = 0
ACCURACY = 1


class Surrogate:
    """Percent of wrong answers of validation; less is better."""

    def __init__(self, folder):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options
        )
        encoding = json.loads((folder / "encoding.json").read_text())
        self._code = encoding["OpenML_task_id"]

    def errors(self, task, values, epochs):
        """A row for each row of `values`, a column for each epoch."""
        return 100 - self._output(ACCURACY, task, values, epochs)

    def seconds(self, task, values):
        """How long the whole training takes, for each row of `values`."""
        return self._output(TIME, task, values, [EPOCHS])[:, 0]

    def _output(self, which, task, values, epochs):
        values = numpy.atleast_2d(values)
        count = len(epochs)
        inputs = numpy.column_stack(
            [
                numpy.tile(numpy.array(epochs, float), len(values)),
                numpy.repeat(values, count, 0),
            ]
        ).astype(numpy.float32)
        codes = numpy.full((len(inputs), 1), self._code[task], numpy.int32)
        outputs = self._session.run(None, {"x_cat": codes, "x_cont": inputs})[0]
        return outputs[:, which].astype(float).reshape(-1, count)


def tasks(folder):
    space = json.loads((folder / "config_space.json").read_text())
    for parameter in space["hyperparameters"]:
        if parameter["name"] == "OpenML_task_id":
            return parameter["choices"]
    raise ValueError(f"{folder}: config_space.json has no OpenML_task_id")


def folder():
    """None where nobody has said where it is."""
    place = os.environ.get("YAHPO_DATA")
    return pathlib.Path(place) / "lcbench" if place else None
