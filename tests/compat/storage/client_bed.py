"""Runs the storage API alone, for other people's clients to talk to."""

import os
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))


def server_binary():
    binary = os.environ.get("VERNIER_BINARY") or os.path.join(ROOT, "build/test/vernier")
    return os.path.join(os.path.dirname(binary), "tests", "vernier_storage_for_tests")


class StorageServer:
    """One server on loopback with buckets of its own, removed at the end."""

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="vernier-storage-")
        self.buckets = os.path.join(self.home, "buckets")
        self.process = None
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self):
        self.process = subprocess.Popen([server_binary(), self.buckets],
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    def path(self, *parts):
        return os.path.join(self.buckets, *parts)

    def write(self, name, data):
        path = os.path.join(self.home, name)
        with open(path, "wb") as file:
            file.write(data)
        return path
