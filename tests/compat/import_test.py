"""`vernier import` of files that the released Optuna wrote, against a real service."""

import http.server
import json
import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import clients  # noqa: E402

from service import Service, binary  # noqa: E402  clients knows where

sys.path.insert(0, os.path.join(clients.ROOT, "python", "src"))
import vernier_hpo  # noqa: E402

class Mlflow(http.server.BaseHTTPRequestHandler):
    """Answers the two searches as MLflow's server does, in pages of two runs."""

    RUNS = [("a", "FINISHED", "0.1", 3.0), ("b", "FAILED", "0.2", None),
            ("c", "FINISHED", "0.01", 2.5), ("d", "RUNNING", "0.5", 7.0),
            ("e", "FINISHED", "0.3", math.nan)]

    def do_POST(self):  # noqa: N802  the library's name
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/2.0/mlflow/experiments/search":
            known = body["filter"] == "name = 'digits'"
            answer = {"experiments": [{"experiment_id": "7", "name": "digits"}]} if known else {}
        else:
            first = int(body.get("page_token", 0))
            answer = {"runs": [{
                "info": {"run_id": run, "status": status, "start_time": 1760000000000},
                "data": {"params": [{"key": "lr", "value": lr}],
                         "metrics": [] if loss is None else [
                             {"key": "loss", "value": loss, "step": 9}]}}
                for run, status, lr, loss in self.RUNS[first:first + 2]]}
            if first + 2 < len(self.RUNS):
                answer["next_page_token"] = str(first + 2)
        self.send_response(200 if "mlflow" in self.path else 404)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


PROGRAM = os.path.join(HERE, "optuna", "write_studies.py")
# "/" has no place in a name here.
BRANCHES = "branches _ all"


