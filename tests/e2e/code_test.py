"""A job's code and files with the real binary: what is copied, what is left out, where
the trials' own files are, and what goes when a job is deleted."""

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import ROOT, Service, binary, wait_for  # noqa: E402

PYTHON = "/usr/bin/python3"
CANARY = "canary-of-an-env-file"

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 2
    maxFailedTrials: 2
    params:
    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}
"""

TRAIN = """
import os
with open("data/train.csv") as file:
    rows = file.read().strip()
with open("model.pt", "w") as file:
    file.write("weights")
print(f"rows={rows} cwd={os.getcwd()} out={os.environ['VERNIER_OUTPUT_DIR']} loss=0.5")
"""


# A program that goes on from the checkpoint that it finds, as many do.
RESUMES = """
import os
begin = 0
if os.path.exists("checkpoints/last.ckpt"):
    with open("checkpoints/last.ckpt") as file:
        begin = int(file.read())
    print("resuming at epoch", begin)
for epoch in range(begin + 1, begin + 4):
    print(f"epoch {epoch} loss={1 / epoch}")
    with open("checkpoints/last.ckpt", "w") as file:
        file.write(str(epoch))
with open("model.pt", "w") as file:
    file.write("trial " + os.environ["CLOUD_ML_TRIAL_ID"])
