"""Checks what a replica is told about its cluster, then talks to every peer.

Each replica compares TF_CONFIG, CLUSTER_SPEC, CLOUD_ML_* and its arguments
with each other, listens on its own address, and asks every peer who it is. The
master waits until all have done so, reports a metric and ends; the workers end
then, too, and parameter servers serve until they are stopped, as real ones do.

Needs nothing but Python's standard library.
"""

import argparse
import json
import os
import socket
import socketserver
import sys
import threading
import time

DEADLINE_SECONDS = float(os.environ.get("CLUSTER_CHECK_DEADLINE", "60"))


class CheckError(Exception):
    """Something about this replica or a peer is not as it should be."""


def expect(what, actual, wanted):
    if actual != wanted:
        raise CheckError(f"{what} should be {wanted!r}: {actual!r}")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--greeting", required=True)
    parser.add_argument("--x", type=float, required=True)
    parser.add_argument("--layers", type=int, required=True)
    parser.add_argument("--shape", required=True)
    parser.add_argument("--job-dir")
    return parser.parse_args(arguments)


def check_arguments(arguments, trial):
    """The user's arguments come whole, the parameters in their ranges."""
    expect("--greeting", arguments.greeting, "hello, $HOME; it's me")
    expect("--x within [-1, 1]", -1.0 <= arguments.x <= 1.0, True)
    expect("--layers within [1, 4]", 1 <= arguments.layers <= 4, True)
    expect("--shape among the values", arguments.shape in
           ("256 128 16", "64 32"), True)
    if arguments.job_dir:
        expect("last part of --job-dir", os.path.basename(arguments.job_dir),
               trial)


def check_environment(environment):
    """Compares the variables with each other; returns (cluster, task)."""
    config = json.loads(environment["TF_CONFIG"])
    spec = json.loads(environment["CLUSTER_SPEC"])
    expect("environment in TF_CONFIG", config["environment"], "cloud")
    expect("cluster in CLUSTER_SPEC", spec["cluster"], config["cluster"])
    for key in ("type", "index", "trial"):
        expect(f"task {key} in CLUSTER_SPEC", spec["task"][key],
               config["task"][key])
    expect("task trial", config["task"]["trial"],
           environment["CLOUD_ML_TRIAL_ID"])
    expect("roles", {role: len(replicas) for role, replicas
                     in config["cluster"].items()},
           {"master": 1, "worker": 4, "ps": 3})
    expect("scale_tier in CLOUD_ML_JOB",
           json.loads(environment["CLOUD_ML_JOB"])["scale_tier"], "STANDARD_1")
    expect("CLOUD_ML_JOB_ID is there", bool(environment["CLOUD_ML_JOB_ID"]),
           True)
    expect("CLOUD_ML_HP_METRIC_TAG", environment["CLOUD_ML_HP_METRIC_TAG"],
           "score")
    check_ports(config["cluster"], config["task"], environment)
    return config["cluster"], config["task"]


def check_ports(cluster, task, environment):
    """Every replica has an address of its own; so has torch's meeting place."""
    addresses = [a for replicas in cluster.values() for a in replicas]
    expect("addresses are different", len(set(addresses)), len(addresses))
    if task["type"] not in ("master", "worker"):
        return
    rank = 0 if task["type"] == "master" else 1 + task["index"]
    expect("RANK", environment["RANK"], str(rank))
    expect("WORLD_SIZE", environment["WORLD_SIZE"],
           str(1 + len(cluster["worker"])))
    meeting = f"{environment['MASTER_ADDR']}:{environment['MASTER_PORT']}"
    expect("MASTER_PORT is no replica's", meeting in addresses, False)


class Peer(socketserver.StreamRequestHandler):
    """Answers "who" at once, and "done" when all peers are done."""

    def handle(self):
        question = self.rfile.readline().decode().split()
        server = self.server
        if question[:1] == ["done"]:
            server.note_done(question[1])
            server.decided.wait(DEADLINE_SECONDS)
            if server.missing():
                return  # No answer: the check has failed.
        self.wfile.write((server.name + "\n").encode())


class ReplicaServer(socketserver.ThreadingTCPServer):
    """Listens on this replica's own address; closing it ends all answers."""

    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, address, name, peers):
        host, port = address.rsplit(":", 1)
        super().__init__((host, int(port)), Peer)
        self.name = name
        self.decided = threading.Event()  # All are done, or it has failed.
        self._waiting_for = {name, *peers}
        self._lock = threading.Lock()

    def note_done(self, peer):
        with self._lock:
            self._waiting_for.discard(peer)
            if not self._waiting_for:
                self.decided.set()

    def missing(self):
        with self._lock:
            return sorted(self._waiting_for)


def ask(address, question, timeout):
    """Sends one line and returns the answer; the peer may start late."""
    host, port = address.rsplit(":", 1)
    deadline = time.monotonic() + timeout
    while True:
        try:
            with socket.create_connection((host, int(port)), timeout) as peer:
                peer.sendall((question + "\n").encode())
                return peer.makefile().readline().strip()
        except ConnectionRefusedError as error:
            if time.monotonic() > deadline:
                raise CheckError(f"no answer from {address}: {error}") from None
            time.sleep(0.05)
        except OSError as error:
            raise CheckError(f"{address} broke off: {error}") from None


def meet(server, peers):
    for name, address in peers.items():
        expect(f"who answers at {address}", ask(address, "who",
                                                DEADLINE_SECONDS), name)
    print(f"{server.name} has met {len(peers)} peers", flush=True)


def wait_for_all(server):
    # Only now: whoever hears that all are done goes away.
    server.note_done(server.name)
    if not server.decided.wait(DEADLINE_SECONDS):
        raise CheckError(f"not heard from {server.missing()}")


def report_score(value):
    """Writes the metric file the way the cloudml-hypertune package does."""
    path = os.environ["CLOUD_ML_HP_METRIC_FILE"]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    record = {"timestamp": time.time(), "score": str(value), "global_step": "1",
              "trial": os.environ["CLOUD_ML_TRIAL_ID"], "checkpoint_path": ""}
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(record, sort_keys=True) + "\n")


def run(arguments):
    cluster, task = check_environment(os.environ)
    check_arguments(arguments, task["trial"])
    addresses = {f"{role}-{index}-of-trial-{task['trial']}": address
                 for role, replicas in cluster.items()
                 for index, address in enumerate(replicas)}
    own = f"{task['type']}-{task['index']}-of-trial-{task['trial']}"
    peers = {name: a for name, a in addresses.items() if name != own}
    with ReplicaServer(addresses[own], own, peers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            meet(server, peers)
            if task["type"] == "master":
                wait_for_all(server)
                report_score(-(arguments.x - 0.3) ** 2 - 0.1 * arguments.layers)
                return
            master = cluster["master"][0]
            expect("the master's answer",
                   ask(master, f"done {own}", 2 * DEADLINE_SECONDS),
                   f"master-0-of-trial-{task['trial']}")
            if task["type"] == "ps":
                threading.Event().wait()
        finally:
            server.decided.set()
            server.shutdown()


def main():
    try:
        run(parse_arguments(sys.argv[1:]))
    except CheckError as error:
        sys.exit(f"check failed: {error}")


if __name__ == "__main__":
    main()
