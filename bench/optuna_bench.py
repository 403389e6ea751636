"""Optuna's clients against this service, and against Optuna's own proxy over SQLite.

    scripts/bench optuna [--seconds S] [--clients 1 8]

Both servers run on this disk, one after the other, with the same client programs:
whole trials of three parameters with Optuna's random sampler, and reports with
and without should_prune. What counts are the ratios of one run. The processor's
time is the server's.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "compat"))
import clients  # noqa: E402

WORKER = """
import json, sys, time, optuna
from optuna.storages import GrpcStorageProxy
optuna.logging.set_verbosity(optuna.logging.ERROR)
port, name, kind, seconds = int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
study = optuna.load_study(study_name=name, storage=GrpcStorageProxy(host="127.0.0.1", port=port),
                          sampler=optuna.samplers.RandomSampler())
def objective(trial):
    return sum(trial.suggest_float(n, -1, 1) ** 2 for n in "xyz")
print("ready", flush=True)
sys.stdin.readline()
end, done, trial = time.monotonic() + seconds, 0, None
while time.monotonic() < end:
    if kind == "trials":
        study.optimize(objective, n_trials=1)
    else:
        trial = trial or study.ask()
        trial.report(0.5 + done, done)
        if kind == "prune":
            trial.should_prune()
    done += 1
print(done, flush=True)
"""

THEIRS = """
import sys
from optuna.storages import get_storage, run_grpc_proxy_server
run_grpc_proxy_server(get_storage("sqlite:///" + sys.argv[2]), host="127.0.0.1", port=int(sys.argv[1]))
"""

MAKE = """
import sys, optuna
proxy = optuna.storages.GrpcStorageProxy(host="127.0.0.1", port=int(sys.argv[1]))
proxy.wait_server_ready(timeout=60)
optuna.create_study(study_name=sys.argv[2], storage=proxy)
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    def __init__(self, python, ours, folder):
        self.port = free_port()
        self.python = python
        if ours:
            binary = os.environ.get("VERNIER_BINARY") or os.path.join(ROOT, "build/release/vernier")
            command = [binary, "serve", "--data-dir", os.path.join(folder, "data"), "--http", "off",
                       "--optuna", f"127.0.0.1:{self.port}"]
        else:
            command = [python, "-W", "ignore", "-c", THEIRS, str(self.port),
                       os.path.join(folder, "theirs.db")]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def measure(self, kind, count, seconds):
        name = f"{kind}-{count}"
        subprocess.run([self.python, "-W", "ignore", "-c", MAKE, str(self.port), name], check=True)
        workers = [subprocess.Popen([self.python, "-W", "ignore", "-c", WORKER, str(self.port), name,
                                     kind, str(seconds)], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True) for _ in range(count)]
        for worker in workers:
            worker.stdout.readline()
        before, began = processor_seconds(self.process.pid), time.monotonic()
        for worker in workers:
            worker.stdin.write("\n")
            worker.stdin.flush()
        done = sum(int(worker.stdout.readline()) for worker in workers)
        took = time.monotonic() - began
        used = processor_seconds(self.process.pid) - before
        for worker in workers:
            worker.communicate()
        return {"rate": done / took, "server_ms": 1000 * used / max(done, 1)}

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--kinds", nargs="+", default=["trials", "reports", "prune"])
    options = parser.parse_args()
    python = clients.python("optuna_storage")
    results = {}
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "build")) as folder:
        for side in ("theirs", "ours"):
            server = Server(python, side == "ours", folder)
            try:
                for kind in options.kinds:
                    for count in options.clients:
                        results[side, kind, count] = server.measure(kind, count, options.seconds)
            finally:
                server.stop()
    for kind in options.kinds:
        for count in options.clients:
            ours, theirs = results["ours", kind, count], results["theirs", kind, count]
            print(json.dumps({"kind": kind, "clients": count, "ours_per_s": round(ours["rate"], 1),
                              "theirs_per_s": round(theirs["rate"], 1),
                              "ratio": round(ours["rate"] / theirs["rate"], 1),
                              "ours_server_ms": round(ours["server_ms"], 3),
                              "theirs_server_ms": round(theirs["server_ms"], 3)}))


if __name__ == "__main__":
    main()
