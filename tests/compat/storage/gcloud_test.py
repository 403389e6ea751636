"""`gcloud storage`, as released, against our storage API. Skipped without it."""

import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client_bed import StorageServer  # noqa: E402


@unittest.skipIf(shutil.which("gcloud") is None, "gcloud is not on PATH")
class GcloudStorageTest(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(StorageServer())
        token = self.server.write("token", b"any")
        self.environment = {
            **os.environ,
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": self.server.url + "/storage/v1/",
            "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE": token,
            "CLOUDSDK_CONFIG": os.path.join(self.server.home, "gcloud"),
            "CLOUDSDK_CORE_PROJECT": "p1",
            "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
        }

    def gcloud(self, *words, check=True):
        result = subprocess.run(["gcloud", "storage", *words], env=self.environment,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=300, check=False)
        if check:
            self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_what_people_do(self):
        self.gcloud("buckets", "create", "gs://models")
        small = self.server.write("small.txt", b"hello")
        data = os.urandom(20 << 20)  # Above its threshold for resumable uploads.
        big = self.server.write("big.bin", data)
        self.gcloud("cp", small, "gs://models/a/small.txt")
        self.gcloud("cp", big, "gs://models/big.bin")
        with open(self.server.path("models", "big.bin"), "rb") as file:
            self.assertEqual(file.read(), data)
        self.assertEqual(self.gcloud("ls", "gs://models").stdout.split(),
                         ["gs://models/big.bin", "gs://models/a/"])
        self.assertEqual(self.gcloud("cat", "gs://models/a/small.txt").stdout, "hello")
        self.gcloud("cp", "gs://models/big.bin", small)
        with open(small, "rb") as file:
            self.assertEqual(file.read(), data)
        self.gcloud("mv", "gs://models/a/small.txt", "gs://models/b.txt")
        self.assertIn("content_type: text/plain", self.gcloud(
            "objects", "describe", "gs://models/b.txt").stdout)
        missing = self.gcloud("cat", "gs://models/gone", check=False)
        self.assertNotEqual(missing.returncode, 0)
        self.gcloud("rm", "-r", "gs://models")
        self.assertFalse(os.path.exists(self.server.path("models")))


if __name__ == "__main__":
    unittest.main()
