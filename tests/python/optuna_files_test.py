"""vernier_hpo.optuna.storages: studies in files, which outlive a program."""

import concurrent.futures
import gc
import os
import pickle
import sqlite3
import tempfile
import time
import unittest
import unittest.mock
import warnings

from package import python
import vernier_hpo.optuna as optuna
from optuna_module_test import (COMPLETE, FAIL, PRUNED, OptunaCase, Scalar, branched, seeded,
                                square)
from vernier_hpo.optuna.exceptions import NotServedError, StorageInternalError
from vernier_hpo.optuna.trial import TrialState


class FileCase(OptunaCase):
    """Studies in a file of either kind."""

    FILE = ""
    KIND = ""  # In Optuna's log.
    PROGRAM = ""  # The storage in a program whose first argument is the path.

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, self.FILE)

    def storage(self):
        raise NotImplementedError


class SharedTests:
    """What holds for each kind of file."""

    def test_a_study_goes_on_in_another_storage_of_the_file(self):
        study = self.study(storage=self.storage(), study_name="a", direction="maximize")
        study.set_user_attr("who", "me")
        study.enqueue_trial({"x": 0.25})
        study.optimize(branched, n_trials=3)
        trial = study.ask()
        trial.suggest_categorical("kind", ["sgd", "adam"])
        trial.report(0.5, 2)
        trial.set_user_attr("seen", [1])
        trial.set_constraint("c", 1)
        study.tell(trial, state=PRUNED)
        other = optuna.load_study(study_name="a", storage=self.storage())
        self.assertEqual(other.trials, study.trials)
        self.assertEqual((other.user_attrs, other.direction.name), ({"who": "me"}, "MAXIMIZE"))
        # Each sees what the other one adds.
        other.optimize(branched, n_trials=1)
        self.assertEqual(study.trials, other.trials)
        again = optuna.create_study(storage=self.storage(), study_name="a", load_if_exists=True)
        self.assertEqual(len(again.trials), 5)
        with self.assertRaises(optuna.exceptions.DuplicatedStudyError):
            optuna.create_study(storage=self.storage(), study_name="a")
        copied = pickle.loads(pickle.dumps(study))
        self.assertEqual(copied.trials, study.trials)
        optuna.delete_study(study_name="a", storage=self.storage())
        self.assertEqual(optuna.get_all_study_names(self.storage()), [])

    def test_an_old_handle_does_not_write_into_a_new_study_of_the_name(self):
        old = self.study(storage=self.storage(), study_name="a")
        trial = old.ask()
        optuna.delete_study(study_name="a", storage=self.storage())
        new = self.study(storage=self.storage(), study_name="a")
        for call in (lambda: old.trials, lambda: old.ask(), lambda: old.tell(trial, 1.0),
                     lambda: trial.suggest_float("x", 0, 1), lambda: trial.report(1.0, 1),
                     lambda: old.set_user_attr("a", 1), lambda: old.enqueue_trial({"x": 1}),
                     lambda: old.best_value, lambda: old.user_attrs):
            with self.assertRaisesRegex(KeyError, "'a' was deleted"):
                call()
        self.assertEqual((new.trials, new.user_attrs), ([], {}))

    def test_choices_that_are_tuples_outlive_the_program(self):
        choices = [(64,), (64, 32), {"a": (1,)}, None]

        def objective(trial):
            value = trial.suggest_categorical("layers", choices)
            self.assertIs(trial.suggest_categorical("layers", choices), value)
            self.assertTrue(any(value is each for each in choices))
            return len(value or ())

        study = self.study(storage=self.storage(), study_name="a", sampler=seeded())
        study.optimize(objective, n_trials=8)
        self.assertEqual({type(each.params["layers"]) for each in study.trials},
                         {tuple, dict, type(None)})
        again = optuna.load_study(study_name="a", storage=self.storage(), sampler=seeded())
        again.optimize(objective, n_trials=4)
        self.assertEqual([each.state for each in again.trials], [COMPLETE] * 12)
        self.assertIs(again.trials[-1].distributions["layers"].choices[0].__class__, tuple)

    def test_a_grid_goes_on_after_a_program_that_was_killed(self):
        program = (
            "import os, signal, sys, vernier_hpo.optuna as optuna\n"
            "study = optuna.create_study(study_name='g', load_if_exists=True,\n"
            f"    storage={self.PROGRAM},\n"
            "    sampler=optuna.samplers.GridSampler({'x': [(1,), (2,), (3,)]}))\n"
            "def objective(trial):\n"
            "    x = trial.suggest_categorical('x', [(1,), (2,), (3,)])\n"
            "    if trial.number == 1: os.kill(os.getpid(), signal.SIGKILL)\n"
            "    return x[0]\n"
            "study.optimize(objective)\n"
            "print(sorted(each.values for each in study.trials if each.values))")
        python(program, self.path, check=False)
        self.assertEqual(python(program, self.path), "[[1.0], [2.0], [3.0]]\n")

    def test_older_distributions_are_read_again(self):
        study = self.study(storage=self.storage(), study_name="a")
        study.ask({"q": optuna.distributions.DiscreteUniformDistribution(0, 1, 0.5),
                   "k": optuna.distributions.IntLogUniformDistribution(1, 9)})
        other = optuna.load_study(study_name="a", storage=self.storage())
        self.assertEqual(other.trials, study.trials)

    def test_threads_and_processes_share_a_file(self):
        study = self.study(storage=self.storage(), study_name="shared")
        for i in range(6):
            study.enqueue_trial({"x": float(i)})
        program = (
            "import os, sys, vernier_hpo.optuna as optuna\n"
            "optuna.logging.set_verbosity(optuna.logging.ERROR)\n"
            f"study = optuna.load_study(study_name='shared', storage={self.PROGRAM},\n"
            "                          sampler=optuna.samplers.RandomSampler())\n"
            "open(sys.argv[1] + sys.argv[2], 'w').close()\n"
            "while not all(os.path.exists(sys.argv[1] + name) for name in '012'):\n"
            "    pass\n"
            "study.optimize(lambda t: t.suggest_float('x', 0, 9), n_trials=20, n_jobs=2)")
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda name: python(program, self.path, name), "012"))
        trials = study.trials
        self.assertEqual([each.number for each in trials], list(range(60)))
        self.assertEqual({each.state for each in trials}, {COMPLETE})
        self.assertEqual([each.params["x"] for each in trials[:6]], [0, 1, 2, 3, 4, 5])

    def test_numbers_of_numpy_are_written_as_numbers(self):
        study = self.study(storage=self.storage(), study_name="a")
        trial = study.ask()
        trial.set_user_attr("epochs", Scalar(3))
        trial.set_user_attr("nested", {"losses": [Scalar(0.5), Scalar(True)]})
        study.enqueue_trial({"k": Scalar(2)})
        other = optuna.load_study(study_name="a", storage=self.storage())
        self.assertEqual(other.trials[0].user_attrs,
                         {"epochs": 3, "nested": {"losses": [0.5, True]}})
        self.assertEqual(other.trials[1].system_attrs, {"fixed_params": {"k": 2}})

    def test_what_json_cannot_say_is_refused(self):
        study = self.study(storage=self.storage())
        trial = study.ask()
        array = Scalar(3)
        array.shape = (1,)
        with self.assertRaisesRegex(TypeError, "that JSON can say"):
            trial.set_user_attr("a", array)
        with self.assertRaisesRegex(TypeError, "that JSON can say"):
            trial.set_user_attr("a", object())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaisesRegex(TypeError, "that JSON can say"):
                trial.suggest_categorical("c", [object(), 1])


    def test_the_log_says_whether_a_study_is_new(self):
        optuna.logging.set_verbosity(optuna.logging.INFO)
        with self.assertLogs("vernier_hpo.optuna", "INFO") as logged:
            self.study(storage=self.storage(), study_name="a")
            self.study(storage=self.storage(), study_name="a", load_if_exists=True)
        self.assertEqual([each.split(":", 2)[2] for each in logged.output], [
            f"A new study created in {self.KIND} with name: a",
            "Using an existing study with name 'a' instead of creating a new one."])

    def test_programs_ask_a_storage_itself(self):
        storage = optuna.storages.get_storage(self.storage())
        self.study(storage=storage, study_name="a", direction="maximize").set_user_attr("end", True)
        study = self.study(storage=storage, study_name="b")
        study.optimize(square, n_trials=3)
        self.assertEqual([(each.study_name, each.user_attrs, each.direction.name)
                          for each in storage.get_all_studies()],
                         [("a", {"end": True}, "MAXIMIZE"), ("b", {}, "MINIMIZE")])
        number = storage.get_study_id_from_name("b")
        self.assertEqual(number, storage.get_all_studies()[1]._study_id)
        self.assertEqual(storage.get_all_trials(number), study.trials)
        self.assertEqual(storage.get_all_trials(number, states=[FAIL]), [])
        self.assertEqual(storage.get_best_trial(number), study.best_trial)
        storage.delete_study(number)
        self.assertEqual(optuna.get_all_study_names(self.storage()), ["a"])
        with self.assertRaisesRegex(KeyError, "no study with the id"):
            storage.get_all_trials(number)


