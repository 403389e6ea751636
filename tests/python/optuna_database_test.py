"""vernier_hpo.optuna: studies in the file of a URL, as scripts for Optuna name it."""

import concurrent.futures
import os
import pickle
import sqlite3
import tempfile
import unittest

from package import python
import vernier_hpo.optuna as optuna
from vernier_hpo.optuna.exceptions import NotServedError
from vernier_hpo.optuna.trial import TrialState

START = ("import os, signal, sys, vernier_hpo.optuna as optuna\n"
         "optuna.logging.set_verbosity(optuna.logging.ERROR)\n"
         "study = optuna.create_study(study_name='shared', storage='sqlite:///' + sys.argv[1],\n"
         "    load_if_exists=True, sampler=optuna.samplers.RandomSampler())\n")


def square(trial):
    return (trial.suggest_float("x", -5, 5) - 1) ** 2


class DatabaseUrlTest(unittest.TestCase):
    def setUp(self):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "studies.db")
        self.url = f"sqlite:///{self.path}"

    def study(self, name="a", url=None, **settings):
        return optuna.create_study(storage=url or self.url, study_name=name,
                                   sampler=optuna.samplers.RandomSampler(seed=1), **settings)

    def bytes_of_file(self):
        with open(self.path, "rb") as file:
            return file.read()

    def test_a_study_goes_on_by_its_url(self):
        study = self.study(direction="maximize")
        study.set_user_attr("who", "me")
        study.optimize(square, n_trials=2)
        with self.assertRaises(optuna.exceptions.DuplicatedStudyError):
            self.study()
        again = self.study(load_if_exists=True)
        again.optimize(square, n_trials=1)
        for storage in (self.url, optuna.storages.RDBStorage(self.url),
                        optuna.storages.get_storage(self.url + "?timeout=10"),
                        f"sqlite+pysqlite:///{self.path}",
                        optuna.storages.JournalStorage(
                            optuna.storages.JournalFileBackend(self.path))):
            with self.subTest(storage):
                loaded = optuna.load_study(study_name=None, storage=storage)
                self.assertEqual(loaded.trials, study.trials)
                self.assertEqual((len(loaded.trials), loaded.user_attrs,
                                  loaded.direction.name), (3, {"who": "me"}, "MAXIMIZE"))
        copied = pickle.loads(pickle.dumps(study))
        self.assertEqual(copied.trials, study.trials)

    def test_the_log_says_whether_a_study_is_new(self):
        optuna.logging.set_verbosity(optuna.logging.INFO)
        with self.assertLogs("vernier_hpo.optuna", "INFO") as logged:
            self.study()
            self.study(load_if_exists=True)
        self.assertEqual([each.split(":", 2)[2] for each in logged.output], [
            "A new study created in RDB with name: a",
            "Using an existing study with name 'a' instead of creating a new one."])

    def test_studies_of_a_file_are_listed_copied_and_deleted(self):
        self.study("a").optimize(square, n_trials=2)
        self.study("b", directions=["minimize", "maximize"])
        listed = optuna.get_all_study_summaries(self.url)
        self.assertEqual([(each.study_name, each.n_trials, len(each.directions))
                          for each in listed], [("a", 2, 1), ("b", 0, 2)])
        other = f"sqlite:///{self.path}.copy"
        optuna.copy_study(from_study_name="a", from_storage=self.url, to_storage=other)
        optuna.delete_study(study_name="a", storage=self.url)
        self.assertEqual(optuna.get_all_study_names(self.url), ["b"])
        self.assertEqual(len(optuna.load_study(study_name="a", storage=other).trials), 2)
        with self.assertRaises(KeyError):
            optuna.load_study(study_name="a", storage=self.url)

    def test_programs_ask_a_storage_itself(self):
        self.study("a", direction="maximize").set_user_attr("finished", True)
        self.study("b").optimize(square, n_trials=3)
        for storage in (optuna.storages.RDBStorage(self.url), optuna.storages.JournalStorage(
                optuna.storages.JournalFileBackend(self.path))):
            self.assertEqual([(each.study_name, each.user_attrs, each.direction.name)
                              for each in storage.get_all_studies()],
                             [("a", {"finished": True}, "MAXIMIZE"), ("b", {}, "MINIMIZE")])
        number = storage.get_study_id_from_name("b")
        self.assertEqual(number, storage.get_all_studies()[1]._study_id)
        study = optuna.load_study(study_name="b", storage=storage)
        self.assertEqual(storage.get_all_trials(number), study.trials)
        self.assertEqual(storage.get_all_trials(number, states=[TrialState.FAIL]), [])
        self.assertEqual(storage.get_best_trial(number), study.best_trial)
        storage.delete_study(number)
        self.assertEqual(optuna.get_all_study_names(self.url), ["a"])
        with self.assertRaisesRegex(KeyError, "no study with the id"):
            storage.get_all_trials(number)

    def test_a_path_is_relative_to_the_folder_of_the_program(self):
        before = os.getcwd()
        os.chdir(os.path.dirname(self.path))
        self.addCleanup(os.chdir, before)
        self.study(url="sqlite:///studies.db").optimize(square, n_trials=1)
        os.chdir(before)
        self.assertEqual(len(self.study(load_if_exists=True).trials), 1)

    def test_a_database_in_memory_ends_with_its_storage(self):
        for url in ("sqlite:///:memory:", "sqlite://"):
            with self.subTest(url):
                storage = optuna.storages.RDBStorage(url)
                study = optuna.create_study(storage=storage, study_name="a")
                study.add_trial(optuna.create_trial(value=1.0))
                self.assertEqual(
                    len(optuna.load_study(study_name="a", storage=storage).trials), 1)
                self.assertEqual(optuna.get_all_study_names(url), [])

    def test_a_killed_program_leaves_its_trials_and_loses_none(self):
        python(START + "def objective(trial):\n"
               "    x = trial.suggest_float('x', 0, 1)\n"
               "    if trial.number == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
               "    return x\n"
               "study.optimize(objective, n_trials=5)", self.path, check=False)
        study = self.study("shared", load_if_exists=True)
        self.assertEqual([each.state for each in study.trials],
                         [TrialState.COMPLETE, TrialState.COMPLETE, TrialState.RUNNING])
        study.optimize(square, n_trials=1)
        self.assertEqual(study.trials[-1].number, 3)

    def test_processes_that_make_the_same_study_share_it(self):
        program = START + (
            "open(sys.argv[1] + sys.argv[2], 'w').close()\n"
            "while not all(os.path.exists(sys.argv[1] + name) for name in '01'):\n"
            "    pass\n"
            "study.optimize(lambda t: t.suggest_float('x', 0, 9), n_trials=20)")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: python(program, self.path, name), "01"))
        trials = self.study("shared", load_if_exists=True).trials
        self.assertEqual([each.number for each in trials], list(range(40)))
        self.assertEqual({each.state for each in trials}, {TrialState.COMPLETE})

    def test_a_database_that_is_there_is_left_as_it_is(self):
        database = sqlite3.connect(self.path)
        database.execute("CREATE TABLE studies (study_id INTEGER PRIMARY KEY)")
        database.commit()
        database.close()
        before = self.bytes_of_file()
        for call in (self.study, lambda: self.study(load_if_exists=True),
                     lambda: optuna.load_study(study_name="a", storage=self.url),
                     lambda: optuna.get_all_study_names(self.url),
                     lambda: optuna.delete_study(study_name="a", storage=self.url)):
            with self.assertRaisesRegex(NotServedError,
                                        f"`vernier import optuna {self.path} --yes`"):
                call()
        self.assertEqual(self.bytes_of_file(), before)

    def test_an_empty_file_is_taken(self):
        with open(self.path, "w", encoding="utf-8"):
            pass
        self.study().optimize(square, n_trials=1)
        self.assertEqual(len(self.study(load_if_exists=True).trials), 1)

    def test_other_urls_say_what_is_served(self):
        for url in ("mysql://me:secret@host/studies", "postgresql+psycopg2://host/studies",
                    "sqlite://studies.db", "studies.db", "redis://host",
                    "sqlite:///file:studies.db?mode=ro&uri=true"):
            for call in (lambda url=url: optuna.create_study(storage=url),
                         lambda url=url: optuna.storages.RDBStorage(url)):
                with self.subTest(url), self.assertRaisesRegex(
                        NotServedError, "three slashes.*VernierSampler") as refused:
                    call()
                self.assertNotIn("secret", str(refused.exception))

    def test_what_looks_after_killed_programs_is_not_there(self):
        with self.assertLogs("vernier_hpo.optuna", "WARNING") as logged:
            optuna.logging.set_verbosity(optuna.logging.WARNING)
            optuna.storages.RDBStorage(self.url, heartbeat_interval=60, grace_period=120,
                                       engine_kwargs={"connect_args": {"timeout": 10}})
        self.assertIn("heartbeat_interval does nothing", logged.output[0])
        with self.assertRaisesRegex(NotServedError, "failed_trial_callback is not served"):
            optuna.storages.RDBStorage(self.url, failed_trial_callback=print)


if __name__ == "__main__":
    unittest.main()
