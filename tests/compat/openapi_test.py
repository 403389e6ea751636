"""Schemathesis reads our description of the API and tries what it allows."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
from service import Service  # noqa: E402

CHECKS = "not_a_server_error,response_schema_conformance,content_type_conformance"


class OpenApiTest(unittest.TestCase):
    def test_no_answer_breaks_its_schema_and_none_is_the_services_fault(self):
        python = clients.python("schemathesis")
        with Service("--http", "127.0.0.1:0") as service:
            token = service.cli("tokens", "create", "--scope", "admin").stdout.strip()
            url = service.json("info")["httpUrl"] + "/openapi.json"
            result = subprocess.run(
                [os.path.join(os.path.dirname(python), "schemathesis"), "run", url,
                 "--header", f"Authorization: Bearer {token}", "--checks", CHECKS,
                 "--phases", "coverage,fuzzing", "--max-examples", "5", "--seed", "1",
                 "--no-color"],
                capture_output=True, text=True, timeout=1000, cwd=service.home)
            self.assertEqual(result.returncode, 0, result.stdout[-6000:])
            self.assertRegex(result.stdout, r"[1-9]\d{2,} generated")
            # It is still there, and answers.
            service.cli("jobs", "list")


if __name__ == "__main__":
    unittest.main()
