"""vernier_hpo.optuna: importances, and what plots show. The drawing itself is tried with
the real libraries by integrations/plots_check.py."""

import datetime
import inspect
import math
import unittest

from package import python
import vernier_hpo.optuna as optuna
from vernier_hpo.optuna._best import hypervolume_of
from vernier_hpo.optuna.trial import TrialState
from vernier_hpo.optuna.visualization import _parameter_charts as of_parameters
from vernier_hpo.optuna.visualization import _value_charts as of_values
from vernier_hpo.optuna.visualization._chart import Field, Line, Points, Spans

CHARTS = ["plot_contour", "plot_edf", "plot_hypervolume_history", "plot_intermediate_values",
          "plot_optimization_history", "plot_parallel_coordinate", "plot_param_importances",
          "plot_pareto_front", "plot_rank", "plot_slice", "plot_timeline"]


def objective(trial):
    """Its variation is that of x, some of lr, and a little of kind."""
    x = trial.suggest_float("x", -2, 2)
    lr = trial.suggest_float("lr", 1e-4, 1, log=True)
    kind = trial.suggest_categorical("kind", ["a", None, True])
    trial.suggest_int("unused", 2, 2)
    if kind == "a":
        trial.suggest_float("branch", 0, 1)
    return 5 * x + 0.3 * math.log10(lr) + 0.1 * (kind == "a")


def made(directions=("minimize",), results=(), function=None, n_trials=25):
    """A study of random trials, or of results at the points 0, 1, ..."""
    study = optuna.create_study(directions=list(directions),
                                sampler=optuna.samplers.RandomSampler(seed=3))
    if function is not None:
        study.optimize(function, n_trials=n_trials)
    distribution = optuna.distributions.FloatDistribution(0, 10)
    for i, each in enumerate(results):
        study.add_trial(optuna.create_trial(
            values=each if isinstance(each, tuple) else (each,), params={"x": float(i)},
            distributions={"x": distribution}))
    return study


def series_of(chart, kind):
    return [each for row in chart.rows for panel in row for each in panel.series
            if isinstance(each, kind)]


class QuietCase(unittest.TestCase):
    def setUp(self):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.addCleanup(optuna.logging.set_verbosity, optuna.logging.INFO)


class ImportanceTest(QuietCase):
    @classmethod
    def setUpClass(cls):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        cls.study = made(function=objective)

    def test_the_greatest_is_first_and_they_add_up_to_one(self):
        found = optuna.importance.get_param_importances(self.study)
        # As in Optuna: what all trials have, those of one value included.
        self.assertEqual(set(found), {"x", "lr", "kind", "unused"})
        self.assertEqual(list(found)[0], "x")
        self.assertEqual(list(found.values()), sorted(found.values(), reverse=True))
        self.assertGreater(found["x"], 0.8)
        self.assertEqual(found["unused"], 0)
        self.assertAlmostEqual(sum(found.values()), 1)

    def test_some_parameters_and_shares_as_they_are(self):
        found = optuna.importance.get_param_importances(
            self.study, params=["lr", "branch"], normalize=False)
        self.assertEqual(set(found), {"lr", "branch"})
        self.assertLess(sum(found.values()), 0.5)
        self.assertEqual(optuna.importance.get_param_importances(self.study, params=[]), {})

    def test_a_target_and_every_evaluator(self):
        for evaluator in (optuna.importance.FanovaImportanceEvaluator(n_trees=8, seed=1),
                          optuna.importance.MeanDecreaseImpurityImportanceEvaluator(),
                          optuna.importance.PedAnovaImportanceEvaluator(target_quantile=0.2)):
            found = optuna.importance.get_param_importances(
                self.study, evaluator=evaluator,
                target=lambda trial: math.log10(trial.params["lr"]))
            self.assertEqual(list(found)[0], "lr")

    def test_an_evaluator_of_ones_own(self):
        class Equal(optuna.importance.BaseImportanceEvaluator):
            def evaluate(self, study, params=None, *, target=None):
                return dict.fromkeys(params, 2.0)

        self.assertEqual(optuna.importance.get_param_importances(
            self.study, evaluator=Equal(), params=["x", "lr"]), {"x": 0.5, "lr": 0.5})
        with self.assertRaisesRegex(TypeError, "BaseImportanceEvaluator"):
            optuna.importance.get_param_importances(self.study, evaluator=3)

    def test_without_a_model_all_are_equal_and_the_log_says_why(self):
        few = made(results=(1, 2))
        with self.assertLogs("vernier_hpo.optuna", "WARNING") as logged:
            found = optuna.importance.get_param_importances(few)
        self.assertEqual(found, {"x": 1.0})
        self.assertIn("a model needs", logged.output[0])

    def test_what_is_refused(self):
        importances = optuna.importance.get_param_importances
        with self.assertRaisesRegex(ValueError, "two completed trials"):
            importances(made(results=(1,)))
        with self.assertRaisesRegex(ValueError, "give target"):
            importances(made(("minimize", "maximize"), [(1, 2), (2, 1)]))
        with self.assertRaisesRegex(ValueError, "no completed trial has"):
            importances(self.study, params=["z"])
        with self.assertRaisesRegex(TypeError, "list of names"):
            importances(self.study, params="x")