"""

EVENTS = os.path.join(ROOT, "tests/cluster/metrics/tensorboard/fixtures",
                      "keras-train.tfevents")


class CodeTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service("--http", "127.0.0.1:0"))
        # Beside the service's folder, as a user's projects are.
        self.home = tempfile.mkdtemp(prefix="vernier-code-")
        self.addCleanup(shutil.rmtree, self.home)
        self.folder = os.path.join(self.home, "project")
        self.data = os.path.join(self.home, "data")
        self.write("../data/train.csv", "3\n")
        self.write("c.yaml", CONFIG)
        self.write("train.py", TRAIN)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_job(self, *flags, program=(PYTHON, "train.py")):
        return self.service.cli("run", "--config", "c.yaml", "--name", "j", *flags, "--",
                                *program, check=False, cwd=self.folder)

    def output_dir(self, trial="1"):
        attempts = self.service.json("trials", "describe", "j", trial)["attempts"]
        return os.path.join(attempts[-1]["runDir"], "work")

    def test_a_link_to_data_elsewhere_stays_a_link(self):
        for target in (self.data, "../data"):
            os.symlink(target, os.path.join(self.folder, "data"))
            done = self.run_job("--restart")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("links that lead out of the code folder stay links", done.stderr)
            self.assertIn(f"data -> {self.data}", done.stderr)
            self.service.cli("jobs", "delete", "j", "--yes")
            os.remove(os.path.join(self.folder, "data"))

    def test_what_is_left_out_is_told_and_named_when_it_is_missed(self):
        self.write(".vernierignore", "# large\ndata/\n")
        self.write("data/train.csv", "3\n")
        self.write(".git/HEAD", "ref")
        self.write(".venv/pyvenv.cfg", "")
        failed = self.run_job()
        self.assertEqual(failed.returncode, 1, failed.stderr)
        self.assertIn("note: not copied with the code: version control (.git/), virtual "
                      "environments (.venv/), what .vernierignore names (data/)",
                      failed.stderr)
        why = self.service.cli("why", "j", "1").stdout
        self.assertIn(f"data/train.csv lies in {self.folder}, but was not copied", why)
        self.assertIn("line 2 of .vernierignore", why)
        # Taken up again, without the line.
        os.remove(os.path.join(self.folder, ".vernierignore"))
        mended = self.run_job()
        self.assertEqual(mended.returncode, 0, mended.stderr)
        self.assertIn("not copied with the code", mended.stderr)
        self.assertNotIn("vernierignore", mended.stderr)

    def test_no_copy_runs_where_the_code_is(self):
        self.write("data/train.csv", "3\n")
        done = self.run_job("--no-copy")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"cwd={self.folder} ", self.service.cli("trials", "logs", "j").stdout)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "model.pt")))
        self.assertEqual(os.listdir(os.path.join(self.service.data, "code")), [])
        # What the job's own folder has would be none of it.
        for verb in (["jobs", "describe", "j"], ["trials", "describe", "j", "1"],
                     ["trials", "list", "j"]):
            said = self.service.cli(*verb).stdout
            self.assertIn(self.folder, said)
            self.assertNotIn("/1/1/work", said)
        # It is the user's, so nothing of it goes with the job, and nobody is asked.
        self.service.cli("jobs", "delete", "j")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "model.pt")))

    def test_what_a_trial_writes_is_its_own_where_the_code_has_such_a_folder(self):
        self.write("checkpoints/.gitkeep", "")
        self.write("model.pt", "trained by hand")
        self.write("train.py", RESUMES)
        done = self.run_job("-n", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        for trial in "123":
            log = self.service.cli("trials", "logs", "j", trial).stdout
            self.assertNotIn("resuming", log)
            folder = self.output_dir(trial)
            with open(os.path.join(folder, "model.pt"), encoding="utf-8") as file:
                self.assertEqual(file.read(), f"trial {trial}")
        kept = self.service.cli("jobs", "delete", "j", check=False)
        self.assertEqual(kept.returncode, 2, kept.stderr)
        self.assertIn("6 files (24 bytes) that its trials left", kept.stderr)
        # Their copies of the code do not stay for ever.
        wait_for("the copies to go", lambda: sorted(
            name for _, _, names in os.walk(self.output_dir()) for name in names) ==
            ["last.ckpt", "model.pt"])
        # The trial's command puts them back.
        line = self.service.cli("trials", "command", "j", "1").stdout
        again = subprocess.run(["sh", "-c", line], capture_output=True, text=True,
                               check=False, timeout=60)
        self.assertIn("resuming at epoch 3", again.stdout, again.stderr)

    def test_event_files_in_a_folder_that_the_code_has_are_read(self):
        self.write("logs/.gitkeep", "")
        shutil.copy(EVENTS, os.path.join(self.folder, "logs/events.out.tfevents.1.old"))
        self.write("c.yaml", CONFIG.replace("loss", "epoch_loss"))
        self.write("train.py", "import shutil\n"
                   f"shutil.copyfile({EVENTS!r}, 'logs/events.out.tfevents.2.host')\n")
        done = self.run_job()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("train.py", "print('nothing is written')\n")
        self.service.cli("jobs", "delete", "j", "--yes")
        done = self.run_job()
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_what_is_too_large_to_be_copied_for_each_trial_is_named(self):
        self.write("data/train.csv", "3\n")
        with open(os.path.join(self.folder, "data/images.bin"), "wb") as file:
            file.truncate(65 << 20)
        note = "data/images.bin (65.0 MiB) is shared by all trials"
        done = self.run_job()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(note, done.stderr)
        for verb in (["jobs", "describe", "j"], ["why", "j"]):
            self.assertIn(note, self.service.cli(*verb).stdout)

    def test_what_a_trial_writes_is_found_and_goes_only_when_that_is_agreed(self):
        self.write("data/train.csv", "3\n")
        done = self.run_job()
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.output_dir()
        self.assertIn(f"out={folder} ", self.service.cli("trials", "logs", "j").stdout)
        self.assertTrue(os.path.exists(os.path.join(folder, "model.pt")))
        self.assertIn(folder, self.service.cli("trials", "list", "j").stdout)
        self.assertIn(folder, self.service.cli("jobs", "describe", "j").stdout)
        self.assertIn(folder, self.service.cli("trials", "describe", "j", "1").stdout)

        kept = self.service.cli("jobs", "delete", "j", check=False)
        self.assertEqual(kept.returncode, 2, kept.stderr)
        self.assertIn("2 files (14 bytes) that its trials left", kept.stderr)
        self.assertIn("--yes", kept.stderr)
        self.assertTrue(os.path.exists(os.path.join(folder, "model.pt")))
        self.assertIn("Nothing was deleted", self.answer("n\n", 1))
        self.assertTrue(os.path.exists(os.path.join(folder, "model.pt")))
        self.assertIn("has been deleted, with 2 files", self.answer("y\n", 0))
        self.assertFalse(os.path.exists(folder))

    def answer(self, text, code):
        """Deletes on a terminal, where it asks; what it said."""
        master, terminal = pty.openpty()
        try:
            with subprocess.Popen(
                    [binary(), "jobs", "delete", "j"], stdin=terminal, stdout=terminal,
                    stderr=terminal, env={**os.environ,
                                          "VERNIER_ENDPOINT": self.service.endpoint}) as it:
                os.close(terminal)
                said = b""
                while b"(y/N)?" not in said:
                    said += os.read(master, 4096)
                os.write(master, text.encode())
                try:
                    while piece := os.read(master, 4096):
                        said += piece
                except OSError:
                    pass  # The other end is closed.
                self.assertEqual(it.wait(), code, said)
        finally:
            os.close(master)
        return said.decode()

    def test_every_api_keeps_what_trials_left_and_tells_of_the_copy(self):
        self.write(".git/HEAD", "ref")
        self.write("data/train.csv", "3\n")
        token = self.service.cli("tokens", "create", "--scope", "admin",
                                 "--may-run").stdout.split()[0]
        url = self.service.cli("info", "--format", "value(httpUrl)").stdout.strip()

        def call(path, body=None):
            request = urllib.request.Request(
                url + path, None if body is None else json.dumps(body).encode(),
                {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.loads(answer.read())
            except urllib.error.HTTPError as error:
                return json.loads(error.read())["error"]

        note = "not copied with the code: version control (.git/)"
        made = call("/v1/projects/default/jobs", {
            "jobId": "j", "trainingInput": {}, "vernier": {
                "command": [PYTHON, "train.py"], "codeDir": self.folder}})
        self.assertEqual(made["vernier"]["codeNotes"], [note])
        self.service.wait_state("j", "SUCCEEDED")
        for face in (call("/v1/projects/default/jobs/j")["vernier"],
                     self.service.job("j")["vernier"], call("/ui/api/studies/j")):
            self.assertEqual(face["codeNotes"], [note])
            self.assertEqual(face["outputDir"] + "/1/1/work", self.output_dir())
        for verb in (["jobs", "describe", "j"], ["why", "j"]):
            self.assertIn(note, self.service.cli(*verb).stdout)

        delete = "/ui/rpc/vernier.v1.JobService/DeleteJob"
        refused = call(delete, {"jobId": "j"})
        self.assertEqual(refused["status"], "FAILED_PRECONDITION")
        self.assertIn("removes 1 file (7 bytes) that its trials left below ",
                      refused["message"])
        would_go = call(delete, {"jobId": "j", "validateOnly": True})
        self.assertEqual((would_go["text"], would_go["outputFiles"]),
                         ("1 file (7 bytes)", "1"))
        self.assertTrue(os.path.exists(os.path.join(self.output_dir(), "model.pt")))
        went = call(delete, {"jobId": "j", "withOutputs": True})
        self.assertEqual(went, would_go)
        self.assertEqual(call("/v1/projects/default/jobs/j")["status"], "NOT_FOUND")

    def test_a_secret_that_is_printed_last_is_in_no_answer_and_no_database(self):
        secrets = os.path.join(self.home, "secrets.env")
        with open(secrets, "w", encoding="utf-8") as file:
            file.write(f"API_KEY={CANARY}\n")
        self.write("train.py", "import os, sys\n"
                   "open(os.environ['VERNIER_METRICS'], 'w').write("
                   "'{\"loss\": ' + os.environ['API_KEY'] + '}\\n')\n"
                   "sys.exit('wrong key: ' + os.environ['API_KEY'])\n")
        failed = self.run_job("--env-file", secrets)
        self.assertEqual(failed.returncode, 1, failed.stderr)
        faces = failed.stdout + failed.stderr
        for verb in (["why", "j", "1"], ["why", "j"], ["events", "j"],
                     ["jobs", "describe", "j"], ["trials", "describe", "j", "1"]):
            faces += self.service.cli(*verb, "--format", "json", check=False).stdout
            faces += self.service.cli(*verb, check=False).stdout
        self.assertIn("wrong key: ***", faces)
        self.assertNotIn(CANARY, faces)
        for name in os.listdir(self.service.data):
            path = os.path.join(self.service.data, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    self.assertNotIn(CANARY.encode(), file.read(), name)

    def test_a_code_folder_that_is_too_large_is_told_what_to_leave_out(self):
        with open(os.path.join(self.folder, "weights.bin"), "wb") as file:
            file.truncate(600 << 20)
        self.write("data/train.csv", "3\n")
        refused = self.run_job()
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("\n/weights.bin\n", refused.stderr)
        self.write(".vernierignore", "/weights.bin\n")
        self.assertEqual(self.run_job().returncode, 0)

    def test_the_services_own_folder_is_no_code(self):
        os.symlink(self.service.data, os.path.join(self.home, "link"))
        for folder in (self.service.data, os.path.join(self.service.data, "secrets"),
                       os.path.join(self.home, "link")):
            path = os.path.join(self.home, "job.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"trainingInput": {}, "vernier": {"command": ["/bin/true"], "codeDir": folder}}, file)
            refused = self.service.cli("jobs", "submit", "training", "thief", "--config",
                                       path, check=False)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("data directory", refused.stderr)


if __name__ == "__main__":
    unittest.main()
