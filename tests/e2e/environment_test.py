"""What trials find in their environment: the submitter's variables, secrets, the active
Python; with the real binary."""

import json
import os
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import ROOT, Service, wait_for  # noqa: E402

PYTHON = "/usr/bin/python3"
CANARY = "canary-of-an-env-file"

PROGRAM = """
import json, os, sys
print(json.dumps({"argv": sys.argv[1:], "environ": dict(os.environ), "cwd": os.getcwd(),
                  "prefix": sys.prefix, "path": sys.path}))
"""

ONE_TRIAL = """
trainingInput: {{args: {args}}}
vernier: {{command: [{python}, {program}]}}
"""

TUNING = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 2
    maxFailedTrials: 2
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier: {{algorithm: RANDOM_SEARCH, command: [/bin/sh, {program}]}}
"""

WAITING = """
while [ ! -e {home}/go ]; do sleep 0.05; done
echo "threads=$OMP_NUM_THREADS lang=$LANG"
printf '{{"global_step": "1", "loss": "1", "timestamp": 1.5, "trial": "1"}}\\n' \\
  > "$CLOUD_ML_HP_METRIC_FILE"
"""


LONG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 1
    params: {params}
vernier:
  command: [/bin/sh, {program}]
  retry: {{maxUserErrorRetries: 0}}
"""

# With the parameters that it says it has, and a fault if it has none.
READS_PARAMETERS = """
{before}
exec {python} -c '
import json, sys
sys.path.insert(0, "{package}")
import vernier_hpo as vn
params = vn.trial().params or {{"by": "hand"}}
print("params", json.dumps(params, sort_keys=True))
print("loss=1")
' "$@"
"""


class EnvironmentTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())
        self.program = self.service.write("show.py", PROGRAM)

    def submit(self, *flags, config=None, name="job", env=None, cwd=None, check=True):
        path = self.service.write("job.yaml", config or ONE_TRIAL.format(
            args="[]", python=PYTHON, program=self.program))
        return self.service.cli("jobs", "submit", "training", name, "--config", path,
                                *flags, env=env, cwd=cwd, check=check)

    def run_long(self, params, before=""):
        program = self.service.write("reads.sh", READS_PARAMETERS.format(
            python=PYTHON, package=os.path.join(ROOT, "python/src"), before=before))
        self.submit(config=LONG.format(params=json.dumps(params), program=program))
        self.service.wait_state("job", "SUCCEEDED", "FAILED", "PAUSED")
        trial = self.service.json("trials", "list", "job")[0]
        log = self.service.cli("trials", "logs", "job", "1").stdout
        self.service.cli("jobs", "cancel", "job", check=False)
        self.service.cli("jobs", "delete", "job", "--yes")
        found = [line for line in log.splitlines() if "params {" in line]
        return trial, json.loads(found[0].split("params ", 1)[1]) if found else None

    def test_parameters_arrive_however_long_the_job_is(self):
        # The description is too long for a variable, the trial's parameters are not.
        many = [{"parameterName": "k", "type": "CATEGORICAL",
                 "categoricalValues": [f"{i:090}" for i in range(1000)]}]
        # So are they.
        long = [{"parameterName": f"p{i}", "type": "CATEGORICAL",
                 "categoricalValues": [f"{i}" * 900, "other" * 180]} for i in range(100)]
        for params, before in ((many, '[ -n "$VERNIER_PARAMETERS" ] || exit 1'),
                               (long, '[ -f "$VERNIER_PARAMETERS_FILE" ] || exit 1')):
            trial, seen = self.run_long(params, before)
            self.assertEqual(trial["state"], "COMPLETED", trial.get("message"))
            self.assertEqual(seen, trial["parameters"])
            self.assertEqual(len(seen), len(params))

    def test_a_trial_without_its_parameters_fails_by_name(self):
        params = [{"parameterName": f"p{i}", "type": "CATEGORICAL",
                   "categoricalValues": [f"{i}" * 900, "other" * 180]} for i in range(100)]
        trial, seen = self.run_long(params, "rm $VERNIER_PARAMETERS_FILE")
        self.assertIsNone(seen)
        self.assertEqual((trial["state"], trial["endCause"]), ("FAILED", "user_error"))
        self.assertIn("the trial's parameters cannot be read from VERNIER_PARAMETERS_FILE=",
                      trial["message"])

    def seen(self, name="job"):
        job = self.service.wait_state(name, "SUCCEEDED", "FAILED")
        log = self.service.cli("trials", "logs", name).stdout
        self.assertEqual(job["state"], "SUCCEEDED", log)
        line = [each for each in log.splitlines() if '{"argv"' in each][-1]
        return json.loads(line[line.index("{"):])

    def test_trials_get_the_submitters_variables(self):
        self.submit(env={"OMP_NUM_THREADS": "3", "WANDB_API_KEY": CANARY, "OTHER": "x"})
        environ = self.seen()["environ"]
        self.assertEqual(environ["OMP_NUM_THREADS"], "3")
        self.assertNotIn("WANDB_API_KEY", environ)
        self.assertNotIn("OTHER", environ)
        section = self.service.job("job")["vernier"]
        self.assertEqual(section["callerEnvironment"]["OMP_NUM_THREADS"], "3")

    def test_a_service_with_other_variables_gives_the_same_trials(self):
        program = self.service.write("wait.sh", WAITING.format(home=self.service.home))
        self.submit(config=TUNING.format(program=program),
                    env={"OMP_NUM_THREADS": "3", "LANG": "C.UTF-8"})
        wait_for("a trial", lambda: self.service.json("trials", "list", "job"))
        self.service.kill()
        before = dict(os.environ)
        os.environ.update({"OMP_NUM_THREADS": "9", "LANG": "de_DE.UTF-8"})
        try:
            self.service.start()
        finally:
            os.environ.clear()
            os.environ.update(before)
        self.service.write("go", "")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        log = self.service.cli("trials", "logs", "job").stdout
        self.assertEqual(log.count("threads=3 lang=C.UTF-8"), 2, log)

    def test_variables_are_added_by_flags(self):
        self.submit("--env", "NEW=a b", "--env", "TAKEN", env={"TAKEN": "from here"})
        environ = self.seen()["environ"]
        self.assertEqual((environ["NEW"], environ["TAKEN"]), ("a b", "from here"))
        refused = self.submit("--env", "NOT_SET_ANYWHERE", name="other", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("NOT_SET_ANYWHERE is not set in your environment", refused.stderr)

    def test_secrets_reach_the_program_and_nothing_else(self):
        secrets = self.service.write("secrets.env", f"API_KEY='{CANARY}'\n", 0o600)
        told = self.submit("--env-file", secrets)
        self.assertEqual(self.seen()["environ"]["API_KEY"], CANARY)
        faces = told.stdout + told.stderr
        for verb in (["jobs", "describe", "job"], ["jobs", "list"], ["why", "job"],
                     ["events", "job"], ["trials", "list", "job"],
                     ["trials", "describe", "job", "1"], ["trials", "command", "job", "1"]):
            for form in ("table", "json"):
                faces += self.service.cli(*verb, "--format", form, check=False).stdout
        self.assertIn("API_KEY", faces)
        self.assertNotIn(CANARY, faces)
        section = self.service.job("job")["vernier"]
        self.assertEqual(section["secretNames"], ["API_KEY"])
        self.assertEqual(os.stat(section["secretsFile"]).st_mode & 0o777, 0o600)
        holders = subprocess.run(["grep", "-rl", CANARY, self.service.data], check=True,
                                 capture_output=True, text=True).stdout.split()
        # The program printed it itself: the attempt's record keeps its last lines.
        self.assertEqual({os.path.relpath(os.path.dirname(each), self.service.data)
                          for each in holders},
                         {"secrets", "runs/1/1/1", "runs/1/1/1/logs"})
        self.service.cli("jobs", "delete", "job", "--yes")
        self.assertFalse(os.path.exists(section["secretsFile"]))

    def test_a_described_job_cannot_borrow_anothers_secrets(self):
        secrets = self.service.write("secrets.env", f"API_KEY={CANARY}\n", 0o600)
        self.submit("--env-file", secrets)
        self.seen()
        job = self.service.job("job")
        copy = json.dumps({"trainingInput": {}, "vernier": {
            "command": [PYTHON, self.program],
            "secretsFile": job["vernier"]["secretsFile"], "secretNames": ["API_KEY"]}})
        self.submit(config=copy, name="thief")
        self.assertNotIn("API_KEY", self.seen("thief")["environ"])

    def test_an_active_environment_is_the_python_of_modules(self):
        folder = os.path.join(self.service.home, "venv")
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", folder], check=True)
        package = os.path.join(self.service.home, "trainer")
        os.makedirs(package)
        for name, text in (("__init__.py", ""), ("task.py", PROGRAM)):
            with open(os.path.join(package, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.service.cli("jobs", "submit", "training", "job", "--module-name",
                         "trainer.task", "--package-path", package,
                         env={"VIRTUAL_ENV": folder})
        self.assertEqual(self.seen()["prefix"], folder)

    def test_python_path_leads_into_the_pinned_copy(self):
        project = os.path.join(self.service.home, "project")
        os.makedirs(os.path.join(project, "src"))
        with open(os.path.join(project, "train.py"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        config = self.service.write("run.yaml", "trainingInput: {}\n")
        self.service.cli("run", "--config", config, "--name", "job", "--", PYTHON,
                         "train.py", cwd=project,
                         env={"PYTHONPATH": "src:/usr/lib/nowhere"})
        seen = self.seen()
        self.assertTrue(seen["cwd"].startswith(self.service.data), seen["cwd"])
        self.assertEqual(seen["environ"]["PYTHONPATH"],
                         # An empty folder is copied, too.
                         os.path.join(seen["cwd"], "src") + ":/usr/lib/nowhere")

    def test_bucket_arguments_are_paths_and_the_log_says_so(self):
        os.makedirs(os.path.join(self.service.data, "buckets", "models"))
        config = ONE_TRIAL.format(args='["--data=gs://models/x", "gs://elsewhere/y"]',
                                  python=PYTHON, program=self.program)
        self.submit(config=config)
        folder = os.path.join(self.service.data, "buckets", "models")
        self.assertEqual(self.seen()["argv"], [f"--data={folder}/x", "gs://elsewhere/y"])
        log = self.service.cli("trials", "logs", "job").stdout
        self.assertIn("vernier: note: the argument gs://models/x is given to the program "
                      f"as {folder}/x", log)
        self.assertIn("gs://elsewhere/y is given to the program as it is", log)

    def test_a_trial_can_be_run_by_hand(self):
        secrets = self.service.write("secrets.env", f"API_KEY='{CANARY} $x'\n", 0o600)
        self.submit("--env-file", secrets, "--env", "WITH_BLANKS=it's a \"b\"", "--",
                    "--name", "two words", env={"OMP_NUM_THREADS": "3"})
        seen = self.seen()
        line = self.service.cli("trials", "command", "job", "1").stdout
        self.assertEqual(line.count("\n"), 1)
        self.assertNotIn(CANARY, line)
        by_hand = json.loads(subprocess.run(["/bin/sh", "-c", line], check=True,
                                            capture_output=True, text=True).stdout)
        self.assertEqual(by_hand["argv"], seen["argv"])
        self.assertEqual(by_hand["cwd"], seen["cwd"])
        for name in ("API_KEY", "WITH_BLANKS", "OMP_NUM_THREADS", "PATH", "VERNIER_TRIAL"):
            self.assertEqual(by_hand["environ"][name], seen["environ"][name])
        self.assertNotIn("VERNIER_ATTEMPT", by_hand["environ"])

    def test_an_output_folder_that_cannot_be_made_is_refused(self):
        for folder in ("/etc/passwd", "/proc/nosuch"):
            refused = self.submit("--job-dir", folder, check=False)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("trainingInput.jobDir: programs could not write there",
                          refused.stderr)


class RestFoldersTest(unittest.TestCase):
    def test_a_relative_code_folder_over_rest_is_an_error(self):
        with Service("--http", "127.0.0.1:0") as service:
            url = wait_for("HTTP", lambda: service.json("info")["httpUrl"])
            body = {"jobId": "job", "trainingInput": {},
                    "vernier": {"command": ["/bin/true"], "codeDir": "here"}}
            token = service.cli("tokens", "create", "--scope", "project-write",
                                "--project", "p1", "--may-run").stdout.strip()
            request = urllib.request.Request(
                url + "/v1/projects/p1/jobs", json.dumps(body).encode(),
                {"Content-Type": "application/json", "Authorization": "Bearer " + token})
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request)
            self.assertEqual(refused.exception.code, 400)
            self.assertIn("vernier.codeDir: must be an absolute path",
                          refused.exception.read().decode())


if __name__ == "__main__":
    unittest.main()
