"""Tests of scripts/demo with stand-ins: which binary it takes, and what it says."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
THIS_VERSION, = re.findall(r"^project\(vernier VERSION ([0-9.]+)",
                           (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)

INSTALL = """#!/bin/sh
echo "install_dependencies $*" >> "$CALLS"
if [ "$1" = --missing ]; then printf "$MISSING"; fi
"""
CMAKE = """#!/bin/sh
echo "cmake $*" >> "$CALLS"
case $1 in
  --preset) mkdir -p build/release; touch build/release/build.ninja ;;
  --build) cp "$VERNIER" build/release/vernier; echo "[763/763] Linking" ;;
esac
"""
VERNIER = """#!/bin/sh
echo "$0 $*" >> "$CALLS"
case $1 in
  version) echo "vernier $VERSION (of 2026)" ;;
  serve) mkdir -p "$3"; exec python3 -c '
import signal, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
signal.pause()' "$3/vernier.sock" ;;
  run) mkdir -p "$7/1"; touch "$7/1/best.pt" ;;
esac
"""


class DemoTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("scripts/demo", "scripts/lib/console.sh", "CMakeLists.txt"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        self.stand_in("scripts/install_dependencies", INSTALL)
        self.stand_in("bin/cmake", CMAKE)
        self.stand_in("bin/nproc", "#!/bin/sh\necho 2\n")
        self.stand_in("elsewhere/vernier", VERNIER)
        # In front of one that this machine may have.
        self.stand_in("bin/vernier", "#!/bin/sh\necho vernier 0\n")

    def stand_in(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def demo(self, *words, missing="", version=THIS_VERSION, status=0, cwd="."):
        calls = self.root / "calls"
        calls.write_text("")
        done = subprocess.run(
            [self.root / "scripts" / "demo", *words], cwd=self.root / cwd,
            env={"PATH": f"{self.root}/bin:/usr/bin:/bin", "CALLS": str(calls),
                 "MISSING": missing, "VERSION": version, "TMPDIR": str(self.root),
                 "VERNIER": f"{self.root}/elsewhere/vernier"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.calls = calls.read_text()
        return done

    def test_builds_one_where_there_is_none(self):
        said = self.demo(missing="g++\\npython3-torch\\n").stderr
        self.assertRegex(said, r"1\. installs 2 Debian packages .*: about \d+ minutes")
        self.assertRegex(said, r"2\. builds build/release/vernier: about \d+ minutes on 2 cores")
        self.assertRegex(said, r"3\. tunes: about \d+ minutes")
        self.assertIn("763 of 763 steps", said)  # No terminal, no line of each step.
        self.assertNotIn("Linking", said)
        self.assertRegex(said, r"took: installation \S+, build \S+, tuning \S+\n$")
        self.assertIn("install_dependencies demo build\n", self.calls)
        self.assertIn("cmake --build build/release --target vernier\n", self.calls)
        # The next run has one.
        said = self.demo().stderr
        self.assertIn("1. nothing has to be installed", said)
        self.assertIn("2. brings build/release/vernier up to date", said)
        self.assertIn("cmake --build", self.calls)

    def test_takes_the_binary_that_is_named(self):
        done = self.demo("--binary", "vernier", cwd="elsewhere")
        self.assertIn(f"2. takes {self.root}/elsewhere/vernier, as you say", done.stderr)
        self.assertNotIn("cmake", self.calls)
        self.assertIn("install_dependencies demo\n", self.calls)
        self.assertIn(f"{self.root}/elsewhere/vernier run --config", self.calls)
        self.assertIn(f"  {self.root}/elsewhere/vernier trials list digits\n", done.stdout)

    def test_takes_a_packaged_one_of_the_same_version(self):
        self.stand_in("bin/vernier", VERNIER)
        done = self.demo()
        self.assertIn(f"2. takes {self.root}/bin/vernier, which is of this version", done.stderr)
        self.assertNotIn("cmake", self.calls)
        self.assertIn(f"{self.root}/bin/vernier run --config", self.calls)

    def test_builds_where_the_packaged_one_is_of_another_version(self):
        self.stand_in("bin/vernier", VERNIER)
        for version in ("0.0.9", THIS_VERSION + "1"):
            shutil.rmtree(self.root / "build", ignore_errors=True)
            self.demo(version=version)
            self.assertIn("cmake --build", self.calls)
        self.assertIn(f"{self.root}/build/release/vernier run --config", self.calls)

    def test_refuses_what_it_does_not_know(self):
        for words, said in ((("--binary",), "takes --binary PATH or nothing: --binary"),
                            (("--fast",), "takes --binary PATH or nothing: --fast"),
                            (("--binary", "nowhere"), "nowhere is no program"),
                            (("--binary", "."), ". is no program")):
            self.assertIn(said, self.demo(*words, status=1).stderr)
            self.assertEqual(self.calls, "")


if __name__ == "__main__":
    unittest.main()
