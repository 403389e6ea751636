"""Jobs from Python: submitted files, objectives that run as processes, their trials."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

from package import SOURCES, ServiceCase
import vernier_hpo as vn

X = {"x": vn.Float(0, 1)}
CONFIG = """
trainingInput:
  scaleTier: BASIC
  args: [--offset, "0"]
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 3
    maxParallelTrials: 2
    params:
    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}
    - {parameterName: batch, type: DISCRETE, discreteValues: [16, 32]}
vernier:
  command: [python3, train.py]
  codeDir: .
"""
TRAIN = """
import os, sys
import vernier_hpo as vn
trial = vn.trial()
print("trial", trial.number, "of", trial.job, sorted(trial.params))
assert type(trial.params["batch"]) is int and 0 <= trial["x"] <= 1
offset = float(sys.argv[sys.argv.index("--offset") + 1])
for step in range(1, 4):
    vn.report("loss", trial.params["x"] + offset, step)
    vn.report("speed", 2.0, step)
print(os.environ.get("COLOUR"), vn.should_stop())
"""
SCRIPT = """
import vernier_hpo as vn

SPACE = {"x": vn.Float(0, 1), "k": vn.Discrete([1, 2, 4]),
         "flag": vn.Categorical([True, None, "text"]),
         "m": vn.Float(0, 1, default=0.5, when={"k": [2, 4]})}


def objective(trial):
    assert trial.params["flag"] in (True, None, "text")
    assert type(trial.params["k"]) is int
    assert ("m" in trial.params) == (trial.params["k"] != 1)
    for step in (1, 2):
        trial.report(trial.params["x"] + 1, step)
    print("runs", trial)
    return trial.params["x"]


def traded(trial):
    trial.report({"loss": trial["x"], "cost": 1 - trial["x"]}, 1)
    return trial["x"], 1 - trial["x"]


def bounded(trial):
    return {"loss": trial["x"], "memory": 10 * trial["x"]}


def too_few(trial):
    return [1.0]


def stopped(trial):
    trial.report(0.5, 1)
    raise vn.TrialStopped()


def broken(trial):
    raise RuntimeError("a fault of mine")


if __name__ == "__main__":
    job = vn.run(objective, SPACE, 4, n_jobs=2, name="by_script", seed=7)
    print(job.state)
