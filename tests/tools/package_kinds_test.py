"""What scripts/package refuses before it installs or builds anything."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PackageKindsTest(unittest.TestCase):

    def test_kinds_and_architectures_that_it_does_not_make(self):
        for words, said in (
                (["rpm"], "unknown kind of package: rpm "
                          "(deb tarball wheel sbom image suggestion-image "
                          "early-stopping-image)"),
                (["--arch"], "--arch is for arm64, not nothing"),
                (["--arch", "riscv64", "deb"], "--arch is for arm64, not riscv64"),
                (["--arch", "arm64", "image"],
                 "unknown kind of package: image (deb tarball wheel sbom)")):
            with self.subTest(words):
                done = subprocess.run([str(ROOT / "scripts/package"), *words], check=False,
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (1, f"package: {said}\n"))


if __name__ == "__main__":
    unittest.main()
