"""docs/fields.md has every field of both forms of a job, and says of each what the binary does."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import make_fields_page  # noqa: E402 (needs the path above)
from field_facts import FACTS, WITHOUT_A_WORD, of  # noqa: E402

BINARY = os.path.realpath(os.environ.get("VERNIER_BINARY") or ROOT / "build/test/vernier")
# A study to which the line of one field is added, or in which it stands instead.
STUDY = {"run": "run: [python3, train.py]", "metric": "metric: {m: maximize}",
         "parameters": "parameters: {x: {float: [0, 1]}, k: [a, b]}", "trials": "trials: 20"}
# Names that the reader of job files asks for.
READ = re.compile(
    r"(?:\w+(?:\.|->)(?:String|Strings|StringMap|Integer|Int64|Bool|Enum|Number|Numbers|"
    r"Duration|Child|Children|ChildOrField|MarkIgnored)|Read[A-Z]\w+|\bread)\("
    r"(?:\w+, )?\"([a-zA-Z]+)\"")
ROLES = ("master", "worker", "parameterServer", "evaluator")
PATHS = make_fields_page.paths_of_fields()


def study_with(line):
    """The study with the fields of a line, which "; " separates."""
    lines = dict(STUDY)
    for each in line.split("; "):
        lines[each.partition(":")[0].strip('"')] = each
    return "\n".join(lines.values()) + "\n"


def convert(text):
    """What `vernier convert` prints of a file, and what it complains of."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "study.yaml")
        pathlib.Path(path).write_text(text, encoding="utf-8")
        done = subprocess.run([BINARY, "convert", path], stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.PIPE, text=True, timeout=60)
    return done.stdout, done.stderr


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda item: function(*item), items))


class FieldsPageTest(unittest.TestCase):
    def test_the_page_is_what_the_table_of_fields_says(self):
        self.assertEqual((ROOT / "docs/fields.md").read_text(encoding="utf-8"),
                         make_fields_page.page(),
                         "scripts/docs reference writes it anew")

    def test_a_field_without_facts_is_refused(self):
        facts = FACTS.pop("seed")
        try:
            with self.assertRaisesRegex(make_fields_page.Incomplete, "seed has no row"):
                make_fields_page.page()
        finally:
            FACTS["seed"] = facts

    def test_facts_without_a_field_are_refused(self):
        FACTS["shoe_size"] = of("text", "", "", "", "shoe_size: 7")
        try:
            with self.assertRaises((make_fields_page.Incomplete, ValueError)):
                make_fields_page.page()
        finally:
            del FACTS["shoe_size"]

    def test_every_field_that_job_files_are_read_for_is_on_the_page(self):
        paths = [make_fields_page.path_of(word, PATHS) for word in FACTS]
        known = {part for path in [*paths, *WITHOUT_A_WORD] for role in ROLES
                 for part in re.split(r"[^A-Za-z0-9]+", path.replace("ROLE", role))}
        found = set()
        for source in (ROOT / "src/study/job_file").glob("*_section.cc"):
            found |= set(READ.findall(source.read_text(encoding="utf-8")))
        self.assertGreater(len(found), 80)
        # "values" is how each form of a condition lists them, and a belief, whose key is a
        # parameter's name, has two fields, which the row of beliefs names.
        for part in ("near", "within"):
            self.assertIn(part, FACTS["beliefs"].range)
        self.assertEqual(found - known - {"values", "near", "within"}, set())

    def test_defaults_are_those_of_the_job_files_page(self):
        page = (ROOT / "docs/job-file.md").read_text(encoding="utf-8")
        stated = dict(re.findall(r"(?m)^\| `([a-zA-Z.]+)` \| `?\"?([\w/-]+)\"?`? \| [^|]+ \|$",
                                 page))
        compared = 0
        for word, facts in FACTS.items():
            name = make_fields_page.path_of(word, PATHS)
            for length in (2, 1):
                default = stated.get(".".join(name.split(".")[-length:]))
                is_plain = re.fullmatch(r"`?[\w/]+`?", facts.default)
                is_a_field = default in stated  # Then that one's counts.
                if default in (None, "required") or not is_plain or is_a_field:
                    continue
                ours = facts.default.strip("`").replace("7d", "604800s").lower()
                self.assertEqual(ours, default.lower(), word)
                compared += 1
        self.assertGreater(compared, 15)


class FieldsTest(unittest.TestCase):
    def test_each_is_converted_there_and_back(self):
        def there_and_back(word, line):
            job, problem = convert(study_with(line))
            study = convert(job)[0] if job else ""
            return word, line, job, problem, study, convert(study)[0] if study else ""

        cases = [(word, line) for word, facts in FACTS.items() for line in facts.good]
        for word, line, job, problem, study, again in in_parallel(there_and_back, cases):
            with self.subTest(line):
                self.assertEqual(problem, "")
                self.assertEqual(job, again)
                top = word.partition(".")[0]
                if line.partition(":")[2].strip() in ("false", "bayesian"):
                    continue  # What is so anyhow need not be written.
                self.assertRegex(study, rf'(?m)^"?{self.word_of(top)}"?:')
                name = make_fields_page.path_of(word, PATHS).rpartition(".")[2]
                names = [name.removesuffix("[]").replace("ROLE", role) for role in ROLES]
                self.assertTrue([each for each in names if each in job], names)

    @staticmethod
    def word_of(top):
        # A role's count alone is written by the shorter word.
        return "(roles|workers)" if top == "roles" else top

    def test_what_is_out_of_range_is_refused_by_its_word(self):
        def refused(word, line):
            return word, line, *convert(study_with(line))

        cases = [(word, line) for word, facts in FACTS.items() for line in facts.bad]
        self.assertGreater(len(cases), 80)
        for word, line, job, problem in in_parallel(refused, cases):
            with self.subTest(line):
                self.assertEqual(job, "")
                self.assertIn(word.partition(".")[0], problem)


if __name__ == "__main__":
    unittest.main()