"""


class JobTest(ServiceCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="vernier-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def run_script(self, text, python_path=SOURCES):
        path = self.write("script.py", text)
        result = subprocess.run(
            [sys.executable, path], env={**os.environ, "PYTHONPATH": python_path},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode() + result.stderr.decode()

    def submit_file(self, train=TRAIN, **how):
        self.write("train.py", train)
        os.environ["PYTHONPATH"] = SOURCES
        self.addCleanup(os.environ.pop, "PYTHONPATH", None)
        return vn.submit(self.write("config.yaml", CONFIG), **how)

    def test_a_trial_of_a_job_has_attributes_and_a_note(self):
        script = '''
            import vernier_hpo as vn

            trial = vn.trial()
            trial.set_user_attr("checkpoint", "best.pt")
            trial.set_user_attr("layers", [64, trial.number])
            vn.report("loss", trial.params["x"], 1)
        '''
        job = self.submit_file(name="attributed", train=script)
        self.assertEqual(job.wait(60), "SUCCEEDED", job.error_message)
        self.assertEqual([each.user_attrs for each in job.trials],
                         [{"checkpoint": "best.pt", "layers": [64, n]} for n in (1, 2, 3)])
        job.set_user_attr("dataset", "digits")
        second = job.trials[1]
        second.set_user_attr("checkpoint", None)
        second.write_note("the second")
        self.assertEqual(second.user_attrs["checkpoint"], None)
        again = vn.load_job("attributed")
        self.assertEqual(again.user_attrs, {"dataset": "digits"})
        self.assertEqual((again.trials[1].user_attrs, again.trials[1].note),
                         ({"checkpoint": None, "layers": [64, 2]}, "the second"))
        self.assertEqual(again.trials[2].note, "")
        with self.assertRaisesRegex(vn.InvalidArgumentError, "64 KiB|65536"):
            second.set_user_attr("large", "x" * (64 << 10))

    def test_an_objective_returns_values_of_several_metrics(self):
        self.write("parts.py", SCRIPT)
        both = {"loss": "minimize", "cost": "minimize"}
        self.run_script(f"""
            import vernier_hpo as vn

            SPACE = {{"x": vn.Float(0, 1)}}
            job = vn.run("parts:traded", SPACE, 3, name="traded", metrics={both})
            assert [each.number for each in job.best_trials] and len(job.best_trials) == 3
            try:
                job.best_trial
            except vn.FailedPreconditionError as error:
                assert "best_trials" in str(error), error
            else:
                assert False, "several metrics have no best trial"
            for trial in job.trials:
                assert trial.values == [trial.params["x"], 1 - trial.params["x"]], trial
            job = vn.run("parts:bounded", SPACE, 4, name="bounded", metric="loss", seed=1,
                         goal="maximize", constraints=[{{"metric": "memory", "max": 5}}])
            allowed = [each for each in job.trials if each.metrics["memory"] <= 5]
            assert 0 < len(allowed) < 4, job.trials
            assert job.best_trial.value == max(each.value for each in allowed), job.trials
            job = vn.run("parts:too_few", SPACE, 1, name="few", metrics={both}, wait=False)
        """, python_path=os.pathsep.join([SOURCES, self.folder]))
        few = vn.load_job("few")
        few.wait(60)
        self.assertIn("a value for each of loss, cost", few.logs(1))

    def test_a_file_is_submitted(self):
        job = self.submit_file(name="submitted", args=["--offset", 10],
                               env={"COLOUR": "red"})
        self.assertEqual(job.wait(60), "SUCCEEDED", job.error_message)
        self.assertEqual(job.state, "SUCCEEDED")
        trials = job.trials
        self.assertEqual([each.number for each in trials], [1, 2, 3])
        best = job.best_trials
        self.assertEqual([each.value for each in best],
                         sorted(each.value for each in trials))
        self.assertEqual(job.best_trial, best[0])
        self.assertGreaterEqual(best[0].value, 10)
        self.assertEqual(set(best[0].intermediate_values), {1, 2, 3})
        self.assertIn("trial 2 of submitted ['batch', 'x']", job.logs(2))
        self.assertIn("red False", job.logs(2))
        self.assertIn("succeeded", job.why())
        self.assertIn("rial 2", job.why(2))
        self.assertEqual(job.metrics, {"loss": "minimize"})
        page = job._repr_html_()
        self.assertIn("<b>submitted</b>: succeeded, 3 of 3 trials have ended", page)
        self.assertIn("<th>loss</th><th>x</th><th>batch</th>", page)
        self.assertEqual(vn.load_job("submitted").best_trial.value, best[0].value)
        summary = {each.name: each for each in vn.list_studies()}["submitted"]
        self.assertTrue(summary.is_job)
        with self.assertRaises(vn.AlreadyExistsError):
            self.submit_file(name="submitted")
        job.extend(4)
        self.assertEqual(job.wait(60), "SUCCEEDED")
        self.assertEqual(len(job.trials), 4)
        job.delete()
        with self.assertRaises(vn.NotFoundError):
            vn.load_job("submitted")

    def test_a_fault_of_the_file_has_its_line(self):
        path = self.write("wrong.yaml", CONFIG.replace("maxTrials", "maxTrails"))
        with self.assertRaisesRegex(vn.InvalidArgumentError,
                                    r"wrong.yaml:8:.*did you mean maxTrials"):
            vn.submit(path)

    def test_a_job_is_cancelled(self):
        job = vn.submit({
            "jobId": "cancelled",
            "trainingInput": {"hyperparameters": {
                "hyperparameterMetricTag": "loss", "maxTrials": 2,
                "params": [{"parameterName": "x", "type": "DOUBLE", "minValue": 0,
                            "maxValue": 1}]}},
            "vernier": {"command": ["sh", "-c", "sleep 60"]}})
        with self.assertRaisesRegex(TimeoutError, "the job cancelled is"):
            job.wait(0.2)
        job.cancel()
        self.assertEqual(job.wait(60), "CANCELLED")
        with self.assertRaises(vn.NotFoundError):
            job.best_trial  # noqa: B018
        self.assertEqual(repr(job), "Job(name='cancelled')")

    def test_a_job_takes_proposals(self):
        printed = self.run_script("""
            import vernier_hpo as vn

            def objective(trial):
                return abs(trial.params["x"] - 0.3) + 0.1 * trial.params["flip"]

            if __name__ == "__main__":
                space = {"x": vn.Float(0, 1), "flip": vn.Categorical([True, False])}
                job = vn.run(objective, space, 9, name="advised", seed=1, wait=False)
                job.propose({"x": 0.3, "flip": False}, "an agent")
                job.wait(60)
                print([trial.params for trial in job.trials])
                print(job.why(job.best_trial.number))
            """)
        self.assertEqual(printed.count("{'x': 0.3, 'flip': False}"), 1)
        self.assertIn('It was proposed by "an agent"', printed)

    def test_an_objective_of_a_script_runs_as_trials(self):
        self.assertIn("SUCCEEDED", self.run_script(SCRIPT))
        job = vn.load_job("by_script")
        trials = job.trials
        self.assertEqual(len(trials), 4)
        for trial in trials:
            self.assertEqual(trial.value, trial.params["x"])
            self.assertEqual(len(trial.intermediate_values), 2)
        self.assertEqual(job.describe()["vernier"]["seed"], "7")
        self.assertIn("runs LaunchedTrial(job='by_script', number=1)", job.logs(1))

    def test_a_trial_has_the_files_that_it_wrote(self):
        printed = self.run_script("""
            import os
            import vernier_hpo as vn

            def objective(trial):
                os.makedirs("out")
                with open("out/model.pt", "w") as file:
                    file.write("weights")
                return trial.params["x"]

            if __name__ == "__main__":
                for copy_code in (True, False):
                    job = vn.run(objective, {"x": vn.Float(0, 1)}, 1,
                                 copy_code=copy_code, name=f"files{copy_code}")
                    trial = job.trials[0]
                    print(job.state, [path.name for path in trial.files],
                          all(path.exists() for path in trial.files),
                          os.path.exists(os.path.join(
                              os.path.dirname(os.path.abspath(__file__)), "out/model.pt")))
                    try:
                        job.delete()
                    except vn.FailedPreconditionError as error:
                        print(error)
                        print("gone with", job.delete(with_outputs=True))
        """)
        self.assertRegex(printed, r"removes 1 file \(7 bytes\) that its trials left below /")
        self.assertIn("gone with 1 file (7 bytes)\n", printed)
        self.assertIn("SUCCEEDED ['model.pt'] True False\n", printed)
        self.assertIn("SUCCEEDED [] True True\n", printed)

    def test_an_objective_of_a_module_by_name(self):
        os.makedirs(os.path.join(self.folder, "pack"))
        self.write("pack/__init__.py", "")
        self.write("pack/parts.py", SCRIPT)
        printed = self.run_script("""
            import vernier_hpo as vn
            from pack.parts import SPACE, objective
            one = vn.run("pack.parts:objective", SPACE, 2, name="by_name")
            two = vn.run(objective, SPACE, 2, name="by_function", wait=False)
            print(one.state, two.wait(), [type(each.params["k"]) for each in one.trials])
            """)
        self.assertIn("SUCCEEDED SUCCEEDED [<class 'int'>, <class 'int'>]", printed)

    def test_a_script_without_a_main_guard_begins_no_job_in_its_trials(self):
        self.write("script.py", """
            import vernier_hpo as vn
            def objective(trial):
                return 1.0
            vn.run(objective, {"x": vn.Float(0, 1)}, 1, name="unguarded", seed=7)
            """)
        # Trials find the program, too, and could begin jobs.
        programs = tempfile.mkdtemp(prefix="vernier-")
        self.addCleanup(shutil.rmtree, programs)
        os.symlink(os.environ["VERNIER_BINARY"], os.path.join(programs, "vernier"))
        subprocess.run(
            [sys.executable, os.path.join(self.folder, "script.py")], check=False,
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}",
                 "PYTHONPATH": SOURCES}, timeout=120, capture_output=True)
        job = vn.load_job("unguarded")
        self.assertEqual(job.state, "FAILED")
        self.assertIn('belongs below if __name__ == "__main__":', job.logs(1))

    def test_an_objective_of_a_program_that_is_started_as_a_module(self):
        os.makedirs(os.path.join(self.folder, "tool"))
        self.write("tool/__init__.py", "")
        self.write("tool/parts.py", "FACTOR = 2\n")
        self.write("tool/train.py", """
            import vernier_hpo as vn
            from .parts import FACTOR
            def objective(trial):
                return FACTOR * trial.params["x"]
            if __name__ == "__main__":
                print(vn.run(objective, {"x": vn.Float(0, 1)}, 2).state)
            """)
        result = subprocess.run(
            [sys.executable, "-m", "tool.train"], cwd=self.folder, check=False,
            env={**os.environ, "PYTHONPATH": SOURCES}, timeout=120, capture_output=True)
        self.assertEqual((result.returncode, result.stdout), (0, b"SUCCEEDED\n"),
                         result.stderr.decode())

    def test_trials_find_the_package_where_the_script_found_it(self):
        printed = self.run_script(f"""
            import sys
            sys.path.insert(0, {SOURCES!r})
            import vernier_hpo as vn
            def objective(trial):
                return 1.0
            if __name__ == "__main__":
                print(vn.run(objective, {{"x": vn.Float(0, 1)}}, 1).state)
            """, python_path="")
        self.assertIn("SUCCEEDED", printed)

    def test_a_description_beyond_one_argument_arrives(self):
        printed = self.run_script("""
            import vernier_hpo as vn
            NAMES = [f"{at:03}" + "n" * 250 for at in range(1000)]
            SPACE = {name: vn.Int(0, 9) if name < "600" else
                     vn.Categorical([1.5, "2"]) for name in NAMES}
            def objective(trial):
                return float(sum(type(trial.params[name]) is int for name in NAMES))
            if __name__ == "__main__":
                from vernier_hpo._objective import refer_to
                from vernier_hpo._run import _description
                print(len(_description(refer_to(objective), "value", SPACE)) > 300 << 10)
                job = vn.run(objective, SPACE, 1, algorithm="random")
                print(job.state, [each.value for each in job.trials])
            """)
        self.assertIn("True\nSUCCEEDED [600.0]\n", printed)

    def test_what_else_a_trial_reported_is_there_at_its_end(self):
        printed = self.run_script("""
            import vernier_hpo as vn
            def objective(trial):
                for step in (1, 2):
                    trial.report({"value": 2.0, "accuracy": 0.25 * step,
                                  "bad": float("nan")}, step)
                return 1.5
            if __name__ == "__main__":
                trial = vn.run(objective, {"x": vn.Float(0, 1)}, 1).best_trial
                print(trial.metrics, trial.last_values)
            """)
        self.assertIn("{'value': 1.5} {'value': 1.5, 'accuracy': 0.5}\n", printed)

    def test_an_objective_may_stop_early_or_fail(self):
        self.write("parts.py", SCRIPT)
        printed = self.run_script("""
            import vernier_hpo as vn
            from parts import SPACE, broken, stopped
            print([(each.value, each.state.name, each.end_cause)
                   for each in vn.run(stopped, SPACE, 2).trials])
            job = vn.run(broken, SPACE, 20, name="fails", wait=False)
            try:
                print(job.wait(60))
            except vn.FailedPreconditionError as error:
                print(error)
            print(job.logs(1))
            """)
        # As a trial of study.optimize.
        self.assertIn(f"{[(0.5, 'STOPPED', 'stopped_early')] * 2}", printed)
        self.assertIn("a fault of mine", printed)
        self.assertIn("is paused", printed)

    def run_fixed(self, name, body, arguments="3", also=""):
        """A script whose objective has this body; what its job came to, and the notes."""
        printed = self.run_script(f"""
            import vernier_hpo as vn
            def objective(trial):
                {body}
            if __name__ == "__main__":
                job = vn.run(objective, {{"x": vn.Float(0, 1)}}, {arguments},
                             name={name!r}, wait=False)
                try:
                    print("state", job.wait(60))
                except vn.FailedPreconditionError as error:
                    print("error", error)
                print([str(each.state) for each in job.trials])
                {also}
            """)
        return printed

    def test_a_fixed_script_goes_on_with_its_job(self):
        broken = self.run_fixed("mended", "raise RuntimeError('a bug')", "6")
        self.assertNotIn("state SUCCEEDED", broken)
        mended = self.run_fixed("mended", "return trial.params['x']", "6")
        self.assertIn("state SUCCEEDED", mended)
        self.assertRegex(mended, "vernier: job mended goes on: new code.*in place of as many")
        self.assertEqual(mended.count("'completed'"), 6)
        # All is done: the same script says so, and a larger number goes on.
        again = self.run_fixed("mended", "return trial.params['x']", "6")
        self.assertIn("has succeeded, and nothing changed since", again)
        self.assertIn("for more trials: job.extend(N)", again)
        more = self.run_fixed("mended", "return trial.params['x']", "8")
        self.assertEqual(more.count("'completed'"), 8)

    def test_another_search_needs_another_name(self):
        self.run_fixed("searched", "return 1.0", "1")
        other = self.write("other.py", """
            import vernier_hpo as vn
            def objective(trial):
                return 1.0
            if __name__ == "__main__":
                try:
                    vn.run(objective, {"y": vn.Float(0, 1)}, 1, name="searched")
                except vn.FailedPreconditionError as error:
                    print(error)
            """)
        printed = subprocess.run(
            [sys.executable, other], env={**os.environ, "PYTHONPATH": SOURCES},
            check=True, capture_output=True, timeout=60).stdout.decode()
        self.assertIn("searches otherwise: params differ in x, y", printed)

    def test_a_job_gets_other_code(self):
        self.run_fixed("updated", "raise RuntimeError('a bug')", "6")
        self.write("script.py", """
            def objective(trial):
                return 7.0
            """)
        job = vn.load_job("updated")
        self.assertEqual(job.update(code=self.folder), ["new code"])
        self.assertEqual(job.update(code=self.folder), [])
        job.resume()
        self.assertEqual(job.wait(60), "SUCCEEDED")
        self.assertEqual(job.best_trial.value, 7.0)

    def test_a_search_is_edited(self):
        self.run_fixed("edited", "return trial.params['x'] + trial.params.get('y', 0)", "3")
        job = vn.load_job("edited")
        with self.assertRaisesRegex(vn.FailedPreconditionError, '"y" is new and has no'):
            job.edit({"x": vn.Float(0, 0.25), "y": vn.Int(1, 4)})
        changes = job.edit({"x": vn.Float(0, 0.25), "y": vn.Int(1, 4, default=1)})
        self.assertEqual(changes[:2], ["x: range 0..1 -> 0..0.25",
                                       "y: added; earlier trials had 1"])
        job.extend(6)
        self.assertEqual(job.wait(60), "SUCCEEDED")
        later = job.get_trials()[3:]
        self.assertEqual(len(later), 3)
        for trial in later:
            self.assertLessEqual(trial.params["x"], 0.25)
            self.assertEqual(trial.value, trial.params["x"] + trial.params["y"])
        self.assertIn("y: dropped; later trials have 1", job.edit({"x": vn.Float(0, 1)}))

    def test_values_keep_their_types_over_edits(self):
        printed = self.run_script("""
            import vernier_hpo as vn
            def objective(trial):
                return 1.0
            if __name__ == "__main__":
                job = vn.run(objective, {"c": vn.Categorical([True, None, 3]),
                                         "x": vn.Float(0, 1)}, 9, name="typed", seed=1)
                before = [each.params["c"] for each in job.trials]
                print(sorted({type(each).__name__ for each in before}))
                job.edit({"c": vn.Categorical([True, "a"]), "x": vn.Float(0, 1)})
                print(before == [each.params["c"] for each in job.trials])
                job.edit({"c": vn.Categorical([True]), "x": vn.Float(0, 1)})
                job.edit({"x": vn.Float(0, 1)})
                print(before == [each.params["c"] for each in job.trials])
            """)
        self.assertIn("['NoneType', 'bool', 'int']\nTrue\nTrue", printed)

    def test_constraints_and_references(self):
        metrics = {"loss": "minimize", "cost": {"goal": "minimize", "reference": 2}}
        self.write("traded.py", SCRIPT)
        sys.path.insert(0, self.folder)
        self.addCleanup(sys.path.remove, self.folder)
        bound = {"metric": "memory", "max": 5}
        job = vn.run("traded:traded", {"x": vn.Float(0, 1)}, 3, metrics=metrics, wait=False,
                     name="referred", constraints=["x <= 0.5", bound])
        section = job.describe()["vernier"]
        self.assertEqual([each.get("reference") for each in section["objectives"]], [None, 2])
        job.pause()
        self.assertEqual(job.edit(constraints=["x <= 0.25", bound]),
                         ['constraint added: "x <= 0.25"',
                          'constraint dropped: "x <= 0.5"'])
        self.assertEqual(job.edit(constraints=[]), ['constraint dropped: "x <= 0.25"'])
        section = job.describe()["vernier"]
        self.assertEqual(section["metricConstraints"], [bound])
        self.assertNotIn("parameterConstraints", section)
        with self.assertRaisesRegex(ValueError, "an edit has a space, constraints, or"):
            job.edit()
        with self.assertRaisesRegex(ValueError, "give goal and metric, or metrics"):
            vn.run("traded:traded", X, 1, goal="maximize", metrics=metrics)
        job.cancel()

    def test_a_metric_is_renamed_with_its_values(self):
        self.run_fixed("renamed", "return trial.params['x']", "3")
        job = vn.load_job("renamed")
        metric = job.describe()["trainingInput"]["hyperparameters"]["hyperparameterMetricTag"]
        best = job.best_trial.value
        self.assertEqual(job.edit(rename_metrics={metric: "score"}),
                         [f"metric {metric} -> score"])
        job.extend(5)  # Its program is told the new name.
        self.assertEqual(job.wait(60), "SUCCEEDED")
        self.assertEqual([list(each.metrics) for each in job.get_trials()], [["score"]] * 5)
        self.assertGreaterEqual(best, job.best_trial.value)

    def test_long_choices_reach_the_trials(self):
        printed = self.run_script("""
            import vernier_hpo as vn
            LONG = [None, 3, "3x", True] + [f"{i}-" + 500 * "a" for i in range(900)]
            def objective(trial):
                assert trial.params["c"] in (None, 3, "3x", True) or len(trial.params["c"]) > 500
                return 1.0
            if __name__ == "__main__":
                job = vn.run(objective, {"c": vn.Categorical(LONG)}, 3, name="long")
                print(job.state, len(job.get_trials("state=completed")))
            """)
        self.assertIn("SUCCEEDED 3", printed)

    def test_what_no_command_line_takes_is_said(self):
        for how in ({"args": ["x" * (1 << 18)]}, {"env": {"LONG": "x" * (1 << 18)}}):
            with self.assertRaisesRegex(vn.InvalidArgumentError, "put what is long into"):
                vn.submit({"jobId": "too_long"}, **how)

    def test_the_log_has_a_line_for_each_trial(self):
        printed = self.run_script("""
            import logging
            import vernier_hpo as vn
            def objective(trial):
                return 0.5
            if __name__ == "__main__":
                logging.basicConfig(level=logging.INFO)
                vn.run(objective, {"x": vn.Float(0, 1)}, 3, name="told")
            """)
        self.assertIn("INFO:vernier_hpo:told: trial 3  completed  value 0.5  x=", printed)

    def test_what_no_other_process_finds_is_refused(self):
        offset = 1

        def inner(trial):
            return trial.params["x"] + offset

        class Callable:
            def __call__(self, trial):
                return 1.0

        for wrong in (lambda trial: 1.0, inner, Callable(), print):
            with self.subTest(wrong), self.assertRaisesRegex(
                    ValueError, "another process cannot find"):
                vn.run(wrong, X, 1)
        with self.assertRaisesRegex(ValueError, "a job's name is a text: 5"):
            vn.run("json:loads", X, 1, name=5)
        for wrong, message in (("nothing", '"module:function"'),
                               ("no_such_module:f", "there is no module")):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, message):
                vn.run(wrong, X, 1)
        with self.assertRaisesRegex(ValueError, "json/__init__.py defines no load_it"):
            vn.run("json:load_it", X, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "late.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent("""
                    import vernier_hpo as vn
                    if __name__ == "__main__":
                        def objective(trial):
                            return trial["x"]
                        vn.run(objective, {"x": vn.Float(0, 1)}, 1)
                    """))
            ended = subprocess.run([sys.executable, path], stderr=subprocess.PIPE, check=False,
                                   env={**os.environ, "PYTHONPATH": SOURCES})
            self.assertIn(b"ValueError: objective stands below if __name__", ended.stderr)
        for count in (0, -1):
            with self.assertRaisesRegex(ValueError, f"n_trials must be >= 1: {count}"):
                vn.run("json:loads", X, count)
        interactive = {"__name__": "__main__"}
        exec("def typed(trial):\n  return 1.0", interactive)
        with self.assertRaisesRegex(ValueError, "is in no file"):
            vn.run(interactive["typed"], X, 1)


if __name__ == "__main__":
    unittest.main()