class JournalTest(SharedTests, FileCase):
    """Studies in a journal."""

    FILE = "studies.log"
    KIND = "Journal"
    PROGRAM = "optuna.storages.JournalStorage(optuna.storages.JournalFileBackend(sys.argv[1]))"

    def storage(self):
        return optuna.storages.JournalStorage(
            optuna.storages.journal.JournalFileBackend(self.path))

    def test_locks_that_programs_name_are_taken(self):
        journal = optuna.storages.journal
        for lock in (journal.JournalFileOpenLock(self.path),
                     journal.JournalFileSymlinkLock(self.path),
                     optuna.storages.JournalFileOpenLock(self.path)):
            self.study(storage=optuna.storages.JournalStorage(
                journal.JournalFileBackend(self.path, lock_obj=lock)))
        self.assertEqual(len(optuna.get_all_study_names(self.storage())), 3)

    def test_half_a_line_of_a_killed_process_is_written_over(self):
        study = self.study(storage=self.storage(), study_name="cut")
        study.optimize(square, n_trials=1)
        with open(self.path, "ab") as file:
            file.write(b'["cut", "beg')
        study.optimize(square, n_trials=1)
        other = optuna.load_study(study_name="cut", storage=self.storage())
        self.assertEqual([each.state for each in other.trials], [COMPLETE] * 2)

    def test_another_file_is_left_as_it_is(self):
        for text, hint in (('{"op_code": 0}\n', "vernier import optuna .*studies.log --yes"),
                           ("notes", "no journal of vernier_hpo")):
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(NotServedError, hint):
                optuna.create_study(storage=self.storage())
            with open(self.path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)

    def test_a_garbled_line_is_named(self):
        study = self.study(storage=self.storage(), study_name="a")
        study.optimize(square, n_trials=1)
        with open(self.path, "rb") as file:
            text = file.read()
        count = text.count(b"\n")
        for garbled in (b'["a", "beg', b"\xff\x00", b"5", b'["a"]', b'["a", "end", 7, 1]', b""):
            with open(self.path, "wb") as file:
                file.write(text + garbled + b"\n")
            with self.subTest(garbled):
                for _ in range(2):  # It is not overlooked the second time.
                    with self.assertRaisesRegex(
                            optuna.exceptions.StorageInternalError,
                            f"studies.log, line {count + 1}: no event of a study"):
                        study.trials
                with self.assertRaisesRegex(optuna.exceptions.StorageInternalError,
                                            f"line {count + 1}"):
                    optuna.load_study(study_name="a", storage=self.storage())
        with open(self.path, "wb") as file:
            file.write(text)
        self.assertEqual(len(study.trials), 1)