class ValueChartTest(QuietCase):
    def test_history_has_the_best_of_the_trials_that_meet_their_constraints(self):
        study = made(("maximize",), (3, 1, 4))
        study.add_trial(optuna.create_trial(value=9, constraints={"a": 1.0}))
        study.add_trial(optuna.create_trial(state=TrialState.FAIL))
        chart = of_values.plot_optimization_history(study)
        points, infeasible = series_of(chart, Points)
        best, = series_of(chart, Line)
        self.assertEqual((points.x, points.y), ([0, 1, 2], [3, 1, 4]))
        self.assertEqual((infeasible.x, infeasible.y), ([3], [9]))
        self.assertEqual((best.x, best.y), ([0, 1, 2, 3, 4], [3, 3, 4, 4, 4]))

    def test_history_of_several_studies(self):
        studies = [made(results=(3, 1)), made(results=(5, 5))]
        chart = of_values.plot_optimization_history(studies)
        self.assertEqual(len(series_of(chart, Points)), 2)
        self.assertIn(studies[1].study_name, series_of(chart, Points)[1].name)
        mean = of_values.plot_optimization_history(studies, error_bar=True)
        points, best = series_of(mean, Points)[0], series_of(mean, Line)[0]
        self.assertEqual((points.y, points.spread), ([4, 3], [1, 2]))
        self.assertEqual((best.low, best.high), ([3, 1], [5, 5]))

    def test_a_target_is_no_value_of_which_the_best_is_known(self):
        chart = of_values.plot_optimization_history(
            made(results=(3, 1)), target=lambda trial: trial.params["x"], target_name="x")
        self.assertEqual(series_of(chart, Points)[0].y, [0, 1])
        self.assertEqual(series_of(chart, Line), [])
        for draw in (of_values.plot_optimization_history, of_values.plot_edf,
                     of_parameters.plot_slice, of_parameters.plot_contour,
                     of_parameters.plot_rank, of_parameters.plot_parallel_coordinate):
            with self.assertRaisesRegex(ValueError, "give target"):
                draw(made(("minimize", "minimize"), [(1, 2)]))
            with self.assertWarnsRegex(UserWarning, "target_name"):
                draw(made(results=(3, 1)), target=lambda trial: trial.number)

    def test_edf_is_the_part_of_the_values_up_to_there(self):
        line, = series_of(of_values.plot_edf(made(results=(0, 1, 1, 4))), Line)
        self.assertEqual((line.x[0], line.x[-1]), (0, 4))
        self.assertEqual((line.y[0], line.y[-1]), (0.25, 1))

    def test_curves_and_times(self):
        study = made()
        begun = datetime.datetime(2024, 1, 1)
        for state, reports in ((TrialState.PRUNED, {2: 3.0, 1: 5.0}), (TrialState.FAIL, {1: 1.0})):
            trial = optuna.create_trial(state=state, intermediate_values=reports)
            trial.datetime_start, trial.datetime_complete = begun, begun.replace(hour=1)
            study.add_trial(trial)
        line, = series_of(of_values.plot_intermediate_values(study), Line)
        self.assertEqual((line.name, line.x, line.y), ("Trial0", [1, 2], [5, 3]))
        failed, pruned = series_of(of_values.plot_timeline(study), Spans)
        self.assertEqual((pruned.name, pruned.y), ("PRUNED", [0]))
        self.assertEqual(failed.spans, [(begun, begun.replace(hour=1))])
        self.assertEqual(len(series_of(of_values.plot_timeline(study, 1), Spans)), 1)
        with self.assertRaisesRegex(ValueError, "positive"):
            of_values.plot_timeline(study, 0)

    def test_front(self):
        study = made(("minimize", "maximize"), [(1, 1), (2, 5), (3, 2)])
        chart = of_values.plot_pareto_front(study)
        beaten, best = series_of(chart, Points)
        self.assertEqual((beaten.x, beaten.y), ([3], [2]))
        self.assertEqual((best.x, best.y), ([1, 2], [1, 5]))
        self.assertEqual(len(series_of(of_values.plot_pareto_front(
            study, include_dominated_trials=False), Points)), 1)
        turned = of_values.plot_pareto_front(study, axis_order=[1, 0], target_names=["a", "b"])
        self.assertEqual(turned.rows[0][0].x.title, "b")
        self.assertEqual(series_of(turned, Points)[1].x, [1, 5])
        bound = of_values.plot_pareto_front(
            study, constraints_func=lambda trial: [trial.values[1] - 4])
        self.assertEqual([each.name for each in series_of(bound, Points)],
                         ["Infeasible Trial", "Best Trial"])
        with self.assertRaisesRegex(ValueError, "two or three"):
            of_values.plot_pareto_front(made(results=(1,)))
        with self.assertRaisesRegex(ValueError, "each of 0 to 1"):
            of_values.plot_pareto_front(study, axis_order=[0, 0])
        three = of_values.plot_pareto_front(made(["minimize"] * 3, [(1, 2, 3)]))
        self.assertEqual(series_of(three, Points)[0].z, [3])

    def test_hypervolume(self):
        self.assertEqual(hypervolume_of([[1, 1]], [3, 4]), 6)
        self.assertEqual(hypervolume_of([[1, 2], [2, 1], [2, 2]], [3, 3]), 3)
        self.assertEqual(hypervolume_of([[0, 0, 1], [1, 1, 0], [5, 0, 0]], [2, 2, 2]), 5)
        self.assertEqual(hypervolume_of([[3, 0]], [3, 3]), 0)
        study = made(("minimize", "maximize"), [(1, 1), (2, 5), (5, 0)])
        line, = series_of(of_values.plot_hypervolume_history(study, [3, 0]), Line)
        self.assertEqual(line.y, [2, 6, 6])
        with self.assertRaisesRegex(ValueError, "several objectives"):
            of_values.plot_hypervolume_history(made(results=(1,)), [1])


