"""Tables, plots and notebooks with the real pandas, matplotlib and IPython."""

import math
import unittest

import matplotlib
import nbclient
import nbformat
import numpy

from package import SOURCES, ServiceCase
import vernier_hpo as vn

matplotlib.use("agg")


class NotebookTest(ServiceCase):
    def study(self, **how):
        return vn.create_study(
            {"x": vn.Float(0, 1), "c": vn.Categorical(["a", "b"]),
             "y": vn.Float(0, 1, when={"c": "b"})}, **how)

    def test_a_data_frame(self):
        study = self.study(metrics={"loss": "minimize", "speed": "maximize"})
        study.add_trial({"x": 0.5, "c": "a"}, (1.0, 2.0))
        study.add_trial({"x": 0.25, "c": "b", "y": 0.75}, (3.0, 4.0))
        study.ask()
        frame = study.trials_dataframe()
        self.assertEqual(list(frame.columns), [
            "number", "state", "loss", "speed", "params_x", "params_c", "params_y",
            "datetime_start", "datetime_complete", "duration", "end_cause"])
        self.assertEqual(list(frame["number"]), [1, 2, 3])
        self.assertEqual(list(frame["speed"])[:2], [2.0, 4.0])
        self.assertEqual(frame["params_y"][1], 0.75)
        self.assertTrue(math.isnan(frame["params_y"][0]))
        self.assertEqual(frame["state"][2], "active")
        self.assertEqual(len(self.study().trials_dataframe()), 0)

    def test_a_plot(self):
        study = self.study()
        for value in (3.0, 1.0, 2.0):
            study.tell(study.ask(), value)
        study.tell(study.ask(), math.nan)
        axes = study.plot_history()
        values, best = axes.get_lines()
        self.assertEqual(list(values.get_ydata()), [3.0, 1.0, 2.0])
        self.assertEqual(list(best.get_ydata()), [3.0, 1.0, 1.0])
        self.assertEqual(axes.get_ylabel(), "value")

    def test_numbers_of_numpy(self):
        study = vn.create_study({
            "x": vn.Float(numpy.float32(0), numpy.float64(1)),
            "k": vn.Int(numpy.int64(1), numpy.int32(8)),
            "b": vn.Discrete(numpy.array([16, 32])),
            "c": vn.Categorical(numpy.array(["a", "b"]))}, seed=numpy.int64(1))
        study.enqueue_trial({"x": numpy.float32(0.5), "k": numpy.int64(3),
                             "b": numpy.int64(32), "c": numpy.str_("a")})
        trial = study.ask()
        self.assertEqual(trial.params, {"x": 0.5, "k": 3, "b": 32, "c": "a"})
        trial.report(numpy.float32(0.25), numpy.int64(1))
        study.tell(trial, numpy.float32(0.5))
        study.optimize(lambda trial: numpy.array(1.0), n_trials=numpy.int64(2))
        self.assertEqual([each.value for each in study.trials], [0.5, 1.0, 1.0])

    def test_a_notebook_shows_how_it_goes(self):
        self.study(name="shown")
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"""
import sys
sys.path.insert(0, {SOURCES!r})
import vernier_hpo as vn
study = vn.load_study("shown")
study.optimize(lambda trial: trial.params["x"], n_trials=5)
study
""")])
        nbclient.NotebookClient(notebook, timeout=120).execute()
        shown = [each["data"]["text/html"] for each in notebook.cells[0].outputs
                 if "data" in each]
        # The display that was updated, and the cell's own value.
        self.assertEqual(len(shown), 2)
        for page in shown:
            self.assertIn("<b>shown</b>: 5 trials", page)


if __name__ == "__main__":
    unittest.main()