class DatabaseTest(SharedTests, FileCase):
    """Studies in an SQLite database."""

    FILE = "studies.db"
    KIND = "RDB"
    PROGRAM = "'sqlite:///' + sys.argv[1]"

    def storage(self):
        return "sqlite:///" + self.path

    def execute(self, *statements):
        connection = sqlite3.connect(self.path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    def test_urls_name_a_file_or_memory(self):
        folder = os.path.dirname(self.path)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder)
        for url in ("sqlite:///studies.db", "sqlite+pysqlite:///studies.db?timeout=2",
                    f"sqlite:///{folder}/../{os.path.basename(folder)}/studies.db"):
            optuna.create_study(storage=url)
        optuna.create_study(storage=optuna.storages.RDBStorage(
            url="sqlite:///studies.db", engine_kwargs={"connect_args": {"timeout": 10}}))
        self.assertEqual(len(optuna.get_all_study_names(self.storage())), 4)
        for url in ("sqlite://", "sqlite:///", "sqlite:///:memory:"):
            storage = optuna.storages.RDBStorage(url, heartbeat_interval=60)
            self.study(storage=storage, study_name="a").optimize(square, n_trials=2)
            self.assertEqual(len(optuna.load_study(study_name="a", storage=storage).trials), 2)
            self.assertEqual(optuna.get_all_study_names(url), [])
        self.assertEqual([each for each in os.listdir(folder)
                          if not each.startswith("studies.db")], [])
        for url, error, hint in (
                ("sqlite:///a.db?mode=ro", NotServedError, "timeout is served, not 'mode'"),
                ("sqlite:///a.db?timeout=soon", ValueError, "number of seconds: 'soon'"),
                ("sqlite:///file:a.db", NotServedError, "not by a URI"),
                ("sqlite:///absent/a.db", StorageInternalError, "absent/a.db: unable to open"),
                ("mysql://me@host/a", NotServedError, "VernierSampler")):
            with self.assertRaisesRegex(error, hint):
                optuna.create_study(storage=url)
        for url in ("mysql://me:secret@host/a", "sqlite://me:secret@a.db", "sqlite://a.db"):
            for call in (lambda: optuna.storages.RDBStorage(url),
                         lambda: optuna.create_study(storage=url)):
                with self.assertRaisesRegex(NotServedError, "is not served.*sqlite:///") as told:
                    call()
                self.assertNotIn("secret", str(told.exception))

    def test_the_database_of_another_program_is_left_as_it_is(self):
        for tables, hint in ((("studies", "trials", "version_info"),
                              f"`vernier import optuna {self.path} --yes`"),
                             (("bills",), "something else")):
            self.execute(*(f"CREATE TABLE {each} (id INTEGER)" for each in tables))
            with open(self.path, "rb") as file:
                before = file.read()
            for call in (lambda: optuna.create_study(storage=self.storage()),
                         lambda: optuna.load_study(study_name="a", storage=self.storage())):
                with self.assertRaisesRegex(NotServedError, hint):
                    call()
            with open(self.path, "rb") as file:
                self.assertEqual(file.read(), before)
            os.remove(self.path)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("notes, which are longer than the head of a database would be " * 9)
        with self.assertRaisesRegex(NotServedError, "no SQLite database"):
            optuna.create_study(storage=self.storage())

    def test_a_newer_form_is_refused(self):
        self.study(storage=self.storage())
        self.execute("PRAGMA user_version = 2")
        with self.assertRaisesRegex(NotServedError, "has version 2 of its form"):
            optuna.create_study(storage=self.storage())

    def test_a_garbled_row_is_named(self):
        study = self.study(storage=self.storage(), study_name="a")
        for event in ("5", '["end", 7, 1]', '["beg', ""):
            self.execute(f"INSERT INTO events (study, event) VALUES ('a', '{event}')")
            for call in (lambda: study.trials, lambda: study.ask(),
                         lambda: optuna.load_study(study_name="a", storage=self.storage())):
                with self.subTest(event), self.assertRaisesRegex(
                        StorageInternalError, "studies.db, row 2 of the table events"):
                    call()
            self.execute("DELETE FROM events WHERE id = 2")
        self.assertEqual(study.trials, [])
        study.optimize(square, n_trials=1)
        self.assertEqual(len(study.trials), 1)

    def test_a_change_that_finds_no_space_changes_nothing(self):
        study = self.study(storage=self.storage(), study_name="a")
        study.optimize(square, n_trials=2)
        connection = study._record._journal._connected()
        # For this connection alone, as a full disk would be for all.
        pages = connection.execute("PRAGMA max_page_count = 1").fetchone()[0]
        with self.assertRaisesRegex(StorageInternalError, "studies.db: database or disk is full"):
            study.set_user_attr("large", "x" * 100000)
        self.assertEqual((len(study.trials), study.user_attrs), (2, {}))
        connection.execute(f"PRAGMA max_page_count = {pages + 100}")
        study.set_user_attr("large", "x" * 100000)
        other = optuna.load_study(study_name="a", storage=self.storage())
        self.assertEqual((other.trials, other.user_attrs), (study.trials, study.user_attrs))

    def test_what_was_applied_and_not_stored_is_not_gone_on_with(self):
        study = self.study(storage=self.storage(), study_name="a")
        journal = study._record._journal
        journal._connected().execute("PRAGMA max_page_count = 1")
        with self.assertRaisesRegex(StorageInternalError, "disk is full"):
            with journal.changing():
                journal.write("a", ["attr", None, "user", "small", 1])
                journal.write("a", ["attr", None, "user", "large", "x" * 100000])
        for call in (lambda: study.user_attrs, study.ask):
            with self.assertRaisesRegex(StorageInternalError, "last change could not be stored"):
                call()
        other = optuna.load_study(study_name="a", storage=self.storage())
        self.assertEqual(other.user_attrs, {})

    def test_a_process_that_was_forked_has_a_connection_of_its_own(self):
        program = (
            "import os, sys, vernier_hpo.optuna as optuna\n"
            "optuna.logging.set_verbosity(optuna.logging.ERROR)\n"
            f"study = optuna.create_study(study_name='a', storage={self.PROGRAM},\n"
            "                            sampler=optuna.samplers.RandomSampler())\n"
            "children = []\n"
            "for _ in range(3):\n"
            "    children.append(os.fork())\n"
            "    if children[-1] == 0:\n"
            "        study.optimize(lambda t: t.suggest_float('x', 0, 9), n_trials=5)\n"
            "        os._exit(0)\n"
            "study.optimize(lambda t: t.suggest_float('x', 0, 9), n_trials=5)\n"
            "print([os.waitpid(each, 0)[1] for each in children])")
        self.assertEqual(python(program, self.path), "[0, 0, 0]\n")
        study = optuna.load_study(study_name="a", storage=self.storage())
        self.assertEqual([each.state for each in study.trials], [COMPLETE] * 20)

    def test_trials_of_killed_programs_are_known_by_their_silence(self):
        retry = optuna.storages.RetryFailedTrialCallback
        program = (
            "import os, signal, sys, vernier_hpo.optuna as optuna\n"
            "optuna.logging.set_verbosity(optuna.logging.CRITICAL)\n"
            "study = optuna.create_study(study_name='a', load_if_exists=True,\n"
            "    sampler=optuna.samplers.RandomSampler(),\n"
            f"    storage=optuna.storages.RDBStorage({self.PROGRAM}, heartbeat_interval=60))\n"
            "def objective(trial):\n"
            "    trial.suggest_float('x', 0, 9)\n"
            "    trial.set_user_attr('checkpoint', trial.number)\n"
            "    trial.report(1.0, 0)\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
            "study.optimize(objective)")
        python(program, self.path, check=False)

        def storage(**settings):
            return optuna.storages.RDBStorage(self.storage(), heartbeat_interval=60, **settings)

        def run_after(seconds, **settings):
            study = optuna.load_study(study_name="a", storage=storage(**settings))
            now = time.time() + seconds
            with unittest.mock.patch("vernier_hpo.optuna._heartbeat.seconds_now", lambda: now):
                study.optimize(lambda trial: len(retry.retry_history(trial)), n_trials=1)
            return study.trials

        self.assertEqual([each.state for each in run_after(100)], [TrialState.RUNNING, COMPLETE])
        trials = run_after(130, failed_trial_callback=retry())
        self.assertEqual([each.state for each in trials], [FAIL, COMPLETE, COMPLETE])
        self.assertEqual((trials[0].values, trials[2].value, trials[2].params),
                         (None, 1, trials[0].params))
        self.assertEqual(trials[2].user_attrs, {"checkpoint": 0})
        self.assertEqual(trials[2].intermediate_values, {})
        self.assertEqual((retry.retried_trial_number(trials[2]), retry.retry_history(trials[2])),
                         (0, [0]))
        for settings, count in (({"max_retry": 1}, 0), ({"inherit_intermediate_values": True}, 1),
                                ({"max_retry": 2}, 1)):
            study = self.study()
            retry(**settings)(study, trials[2])
            self.assertEqual([each.state for each in study.trials], [TrialState.WAITING] * count)
            self.assertEqual([retry.retry_history(each) for each in study.trials],
                             [[0, 2]] * count)
            self.assertEqual([retry.retried_trial_number(each) for each in study.trials],
                             [0] * count)
        for name in ("heartbeat_interval", "grace_period"):
            with self.assertRaisesRegex(ValueError, f"{name} is a number of seconds"):
                optuna.storages.RDBStorage(self.storage(), **{name: 0})

    def test_a_trial_that_runs_says_so_again_and_again(self):
        storage = optuna.storages.RDBStorage(self.storage(), heartbeat_interval=0.001)
        study = self.study(storage=storage, study_name="a")
        beats = study._record._beats

        def objective(trial):
            first = beats[trial.number]
            while beats[trial.number] == first:
                study.trials
            return 1.0

        study.optimize(objective, n_trials=2)
        self.assertEqual(beats, {})
        optuna.storages.fail_stale_trials(study)
        self.assertEqual([each.state for each in study.trials], [COMPLETE] * 2)

    def test_the_file_alone_is_left(self):
        study = self.study(storage=self.storage(), study_name="a")
        study.optimize(square, n_trials=2)
        del study
        gc.collect()
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["studies.db"])


if __name__ == "__main__":
    unittest.main()
