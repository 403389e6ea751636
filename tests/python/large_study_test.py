"""A study of 40,000 trials is listed whole by every road, and the service's memory
stays where it is meanwhile: a list is a stream, or comes in pages."""

import os
import re
import subprocess
import unittest

from package import Service, binary
import vernier_hpo as vn

MANY_TRIALS = 40_000
DISTINCT = 5_000  # The others are copies, which takes a tenth of the time to write.
MIB = 1 << 10  # In KiB, as /proc counts.
# As JSON the trials are some 50 MiB of text, and thrice that in memory.
MOST = 40 * MIB


class LargeStudyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        writer = os.path.join(os.path.dirname(binary()), "bench/large_study")
        cls.service = Service()
        cls.addClassCleanup(cls.service.__exit__)
        subprocess.run([writer, cls.service.data, "large", str(MANY_TRIALS), "0",
                        str(DISTINCT)], check=True, capture_output=True)
        cls.service.start()
        # What the first look keeps for all that follow is not the list's.
        cls.service.cli("trials", "best", "large")

    def kib(self, field):
        with open(f"/proc/{self.service.process.pid}/status", encoding="ascii") as file:
            return int(re.search(rf"^{field}:\s+(\d+)", file.read(), re.MULTILINE).group(1))

    def bounded(self, listed):
        """What `listed` returns, if the service takes little memory for it."""
        with open(f"/proc/{self.service.process.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")  # The peak is forgotten.
        before = self.kib("VmRSS")
        numbers = listed()
        self.assertEqual(numbers, list(range(1, MANY_TRIALS + 1)))
        self.assertLess(self.kib("VmHWM") - before, MOST)

    def printed(self, flags, pattern):
        """The numbers in what `trials list` prints, which is read as it comes."""
        with subprocess.Popen(
                [binary(), "trials", "list", "large", *flags, "--endpoint",
                 self.service.endpoint], stdout=subprocess.PIPE, text=True) as client:
            found = [re.match(pattern, line) for line in client.stdout]
        self.assertEqual(client.returncode, 0)
        return [int(each.group(1)) for each in found if each]

    def test_the_stream_over_grpc_has_all_trials(self):
        self.bounded(lambda: self.printed(["--format", "json"], r' *"trialId": "(\d+)"'))

    def test_the_table_for_programs_has_all_trials(self):
        self.bounded(lambda: self.printed(["--format", "csv"], r"(\d+),"))

    def test_the_pages_of_the_python_package_have_all_trials(self):
        job = vn.load_job("large", endpoint=self.service.endpoint)
        self.bounded(lambda: [trial.number for trial in job.trials])


if __name__ == "__main__":
    unittest.main()
