"""Tests of what scripts/lib/run_tidy.py looks at again."""

import argparse
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

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

    def test_a_checked_file_that_is_no_longer_compiled_is_missed(self):
        known = {**self.digests(), "src/base/gone.cc": "digest"}
        self.assertEqual(run_tidy.forgotten_files(known, {"src/base/a.cc"}, self.root),
                         ["src/base/b.cc"])

    def test_the_list_is_read_as_it_was_written(self):
        path = self.root / "list.txt"
        self.assertEqual(run_tidy.read_list(path), {})
        run_tidy.write_list(self.digests(), path)
        self.assertEqual(run_tidy.read_list(path), self.digests())


# In place of the compiler and of clang-tidy: each of them reads a unit, which is
# a file or includes files, and names those with the word that it looks for.
LOOKS_FOR = """#!{python}
import re, sys
unit = [word for word in sys.argv[1:] if word.endswith(".cc")][-1]
text = open(unit).read()
files = re.findall('#include "(/.*[.]cc)"', text) or [unit]
seen, status = set(), 0
open({log!r}, "a").write({word!r} + str(len(files)) + "\\n")
for file in files:
    if {word!r} in open(file).read() and (not {twice!r} or seen):
        print(file + ":1:1: error: {word}", file=sys.stderr)
        print(file + ": {word}")
        status = 1
    if {word!r} in open(file).read():
        seen.add(file)
sys.exit(status)
"""


class BatchTest(unittest.TestCase):
    """Files a.cc to h.cc; those with CLASH do not compile together, one with
    FINDING is not clean."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        root = unittest.mock.patch.object(run_tidy, "ROOT", self.root)
        root.start()
        self.addCleanup(root.stop)
        (self.root / "src").mkdir()
        self.files = [f"src/{letter}.cc" for letter in "abcdefgh"]
        for file in self.files:
            self.write(file, "")
        self.log = self.root / "log"
        self.options = argparse.Namespace(
            tidy=self.tool("tidy", "FINDING", False),
            compiler=self.tool("compiler", "CLASH", True))

    def write(self, name, text):
        (self.root / name).write_text(text)

    def tool(self, name, word, twice):
        self.write(name, LOOKS_FOR.format(python=sys.executable, word=word,
                                          twice=twice, log=str(self.log)))
        (self.root / name).chmod(0o755)
        return str(self.root / name)

    def check(self):
        flags = {file: [] for file in self.files}
        return run_tidy.check_files(self.options, flags, self.files, self.root)

    def sizes_of_checks(self):
        return sorted(int(line.removeprefix("FINDING"))
                      for line in self.log.read_text().splitlines()
                      if line.startswith("FINDING"))

    def test_clean_files_are_checked_at_once(self):
        self.assertEqual(self.check(), {file: "" for file in self.files})
        self.assertEqual(self.sizes_of_checks(), [8])

    def test_a_file_that_is_not_clean_is_found(self):
        self.write("src/f.cc", "FINDING")
        found = self.check()
        self.assertIn("FINDING", found["src/f.cc"])
        self.assertEqual([file for file in self.files if found[file]], ["src/f.cc"])

    def test_files_that_do_not_go_together_are_checked_apart(self):
        for file in ("src/b.cc", "src/d.cc", "src/g.cc"):
            self.write(file, "CLASH")
        self.write("src/g.cc", "CLASH FINDING")
        found = self.check()
        self.assertEqual([file for file in self.files if found[file]], ["src/g.cc"])
        self.assertEqual(self.sizes_of_checks(), [1, 1, 6])

    def test_only_files_of_a_folder_with_the_same_flags_go_together(self):
        flags = {"a/x.cc": ["-O1"], "a/y.cc": ["-O1"], "a/z.cc": ["-O2"],
                 "b/x.cc": ["-O1"]}
        self.assertEqual(run_tidy.batches_of(list(flags), flags),
                         [["a/x.cc", "a/y.cc"], ["a/z.cc"], ["b/x.cc"]])


if __name__ == "__main__":
    unittest.main()
