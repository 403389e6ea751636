"""Programs that report by other roads than cloudml-hypertune's file."""

import json
import os
import sys
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import ROOT, Service, wait_for  # noqa: E402

FIXTURES = os.path.join(ROOT, "tests/cluster/metrics/tensorboard/fixtures")
LOGS = os.path.join(ROOT, "tests/cluster/metrics/logs")

JOB = """
trainingInput:
  jobDir: {job_dir}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: {metric}
    maxTrials: {trials}
    params: [{{parameterName: lr, type: DOUBLE, minValue: 0.1, maxValue: 1}}]
vernier:
  command: [{program}]
  seed: 1
{extra}
"""

PRINTS = """#!/bin/sh
for epoch in 1 2 3; do echo "Epoch $epoch/3 - loss: $2 - acc: 0.$epoch"; done
"""

# Says its last value without a step.
MIXES = """#!/bin/sh
for step in 1000 3000 5000; do echo "step $step loss=0.$step"; done
echo "final loss=0.1"
"""

# Prints, too, and more, but what it reports is what it means.
APPENDS = """#!/bin/sh
echo "loss=77 step=99"
echo '{"step": 1, "loss": 5}' >> $VERNIER_METRICS
echo '{"step": 2, "loss": 2.5, "accuracy": 0.5}' >> $VERNIER_METRICS
"""

KERAS = """#!/bin/sh
for kind in train validation; do
  mkdir -p {job_dir}/$CLOUD_ML_TRIAL_ID/logs/$kind
  cp {fixtures}/keras-$kind.tfevents \\
    {job_dir}/$CLOUD_ML_TRIAL_ID/logs/$kind/events.out.tfevents.1.host
done
"""


# As in a container of another machine, which shares no folder.
CALLS = """#!/usr/bin/python3
import os, signal, sys, time
sys.path.insert(0, {python!r})
del os.environ["VERNIER_METRICS"]
from vernier_report import report, should_stop
for step in range(3):
    report(step, loss=float(sys.argv[2]) + step, accuracy=0.5)
report("bad", loss=object())  # Never raises.
open({home!r} + "/url", "w").write(os.environ["VERNIER_REPORT_URL"])
if {waits!r}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while not should_stop():
        time.sleep(0.05)
    open({home!r} + "/stopped", "w").close()
"""


# Reaches step 7, and goes back to its checkpoint of step 4, as
# SummaryWriter(purge_step=4) writes it down: at once, or in the next attempt.
GOES_BACK = """#!/usr/bin/python3
import os, struct, sys, time
table = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82f63b78 if byte & 1 else 0)
    table.append(byte)
def masked(data):
    crc = 0xffffffff
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xffffffff
    return struct.pack("<I", (crc >> 15 | crc << 17) + 0xa282ead8 & 0xffffffff)
def field(number, data):
    return bytes([number << 3 | 2, len(data)]) + data
class Writer:
    def __init__(self, purge_step=None):
        folder = sys.argv[-1] + "/runs"
        os.makedirs(folder, exist_ok=True)
        self.file = open(f"{{folder}}/events.out.tfevents.{{time.time_ns()}}.host", "wb")
        self.add(0, field(3, b"brain.Event:2"))
        if purge_step is not None:
            self.add(purge_step, field(7, bytes([1 << 3, 1])))
    def add(self, step, rest):
        data = b"\\x09" + struct.pack("<d", time.time()) + bytes([2 << 3, step]) + rest
        size = struct.pack("<Q", len(data))
        self.file.write(size + masked(size) + data + masked(data))
        self.file.flush()
    def add_scalar(self, tag, value, step):
        self.add(step, field(5, field(1, field(1, tag) + b"\\x15" +
                                      struct.pack("<f", value))))
again = os.environ["VERNIER_RESTART_COUNT"] != "0"
if not again:
    writer = Writer()
    for step in range(8):
        writer.add_scalar(b"loss", 8 - step, step)
    if {next_attempt!r}:
        sys.exit(75)
    time.sleep(2.5)
writer = Writer(purge_step=4)
for step in (4, 5):
    writer.add_scalar(b"loss", 10.5 - step, step)
"""

# Lines for which patterns of a kind take long.
SLOW = """#!/usr/bin/python3
import os, random
random.seed(1)
for _ in range(64):
    print("".join(random.choice("ab") for _ in range(16000)), flush=True)
open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "printed"), "w").close()
"""


