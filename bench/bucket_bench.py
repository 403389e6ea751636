#!/usr/bin/env python3
"""Uploads a large object to a bucket and copies the same file with `cp` and fsync,
in turns, on the same disk; prints both speeds and the memory the service needed.

    bench/bucket_bench.py [--server PATH] [--size-mb 1024] [--rounds 3]
                          [--folder DIR] [--check]

PATH is vernier_storage_for_tests, which serves the storage API alone, of a release
build. With --check it fails if an upload is slower than 70 % of cp, or the service
needs more than 30 MB.
"""

import argparse
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MEGA = 1 << 20
REQUIRED_SPEED = 0.7
ALLOWED_MB = 30


def peak_memory_mb(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmHWM")


def request(port, head, path=None):
    """Sends one request, with a file as its body, and returns the status."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head.encode())
        if path is not None:
            with open(path, "rb") as file:
                connection.sendfile(file)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return int(answer.split(b" ", 2)[1])


def upload(port, path):
    size = os.path.getsize(path)
    head = ("POST /upload/storage/v1/b/bench/o?uploadType=media&name=big HTTP/1.1\r\n"
            f"Host: bench\r\nConnection: close\r\nContent-Length: {size}\r\n\r\n")
    started = time.monotonic()
    status = request(port, head, path)
    if status != 200:
        raise RuntimeError(f"the upload was answered with {status}")
    return time.monotonic() - started


def copy(path, target):
    started = time.monotonic()
    subprocess.run(["cp", path, target], check=True)
    subprocess.run(["sync", target], check=True)
    return time.monotonic() - started


def make_file(path, size_mb):
    block = os.urandom(MEGA)
    with open(path, "wb") as file:
        for number in range(size_mb):
            file.write(number.to_bytes(8, "little"))
            file.write(block[8:])
        file.flush()
        os.fsync(file.fileno())


def measure(arguments, folder):
    source = os.path.join(folder, "source")
    make_file(source, arguments.size_mb)
    server = subprocess.Popen([arguments.server, os.path.join(folder, "buckets")],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        body = '{"name":"bench"}'
        request(port, "POST /storage/v1/b HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n"
                      f"Content-Length: {len(body)}\r\n\r\n{body}")
        before = peak_memory_mb(server.pid)
        uploads, copies = [], []
        target = os.path.join(folder, "copy")
        for _ in range(arguments.rounds):
            copies.append(copy(source, target))
            os.unlink(target)
            uploads.append(upload(port, source))
        return copies, uploads, peak_memory_mb(server.pid) - before
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=str(
        ROOT / "build/release/tests/vernier_storage_for_tests"))
    parser.add_argument("--size-mb", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default=str(ROOT / "build"))
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="bucket-bench-", dir=arguments.folder)
    try:
        copies, uploads, memory = measure(arguments, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    of_copy, of_upload = statistics.median(copies), statistics.median(uploads)
    speed = of_copy / of_upload
    print(f"cp and sync   {arguments.size_mb / of_copy:8.0f} MB/s   "
          + " ".join(f"{each:.2f}s" for each in copies))
    print(f"upload        {arguments.size_mb / of_upload:8.0f} MB/s   "
          + " ".join(f"{each:.2f}s" for each in uploads))
    print(f"upload / cp   {100 * speed:8.0f} %")
    print(f"more memory   {memory:8.1f} MB")
    if arguments.check and (speed < REQUIRED_SPEED or memory > ALLOWED_MB):
        sys.exit("bucket_bench: below the bar")


if __name__ == "__main__":
    main()
