"""What people, programs and forges read of the project is whole."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[[^\]]+\]\(([^)#\s]+)(#[^)\s]+)?\)")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


class LinksTest(unittest.TestCase):

    def test_what_is_read_by_programs_leads_to_pages_that_are_there(self):
        for name in ("README.md", "docs/README.md", "llms.txt", "CODE_OF_CONDUCT.md",
                     ".github/pull_request_template.md"):
            links = LINK.findall(text(name))
            self.assertTrue(links, name)
            for path, _ in links:
                self.assertTrue(((ROOT / name).parent / path).exists(), f"{name}: {path}")

    def test_the_index_and_the_site_have_every_page_under_the_same_reader(self):
        pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
        index = {}
        for section in text("docs/README.md").split("\n## ")[1:]:
            title = section.splitlines()[0]
            for path, _ in LINK.findall(section):
                index.setdefault(path, []).append(title)
        introduced = {path for path, _ in LINK.findall(text("docs/README.md").split("\n## ")[0])}
        self.assertEqual(pages - set(index) - introduced, set())
        reader, found_pages = None, 0
        for line in text("packaging/mkdocs.yml").splitlines():
            if found := re.fullmatch(r"  - (I .+):", line):
                reader = found[1]
            elif (found := re.fullmatch(r"      - .+: docs/(\S+)", line)) and reader:
                found_pages += 1
                self.assertTrue(any(title.startswith(reader) for title in index[found[1]]),
                                f"{found[1]}: {reader}")
        self.assertGreater(found_pages, 20)

    def test_llms_txt_has_the_form_that_readers_expect(self):
        lines = text("llms.txt").splitlines()
        self.assertEqual(lines[0], "# Vernier")
        self.assertTrue(lines[2].startswith("> "))
        sections = text("llms.txt").split("\n## ")[1:]
        self.assertEqual(sections[-1].splitlines()[0], "Optional")
        for section in sections:
            for line in section.splitlines()[1:]:
                self.assertRegex(line, r"^(- \[[^\]]+\]\([^)]+\)(: .+)?)?$")

    def test_the_report_of_misconduct_has_a_place(self):
        self.assertIn("SECURITY.md#reporting", text("CODE_OF_CONDUCT.md"))
        self.assertIn("\n## Reporting\n", text("SECURITY.md"))


class CitationTest(unittest.TestCase):

    def test_is_of_this_version_and_licence(self):
        fields = dict(re.findall(r"^([a-z-]+): (.+)$", text("CITATION.cff"), re.MULTILINE))
        version = re.search(r"project\(vernier VERSION (\S+)", text("CMakeLists.txt")).group(1)
        self.assertEqual(fields["cff-version"], "1.2.0")
        self.assertEqual((fields["title"], fields["type"]), ("Vernier", "software"))
        self.assertEqual(fields["version"], version)
        self.assertEqual(fields["license"], "Apache-2.0")
        self.assertIn("message", fields)
        self.assertIn("\nauthors:\n  - name: ", text("CITATION.cff"))


class IssueFormsTest(unittest.TestCase):

    def test_each_has_what_a_form_needs(self):
        forms = [path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")
                 if path.name != "config.yml"]
        self.assertTrue(forms)
        for path in forms:
            form = path.read_text(encoding="utf-8")
            for key in ("name", "description", "body"):
                self.assertRegex(form, rf"(?m)^{key}:", path.name)
            parts = form.split("\n  - type: ")[1:]
            ids = re.findall(r"(?m)^    id: (\w+)$", form)
            self.assertEqual(len(ids), len(set(ids)), path.name)
            self.assertEqual(len(parts), len(ids) + form.count("- type: markdown"), path.name)
            self.assertTrue(all("    attributes:\n" in part for part in parts), path.name)

    def test_the_form_for_faults_sends_weaknesses_elsewhere(self):
        self.assertIn("SECURITY.md", text(".github/ISSUE_TEMPLATE/bug.yml"))


if __name__ == "__main__":
    unittest.main()
