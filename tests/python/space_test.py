"""Search spaces: what is refused, what a point is completed to, and what is sent."""

import json
import unittest

import package  # noqa: F401
import vernier_hpo as vn
from vernier_hpo import _study_config as forms
from vernier_hpo._space import check_space, complete_point

CONDITIONAL = {
    "momentum": vn.Float(0, 0.99, when={"opt": "sgd"}),
    "opt": vn.Categorical(["sgd", "adam"]),
    "layers": vn.Int(1, 3),
    "units": vn.Discrete([16, 32], when={"layers": [2, 3]}, default=16),
    "nesterov": vn.Categorical([True, False], when={"momentum_kind": "heavy"}),
    "momentum_kind": vn.Categorical(["none", "heavy"], when={"opt": ["sgd"]}),
}


class SpaceTest(unittest.TestCase):
    def test_what_cannot_be_is_refused_by_name(self):
        Float, Int = vn.Float, vn.Int
        cases = [
            ({}, "at least one"),
            ({"x": (0, 1)}, "x: not a parameter"),
            ({"x": Float(1, 0)}, "x: low must be <= high"),
            ({"x": Float(0, 1, log=True)}, "x: a log scale needs low > 0"),
            ({"x": Float(0, float("nan"))}, "x: the bounds must be finite"),
            ({"x": Float(1, 2, log=True, reverse_log=True)}, "x: log and reverse_log"),
            ({"x": Float(0, 1, default=2)}, "x: the default is not in the range"),
            ({"k": Int(0, 1.5)}, "k: the bounds of an Int are whole"),
            ({"k": Int("a", 8)}, "k: the bounds of an Int are whole"),
            ({"k": Int(1, float("inf"))}, "k: the bounds of an Int are whole"),
            ({"k": Int(None, 8)}, "k: the bounds of an Int are whole"),
            ({"b": vn.Discrete(5)}, "b: a Discrete needs a list"),
            ({"b": vn.Discrete({1, 2})}, "b: a Discrete needs a list"),
            ({"c": vn.Categorical(5)}, "c: a Categorical needs a list"),
            ({"c": vn.Categorical({"a", "b"})}, "c: a Categorical needs a list"),
            ({"b": vn.Discrete([2, 1])}, "b: the values must rise"),
            ({"b": vn.Discrete([])}, "b: a Discrete needs"),
            ({"c": vn.Categorical("abc")}, "c: a Categorical needs a list"),
            ({"c": vn.Categorical(["True", True])}, "c: two choices are written"),
            ({"c": vn.Categorical([(1, 2)])}, "c: a choice is"),
            ({"x": Float(0, 1, when={"y": 1})}, "'y', which is no parameter"),
            ({"x": Float(0, 1, when={"k": 9}), "k": Int(1, 2)}, "'k' can never be 9"),
            ({"x": Float(0, 1, when={"y": 0.5}), "y": Float(0, 1)}, "'y' is a Float"),
            ({"a": Int(0, 1, when={"b": 1}), "b": Int(0, 1, when={"a": 1})}, "circle"),
            ({"x": Float(0, 1, when={"k": 1, "l": 1}), "k": Int(1, 2), "l": Int(1, 2)},
             "one other parameter"),
        ]
        for space, message in cases:
            with self.subTest(message), self.assertRaises(ValueError) as caught:
                check_space(space)
            self.assertIn(message, str(caught.exception))

    def test_numbers_of_other_libraries_become_pythons_own(self):
        class Scalar:
            """As numpy's numbers are."""

            def __init__(self, number):
                self.number = number

            def item(self):
                return self.number

        space = check_space({
            "x": vn.Float(Scalar(0.0), Scalar(1.0), default=Scalar(0.5)),
            "k": vn.Int(Scalar(1), Scalar(8)),
            "b": vn.Discrete(Scalar(each) for each in (16, 32)),
            "c": vn.Categorical(("a", Scalar(True))),
            "y": vn.Float(0, 1, when={"k": [Scalar(2)]})})
        self.assertEqual(space["x"], vn.Float(0.0, 1.0, default=0.5))
        self.assertEqual(space["k"], vn.Int(1, 8))
        self.assertEqual(space["b"].values, [16, 32])
        self.assertEqual(space["c"].choices, ["a", True])
        json.dumps(forms.config_of(space, {"v": "minimize"}, "default", None, False))
        point = complete_point(space, {"k": Scalar(3), "b": Scalar(16), "c": "a"})
        self.assertEqual(point, {"x": 0.5, "k": 3, "b": 16, "c": "a"})
        self.assertIs(type(point["k"]), int)

    def test_a_point_is_completed_by_defaults(self):
        space = {"x": vn.Float(0, 1, default=0.25), "k": vn.Int(1, 8)}
        self.assertEqual(complete_point(space, {"k": 3}), {"x": 0.25, "k": 3})
        with self.assertRaisesRegex(ValueError, "k is missing"):
            complete_point(space, {})
        with self.assertRaisesRegex(ValueError, "no parameter 'q'"):
            complete_point(space, {"q": 1, "k": 1})
        with self.assertRaisesRegex(ValueError, "k cannot be 9"):
            complete_point(space, {"k": 9})
        self.assertEqual(complete_point(space, {}, fills_middles=True),
                         {"x": 0.25, "k": 4})

    def test_a_point_has_the_parameters_that_exist(self):
        self.assertEqual(
            complete_point(CONDITIONAL, {"opt": "adam", "layers": 1}),
            {"opt": "adam", "layers": 1})
        self.assertEqual(
            complete_point(CONDITIONAL, {
                "opt": "sgd", "momentum": 0.5, "momentum_kind": "heavy",
                "nesterov": False, "layers": 2}),
            {"momentum": 0.5, "opt": "sgd", "layers": 2, "units": 16, "nesterov": False,
             "momentum_kind": "heavy"})
        with self.assertRaisesRegex(ValueError, "momentum does not exist"):
            complete_point(CONDITIONAL, {"opt": "adam", "layers": 1, "momentum": 0.5})

    def test_a_space_is_sent_and_read_back(self):
        space = check_space({**CONDITIONAL, "lr": vn.Float(1e-5, 1, log=True),
                             "keep": vn.Float(0.5, 1, reverse_log=True)})
        config = forms.config_of(space, {"loss": "minimize"}, "random", None, True)
        read = forms.space_of(config)
        self.assertEqual(set(read), set(space))
        self.assertEqual(read["lr"], space["lr"])
        self.assertEqual(read["keep"], space["keep"])
        self.assertEqual(read["momentum"].when, {"opt": ["sgd"]})
        self.assertEqual(read["units"],
                         vn.Discrete([16, 32], when={"layers": [2, 3]}, default=16))
        self.assertEqual(read["nesterov"].choices, [True, False])
        self.assertEqual(config["algorithm"], "RANDOM_SEARCH")
        again = forms.config_of(read, {"loss": "minimize"}, "random", None, True)
        by_name = lambda each: each["parameter"]  # noqa: E731
        self.assertEqual(sorted(again["parameters"], key=by_name),
                         sorted(config["parameters"], key=by_name))

    def test_data_of_another_client_changes_nothing(self):
        config = forms.config_of(check_space(CONDITIONAL), {"loss": "minimize"}, "random",
                                 None, True)
        for data in ("", "no JSON", "[]", "5", "null", '{"choices": 5}',
                     '{"choices": {"nesterov": [1, 2]}, "defaults": {"layers": 9}}'):
            config["vernier"]["clientData"] = data
            with self.subTest(data):
                read = forms.space_of(config)
                self.assertEqual(read["nesterov"].choices, ["True", "False"])
                self.assertIsNone(read["units"].default)

    def test_the_middle_is_that_of_the_scale(self):
        self.assertAlmostEqual(vn.Float(1e-4, 1, log=True).middle(), 1e-2)
        self.assertAlmostEqual(vn.Float(0.01, 1, reverse_log=True).middle(), 0.91)
        self.assertEqual(vn.Int(1, 100, log=True).middle(), 10)

    def test_steps_are_discrete_values(self):
        self.assertEqual(vn.stepped(0.1, 0.5, 0.1).values,
                         [0.1, 0.2, 0.3, 0.4, 0.5])
        self.assertEqual(vn.stepped(-0.3, 0.3, 0.1).values,
                         [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3])
        self.assertEqual(vn.stepped(0, 1, 1 / 3).values[-1], 1.0)
        self.assertEqual(vn.stepped(1e-5, 3e-5, 1e-5).values, [1e-5, 2e-5, 3e-5])
        self.assertEqual(vn.stepped(0, 2, 1).values, [0, 1, 2])
        self.assertEqual(vn.stepped(16, 64, 16).values, [16, 32, 48, 64])
        with self.assertRaisesRegex(ValueError, "use Float or Int"):
            vn.stepped(0, 1, 1e-6)

    def test_goals_and_algorithms_have_known_names(self):
        space = {"x": vn.Float(0, 1)}
        with self.assertRaisesRegex(ValueError, '"minimize" or "maximize"'):
            forms.config_of(space, {"v": "smallest"}, "default", None, False)
        with self.assertRaisesRegex(ValueError, "no algorithm 'tpe', but default"):
            forms.config_of(space, {"v": "minimize"}, "tpe", None, False)


if __name__ == "__main__":
    unittest.main()
