"""The table of the gates' last runs in docs/benchmarks.md holds every gate."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATE = re.compile(r"(not since )?20\d\d-\d\d-\d\d(, [^|]+)?")


def gates():
    script = (ROOT / "scripts" / "check").read_text()
    return re.search(r"^readonly GATES=\((.+)\)$", script, re.MULTILINE).group(1).split()


def rows():
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    table = page.partition("\n## Gates and their last runs\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in table.splitlines() if line.startswith("| `")]


class GatesTest(unittest.TestCase):

    def test_each_gate_has_one_row(self):
        named = [row[0].strip("`") for row in rows() if not row[0].startswith("`scripts/")]
        self.assertEqual(sorted(named), sorted(gates()),
                         "docs/benchmarks.md, Gates and their last runs: a row for each gate"
                         " of scripts/check, and 'not since DATE' for what nobody ran")

    def test_each_row_says_when_it_was_and_what_it_said(self):
        for row in rows():
            self.assertEqual(len(row), 4, row)
            self.assertTrue(DATE.fullmatch(row[1]), row)
            self.assertTrue(row[3], row)

    def test_each_gate_is_explained_and_has_a_function(self):
        script = (ROOT / "scripts" / "check").read_text()
        for gate in gates():
            self.assertRegex(script, rf"(?m)^#   {gate}( |$)")
            self.assertIn(f"\ngate_{gate}() {{", script)


if __name__ == "__main__":
    unittest.main()
