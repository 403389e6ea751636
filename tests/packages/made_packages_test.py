"""What is in the packages of the binary under test. That each runs on a bare
Debian is the gate's to say (scripts/check packages, package_test.py); this is what can be
seen without such a machine.
"""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from package_test import HELLO, ROOT, run

import check_portable  # By the path that package_test adds.

BINARY = os.path.realpath(
    os.environ.get("VERNIER_BINARY") or os.path.join(ROOT, "build/test/vernier"))
# Of the binary's help; those below it have pages of their own.
VERB = re.compile(r"^  ([a-z][-a-z]*) +\S", re.MULTILINE)


def verbs(*above):
    text = run(BINARY, *above, "--help").partition("\nSubcommands:")[2]
    return VERB.findall(text)


@unittest.skipUnless(shutil.which("help2man"), "needs help2man")
class MadePackagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        top = tempfile.mkdtemp(prefix="vernier-")
        cls.addClassCleanup(shutil.rmtree, top, True)
        cls.folder = os.path.join(top, "artefacts")
        # Packs twice, and fails unless that gives the same bytes.
        cls.sums = run(os.path.join(ROOT, "scripts/release"), cls.folder, env={
            **os.environ, "VERNIER_PACKAGE_BUILD": os.path.dirname(BINARY)})
        cls.deb, = glob.glob(os.path.join(cls.folder, "vernier_*.deb"))
        cls.tarball, = glob.glob(os.path.join(cls.folder, "vernier-*.tar.gz"))
        cls.root = os.path.join(cls.folder, "root")
        run("dpkg-deb", "-x", cls.deb, cls.root)

    def has(self, path):
        self.assertTrue(os.path.isfile(os.path.join(self.root, path)), path)

    def test_a_release_is_all_of_it_with_its_checksums(self):
        for pattern in ("vernier_*.deb", "vernier-*.tar.gz", "vernier_hpo-*-py3-none-any.whl",
                        "hydra_vernier-*.whl", "*-manylinux_2_28_*.whl", "vernier-*.spdx.json"):
            path, = glob.glob(os.path.join(self.folder, pattern))
            self.assertIn("  " + os.path.basename(path), self.sums)
        checked = run("sha256sum", "--strict", "-c", "SHA256SUMS", cwd=self.folder)
        self.assertEqual(checked.count(": OK"), 6)

    def test_a_release_takes_no_folder_that_is_something_elses(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "thesis").touch()
            done = subprocess.run([os.path.join(ROOT, "scripts/release"), folder],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(os.listdir(folder), ["thesis"])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no earlier release of this script", done.stderr)

    def test_it_depends_on_each_library_that_it_is_linked_with_or_opens(self):
        depends = run("dpkg-deb", "-f", self.deb, "Depends")
        packages = set(re.findall(r"(?:^|, )([a-z0-9.+-]+)", depends))
        self.assertIn("libnlopt0", packages)
        # Not what the machine that made it has: it runs with older releases.
        self.assertIn(f"libc6 (>= {check_portable.RELEASE})", depends)
        self.assertIn("libcurl4", run("dpkg-deb", "-f", self.deb, "Recommends"))
        for library in re.findall(r"=> (/\S+)", run("ldd", BINARY)):
            # Debian knows the file below /lib or /usr/lib, which are one folder.
            owners = run("dpkg", "-S", "*/" + os.path.basename(library)).splitlines()
            self.assertTrue(packages & {each.partition(":")[0] for each in owners}, library)

    def test_it_has_a_page_for_every_verb(self):
        self.has("usr/share/man/man1/vernier.1.gz")
        found = verbs()
        self.assertGreater(len(found), 20)
        for verb in found:
            self.has(f"usr/share/man/man1/vernier-{verb}.1.gz")
            for below in verbs(verb):
                self.has(f"usr/share/man/man1/vernier-{verb}-{below}.1.gz")

    def test_it_has_completions_and_units(self):
        self.has("usr/share/bash-completion/completions/vernier")
        self.has("usr/share/zsh/vendor-completions/_vernier")
        verify = shutil.which("systemd-analyze")
        if verify is None:
            self.skipTest("no systemd-analyze")
        for name, flags in (("system", []), ("user", ["--user"])):
            path = f"usr/lib/systemd/{name}/vernier.service"
            self.has(path)
            done = subprocess.run(
                [verify, "verify", *flags, os.path.join(self.root, path)],
                capture_output=True, text=True, check=False,
                env={**os.environ, "XDG_RUNTIME_DIR": self.folder})
            # The program is not at its place here, and other units may be missing.
            self.assertNotRegex(done.stderr, r"vernier.service:\d+:")

    def test_the_licenses_of_what_the_tarball_brings_along_are_in_it(self):
        for name in ("copyright", "NLopt", "LGPL-2.1"):
            self.assertRegex(run("tar", "-tzf", self.tarball),
                             rf"(?m)/share/doc/vernier/{name}$")

    def test_the_tarball_runs_the_hello_job_where_it_is_unpacked(self):
        run("tar", "-C", self.folder, "-xzf", self.tarball)
        top = self.tarball[:-len(".tar.gz")]
        vernier = os.path.join(top, "bin/vernier")
        self.assertTrue(os.path.isfile(os.path.join(top, "bin/libnlopt.so.0")))
        home = os.path.join(self.folder, "home")
        environment = {"HOME": home, "PATH": "/usr/bin:/bin"}
        os.mkdir(home)
        try:
            text = run(vernier, "run", "--config",
                       os.path.join(top, HELLO.removeprefix("usr/"), "config.yaml"),
                       "--name", "hello", env=environment, cwd=home)
            self.assertIn("Best trials of hello", text)
        finally:
            process = run(vernier, "info", "--format", "value(processId)", env=environment)
            os.kill(int(process), 15)


if __name__ == "__main__":
    unittest.main()