class MetricRoadsTest(unittest.TestCase):
    def run_job(self, program, metric="loss", trials=1, extra=""):
        """Runs the program, and returns the trials in order."""
        self.write_job(program, metric, trials, extra)
        self.service.wait_state("job", "SUCCEEDED", "FAILED", "PAUSED")
        trials = self.service.json("trials", "list", "job")
        return sorted(trials, key=lambda trial: int(trial["trialId"]))

    def write_job(self, program, metric="loss", trials=1, extra=""):
        self.job_dir = os.path.join(self.service.home, "out")
        path = self.service.write("program.sh", program, 0o755)
        config = self.service.write("job.yaml", JOB.format(
            job_dir=self.job_dir, metric=metric, program=path, trials=trials,
            extra=extra))
        self.service.cli("jobs", "submit", "training", "job", "--config", config)

    def measurements(self, trial=1):
        return [(one["metric"], int(one.get("step", 0)), one["value"], one["source"])
                for one in self.service.json("trials", "measurements", "job", str(trial))]

    def setUp(self):
        self.service = Service().__enter__()
        self.addCleanup(self.service.__exit__, None, None, None)

    def test_what_is_printed_counts(self):
        trials = self.run_job(PRINTS, trials=2)
        for trial in trials:
            value = float(trial["parameters"]["lr"])
            self.assertEqual(trial["finalMeasurement"]["value"], value)
            self.assertEqual(trial["finalMeasurement"]["step"], "3")
        self.assertEqual([one[:2] + one[3:] for one in self.measurements()],
                         [("loss", step, "STDOUT") for step in (1, 2, 3)])

    def test_the_last_that_is_printed_is_the_last(self):
        trial = self.run_job(MIXES)[0]
        self.assertEqual(trial["finalMeasurement"], {"value": 0.1, "step": "5001"})
        self.assertEqual([one[1] for one in self.measurements()], [1000, 3000, 5000, 5001])
        self.assertIn("because it says step 5000, then none: it stands at 5001",
                      self.service.cli("why", "job", "1").stdout)
        # How it was understood stands where the curve does.
        self.assertIn("note: the values of \"loss\" are counted on in their order",
                      self.service.cli("trials", "measurements", "job", "1").stderr)

    # The value that a person would read off the end of a library's own log.
    def test_recorded_logs_end_with_the_value_at_their_end(self):
        for name, metric, value in (
                ("huggingface.log", "eval_loss", 0.6928502321243286),
                ("lightning.log", "val_loss", 0.10346662253141403),
                ("fastai.log", "valid_loss", 1.334459),
                ("catboost.log", "test", 0.2977599),
                ("sklearn_hist.log", "val loss", 0.44754),
                ("tqdm_nested.log", "val_loss", 0.167),
                ("pytorch.log", "Average loss", 0.3768),
                ("keras.log", "val_accuracy", 0.92)):
            with self.subTest(name=name):
                trial = self.run_job(f"#!/bin/sh\ncat {LOGS}/{name}\n", metric)[0]
                self.assertEqual(trial["finalMeasurement"]["value"], value)
                self.service.cli("jobs", "delete", "job")

    def test_of_several_values_of_a_step_the_later_one_counts(self):
        for program in (
                'printf "step 1 loss=3\\nstep 1 loss=2\\nstep 1 loss=3\\nstep 1 loss=1\\n"',
                "for loss in 3 2 3 1; do\n"
                "  echo '{\"step\": 1, \"loss\": '$loss'}' >> $VERNIER_METRICS\ndone",
                "for loss in 3 2 3 1; do\n"
                "  echo '{\"global_step\": \"1\", \"loss\": '$loss'}'"
                " >> $CLOUD_ML_HP_METRIC_FILE\ndone",
                "for loss in 3 2 3 1; do echo '{\"step\": 1, \"loss\": '$loss'}'; done |\n"
                "  python3 -c 'import os, sys, urllib.request as r\n"
                "r.urlopen(r.Request(os.environ[\"VERNIER_REPORT_URL\"],"
                " sys.stdin.buffer.read(),\n"
                " {\"Content-Type\": \"application/json\"}))'"):
            with self.subTest(program=program):
                trial = self.run_job(f"#!/bin/sh\n{program}\n")[0]
                self.assertEqual(trial["finalMeasurement"], {"value": 1, "step": "1"})
                self.assertEqual([one[2] for one in self.measurements()], [3, 2, 3, 1])
                self.service.cli("jobs", "delete", "job")

    def test_what_was_printed_instead_is_named(self):
        trial = self.run_job("#!/bin/sh\necho 'epoch=1 accuracy=0.5 lr=0.1'\n", "acuracy")[0]
        self.assertIn('it reported: "accuracy" (STDOUT), "lr" (STDOUT); did you mean '
                      '"accuracy"?', trial["message"])
        self.service.cli("jobs", "cancel", "job", check=False)
        self.service.cli("jobs", "delete", "job")
        trial = self.run_job("#!/bin/sh\necho 'loss=0,25'\n")[0]
        self.assertIn("line 1 of the output names \"loss\" without a value that can be read "
                      "(its comma may be a decimal point or separate thousands; print a "
                      "point): loss=0,25", trial["message"])

    def test_a_metric_that_nobody_would_hear_is_refused(self):
        path = self.service.write("job.yaml", JOB.format(
            job_dir=os.path.join(self.service.home, "out"), metric="time",
            program="/bin/true", trials=1, extra=""))
        done = self.service.cli("jobs", "submit", "training", "job", "--config", path,
                                check=False)
        self.assertIn('hyperparameterMetricTag is "time", which is no metric in REPORT and '
                      "METRIC_FILE", done.stderr)

    def test_what_is_reported_counts_more_than_what_is_printed(self):
        trial = self.run_job(APPENDS)[0]
        self.assertEqual(trial["finalMeasurement"], {"value": 2.5, "step": "2"})
        self.assertEqual(
            [one for one in self.measurements() if one[3] != "STDOUT"],
            [("accuracy", 2, 0.5, "METRIC_FILE"), ("loss", 1, 5, "METRIC_FILE"),
             ("loss", 2, 2.5, "METRIC_FILE")])

    def test_a_purge_step_takes_what_was_read_back(self):
        for next_attempt in (False, True):
            with self.subTest(next_attempt=next_attempt):
                trial = self.run_job(GOES_BACK.format(next_attempt=next_attempt),
                                     extra="  objectiveReduction: BEST")[0]
                self.assertEqual(len(trial["attempts"]), 2 if next_attempt else 1)
                # 5 at step 3 is the best that counts: 1 at step 7 was taken back.
                self.assertEqual(trial["finalMeasurement"], {"value": 5, "step": "3"})
                self.assertEqual([one[1:3] for one in self.measurements()],
                                 [(step, 8 - step) for step in range(4)] + [(4, 6.5), (5, 5.5)])
                self.service.cli("jobs", "delete", "job", "--yes")

    def calls(self, waits=False):
        return CALLS.format(python=os.path.join(ROOT, "python", "src"),
                            home=self.service.home, waits=waits)

    def post(self, url, body):
        """Returns the status and the answer of a report."""
        request = urllib.request.Request(
            url, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)["error"]["message"]

    def test_what_is_reported_over_http_counts(self):
        trial = self.run_job(self.calls())[0]
        value = trial["parameters"]["lr"]
        self.assertEqual(trial["finalMeasurement"], {"value": value + 2, "step": "2"})
        self.assertEqual(
            [one[1:] for one in self.measurements() if one[0] == "loss"],
            [(step, value + step, "REPORT") for step in range(3)])
        with open(os.path.join(self.service.home, "url"), encoding="utf-8") as file:
            status, _ = self.post(file.read(), b'{"loss": 9}')
        self.assertEqual(status, 401, "the token ends with its attempt")

    def test_a_program_hears_that_it_is_to_stop(self):
        self.write_job(self.calls(waits=True), extra="  killGrace: 60s")
        url_path = os.path.join(self.service.home, "url")
        wait_for("the program", lambda: os.path.exists(url_path)
                 and os.path.getsize(url_path) > 0)
        with open(url_path, encoding="utf-8") as file:
            url = file.read()
        self.assertEqual(self.post(url, b'{"loss": 9, "step": 7}'),
                         (200, {"shouldStop": False}))
        for body, word in ((b"\xff\xfe", "line 1"), (b"[" * 100000, "nested"),
                           (b'{"step": 1.5, "loss": 1}', "step")):
            status, message = self.post(url, body)
            self.assertEqual(status, 400, message)
            self.assertIn(word, message)
        status, message = self.post(url, b" " * (2 << 20))
        self.assertEqual(status, 413, message)
        status, _ = self.post(url.replace("/v1/report", "/v1/projects/default/jobs"),
                              b"{}")
        self.assertEqual(status, 403, "an attempt only reports")
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")
        self.assertTrue(os.path.exists(os.path.join(self.service.home, "stopped")))

    def keras(self):
        return KERAS.format(job_dir=os.path.join(self.service.home, "out"),
                            fixtures=FIXTURES)

    def test_event_files_of_validation_count_more_than_of_training(self):
        trial = self.run_job(self.keras(), metric="epoch_loss")[0]
        sources = {source for metric, _, _, source in self.measurements()
                   if metric == "epoch_loss"}
        self.assertIn("TENSORBOARD (validation)", sources)
        last = [value for metric, _, value, source in self.measurements()
                if metric == "epoch_loss" and source == "TENSORBOARD (validation)"][-1]
        self.assertEqual(trial["finalMeasurement"]["value"], last)

    def test_an_objective_that_was_not_reported_is_told_with_those_that_were(self):
        trial = self.run_job(self.keras(), metric="epoch_los")[0]
        self.assertNotIn("finalMeasurement", trial)
        message = trial["message"]
        self.assertIn('"epoch_los"', message)
        self.assertIn('"validation/epoch_loss" (TENSORBOARD', message)
        self.assertIn("did you mean", message)

    def test_a_job_that_listens_elsewhere_does_not_hear_it(self):
        trial = self.run_job(PRINTS, extra="  metricSources: [TENSORBOARD]")[0]
        self.assertNotIn("finalMeasurement", trial)

    def test_a_pattern_of_the_job_is_looked_for(self):
        extra = r"""
  metricPatterns:
  - {metric: loss, pattern: '^Epoch (?P<step>\d+)/.*acc: (?P<value>\S+)'}
"""
        self.run_job(PRINTS, extra=extra)
        self.assertEqual([one[1:3] for one in self.measurements()],
                         [(1, 0.1), (2, 0.2), (3, 0.3)])

    # They read as zeros, and cost the program nothing.
    def test_holes_of_terabytes_are_not_read(self):
        for path, line, after in (
                ("$VERNIER_METRICS", '{"step": 1, "loss": 0.5}',
                 "truncate -s 12T $VERNIER_METRICS"),
                ("$CLOUD_ML_HP_METRIC_FILE", '{"global_step": "1", "loss": "0.5"}', "")):
            with self.subTest(path=path):
                trial = self.run_job(
                    f"#!/bin/sh\ntruncate -s 8T {path}\necho >> {path}\n"
                    f"echo '{line}' >> {path}\n{after}\n")[0]
                self.assertEqual(trial["finalMeasurement"], {"value": 0.5, "step": "1"})
                self.service.cli("jobs", "delete", "job")

    def test_nobody_waits_for_the_slow_patterns_of_another(self):
        slow = self.service.write("slow.py", SLOW, 0o755)
        patterns = "\n".join(
            f"  - {{metric: loss, pattern: '(?:[ab]*a[ab]{{{100 + i}}}c)|(?P<value>[ab])'}}"
            for i in range(90))
        config = self.service.write("slow.yaml", JOB.format(
            job_dir=os.path.join(self.service.home, "slow"), metric="loss", program=slow,
            trials=1, extra=f"  metricPatterns:\n{patterns}\n"))
        self.service.cli("jobs", "submit", "training", "slow", "--config", config)
        wait_for("the program", lambda: os.path.exists(
            os.path.join(self.service.home, "printed")))
        trial = self.run_job(PRINTS)[0]
        self.assertEqual(trial["state"], "COMPLETED")
        self.assertEqual(self.service.job("slow")["state"], "RUNNING")
        self.service.cli("jobs", "cancel", "slow")
        self.service.wait_state("slow", "CANCELLED")

    def test_a_broken_pattern_is_refused_where_it_stands(self):
        config = self.service.write("job.yaml", JOB.format(
            job_dir="/tmp", metric="loss", program="true", trials=1,
            extra="  metricPatterns: [{metric: loss, pattern: 'loss (.*'}]"))
        result = self.service.cli("jobs", "submit", "training", "job", "--config",
                                  config, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("metricPatterns[0].pattern", result.stderr)


if __name__ == "__main__":
    unittest.main()
