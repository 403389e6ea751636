"""The search of a study is edited while programs work on it."""

import os
import threading
import unittest

from package import Service, ServiceCase
import vernier_hpo as vn
from vernier_hpo import _plot


class StudyEditsTest(ServiceCase):
    def test_a_search_is_edited(self):
        study = vn.create_study({"x": vn.Float(0, 1), "c": vn.Categorical([1, None])},
                                name="edited")
        for value in range(6):
            study.tell(study.ask(), value)
        waiting = study.ask()
        other = vn.load_study("edited")
        narrow = {"x": vn.Float(0, 0.25), "c": vn.Categorical([1, None, 2.5])}
        with self.assertRaisesRegex(
                vn.FailedPreconditionError,
                r'"k" is new and has no default.*priorStudies: \[edited\]'):
            study.edit({**narrow, "k": vn.Int(1, 4)})
        self.assertEqual(
            study.edit({**narrow, "k": vn.Int(1, 4, default=2)}),
            ["x: range 0..1 -> 0..0.25", "c: values added: 2.5",
             "k: added; earlier trials had 2"])
        self.assertEqual(list(study.space), ["x", "c", "k"])
        study.tell(waiting, 7)  # As it was asked for.
        for trial in (study.ask(), other.ask(), other.ask()):
            self.assertLessEqual(trial.params["x"], 0.25)
            self.assertIn(trial.params["c"], [1, None, 2.5])
            self.assertIn(trial.params["k"], [1, 2, 3, 4])
            trial.study.tell(trial, 1)
        loaded = vn.load_study("edited", space=study.space)
        self.assertEqual(loaded.space["c"].choices, [1, None, 2.5])
        self.assertEqual(loaded.space["k"].default, 2)
        self.assertEqual(len(loaded.get_trials("state=completed")), 10)
        self.assertIn("k: dropped; later trials have 2", study.edit(
            {"x": vn.Float(0, 1), "c": vn.Categorical([1, None])}))
        self.assertNotIn("k", other.ask().params)

    def test_a_parameter_that_was_made_with_a_default_is_dropped(self):
        study = vn.create_study({"x": vn.Float(0, 1), "k": vn.Int(1, 9, default=3)})
        study.optimize(lambda trial: trial["x"], 3)
        changes = study.edit({"x": vn.Float(0, 1)})
        self.assertEqual(len(changes), 1)
        self.assertIn("k", changes[0])
        self.assertEqual(set(study.ask().params), {"x"})
        self.assertEqual(set(study.trials[0].params), {"x", "k"})

    def test_a_metric_is_renamed_with_its_values(self):
        study = vn.create_study({"x": vn.Float(0, 1)}, name="renamed", metric="acc",
                                goal="maximize")
        for value in range(3):
            study.tell(study.ask(), value)
        stale = vn.load_study("renamed")
        waiting = stale.ask()
        with self.assertRaisesRegex(vn.InvalidArgumentError, 'the metrics are "acc"'):
            study.edit(rename_metrics={"ac": "accuracy"})
        with self.assertRaisesRegex(ValueError, "rename_metrics"):
            study.edit()
        self.assertEqual(study.edit(rename_metrics={"acc": "accuracy"}),
                         ["metric acc -> accuracy"])
        stale.tell(waiting, 9)  # It still says "acc".
        for each in (study, vn.load_study("renamed")):
            self.assertEqual(list(each.metrics), ["accuracy"])
            self.assertEqual(each.best_trial.value, 9)
            self.assertEqual([one.metrics for one in each.get_trials("objective>=1")],
                             [{"accuracy": 1}, {"accuracy": 2}, {"accuracy": 9}])
        with self.assertRaisesRegex(vn.FailedPreconditionError,
                                    "other metrics: {'accuracy': 'maximize'} there"):
            vn.create_study({"x": vn.Float(0, 1)}, name="renamed", metric="acc",
                            goal="maximize", load_if_exists=True)
        self.assertEqual(stale.best_trial.value, 9)
        self.assertEqual(
            study.edit({"x": vn.Float(0, 0.5)}, rename_metrics={"accuracy": "acc"}),
            ["metric accuracy -> acc", "x: range 0..1 -> 0..0.5"])
        self.assertEqual(vn.load_study("renamed").best_trial.value, 9)

    def test_values_keep_their_types_over_edits(self):
        first = {"flag": vn.Categorical([True, False]), "n": vn.Categorical([1, 2, "3"]),
                 "batch": vn.Discrete([16, 32]), "word": vn.Categorical(["1", "2"])}
        study = vn.create_study(first, name="types")
        points = [{"flag": flag, "n": n, "batch": 32, "word": "2"}
                  for flag in (True, False) for n in (1, 2, "3")]
        for point in points:
            study.add_trial(point, 1)

        def edit(**changes):
            study.edit({**first, **changes})
            for each in (study, vn.load_study("types")):
                found = [trial.params for trial in each.trials]
                self.assertEqual(found, points)
                self.assertEqual([list(map(type, one.values())) for one in found],
                                 [list(map(type, one.values())) for one in points])

        edit(flag=vn.Categorical([True]), n=vn.Categorical([1, 4]),
             batch=vn.Discrete([16]), word=vn.Categorical(["1"]))
        edit(flag=vn.Categorical([True]), n=vn.Categorical(["5", "a"]))
        self.assertEqual(vn.load_study("types").space["n"].choices, ["5", "a"])
        edit(n=vn.Categorical([2, 4]))  # One of them is there again.
        edit(word=vn.Categorical([1]))
        self.assertEqual(vn.load_study("types").space["word"].choices, [1])
        edit()
        study.edit({"batch": first["batch"], "flag": vn.Categorical([False]),
                    "n": first["n"], "word": vn.Categorical(["2"])})
        study.edit({"batch": first["batch"], "n": first["n"]})
        for each in (study, vn.load_study("types")):
            self.assertEqual([trial.params for trial in each.trials], points)
        self.assertEqual(vn.load_study("types").space["n"], first["n"])

    def test_a_category_that_only_the_command_line_knew_is_a_literal(self):
        study = vn.create_study({"c": vn.Categorical([1, "b"]),
                                 "t": vn.Categorical(["1", "2"])}, name="unknown")
        path = os.path.join(self.service.home, "unknown.yaml")

        def update(c, t):
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"parameters:\n  c: {{choice: {c}}}\n  t: {{choice: {t}}}\n")
            self.service.cli("studies", "update", "unknown", "--config", path)

        update(["1", "b", "4", "None"], ["1", "2", "4"])
        loaded = vn.load_study("unknown")
        loaded.add_trial({"c": 4, "t": "4"}, 1)
        loaded.add_trial({"c": None, "t": "1"}, 1)
        update(["1"], ["1"])
        for each in (study, loaded, vn.load_study("unknown")):
            self.assertEqual([trial.params for trial in each.trials],
                             [{"c": 4, "t": "4"}, {"c": None, "t": "1"}])

    def test_a_plot_has_room_for_what_an_edit_dropped(self):
        scale = _plot._Scale(vn.Categorical([1]), [2, 1])
        self.assertEqual((scale.place(1), scale.place(2)), (0, 1))

    def test_earlier_choices_beyond_the_room_of_a_study_are_left_out(self):
        study = vn.create_study({"c": vn.Categorical([None, "x" * 1000])}, name="long")
        for letter in "abc":
            study.edit({"c": vn.Categorical(
                [None, *(f"{letter}{i}-{'x' * 300}" for i in range(400))])})
        trial = vn.load_study("long").add_trial({"c": None}, 1)
        self.assertIsNone(vn.load_study("long").get_trial(trial).params["c"])

    def test_constraints_are_edited(self):
        bound = {"metric": "memory", "max": 4}
        space = {"a": vn.Float(0, 1), "b": vn.Float(0, 1)}
        study = vn.create_study(space, name="constrained", constraints=["a <= b", bound])
        self.assertEqual(study.edit(constraints=["a <= b", "a + b <= 1", bound]),
                         ['constraint added: "a + b <= 1"'])
        self.assertEqual(study.edit({**space, "b": vn.Float(0, 0.5)}),
                         ["b: range 0..1 -> 0..0.5"])
        for _ in range(5):
            params = study.ask().params
            self.assertLessEqual(params["a"], params["b"])
        self.assertEqual(study.edit(space, constraints=[]), [
            "b: range 0..0.5 -> 0..1", 'constraint dropped: "a <= b"',
            'constraint dropped: "a + b <= 1"'])
        with self.assertRaisesRegex(ValueError, "not vernier.metricConstraints"):
            study.edit(constraints=[{"metric": "memory", "max": 5}])
        with self.assertWarnsRegex(UserWarning, "no value of the metric 'memory'"):
            study.tell(study.ask(), 1)  # That bound stays.
        for wrong in ("a <= b", bound, 5):
            with self.assertRaisesRegex(ValueError, "constraints is a list"):
                study.edit(constraints=wrong)

    def test_a_rename_is_a_dict_of_names(self):
        study = vn.create_study({"x": vn.Float(0, 1)})
        for wrong in ("value", ["value"], {"value": 5}, {5: "value"}):
            with self.assertRaisesRegex(ValueError, "rename_metrics is a dict"):
                study.edit(rename_metrics=wrong)

    def test_programs_may_ask_meanwhile(self):
        study = vn.create_study({"x": vn.Float(0, 1)}, name="busy")
        errors = []

        def work():
            own = vn.load_study("busy")
            for _ in range(12):
                try:
                    trial = own.ask()
                    own.tell(trial, trial.params["x"])
                except vn.VernierError as error:
                    errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for high in (0.5, 0.25, 0.125, 0.0625):
            study.edit({"x": vn.Float(0, high)})
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(len(study.get_trials("state=completed")), 48)
        self.assertLessEqual(study.ask().params["x"], 0.0625)

    def test_what_cannot_be_edited_is_the_memory_of_another_study(self):
        study = vn.create_study({"x": vn.Float(0, 1)}, name="former")
        for _ in range(8):
            trial = study.ask()
            study.tell(trial, (trial.params["x"] - 0.3) ** 2)
        with self.assertRaisesRegex(
                vn.FailedPreconditionError,
                r"a type never changes.*has this one as its memory with "
                r"priorStudies: \[former\] \(prior_studies in"):
            study.edit({"x": vn.Int(0, 1)})
        later = vn.create_study({"x": vn.Float(0, 1), "y": vn.Float(0, 1)},
                                name="later", prior_studies=["former"])
        later.ask()
        self.assertIn("former", self.service.cli("why", "later", "1").stdout)


