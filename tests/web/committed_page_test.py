"""The committed page belongs to its sources. Needs no Node.js."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(web):
    return subprocess.run(
        ["cmake", "-D", f"WEB={web}", "-P", ROOT / "cmake" / "check_page.cmake"],
        capture_output=True, text=True, check=False)


class CommittedPageTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.web = pathlib.Path(folder.name) / "web"
        shutil.copytree(ROOT / "web", self.web,
                        ignore=shutil.ignore_patterns("node_modules"))

    def assert_stale(self, *names):
        done = check(self.web)
        said = " ".join(done.stderr.split())
        self.assertEqual(done.returncode, 1, said)
        for name in names:
            self.assertIn(f"web/{name}", said)
        self.assertIn("scripts/page", said)

    def test_the_page_is_of_the_sources_beside_it(self):
        done = check(self.web)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_changed_source_is_named(self):
        for name in ("src/main.tsx", "styles/main.css", "package-lock.json", "build.mjs"):
            self.assertIn(f"  {name}\n", (self.web / "page.sha256").read_text())
        with open(self.web / "src/main.tsx", "a", encoding="utf-8") as file:
            file.write("// changed\n")
        self.assert_stale("src/main.tsx")

    def test_a_source_that_is_gone_is_named(self):
        (self.web / "styles/main.css").unlink()
        self.assert_stale("styles/main.css")

    def test_a_page_that_was_changed_by_hand_is_named(self):
        (self.web / "page/index.html").write_text("another\n")
        self.assert_stale("page/index.html")

    def test_a_second_page_that_a_merge_left_is_named(self):
        (self.web / "page/assets/main-OLD.js").write_text("1\n")
        self.assert_stale("page/assets/main-OLD.js")

    def test_no_digests_at_all_are_no_page(self):
        (self.web / "page.sha256").write_text("")
        self.assert_stale("page/index.html")


class NoNodeTest(unittest.TestCase):

    def test_the_service_is_built_without_node(self):
        text = (ROOT / "CMakeLists.txt").read_text()
        for path in (ROOT / "cmake").rglob("*"):
            if path.is_file():
                text += path.read_text()
        self.assertNotRegex(text, r"find_program\([^)]*\b(node|npm)\b")


if __name__ == "__main__":
    unittest.main()
