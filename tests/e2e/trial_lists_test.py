"""`trials list` of studies that clients run, with the real binary: what a search has had
before its edits, and all metrics, are columns and keys."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service  # noqa: E402

TABLE = """lr,units,flag,loss,latency
0.02,8,true,0.5,3
0.2,16,false,0.4,7
0.03,32,true,0.3,9
"""


class TrialListsTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(Service())

    def make(self, *metrics):
        """Makes the study `old` of the table's trials."""
        path = self.service.write("old.csv", TABLE)
        flags = [word for metric in metrics for word in ("-m", metric)]
        for name in ("lr", "units", "flag"):
            flags += ["-p", name]
        self.service.cli("import", "csv", path, *flags, "--yes")

    def edit(self, *parameters):
        text = "".join(f"  {each}\n" for each in parameters)
        path = self.service.write("edit.yaml", "parameters:\n" + text)
        self.service.cli("studies", "update", "old", "--config", path)

    def rows(self, *flags):
        """The cells of the list as CSV, its header first."""
        text = self.service.cli("trials", "list", "old", "--format", "csv", *flags).stdout
        return [line.split(",") for line in text.splitlines()]

    def numbers(self, *flags):
        return "".join(row[0] for row in self.rows(*flags)[1:])

    def test_what_an_edit_has_dropped_is_a_column_and_a_key(self):
        self.make("loss:min")
        # A parameter is dropped once it has one value only.
        units, flag = "units: {int: [8, 32]}", "flag: {choice: ['true']}"
        self.edit("lr: {float: [0.1, 0.1]}", units, flag)
        self.edit(units, flag)
        rows = self.rows()
        header = rows[0]
        self.assertEqual([row[header.index("lr")] for row in rows[1:]],
                         ["0.02", "0.2", "0.03"])
        self.assertEqual(self.numbers("--filter", "lr>0.025"), "23")
        self.assertEqual(self.numbers("--sort", "-lr"), "231")
        self.assertEqual(self.numbers("--filter", "flag=false"), "2")
        table = self.service.cli("trials", "list", "old").stdout
        self.assertIn("lr", table.splitlines()[0].split())
        unknown = self.service.cli("trials", "list", "old", "--filter", "lrr<1", check=False)
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("did you mean lr?", unknown.stderr)

    def test_each_metric_is_a_column_and_a_key(self):
        self.make("loss:min", "latency:min")
        rows = self.rows()
        self.assertEqual(rows[0][:5], ["TRIAL", "STATE", "loss", "latency", "STEP"])
        self.assertEqual([row[3] for row in rows[1:]], ["3", "7", "9"])
        # The columns are there without rows, too.
        self.assertEqual(self.rows("--filter", "latency>100"), rows[:1])
        self.assertEqual(self.numbers("--filter", "latency<8"), "12")
        self.assertEqual(self.numbers("--sort", "-metrics.latency"), "321")
        self.assertEqual(self.numbers("--filter", "breaksConstraint=true"), "")
        described = self.service.cli("studies", "describe", "old").stdout
        self.assertRegex(described, r"reference +loss [0-9.]+, latency [0-9.]+\n")

    def test_a_name_that_is_almost_right_is_named(self):
        self.make("loss:min")
        for verb in (["trials", "list", "olt"], ["studies", "describe", "olt"]):
            missing = self.service.cli(*verb, check=False)
            self.assertEqual(missing.returncode, 3)
            self.assertIn("did you mean old?", missing.stderr)
        metric = self.service.cli("trials", "measurements", "old", "1", "--metric", "los",
                                  check=False)
        self.assertEqual(metric.returncode, 2)
        self.assertIn("did you mean loss?", metric.stderr)
        self.assertEqual(self.service.json("trials", "measurements", "old", "1", "--metric",
                                           "loss"), [])


if __name__ == "__main__":
    unittest.main()
