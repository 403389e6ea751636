"""Tests of what scripts/lib/run_tidy.py looks at again."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

import run_tidy  # noqa: E402 (needs the path above)


def git(root, *arguments):
    return subprocess.run(
        ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b",
         *arguments], check=True, stdout=subprocess.PIPE).stdout.decode().strip()


def commit_all(root):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")
    return git(root, "rev-parse", "HEAD")


class ChangeTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name).resolve() / "first"
        (cls.root / "src" / "base").mkdir(parents=True)
        for name, text in {
                ".clang-tidy": "Checks: '*'\n",
                "src/base/a.h": "int A();\n",
                "src/base/only.h": "struct Only {};\n",
                "src/base/inner.h": "struct Inner {};\n",
                "src/base/outer.h": '#include "base/inner.h"\n',
                "src/base/a.cc": '#include "base/a.h"\n',
                "src/base/b.cc": '#include "base/a.h"\n#include "base/only.h"\n',
                "src/base/c.cc": '#include "base/outer.h"\n',
                "src/base/d.cc": '#include "base/outer.h"\n'}.items():
            (cls.root / name).write_text(text)
        git(cls.root, "init", "-q")
        cls.commit = commit_all(cls.root)

    def setUp(self):
        self.root = self.root.parent / self.id()
        shutil.copytree(type(self).root, self.root)
        self.files = [f"src/base/{name}.cc" for name in "abcd"]

    def write(self, name, text):
        (self.root / name).write_text(text)

    def looked_at(self, commit=None):
        changed = run_tidy.changed_paths(commit or self.commit, self.root)
        files = run_tidy.files_to_check(self.files, changed, self.root)
        return "".join(pathlib.Path(file).stem for file in files)

    def looked_at_after(self, name, text):
        self.write(name, text)
        before = self.looked_at()
        commit_all(self.root)
        self.assertEqual(self.looked_at(), before, "committed or not")
        return before

    def test_nothing_is_looked_at_while_nothing_has_changed(self):
        self.assertEqual(self.looked_at(), "")

    def test_a_file_that_has_changed_is_looked_at(self):
        self.assertEqual(self.looked_at_after("src/base/b.cc", "int b;\n"), "b")

    def test_a_new_file_is_looked_at(self):
        self.files.append("src/base/e.cc")
        self.assertEqual(self.looked_at_after("src/base/e.cc", "int e;\n"), "e")

    def test_a_header_is_looked_at_by_all_that_include_it(self):
        self.assertEqual(self.looked_at_after("src/base/a.h", "int B();\n"), "ab")

    def test_a_header_that_headers_alone_include_is_looked_at_once(self):
        self.assertEqual(self.looked_at_after("src/base/inner.h", "\n"), "c")

    def test_what_is_no_longer_there_is_not_looked_at(self):
        self.files.remove("src/base/d.cc")
        (self.root / "src/base/d.cc").unlink()
        self.assertEqual(self.looked_at(), "")

    def test_other_checks_look_at_everything(self):
        self.assertEqual(self.looked_at_after(".clang-tidy", "Checks: ''\n"), "abcd")

    def test_everything_is_looked_at_where_the_commit_is_not_known(self):
        self.assertEqual(self.looked_at("1" * 40), "abcd")
        shutil.rmtree(self.root / ".git")
        self.assertEqual(self.looked_at(), "abcd")

    def test_only_a_state_that_is_committed_is_vouched_for(self):
        self.assertEqual(run_tidy.committed_state(self.root), self.commit)
        self.write("src/base/a.h", "int B();\n")
        self.assertIsNone(run_tidy.committed_state(self.root))
        self.write("src/base/a.h", "int A();\n")
        self.write("src/base/new.h", "int A();\n")
        self.assertIsNone(run_tidy.committed_state(self.root))

    def test_a_file_that_is_not_compiled_is_missed(self):
        self.assertEqual(run_tidy.forgotten_files(["src/base/a.cc"], self.root),
                         ["src/base/b.cc", "src/base/c.cc", "src/base/d.cc"])


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
