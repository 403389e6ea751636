"""Distributed training in containers: workers, parameter servers and a master.

Every replica runs this program in the same image and learns from CLUSTER_SPEC
who it is. Parameter servers hold the weights of a linear model. Each worker has
a share of the data; it reads the weights, computes a gradient and sends it,
again and again. The master waits for the workers, measures the model on data
that no worker has seen, reports the loss, and writes the model to --job-dir.

Needs nothing but Python's standard library.
"""

import argparse
import json
import os
import random
import socket
import socketserver
import sys
import threading
import time

WEIGHTS = [2.0, -1.0, 0.5, 3.0]  # What is to be learned.
PATIENCE_SECONDS = 60.0


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--job-dir")
    return parser.parse_args(arguments)


def read_cluster():
    """Returns (addresses by role, own role, own index)."""
    spec = json.loads(os.environ["CLUSTER_SPEC"])
    return spec["cluster"], spec["task"]["type"], spec["task"]["index"]


def example(chance):
    inputs = [chance.gauss(0, 1) for _ in WEIGHTS]
    return inputs, sum(w * x for w, x in zip(WEIGHTS, inputs)) + chance.gauss(0, 0.1)


def ask(address, **question):
    """Sends one question to a replica, which may start late; returns its answer."""
    host, port = address.rsplit(":", 1)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with socket.create_connection((host, int(port)), PATIENCE_SECONDS) as peer:
                peer.sendall((json.dumps(question) + "\n").encode())
                return json.loads(peer.makefile().readline())
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


class Server(socketserver.ThreadingTCPServer):
    """Answers questions by `answer`, one at a time."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, address, answer):
        lock = threading.Lock()

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                question = json.loads(self.rfile.readline())
                with lock:
                    result = answer(question)
                self.wfile.write((json.dumps(result) + "\n").encode())

        host, port = address.rsplit(":", 1)
        super().__init__((host, int(port)), Handler)


def share(index, servers):
    """The weights that parameter server `index` of `servers` holds."""
    return range(index, len(WEIGHTS), servers)


def serve_parameters(cluster, index):
    weights = {str(i): 0.0 for i in share(index, len(cluster["ps"]))}

    def answer(question):
        for name, change in question.get("add", {}).items():
            weights[name] += change
        return weights

    # For ever: it is stopped when the master has ended.
    Server(cluster["ps"][index], answer).serve_forever()


def pull(cluster):
    held = {}
    for address in cluster["ps"]:
        held.update(ask(address))
    return [held[str(i)] for i in range(len(WEIGHTS))]


def train(cluster, index, flags):
    chance = random.Random(1000 + index)
    for _ in range(flags.steps):
        weights = pull(cluster)
        gradient = [0.0] * len(WEIGHTS)
        for _ in range(flags.batch):
            inputs, wanted = example(chance)
            error = sum(w * x for w, x in zip(weights, inputs)) - wanted
            for i, x in enumerate(inputs):
                gradient[i] += error * x / flags.batch
        for server, address in enumerate(cluster["ps"]):
            ask(address, add={str(i): -flags.rate * gradient[i]
                              for i in share(server, len(cluster["ps"]))})
    print(f"worker {index} took {flags.steps} steps", flush=True)
    ask(cluster["master"][0], done=index)


def lead(cluster, flags):
    waiting = set(range(len(cluster["worker"])))
    all_done = threading.Event()

    def answer(question):
        waiting.discard(question["done"])
        if not waiting:
            all_done.set()
        return {}

    with Server(cluster["master"][0], answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        if not all_done.wait(PATIENCE_SECONDS):
            sys.exit(f"not heard from workers {sorted(waiting)}")
        weights = pull(cluster)
        server.shutdown()
    chance = random.Random(7)
    loss = 0.0
    for _ in range(500):
        inputs, wanted = example(chance)
        loss += (sum(w * x for w, x in zip(weights, inputs)) - wanted) ** 2 / 500
    loss = min(loss, 1e6)  # A rate that is too large diverges.
    print(f"loss {loss:.4f} with weights {weights}", flush=True)
    report(loss)
    if flags.job_dir:
        os.makedirs(flags.job_dir, exist_ok=True)
        with open(os.path.join(flags.job_dir, "model.json"), "w", encoding="utf-8") as file:
            json.dump(weights, file)


def report(loss):
    """Writes the metric file the way the cloudml-hypertune package does."""
    record = {"timestamp": time.time(), "loss": str(loss), "global_step": "1",
              "trial": os.environ.get("CLOUD_ML_TRIAL_ID", "0"), "checkpoint_path": ""}
    with open(os.environ["CLOUD_ML_HP_METRIC_FILE"], "w", encoding="utf-8") as file:
        file.write(json.dumps(record, sort_keys=True) + "\n")


def main():
    flags = parse_arguments(sys.argv[1:])
    cluster, role, index = read_cluster()
    if role == "ps":
        serve_parameters(cluster, index)
    elif role == "worker":
        train(cluster, index, flags)
    else:
        lead(cluster, flags)


if __name__ == "__main__":
    main()
