"""Tests of scripts/lib/make_sysroot, with a mirror that has one package."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import make_sbom  # noqa: E402 (needs the path above)

APT_CACHE = """#!/bin/sh
. /etc/os-release
echo " 500 http://mirror.test/debian $VERSION_CODENAME/main amd64 Packages"
"""
# What it fetches comes from a folder.
APT_GET = """#!/bin/sh
echo "apt-get $*" >> "$CALLS"
for word in "$@"; do
  case $word in Dir::Cache=*) cache=${word#Dir::Cache=} ;; esac
done
case " $* " in *" install "*) cp "$DEBS"/*.deb "$cache/archives/" ;; esac
"""
CONTROL = """Package: {name}
Version: 1.0-1
Architecture: {architecture}
Multi-Arch: {multi_arch}
Maintainer: Nobody <nobody@localhost>
Description: a library
"""


class SysrootTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.calls = self.folder / "calls"
        self.sysroot = self.folder / "sysroots" / "arm64"
        (self.folder / "bin").mkdir()
        (self.folder / "debs").mkdir()
        for name, text in (("apt-cache", APT_CACHE), ("apt-get", APT_GET)):
            path = self.folder / "bin" / name
            path.write_text(text)
            path.chmod(0o755)
        self.add("liba-dev", {"lib/aarch64-linux-gnu/liba.so.1": "code",
                              "usr/lib/aarch64-linux-gnu/liba.a": "code"}, "arm64", "same",
                 {"usr/lib/aarch64-linux-gnu/liba.so": "/lib/aarch64-linux-gnu/liba.so.1"})
        self.add("headers-dev", {"usr/include/headers.h": "", "usr/share/doc/b": ""}, "all",
                 "foreign")

    def add(self, name, files, architecture, multi_arch, links=None):
        tree = self.folder / name
        for path, text in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        for path, target in (links or {}).items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).symlink_to(target)
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN" / "control").write_text(CONTROL.format(
            name=name, architecture=architecture, multi_arch=multi_arch))
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", str(tree),
                        str(self.folder / "debs")], check=True, stdout=subprocess.DEVNULL)

    def make(self):
        done = subprocess.run(
            [str(ROOT / "scripts/lib/make_sysroot"), "arm64", str(self.sysroot)], check=False,
            env={"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "CALLS": str(self.calls),
                 "DEBS": str(self.folder / "debs")},
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_it_has_the_packages_files_and_no_link_out_of_it(self):
        self.make()
        library = self.sysroot / "usr/lib/aarch64-linux-gnu/liba.so"
        self.assertEqual(library.read_text(), "code")
        self.assertFalse(os.path.isabs(os.readlink(library)))
        self.assertEqual(os.readlink(self.sysroot / "lib"), "usr/lib")
        self.assertFalse((self.sysroot / "usr/share/doc").exists())
        # Nothing else is left beside it.
        self.assertEqual(os.listdir(self.sysroot.parent), ["arm64"])

    def test_apt_touches_nothing_of_this_machine(self):
        self.make()
        for call in self.calls.read_text().splitlines():
            self.assertIn("APT::Architecture=arm64 ", call)
            for place in ("Dir::State", "Dir::State::status", "Dir::Cache",
                          "Dir::Etc::sourcelist"):
                self.assertRegex(call, rf" {place}={self.sysroot}\.")
        self.assertIn(" install -y --download-only libc6-dev ", self.calls.read_text())

    def test_the_same_packages_are_fetched_once(self):
        self.make()
        calls = self.calls.read_text()
        self.make()
        self.assertEqual(self.calls.read_text(), calls)
        (self.sysroot / "made_of").write_text("other packages\n")
        self.make()
        self.assertNotEqual(self.calls.read_text(), calls)

    def test_the_bill_of_materials_finds_the_package_of_a_file(self):
        self.make()
        sysroot = str(self.sysroot)
        found = make_sbom.packages_of(
            {f"{sysroot}/usr/include/headers.h", f"{sysroot}/usr/lib/aarch64-linux-gnu/liba.a",
             f"{sysroot}/made_of", "/usr/bin/env"}, sysroot)
        self.assertEqual(found, {"headers-dev", "liba-dev:arm64"})


if __name__ == "__main__":
    unittest.main()