class EditedStudyTest(unittest.TestCase):
    def test_a_version_outlives_the_service_and_is_undone(self):
        with Service() as service:
            study = vn.create_study({"x": vn.Float(0, 1), "c": vn.Categorical([1, 2])},
                                    name="s", endpoint=service.endpoint)
            for _ in range(8):
                study.tell(study.ask(), 1)
            edit = os.path.join(service.home, "edit.yaml")

            def update(parameters, *flags, check=True):
                with open(edit, "w", encoding="utf-8") as file:
                    file.write("parameters:\n" + parameters +
                               "  c: {choice: ['1', '2', '4']}\n")
                return service.cli("studies", "update", "s", "--config", edit, *flags,
                                   check=check)

            told = update("  x: {float: [0, 0.25]}\n", "--validate-only").stderr
            self.assertIn("study s stays as it is; the update would change: x: range", told)
            told = update("  x: {float: [0, 0.25]}\n").stderr
            self.assertIn("study s, for the trials to come: x: range 0..1 -> 0..0.25 "
                          "(version 2), c: values added: 4", told)
            refused = update("  x: {float: [0, 1]}\n  y: {float: [0, 1]}\n", check=False)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn('"y" is new and has no default', refused.stderr)
            service.kill()
            service.start()
            why = service.cli("why", "s").stdout
            self.assertIn("Its version 2 brought: x: range 0..1 -> 0..0.25", why)
            self.assertRegex(why, "[1-8] of 8 trials lies? outside|[1-8] of 8 trials lie ")
            trial = study.ask()
            self.assertLessEqual(trial.params["x"], 0.25)
            self.assertIn(trial.params["c"], [1, 2, 4])
            self.assertEqual(vn.load_study("s", endpoint=service.endpoint).space["c"].choices,
                             [1, 2, 4], "typed as the program gave them")
            update("  x: {float: [0, 1]}\n")
            self.assertNotIn("outside", service.cli("why", "s").stdout)


if __name__ == "__main__":
    unittest.main()