class ParameterChartTest(QuietCase):
    @classmethod
    def setUpClass(cls):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        cls.study = made(function=objective)

    def test_slices(self):
        chart = of_parameters.plot_slice(self.study, params=["lr", "kind"])
        kind, lr = chart.rows[0]  # By name, as in Optuna.
        bound = made(results=(1, 2))
        bound.add_trial(optuna.create_trial(
            value=3, params={"x": 5.0}, constraints={"a": 1.0},
            distributions={"x": optuna.distributions.FloatDistribution(0, 10)}))
        feasible, infeasible = of_parameters.plot_slice(bound).rows[0][0].series
        self.assertEqual((feasible.y, feasible.color), ([1, 2], [0, 1]))
        self.assertEqual((infeasible.y, infeasible.color), ([3], "#cccccc"))
        self.assertEqual(list(kind.x.labels), ["a", "None", "True"])
        self.assertTrue(lr.x.is_log)
        self.assertEqual(len(lr.series[0].x), 25)
        self.assertEqual(of_parameters.plot_slice(self.study, ["branch"]).rows[0][0].x.title,
                         "branch")
        with self.assertRaisesRegex(ValueError, "no parameter 'z'"):
            of_parameters.plot_slice(self.study, ["z"])

    def test_contours_are_what_the_model_expects(self):
        chart = of_parameters.plot_contour(self.study, ["x", "kind"])
        field, = series_of(chart, Field)
        self.assertEqual(list(field.x), [0, 1, 2])  # The choices.
        self.assertEqual((field.y[0], field.y[-1]), (-2, 2))
        self.assertLess(field.rows[0][0], field.rows[-1][0])
        self.assertTrue(field.scale.is_small_dark)
        grid = of_parameters.plot_contour(self.study, ["x", "kind", "lr"])
        self.assertEqual([len(row) for row in grid.rows], [3, 3, 3])
        self.assertEqual(len(series_of(grid, Field)), 6)
        upper = series_of(grid, Field)
        self.assertEqual([list(row) for row in zip(*grid.rows[0][1].series[0].rows)],
                         [list(row) for row in grid.rows[1][0].series[0].rows])
        self.assertEqual(len(upper[0].rows), len(upper[0].y))

    def test_ranks(self):
        study = made(results=())
        for x, y, value in ((0, 0, 5), (1, 1, 7), (2, 2, 7), (3, 3, 1)):
            study.add_trial(optuna.create_trial(
                value=value, params={"x": x, "y": y}, distributions=dict.fromkeys(
                    ("x", "y"), optuna.distributions.IntDistribution(0, 3))))
        points, = series_of(of_parameters.plot_rank(study), Points)
        self.assertEqual([round(each * 3, 6) for each in points.color], [1, 2.5, 2.5, 0])
        turned = of_parameters.plot_rank(study, ["y", "x"]).rows[0][0]
        self.assertEqual((turned.x.title, turned.y.title), ("y", "x"))

    def test_parallel_axes(self):
        chart = of_parameters.plot_parallel_coordinate(self.study, ["lr", "branch"])
        self.assertEqual([each.axis.title for each in chart.columns],
                         ["Objective Value", "branch", "lr"])
        lengths = {len(each.values) for each in chart.columns}
        self.assertEqual(lengths, {sum("branch" in each.params for each in self.study.trials)})
        self.assertTrue(all(each <= 0 for each in chart.columns[2].places()))

    def test_importances_of_each_objective(self):
        study = made(("minimize", "maximize"), function=lambda trial: (
            trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)))
        study.set_metric_names(["loss", "speed"])
        chart = of_parameters.plot_param_importances(study)
        first, second = chart.rows[0][0].series
        self.assertEqual((first.name, second.name), ("loss", "speed"))
        order = list(chart.rows[0][0].y.labels)
        self.assertEqual(order, ["y", "x"])  # The greatest is on top.
        self.assertGreater(first.lengths[1], 0.9)
        self.assertGreater(second.lengths[0], 0.9)

    def test_studies_without_results_are_empty_charts(self):
        empty = made()
        for draw in (of_values.plot_optimization_history, of_values.plot_edf,
                     of_values.plot_intermediate_values, of_values.plot_timeline,
                     of_parameters.plot_slice, of_parameters.plot_contour,
                     of_parameters.plot_rank, of_parameters.plot_param_importances):
            chart = draw(empty)
            self.assertFalse(any(each.x for each in series_of(chart, Points)))
        self.assertEqual(of_parameters.plot_parallel_coordinate(empty).columns, [])


