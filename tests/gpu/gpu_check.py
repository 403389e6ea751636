"""What the service does with GPUs, on a real one. scripts/gpu_check runs it.

Prints one line for each check; exit status 0: all passed, 1: some did not,
3: this machine has no GPU.
"""

import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from service import Service, wait_for  # noqa: E402

TRIAL = os.path.join(HERE, "cuda_trial.py")
HANDOVER_BAR_MS = 50.0
NO_GPU = 3

JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  command: [{python}, {program}, --notes, {notes}{arguments}]
  gpusPerReplica: 1
  environment: {environment}
  {more}
"""
# In place of the driver's own; a test has one that computes without a GPU.
DRIVER = os.environ.get("VERNIER_CUDA_LIBRARY")
ENVIRONMENT = json.dumps({"VERNIER_CUDA_LIBRARY": DRIVER} if DRIVER else {})

TORCH = """
import torch
device = torch.device("cuda")
model = torch.nn.Linear(64, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(1024, 64, device=device)
y = x.sum(dim=1, keepdim=True)
for _ in range(200):
    loss = torch.nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss={loss.item()}", flush=True)
"""


class Check:
    def __init__(self, service):
        self.service = service
        self.failed = 0

    def say(self, name, passed, words):
        self.failed += not passed
        print(f"{'ok  ' if passed else 'FAIL'}  {name}: {words}", flush=True)

    def run(self, name, trials=1, parallel=1, arguments=(), more=""):
        """Runs a job of cuda_trial.py; what its trials noted, by time."""
        notes = os.path.join(self.service.home, name)
        os.mkdir(notes)
        self.service.submit(name, JOB.format(
            trials=trials, parallel=parallel, python=sys.executable, program=TRIAL,
            notes=notes, arguments="".join(f", '{word}'" for word in arguments),
            environment=ENVIRONMENT, more=more))
        state = self.service.wait_state(name, "SUCCEEDED", "FAILED", deadline=300)["state"]
        if state != "SUCCEEDED":
            raise AssertionError(self.service.cli("why", name).stdout)
        seen = []
        for file_name in os.listdir(notes):
            with open(os.path.join(notes, file_name), encoding="utf-8") as file:
                seen.append(json.load(file))
        return sorted(seen, key=lambda each: each["kernel_at"])

    def computes(self):
        seen = self.run("computes")
        value = self.service.json("trials", "list", "computes")[0]["finalMeasurement"]["value"]
        self.say("a trial computes on its GPU", value == 0.0,
                 f"largest error {value} on {seen[0]['gpu']}")

    def torch(self):
        found = subprocess.run(
            [sys.executable, "-c", "import torch; assert torch.cuda.is_available()"],
            capture_output=True, check=False).returncode == 0
        if not found:
            print("skip  PyTorch: it is not here, or cannot use the GPU", flush=True)
            return
        program = self.service.write("torch_trial.py", TORCH)
        self.service.submit("torch", JOB.format(
            trials=2, parallel=1, python=sys.executable, program=program, notes="/tmp",
            arguments="", environment="{}", more=""))
        state = self.service.wait_state("torch", "SUCCEEDED", "FAILED", deadline=300)["state"]
        self.say("PyTorch trains on it", state == "SUCCEEDED", state)

    def shares(self, device):
        megabytes = int(device["memoryBytes"]) >> 20
        share = megabytes * 2 // 5
        seen = self.run("shares", trials=2, parallel=2,
                        arguments=("--hold", str(min(share // 2, 512)), "--seconds", "5"),
                        more=f"gpuMemoryPerReplica: {share}M")
        same = seen[0]["gpu"] == seen[1]["gpu"]
        together = seen[1]["kernel_at"] < seen[0]["end_at"]
        self.say("two trials share a GPU", same and together,
                 f"{share} MB each of {megabytes}, on {seen[0]['gpu']} and "
                 f"{seen[1]['gpu']}, {'at the same time' if together else 'one by one'}")

    def hands_over_after_a_crash(self):
        seen = self.run("crash", arguments=("--orphan", "--hold", "512"),
                        more="retry: {maxInfrastructureRetries: 3, maxTransientRetries: 3}")
        used = seen[-1]["total"] - seen[-1]["free"]
        # A context of its own takes up to some hundred megabytes.
        clean = used < (900 << 20) and seen[-1]["restarts"] == 1
        self.say("after a crash that left memory behind the next attempt gets a clean GPU",
                 clean, f"{used >> 20} MB in use at its start")

    def hands_over_soon(self):
        seen = self.run("turns", trials=9)
        gaps = [after["kernel_at"] - before["end_at"] for before, after in zip(seen, seen[1:])]
        own = []
        for i in range(5):
            began = time.time()
            notes = os.path.join(self.service.home, f"bare{i}")
            os.mkdir(notes)
            subprocess.run([sys.executable, TRIAL, "--notes", notes], check=True,
                           env={**os.environ, "CLOUD_ML_TRIAL_ID": "1"},
                           stdout=subprocess.DEVNULL)
            with open(os.path.join(notes, "1.0.json"), encoding="utf-8") as file:
                own.append(json.load(file)["kernel_at"] - began)
        # The end of a program that was noted includes what it still has to do.
        beyond = 1000 * (statistics.median(gaps) - statistics.median(own))
        self.say("from a trial's end to the next kernel", beyond <= HANDOVER_BAR_MS,
                 f"{1000 * statistics.median(gaps):.0f} ms, of which the program's own start "
                 f"{1000 * statistics.median(own):.0f} ms: {beyond:.0f} ms beyond (bar "
                 f"{HANDOVER_BAR_MS:.0f})")


def main():
    with Service() as service:
        devices = service.json("devices")
        if not devices:
            print("this machine has no GPU: nothing was checked")
            return NO_GPU
        print(service.cli("devices").stdout, end="")
        wait_for("the GPUs to be looked at", lambda: not any(
            device.get("unusableBecause") == "is being looked at"
            for device in service.json("devices")))
        check = Check(service)
        check.computes()
        check.torch()
        check.shares(devices[0])
        check.hands_over_after_a_crash()
        check.hands_over_soon()
        return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
