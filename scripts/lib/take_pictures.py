"""Runs a study and takes pictures of it: take_pictures.py FOLDER."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/e2e"))
from dashboard_test import install, run  # noqa: E402
from service import Service, free_port, wait_for  # noqa: E402

JOB = """
trainingInput:
  region: local
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 48
    maxParallelTrials: 3
    enableTrialEarlyStopping: true
    params:
    - {{parameterName: learning_rate, type: DOUBLE, minValue: 0.0001, maxValue: 1, scaleType: UNIT_LOG_SCALE}}
    - {{parameterName: dropout, type: DOUBLE, minValue: 0, maxValue: 0.6, scaleType: UNIT_LINEAR_SCALE}}
    - {{parameterName: layers, type: INTEGER, minValue: 1, maxValue: 6, scaleType: UNIT_LINEAR_SCALE}}
    - {{parameterName: batch_size, type: DISCRETE, discreteValues: [16, 32, 64, 128]}}
    - {{parameterName: optimizer, type: CATEGORICAL, categoricalValues: [sgd, adam, adamw]}}
vernier:
  seed: 7
  command: [/usr/bin/python3, {program}]
"""

# A made-up loss: learning rates near 0.01 with Adam are best, large ones
# diverge now and then.
PROGRAM = """
import argparse, math, random, sys, time
parser = argparse.ArgumentParser()
for name, kind in (("learning_rate", float), ("dropout", float), ("layers", int),
                   ("batch_size", float), ("optimizer", str)):
    parser.add_argument("--" + name, type=kind)
args = parser.parse_args()
noise = random.Random(repr(args))
floor = 0.08 + 0.12 * (math.log10(args.learning_rate) + 2) ** 2 \\
    + 0.9 * (args.dropout - 0.25) ** 2 + 0.015 * abs(args.layers - 3) \\
    + 0.02 * abs(math.log2(args.batch_size) - 5) + {"sgd": 0.12, "adam": 0.01, "adamw": 0.0}[args.optimizer]
speed = 2 + 8 * noise.random()
for epoch in range(1, 41):
    time.sleep(0.03)
    if args.learning_rate > 0.5 and epoch == 12:
        sys.exit("ValueError: the loss is nan")
    loss = floor + 1.6 * math.exp(-epoch / speed) + noise.gauss(0, 0.006)
    print(f"step={epoch} loss={loss:.5f} accuracy={1 - loss / 3:.4f}", flush=True)
"""


def main(folder):
    install()
    port = free_port()
    with Service("--http", f"127.0.0.1:{port}") as service:
        program = service.write("train.py", PROGRAM)
        service.submit("digits", JOB.format(program=program))
        wait_for("most trials to end", lambda: len(
            service.json("trials", "list", "digits", "--filter", "state=completed")) >= 30, 300)
        best = service.json("trials", "best", "digits", "-n", "1")[0]["trialId"]
        address = service.cli("ui", "--no-browser").stdout.strip()
        run("pictures.mjs", address, f"http://127.0.0.1:{port}", "digits", str(best),
            os.path.abspath(folder))


if __name__ == "__main__":
    main(sys.argv[1])