class FunctionTest(unittest.TestCase):
    def test_both_modules_have_all_of_them_with_optunas_arguments(self):
        for module in (optuna.visualization, optuna.visualization.matplotlib):
            self.assertLessEqual({*CHARTS, "is_available"}, set(module.__all__))
            arguments = inspect.signature(module.plot_contour).parameters
            self.assertEqual(list(arguments), ["study", "params", "target", "target_name"])

    def test_without_the_library_the_call_is_an_import_error(self):
        printed = python("""
            import sys
            sys.modules["plotly"] = sys.modules["matplotlib"] = None
            import vernier_hpo.optuna as optuna
            from vernier_hpo.optuna.visualization import plot_slice
            from vernier_hpo.optuna.visualization.matplotlib import plot_slice as by_axes
            print(optuna.visualization.is_available(),
                  optuna.visualization.matplotlib.is_available())
            for plot in (plot_slice, by_axes):
                try:
                    plot(optuna.create_study())
                except ImportError as error:
                    print(error)
            """.replace("\n            ", "\n"))
        self.assertEqual(printed.splitlines()[0], "False False")
        self.assertIn("plot_slice needs plotly: pip install plotly", printed)
        self.assertIn("plot_slice needs matplotlib: pip install matplotlib", printed)


if __name__ == "__main__":
    unittest.main()
