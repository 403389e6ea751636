"""The attacks that SECURITY.md lists have the tests that it names."""

import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROW = re.compile(r"^\| (?P<attack>.+) \| \[`(?P<path>[^`]+)`\]\((?P<link>[^)]+)\): `(?P<case>\w+)` \|$")


def rows():
    """The lines of the table, without its head."""
    with open(os.path.join(ROOT, "SECURITY.md"), encoding="utf-8") as file:
        section = file.read().split("\n## What is tried\n")[1].split("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("|")][2:]


def has_case(text, path, case):
    """Whether a test program has a case of this name."""
    if path.endswith(".py"):
        return re.search(rf"^    def {case}\(self", text, re.MULTILINE) is not None
    return re.search(rf"^TEST(_F|_P)?\(\w+,\s+{case}\)", text, re.MULTILINE) is not None


class AttackTableTest(unittest.TestCase):
    def test_each_attack_has_its_test(self):
        self.assertGreater(len(rows()), 20)
        for row in rows():
            with self.subTest(row):
                found = ROW.match(row)
                self.assertIsNotNone(found, "a row is | attack | [`file`](file): `case` |")
                self.assertEqual(found["path"], found["link"])
                with open(os.path.join(ROOT, found["path"]), encoding="utf-8") as file:
                    self.assertTrue(has_case(file.read(), found["path"], found["case"]))

    def test_a_case_that_is_not_there_is_missed(self):
        self.assertFalse(has_case("// TEST(A, B)\n", "a_test.cc", "B"))
        self.assertFalse(has_case("TEST(A, Bigger) {", "a_test.cc", "B"))
        self.assertFalse(has_case("# def test_a(self):", "a_test.py", "test_a"))
        self.assertTrue(has_case("TEST_F(A,\n       B) {", "a_test.cc", "B"))


if __name__ == "__main__":
    unittest.main()