class ImportTest(unittest.TestCase):
    def setUp(self):
        self.service = Service("--http", "127.0.0.1:0")
        self.addCleanup(self.service.__exit__)
        self.service.start()

    def write(self, environment, kind, name, count):
        """Has a release of Optuna write or go on with a file; returns what it says of it."""
        result = subprocess.run(
            [clients.python(environment), "-W", "ignore", PROGRAM, kind, self.path(name), str(count)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, "TZ": "Asia/Tokyo"})
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        return json.loads(result.stdout)

    def path(self, name):
        return os.path.join(self.service.home, name)

    def bring(self, *args, tool="optuna", check=True):
        return self.service.cli("import", tool, *args, "--format", "json", check=check)

    def plans(self, *args, tool="optuna"):
        return {each["study"]: each for each in json.loads(self.bring(*args, tool=tool).stdout)}

    def trials(self, study):
        return {int(json.loads(trial["attributes"]["imported"])["trial"]): trial
                for trial in self.described(study)}

    def described(self, study):
        document = self.service.json("studies", "export", study)
        return document["trials"]

    def check_is_there(self, told):
        """Compares what the service has with what Optuna says."""
        ended = [each for each in told["branches / all"]
                 if each["state"] in ("COMPLETE", "PRUNED", "FAIL")]
        here = self.trials(BRANCHES)
        self.assertEqual(sorted(here), [each["number"] for each in ended
                                        if self.has_place(each)])
        for each in ended:
            if not self.has_place(each):
                continue
            trial = here[each["number"]]
            for name, value in each["params"].items():
                mine = trial["parameters"][name]
                if isinstance(value, float):
                    self.assertAlmostEqual(float(mine), value, places=9)
                else:
                    self.assertEqual(str(mine), str(value))
            self.assertEqual(len(trial["parameters"]), len(each["params"]))
            wanted = {"COMPLETE": "completed", "PRUNED": "stopped", "FAIL": "infeasible"}
            if each["values"] == ["inf"]:
                self.assertEqual(trial["state"].lower(), "infeasible")
            else:
                self.assertEqual(trial["state"].lower(), wanted[each["state"]])
                if each["values"]:
                    self.assertEqual(self.final(trial), float(each["values"][0]))
            self.assertEqual(json.loads(trial["attributes"]["widths"]),
                             each["user_attrs"]["widths"])
        self.check_python_has_the_types(told)

    def check_python_has_the_types(self, told):
        optimizers = {each["number"]: each["params"].get("optimizer")
                      for each in told["branches / all"]}
        study = vernier_hpo.load_study(BRANCHES, endpoint=self.service.endpoint)
        self.assertEqual(study.space["optimizer"].choices, ["sgd", "adam", None, True])
        for trial in study.trials:
            number = int(trial.user_attrs["imported"]["trial"])
            self.assertIs(type(trial.params["optimizer"]), type(optimizers[number]))
            self.assertEqual(trial.params["optimizer"], optimizers[number])

    def has_place(self, each):
        """A trial that failed or was pruned before it had asked for all has none."""
        return "optimizer" in each["params"]

    def final(self, trial):
        return float(trial["finalMeasurement"].get("value", 0))

    def check_file(self, environment, kind):
        told = self.write(environment, kind, "studies", 24)
        before = self.bytes_of("studies")
        dry = self.plans(self.path("studies"))
        self.assertEqual(self.service.json("studies", "list"), [])
        self.assertEqual(set(dry), {BRANCHES, "front"})
        self.assertEqual(dry[BRANCHES]["parameters"]["momentum"],
                         "{values: [0, 0.3, 0.6, 0.9], when: {optimizer: [sgd]}}")
        self.assertEqual(dry[BRANCHES]["parameters"]["width 2"],
                         "{values: [16, 32, 48, 64], when: {layers: [3]}}")
        self.assertEqual(dry["front"]["metrics"], {"cost": "minimize", "gain": "maximize"})
        self.assertEqual(len(dry["front"]["constraints"]), 1)
        notes = " ".join(dry[BRANCHES]["notes"])
        for word in ("running", "waiting", "infinite"):
            self.assertIn(word, notes)
        self.bring(self.path("studies"), "--yes")
        self.assertEqual(self.bytes_of("studies"), before)
        self.check_is_there(told)
        again = self.plans(self.path("studies"), "--yes")
        self.assertEqual([each["newTrials"] for each in again.values()], [0, 0])
        self.assertEqual(again[BRANCHES]["thereAlready"], len(self.trials(BRANCHES)))
        grown = self.write(environment, kind, "studies", 6)
        more = self.plans(self.path("studies"), "--yes")
        self.assertEqual(more["front"]["newTrials"], 6)
        self.check_is_there(grown)
        return told

    def bytes_of(self, name):
        """Of the file and of all that lies beside it."""
        return {each: open(self.path(each), "rb").read() for each in
                sorted(os.listdir(self.service.home)) if each.startswith(name)}

    def test_a_database_of_optuna_3(self):
        self.check_file("optuna3", "sqlite")

    def test_a_journal_of_optuna_3(self):
        self.check_file("optuna3", "journal")

    def test_a_database_of_optuna_4(self):
        self.check_file("optuna", "sqlite")
        # Local time, and the file does not say whose.
        self.assertRegex(self.imported(BRANCHES, 1)["started"], r"^\d{4}-.*T[\d:.]+$")

    def test_a_database_of_optuna_5(self):
        self.check_file("optunahub", "sqlite")
        self.assertRegex(self.imported(BRANCHES, 1)["started"], r"^\d{4}-.*T[\d:.]+Z$")

    def test_a_journal_of_optuna_4(self):
        self.check_file("optuna", "journal")

    def test_a_journal_of_optuna_5(self):
        self.check_file("optunahub", "journal")
        self.assertRegex(self.imported(BRANCHES, 1)["started"], r"\+00:00$")

    def imported(self, study, number):
        return json.loads(self.trials(study)[number]["attributes"]["imported"])

    def test_the_engine_goes_on_with_the_study(self):
        self.write("optunahub", "sqlite", "studies.db", 12)
        self.bring(self.path("studies.db"), "--study", "front", "--as", "cost and gain", "--yes")
        before = len(self.described("cost and gain"))
        program = ("import vernier_hpo as vn\n"
                   "study = vn.load_study('cost and gain')\n"
                   "trial = study.ask()\n"
                   "x = trial.params['x']\n"
                   "study.tell(trial, {'cost': x, 'gain': (1 - x) ** 2})\n"
                   "print(len(study.trials))\n")
        result = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
            check=False, stdin=subprocess.DEVNULL,
            env={**os.environ, "VERNIER_HOME": self.service.data, "VERNIER_BINARY": binary(),
                 "PYTHONPATH": os.path.join(clients.ROOT, "python", "src")})
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        self.assertEqual(int(result.stdout), before + 1)

    def test_killed_in_the_middle_and_run_again(self):
        told = self.write("optunahub", "journal", "studies.log", 60)
        environment = {**os.environ, "VERNIER_ENDPOINT": self.service.endpoint}
        for after in (0.05, 0.1, 0.15, 0.2):
            process = subprocess.Popen(
                [binary(), "import", "optuna", self.path("studies.log"), "--yes"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=environment)
            time.sleep(after)
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        self.service.kill()
        self.service.start()
        self.bring(self.path("studies.log"), "--yes")
        self.check_is_there(told)
        self.assertEqual(len(self.described("front")), 60)

    def test_a_file_whose_log_holds_the_trials(self):
        self.write("optunahub", "sqlite", "studies.db", 5)
        kept = sqlite3.connect(self.path("studies.db"))
        self.addCleanup(kept.close)
        kept.execute("PRAGMA journal_mode=WAL")
        kept.execute("UPDATE trial_values SET value = 77.0 WHERE trial_id = 1")
        kept.commit()
        before = self.bytes_of("studies.db")
        self.bring(self.path("studies.db"), "--study", "branches / all", "--yes")
        self.assertEqual(self.bytes_of("studies.db"), before)
        self.assertEqual(self.final(self.trials(BRANCHES)[0]), 77.0)

    def test_bad_files_are_named(self):
        self.write("optunahub", "sqlite", "studies.db", 5)
        self.write("optunahub", "journal", "studies.log", 5)
        with open(self.path("studies.log"), encoding="utf-8") as file:
            lines = file.readlines()
        self.service.write("cut.log", "".join(lines[:4]) + '{"op_code": 4, "study_id"\n')
        shutil.copy(self.path("studies.db"), self.path("view.db"))
        hostile = sqlite3.connect(self.path("view.db"))
        hostile.executescript("ALTER TABLE trials RENAME TO kept; CREATE VIEW trials AS "
                              "SELECT * FROM kept, kept AS more;")
        hostile.close()
        with open(self.path("studies.db"), "rb") as file:
            whole = file.read()
        with open(self.path("cut.db"), "wb") as file:
            file.write(whole[:len(whole) // 2 // 4096 * 4096])
        self.service.write("plain.txt", "lr,loss\n")
        for name, said in (("cut.log", "line 5"), ("view.db", "no ordinary table \"trials\""),
                           ("cut.db", "damaged"), ("plain.txt", "neither a SQLite database"),
                           ("absent.db", "absent.db")):
            result = self.bring(self.path(name), "--yes", check=False)
            self.assertNotEqual(result.returncode, 0, name)
            self.assertIn(said, result.stderr, name)
        result = self.bring(self.path("studies.db"), "--study", "fronts", "--yes", check=False)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("front", result.stderr)
        self.assertEqual(self.service.json("studies", "list"), [])

    def test_a_table(self):
        rows = ["name,status,lr,layers,note,loss"]
        rows += [f"run {i},finished,{10 ** -i},{i + 1},,{(i - 2) ** 2}" for i in range(5)]
        rows += ['"run, 5",failed,0.1,2,no memory,', "run 6,running,0.1,2,,"]
        self.service.write("runs.csv", "\n".join(rows) + "\n")
        flags = [self.path("runs.csv"), "-m", "loss:min", "--id", "name", "--state", "status",
                 "-p", "lr=log:1e-6..1", "-p", "layers"]
        plan = self.plans(*flags, tool="csv")["runs"]
        self.assertEqual(plan["parameters"], {"lr": "{log: [1e-06, 1]}",
                                              "layers": "{int: [1, 5]}"})
        self.assertEqual((plan["completed"], plan["infeasible"]), (5, 1))
        self.assertEqual(self.service.json("studies", "list"), [])
        self.bring(*flags, "--yes", tool="csv")
        best = self.service.json("trials", "best", "runs", "-n", "1")
        self.assertEqual(float(best[0]["parameters"]["lr"]), 0.01)
        self.service.write("runs.csv", "\n".join(rows[:-1] + ["run 6,finished,0.1,2,,9",
                                                              "run 7,finished,3,2,,9"]) + "\n")
        again = self.plans(*flags, "--yes", tool="csv")["runs"]
        self.assertEqual((again["newTrials"], again["thereAlready"], again["leftOut"]), (1, 6, 1))
        self.assertIn("run 7", " ".join(again["notes"]))
        self.assertEqual(len(self.described("runs")), 7)
        self.bring(*flags, "--yes", "--project", "lab", tool="csv")
        self.assertIn("projects/lab/locations/local/studies/runs",
                      [each["name"] for each in self.service.json("studies", "list")])

    def test_results_of_ray_tune(self):
        result = subprocess.run(
            [clients.python("ray"), "-W", "ignore",
             os.path.join(HERE, "ray_tune", "write_results.py"), self.service.home],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        told = json.loads(result.stdout)
        flags = [self.path("grid"), "-m", "loss:min", "-m", "eval/accuracy:max"]
        plan = self.plans(*flags, tool="ray")["grid"]
        self.assertEqual((plan["completed"], plan["infeasible"]), (4, 2))
        self.assertEqual(set(plan["parameters"]), {"lr", "layers"})
        self.bring(*flags, "--yes", tool="ray")
        here = sorted((float(each["parameters"]["lr"]), int(each["parameters"]["layers"]),
                       each["state"].lower(), len(each.get("measurements", [])))
                      for each in self.described("grid"))
        self.assertEqual(here, sorted(
            (each["config"]["lr"], each["config"]["layers"],
             "infeasible" if each["failed"] else "completed", 2 if each["failed"] else 6)
            for each in told))
        again = self.plans(*flags, "--yes", tool="ray")["grid"]
        self.assertEqual((again["newTrials"], again["thereAlready"]), (0, 6))

    def test_runs_of_an_mlflow_server(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mlflow)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        flags = [url, "--experiment", "digits", "-m", "loss:min"]
        plan = self.plans(*flags, tool="mlflow")["digits"]
        # A value that is no number makes a run infeasible here.
        self.assertEqual((plan["completed"], plan["infeasible"]), (2, 2))
        self.bring(*flags, "--yes", tool="mlflow")
        states = {name: trial["state"].lower() for name, trial in (
            (json.loads(each["attributes"]["imported"])["trial"], each)
            for each in self.described("digits"))}
        self.assertEqual(states, {"a": "completed", "b": "infeasible", "c": "completed",
                                  "e": "infeasible"})
        self.assertEqual(self.plans(*flags, "--yes", tool="mlflow")["digits"]["newTrials"], 0)
        result = self.bring(url, "--experiment", "digit", "-m", "loss:min", tool="mlflow",
                            check=False)
        self.assertEqual(result.returncode, 3)
        self.assertIn("no experiment", result.stderr)
        server.shutdown()
        server.server_close()
        result = self.bring(*flags, tool="mlflow", check=False)
        self.assertEqual(result.returncode, 4, result.stderr)

    def test_the_verb_explains_itself(self):
        result = self.service.cli("import", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("optuna, csv, ray, mlflow", result.stderr)
        self.assertIn("--yes", self.service.cli("help", "import", "optuna").stdout)
        words = self.service.cli("__complete", "import", "").stdout.split()
        self.assertEqual(sorted(words), ["csv", "mlflow", "optuna", "ray"])

    def test_bad_tables_are_named(self):
        self.service.write("runs.csv", "lr,loss\n0.1,2\n0.2,low\n")
        for flags, said in (([], "-m NAME:min"), (["-m", "loss"], "NAME:max or NAME:min"),
                            (["-m", "los:min"], "did you mean \"loss\"?"),
                            (["-m", "loss:min"], "line 3: column \"loss\""),
                            (["-m", "loss:min", "-p", "lr=1..x"], "-p lr=1..x")):
            result = self.bring(self.path("runs.csv"), *flags, tool="csv", check=False)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(said, result.stderr)

    def test_another_study_of_the_name_is_left_alone(self):
        self.write("optunahub", "sqlite", "one.db", 5)
        self.write("optunahub", "sqlite", "two.db", 7)
        self.bring(self.path("one.db"), "--study", "branches / all", "--yes")
        result = self.bring(self.path("two.db"), "--study", "branches / all", "--yes", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--as NAME", result.stderr)
        self.bring(self.path("two.db"), "--study", "branches / all", "--as", "two", "--yes")
        self.assertEqual(len(self.service.json("studies", "list")), 2)


if __name__ == "__main__":
    unittest.main()
