"""One replica of a gang: checks its environment and greets every peer.

Uses nothing but what a training program is promised. The master exits with 0
once every other replica has told it that it met all of its peers; parameter
servers serve for ever, as the real ones do.
"""

import json
import os
import socket
import sys
import threading
import time

DEADLINE = time.monotonic() + 100


def greet(port, me, word):
    """Connects to a peer, which may not listen yet, and returns its name."""
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as peer:
                peer.sendall(("%s %s\n" % (word, me)).encode())
                return peer.makefile().readline().strip()
        except OSError:
            if time.monotonic() > DEADLINE:
                raise
            time.sleep(0.01)


def serve(listener, me, met, done):
    while True:
        peer, _ = listener.accept()
        with peer:
            word, name = peer.makefile().readline().split()
            peer.sendall((me + "\n").encode())
            (done if word == "done" else met).add(name)


def await_all(names, count):
    while len(names) < count and time.monotonic() < DEADLINE:
        time.sleep(0.005)
    check(len(names) == count, names)


def check(condition, what):
    if not condition:
        print("WRONG:", what, flush=True)
        os._exit(9)


def main():
    tf_config = json.loads(os.environ["TF_CONFIG"])
    cluster_spec = json.loads(os.environ["CLUSTER_SPEC"])
    cluster, task = tf_config["cluster"], tf_config["task"]
    check(cluster == cluster_spec["cluster"], "the two clusters differ")
    check(tf_config["environment"] == "cloud", "environment")
    check(tf_config["job"]["scale_tier"] == "STANDARD_1", "job")
    sizes = {role: len(peers) for role, peers in cluster.items()}
    check(sizes == {"master": 1, "worker": 4, "ps": 3}, sizes)
    role, index = task["type"], task["index"]
    check(task["trial"] == os.environ["CLOUD_ML_TRIAL_ID"] == "1", "trial")
    arguments = sys.argv[1:]
    check(arguments[0] == "--mine" and arguments[1] == "--rate", arguments)
    check(float(arguments[2]) == 0.25, arguments)
    if role == "ps":
        check("RANK" not in os.environ, "a ps has a rank")
    else:
        rank = 0 if role == "master" else index + 1
        check(os.environ["RANK"] == str(rank), "rank")
        check(os.environ["WORLD_SIZE"] == "5", "world size")
    if role == "master":  # The port is really its own.
        with socket.socket() as rendezvous:
            rendezvous.bind(("", int(os.environ["MASTER_PORT"])))

    names = {}
    for peer_role, peers in cluster.items():
        for peer_index, address in enumerate(peers):
            port = int(address.rpartition(":")[2])
            names["%s%d" % (peer_role, peer_index)] = port
    check(len(set(names.values())) == 8, "ports are shared")
    me = "%s%d" % (role, index)
    met, done = set(), set()
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("", names[me]))
    listener.listen(64)
    threading.Thread(target=serve, args=(listener, me, met, done),
                     daemon=True).start()

    for name, port in names.items():
        check(greet(port, me, "hello") == name, "greeted somebody else")
    if role == "master":
        await_all(done, 7)
        print("met", len(done), "peers", flush=True)
        return 0
    await_all(met, 8)  # Nobody greets in vain; everybody greets itself too.
    greet(names["master0"], me, "done")
    if role == "ps":
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
