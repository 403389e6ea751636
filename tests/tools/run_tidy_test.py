"""Tests of what scripts/lib/run_tidy.py looks at again."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

import run_tidy  # noqa: E402 (needs the path above)


class DigestTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "src" / "base").mkdir(parents=True)
        self.write(".clang-tidy", "Checks: '*'\n")
        self.write("src/base/a.h", "int A();\n")
        self.write("src/base/only.h", "struct Only {};\n")
        self.write("src/base/a.cc", '#include "base/a.h"\n')
        self.write("src/base/b.cc",
                   '#include "base/a.h"\n#include "base/only.h"\n')
        self.files = ["src/base/a.cc", "src/base/b.cc"]

    def write(self, name, text):
        (self.root / name).write_text(text)

    def digests(self):
        headers = run_tidy.headers_by_file(self.files, self.root)
        return {file: run_tidy.digest(file, headers[file], self.root)
                for file in self.files}

    def changed_by(self, name, text):
        before = self.digests()
        self.write(name, text)
        after = self.digests()
        return [file for file in self.files if before[file] != after[file]]

    def test_a_file_is_looked_at_again_when_it_has_changed(self):
        self.assertEqual(self.changed_by("src/base/b.cc", "int b;\n"),
                         ["src/base/b.cc"])

    def test_a_header_belongs_to_the_file_of_its_name(self):
        self.assertEqual(self.changed_by("src/base/a.h", "int B();\n"),
                         ["src/base/a.cc"])

    def test_a_header_without_a_file_belongs_to_one_that_includes_it(self):
        self.assertEqual(self.changed_by("src/base/only.h", "\n"),
                         ["src/base/b.cc"])

    def test_other_checks_look_at_everything_again(self):
        self.assertEqual(self.changed_by(".clang-tidy", "Checks: ''\n"),
                         self.files)

    def test_the_list_is_read_as_it_was_written(self):
        path = self.root / "list.txt"
        self.assertEqual(run_tidy.read_list(path), {})
        run_tidy.write_list(self.digests(), path)
        self.assertEqual(run_tidy.read_list(path), self.digests())


if __name__ == "__main__":
    unittest.main()
