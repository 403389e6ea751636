"""The bill of materials is a valid SPDX 2.3 document, and has what is in the binary."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import make_sbom  # noqa: E402 (needs the path above)

BUILD = os.path.dirname(os.path.realpath(
    os.environ.get("VERNIER_BINARY") or ROOT / "build/test/vernier"))
SCRIPT = ROOT / "scripts/lib/make_sbom.py"
# Of the list of licences, and of the schema of SPDX 2.3.
LICENSES = {"Apache-2.0", "BSD-3-Clause", "BSL-1.0", "LGPL-2.1-or-later", "MIT", "MPL-2.0",
            "Zlib", "blessing", "curl", "GPL-3.0-or-later WITH GCC-exception-3.1"}
RELATIONSHIPS = {"DESCRIBES", "STATIC_LINK", "DYNAMIC_LINK"}
DIGITS = {"SHA256": 64, "SHA512": 128}
PURL = re.compile(r"pkg:[a-z]+/[A-Za-z0-9.%/+~_-]+@[A-Za-z0-9.%+~_-]+(\?arch=[a-z0-9]+)?")


def made(**environment):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sbom.json")
        done = subprocess.run(
            [sys.executable, SCRIPT, "--build-dir", BUILD, "--out", path], check=False,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return pathlib.Path(path).read_text(encoding="utf-8"), done.stderr


class SbomTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text, cls.complaints = made(SOURCE_DATE_EPOCH="1700000000")
        cls.document = json.loads(cls.text)
        cls.packages = {each["SPDXID"]: each for each in cls.document["packages"]}

    def test_the_document_has_what_the_schema_requires(self):
        self.assertEqual((self.document["spdxVersion"], self.document["dataLicense"],
                          self.document["SPDXID"]),
                         ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(self.document["documentNamespace"], r"^https://[^#\s]+$")
        about = self.document["creationInfo"]
        self.assertEqual(about["created"], "2023-11-14T22:13:20Z")
        for each in about["creators"]:
            self.assertRegex(each, r"^(Tool|Organization|Person): \S")
        self.assertEqual(set(self.document["documentDescribes"]) - set(self.packages), set())

    def test_each_package_has_what_the_schema_requires(self):
        self.assertEqual(len(self.packages), len(self.document["packages"]))
        for name, package in self.packages.items():
            self.assertRegex(name, r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertTrue(package["name"] and package["versionInfo"])
            self.assertEqual(package["downloadLocation"], "NOASSERTION")
            # Otherwise it would need a code over its files.
            self.assertIs(package["filesAnalyzed"], False)
            self.assertIn(package["licenseDeclared"], LICENSES, name)
            self.assertRegex(package["supplier"], r"^(NOASSERTION|Organization: \S.*)$")
            for each in package["externalRefs"]:
                self.assertEqual((each["referenceCategory"], each["referenceType"]),
                                 ("PACKAGE-MANAGER", "purl"))
                self.assertRegex(each["referenceLocator"], rf"^{PURL.pattern}$")
            for each in package.get("checksums", []):
                self.assertRegex(each["checksumValue"],
                                 rf"^[0-9a-f]{{{DIGITS[each['algorithm']]}}}$")

    def test_each_relationship_is_between_what_is_there(self):
        known = {*self.packages, "SPDXRef-DOCUMENT"}
        related = set()
        for each in self.document["relationships"]:
            self.assertIn(each["relationshipType"], RELATIONSHIPS)
            self.assertIn(each["spdxElementId"], known)
            self.assertIn(each["relatedSpdxElement"], known)
            related.add(each["relatedSpdxElement"])
        self.assertEqual(related, set(self.packages))

    def test_every_library_is_there_with_its_licence(self):
        self.assertEqual(self.complaints, "")
        names = {re.sub(r"(?<=boost)[\d.]+$|(?<=gcc)-\d+$", "", each["name"])
                 for each in self.packages.values()}
        self.assertEqual(set(make_sbom.LICENSES) - names, set())

    def test_each_archive_that_is_linked_has_its_package(self):
        purls = " ".join(each["referenceLocator"] for package in self.packages.values()
                         for each in package["externalRefs"])
        for name in make_sbom.packages_of(make_sbom.linked_files(BUILD)):
            self.assertRegex(purls, rf"pkg:deb/[a-z]+/{re.escape(name.partition(':')[0])}@")

    def test_what_the_page_is_made_of_is_there_and_what_builds_it_is_not(self):
        lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
        ours = {path.partition("node_modules/")[2] for path, about in lock["packages"].items()
                if path and not about.get("dev")}
        names = {package["name"] for package in self.packages.values()
                 if "pkg:npm/" in json.dumps(package)}
        self.assertEqual(names, ours)
        self.assertIn("preact", names)
        self.assertNotIn("typescript", names)

    def test_the_same_build_gives_the_same_bytes(self):
        self.assertEqual(made(SOURCE_DATE_EPOCH="1700000000", TZ="Asia/Tokyo")[0], self.text)

    def test_a_library_without_a_known_licence_is_named(self):
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.run(
                [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); "
                 "import make_sbom; print(make_sbom.license_of('libfoo'))",
                 str(SCRIPT.parent)], stdout=subprocess.PIPE, stderr=said, check=True, text=True)
            said.seek(0)
            self.assertIn("libfoo has no licence", said.read())
        self.assertEqual(process.stdout.strip(), "NOASSERTION")


if __name__ == "__main__":
    unittest.main()
