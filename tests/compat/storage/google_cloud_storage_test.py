"""`google-cloud-storage`, as released, with STORAGE_EMULATOR_HOST."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import clients  # noqa: E402
from client_bed import StorageServer  # noqa: E402

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "client_program.py")


class GoogleCloudStorageTest(unittest.TestCase):
    def setUp(self):
        self.python = clients.python("google_cloud_storage")

    def run_client(self, *words, server):
        result = subprocess.run(
            [self.python, PROGRAM, *words], capture_output=True, text=True, timeout=300,
            env={**os.environ, "STORAGE_EMULATOR_HOST": server.url}, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_stock_client_works(self):
        with StorageServer() as server:
            self.run_client("objects", server=server)
            with open(server.path("models", "a", "small.txt"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "hello")

    def test_a_program_that_writes_files_and_a_client_see_the_same(self):
        with StorageServer() as server:
            self.run_client("make", server=server)
            os.makedirs(server.path("models", "run"))
            with open(server.path("models", "run", "by-program"), "wb") as file:
                file.write(b"written by a program")
            self.run_client("find", server=server)


if __name__ == "__main__":
    unittest.main()
