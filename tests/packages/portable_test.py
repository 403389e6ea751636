"""The binary under test and NLopt's copy for packages run with glibc 2.28, as far as
their files tell. That they do on a bare Debian 11 is package_test.py's to show.
"""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts/lib"))

import check_portable  # noqa: E402 (needs the path above)

BINARY = os.path.realpath(
    os.environ.get("VERNIER_BINARY") or os.path.join(ROOT, "build/test/vernier"))


def output(*words):
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout


class PortableTest(unittest.TestCase):
    def test_the_release_that_is_checked_is_the_one_that_is_linked_for(self):
        with open(os.path.join(ROOT, "cmake/portable.cmake"), encoding="utf-8") as file:
            self.assertIn(f"set(VERNIER_GLIBC {check_portable.RELEASE})", file.read())
        with open(os.path.join(ROOT, "python/build_wheel.py"), encoding="utf-8") as file:
            self.assertIn(f'GLIBC = "{check_portable.RELEASE.replace(".", "_")}"', file.read())

    def test_the_binary_asks_for_nothing_newer(self):
        self.assertEqual(check_portable.faults(BINARY), [])

    def test_libraries_may_lie_beside_the_binary(self):
        self.assertRegex(output("readelf", "-dW", BINARY), r"R(UN)?PATH.*\[\$ORIGIN\]")

    def test_what_is_newer_is_named(self):
        found = check_portable.faults(BINARY, "2.13")
        self.assertTrue([each for each in found
                         if each.startswith("asks for GLIBC_2.14: ") and "memcpy" in each],
                        found)


class LowerGlibcTest(unittest.TestCase):
    def lowered(self, library, release="2.28"):
        copy = os.path.join(self.folder.name, "copy.so")
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "scripts/lib/lower_glibc.py"), library,
             copy, "--release", release],
            check=False, text=True, stderr=subprocess.PIPE)
        return copy, done

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.nlopt = output("/bin/sh", "-c", "/sbin/ldconfig -p | "
                            "awk '$1 == \"libnlopt.so.0\" {print $NF; exit}'").strip()

    def test_nlopts_copy_asks_for_nothing_newer_and_computes_the_same(self):
        copy, done = self.lowered(self.nlopt)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(check_portable.faults(copy), [])
        with open(copy, "rb") as one, open(self.nlopt, "rb") as other:
            mine, theirs = one.read(), other.read()
        self.assertEqual(len(mine), len(theirs))
        # A version's name and hash: 8 bytes for each library that has one.
        self.assertLessEqual(sum(a != b for a, b in zip(mine, theirs)), 16)

    def test_a_name_that_is_newer_than_its_library_is_refused(self):
        _, done = self.lowered(self.nlopt, "2.1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("has no older version beside it", done.stderr)

    def test_what_is_no_library_is_refused(self):
        _, done = self.lowered(__file__)
        self.assertIn("is no 64-bit ELF file", done.stderr)


if __name__ == "__main__":
    unittest.main()
