"""Tests of scripts/install_dependencies, with stand-ins for Debian's tools."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Knows every package but those in $MISSING; fails for these, as the real one.
DPKG_QUERY = """#!/bin/sh
shift 3
status=0
for package in "$@"; do
  case " $MISSING " in
    *" $package "*) status=1 ;;
    *) echo "$package installed" ;;
  esac
done
exit $status
"""
APT_GET = """#!/bin/sh
echo "apt-get $*" >> "$CALLS"
"""


class InstallDependenciesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.stand_in("dpkg-query", DPKG_QUERY)
        self.stand_in("apt-get", APT_GET)
        self.stand_in("id", "#!/bin/sh\necho 0\n")

    def stand_in(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def install(self, *words, missing="", path="/usr/bin:/bin"):
        return subprocess.run(
            [str(ROOT / "scripts" / "install_dependencies"), *words],
            env={"PATH": f"{self.folder}:{path}", "CALLS": str(self.calls),
                 "MISSING": missing},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False)

    def test_leaves_apt_alone_when_nothing_is_missing(self):
        self.assertEqual(self.install("demo", "test", "check").returncode, 0)
        self.assertEqual(self.calls.read_text(), "")

    def test_installs_only_what_is_missing(self):
        done = self.install("build", "demo", missing="mold python3-torch shellcheck")
        self.assertEqual(done.returncode, 0, done.stderr)
        update, install = self.calls.read_text().splitlines()
        self.assertTrue(update.endswith(" update"))
        self.assertTrue(install.endswith(
            "install -y --no-install-recommends mold python3-torch"), install)

    def test_the_service_needs_no_node_and_the_tests_do(self):
        self.stand_in("node", "#!/bin/sh\necho v16.0.0\n")  # Too old.
        for words, wanted in ((("build", "demo", "containers", "package"), False),
                              (("page",), True), (("test",), True)):
            with self.subTest(words):
                self.calls.write_text("")
                done = self.install(*words, missing="nodejs npm")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual("nodejs npm" in self.calls.read_text(), wanted)

    def test_a_demo_of_a_binary_that_is_there_needs_no_compiler(self):
        for words in (("demo",), ("page",), ("docs",)):
            self.assertEqual(self.install(*words, missing="g++").returncode, 0)
        self.assertEqual(self.calls.read_text(), "")
        for words in ((), ("build",), ("demo", "build"), ("test",), ("package",)):
            self.calls.write_text("")
            self.install(*words, missing="g++")
            self.assertIn("g++", self.calls.read_text(), words)

    def test_lists_what_is_missing_and_installs_nothing(self):
        done = self.install("--missing", "build", "demo", missing="mold python3-torch")
        self.assertEqual((done.returncode, done.stdout), (0, "mold\npython3-torch\n"))
        self.assertEqual(self.install("--missing", "demo").stdout, "")
        self.assertEqual(self.calls.read_text(), "")

    def test_lists_all_of_a_set(self):
        libraries = self.install("--list", "libraries", missing="libc6-dev").stdout.split()
        self.assertIn("libc6-dev", libraries)
        self.assertIn("libgrpc++-dev", libraries)
        # A sysroot needs no program, and no library of the tests.
        self.assertEqual([each for each in libraries if not each.endswith("-dev")], [])
        self.assertNotIn("libgtest-dev", libraries)
        build = self.install("--list", "build").stdout.split()
        self.assertEqual(set(libraries) - set(build), set())
        self.assertEqual(self.calls.read_text(), "")

    def test_says_what_is_missing_when_it_may_not_install(self):
        self.stand_in("id", "#!/bin/sh\necho 1000\n")
        for tool in ("bash", "dirname", "basename", "comm", "sort", "awk"):
            (self.folder / tool).symlink_to(f"/usr/bin/{tool}")
        self.stand_in("env", '#!/bin/sh\nexec "$@"\n')
        # Without /usr/bin, there is no sudo.
        done = self.install("test", missing="mold", path="/nonexistent")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run as root or install sudo; these packages are missing:"
                      " mold\n", done.stderr)

    def test_refuses_an_unknown_set(self):
        done = self.install("tests")
        self.assertEqual(done.returncode, 1)
        self.assertIn("unknown set of packages: tests", done.stderr)
        self.assertEqual(self.calls.read_text(), "")

    def test_what_npm_installs_runs_on_the_oldest_node(self):
        script = (ROOT / "scripts" / "install_dependencies").read_text()
        oldest = int(re.search(r"OLDEST_NODE=(\d+)", script).group(1))
        seen = 0
        for lock in ("web/package-lock.json", "tests/browser/package-lock.json"):
            packages = json.loads((ROOT / lock).read_text())["packages"]
            for name, package in packages.items():
                wanted = package.get("engines", {}).get("node")
                if wanted is None:
                    continue
                seen += 1
                # A range of another form is to be read by somebody first.
                version = re.fullmatch(r">=(\d+)[.\d]*", wanted)
                self.assertIsNotNone(version, f"{lock}: {name} wants Node.js {wanted}")
                self.assertLessEqual(int(version.group(1)), oldest,
                                     f"{lock}: {name} wants Node.js {wanted}")
        self.assertGreater(seen, 4)


if __name__ == "__main__":
    unittest.main()
