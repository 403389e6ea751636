"""The plots of vernier_hpo.optuna with the real plotly and matplotlib."""

import os
import tempfile
import unittest

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402
import numpy  # noqa: E402
import plotly.graph_objects  # noqa: E402

import package  # noqa: E402, F401
import vernier_hpo.optuna as optuna  # noqa: E402


def objective(trial):
    x = trial.suggest_float("x", -2, 2)
    lr = trial.suggest_float("lr", 1e-4, 1, log=True)
    kind = trial.suggest_categorical("kind", ["a", None, True])
    if kind == "a":
        trial.suggest_float("branch", 0, 1)
    for step in range(3):
        trial.report(x + step, step)
    if x > 1.5:
        raise optuna.TrialPruned()
    return 5 * x + lr


class PlotsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        cls.study, cls.several, cls.three, cls.empty = (optuna.create_study(
            directions=["minimize"] * count, sampler=optuna.samplers.RandomSampler(seed=1))
            for count in (1, 2, 3, 1))
        cls.study.optimize(objective, n_trials=25)
        for study in (cls.several, cls.three):
            study.optimize(lambda trial: [trial.suggest_float(f"x{i}", 0, 1) for i in range(
                len(trial.study.directions))], n_trials=15)

    def calls(self, of):
        return {
            "history": lambda: of.plot_optimization_history(self.study),
            "histories": lambda: of.plot_optimization_history([self.study, self.study]),
            "means": lambda: of.plot_optimization_history([self.study, self.study],
                                                          error_bar=True),
            "importances": lambda: of.plot_param_importances(self.study),
            "importances of several": lambda: of.plot_param_importances(self.several),
            "slices": lambda: of.plot_slice(self.study),
            "slice": lambda: of.plot_slice(self.study, params=["lr"]),
            "contour": lambda: of.plot_contour(self.study, params=["lr", "kind"]),
            "contours": lambda: of.plot_contour(self.study, params=["x", "lr", "kind"]),
            "rank": lambda: of.plot_rank(self.study, params=["x", "lr"]),
            "ranks": lambda: of.plot_rank(self.study, params=["x", "lr", "kind"]),
            "parallel": lambda: of.plot_parallel_coordinate(self.study, params=["x", "lr",
                                                                                "kind"]),
            "curves": lambda: of.plot_intermediate_values(self.study),
            "edf": lambda: of.plot_edf([self.study]),
            "timeline": lambda: of.plot_timeline(self.study),
            "front": lambda: of.plot_pareto_front(self.several, target_names=["a", "b"]),
            "front in space": lambda: of.plot_pareto_front(self.three),
            "hypervolume": lambda: of.plot_hypervolume_history(self.several, [1, 1]),
            "nothing": lambda: of.plot_slice(self.empty),
            "no history": lambda: of.plot_optimization_history(self.empty),
            "no lines": lambda: of.plot_parallel_coordinate(self.empty)}

    def test_figures_of_plotly_are_pages(self):
        self.assertTrue(optuna.visualization.is_available())
        with tempfile.TemporaryDirectory() as folder:
            for name, call in self.calls(optuna.visualization).items():
                figure = call()
                self.assertIsInstance(figure, plotly.graph_objects.Figure, name)
                path = os.path.join(folder, "plot.html")
                figure.write_html(path, include_plotlyjs="cdn")
                self.assertGreater(os.path.getsize(path), 1000, name)
                # Each panel that has a title is drawn in.
                self.assertEqual(not figure.data, name.startswith("no") and name != "no history",
                                 name)

    def test_axes_of_matplotlib_are_pictures(self):
        of = optuna.visualization.matplotlib
        self.assertTrue(of.is_available())
        several = {"slices": (4,), "contours": (3, 3), "ranks": (3, 3)}
        for name, call in self.calls(of).items():
            axes = call()
            if name in several:
                self.assertEqual(axes.shape, several[name])
            else:
                self.assertNotIsInstance(axes, numpy.ndarray, name)
                self.assertTrue(axes.has_data() or name.startswith("no"), name)
            matplotlib.pyplot.gcf().canvas.draw()
            matplotlib.pyplot.close("all")


if __name__ == "__main__":
    unittest.main()
