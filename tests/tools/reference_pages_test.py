"""The pages that are made from the source say what it says, and have all of it."""

import inspect
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
sys.path.insert(0, str(ROOT / "python/src"))

import make_python_reference  # noqa: E402 (needs the path above)
import vernier_hpo  # noqa: E402


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


class PythonReferenceTest(unittest.TestCase):
    def test_the_page_is_what_the_package_says(self):
        self.assertEqual(text("docs/python-reference.md"), make_python_reference.page(),
                         "scripts/docs reference writes it anew")

    def test_every_public_name_is_in_it(self):
        headings = set(re.findall(r"(?m)^#{3,4} (\S+)$", text("docs/python-reference.md")))
        for name in vernier_hpo.__all__:
            if name == "__version__":
                continue
            self.assertIn(name, headings)
            thing = getattr(vernier_hpo, name)
            if not inspect.isclass(thing) or thing.__name__ != name:
                continue
            for member, value in vars(thing).items():
                if not member.startswith("_") and (inspect.isfunction(value) or
                                                   isinstance(value, property)):
                    described = [f"{each.__name__}.{member}" for each in thing.__mro__]
                    self.assertTrue(headings & set(described), f"{name}.{member}")

    def test_every_integration_is_in_it(self):
        page = text("docs/python-reference.md")
        for path in (ROOT / "python/src/vernier_hpo/integration").glob("[a-z]*.py"):
            self.assertIn(f"\n### vernier_hpo.integration.{path.stem}\n", page)

    def test_it_does_not_depend_on_what_imports_make_of_annotations(self):
        # Annotations are then texts, which every Python shows alike.
        for path in (ROOT / "python/src").glob("**/_*.py"):
            source = path.read_text(encoding="utf-8")
            if "def " in source and path.name not in ("__init__.py", "__main__.py"):
                self.assertIn("from __future__ import annotations", source, path.name)

    def test_a_public_name_without_a_docstring_is_refused(self):
        def silent():
            pass

        with self.assertRaisesRegex(make_python_reference.Undocumented,
                                    "silent has no docstring"):
            make_python_reference.thing_text(silent, "silent", "###")

    def test_signatures_are_those_of_the_source(self):
        def search(space: "Space", *, seed: "Optional[int]" = None, **more: "Any") -> "Study":
            """Searches."""

        self.assertEqual(
            make_python_reference.signature_of(search, "search", False),
            "search(space: Space, *, seed: Optional[int] = None, **more: Any) -> Study")


if __name__ == "__main__":
    unittest.main()
