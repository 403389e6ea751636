"""What the pages for users show is run here as it stands there."""

import os
import re
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clients  # noqa: E402
import documented_page  # noqa: E402
from service import ROOT, Service, binary  # noqa: E402

# Each page of docs/ that has something to run.
PAGES = {"gcloud.md", "python-client.md", "buckets.md", "vizier.md", "suggest.md",
         "command-line.md"}
# Settings of whoever runs the tests, which a new user would not have.
FOREIGN = re.compile(r"VERNIER_|CLOUDSDK_|GOOGLE_|STORAGE_|XDG_|PYTHON")


def page(name):
    return os.path.join(ROOT, name)


class HomeService(Service):
    """A service where `vernier` looks for one when nothing is said."""

    def __init__(self):
        super().__init__()
        self.data = os.path.join(self.home, ".local/share/vernier")

    def environment(self, client=None):
        """That of a user who has `vernier` on PATH, and a client installed."""
        folder = os.path.join(self.home, "bin")
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "vernier")):
            os.symlink(binary(), os.path.join(folder, "vernier"))
        path = [folder]
        if client is not None:
            path.append(os.path.dirname(clients.python(client)))
        kept = {name: value for name, value in os.environ.items()
                if not FOREIGN.match(name)}
        return {**kept, "HOME": self.home,
                "PATH": ":".join([*path, os.environ["PATH"]])}

    def folder(self):
        path = os.path.join(self.home, "work")
        os.makedirs(path, exist_ok=True)
        return path


class DocumentationTest(unittest.TestCase):
    def setUp(self):
        self.service = self.enterContext(HomeService())

    def run_page(self, name, client=None):
        return documented_page.run(page(name), self.service.folder(),
                                   self.service.environment(client))

    def need_gcloud(self):
        if shutil.which("gcloud") is None:
            self.skipTest("gcloud is not on PATH")

    def best(self, job):
        trials = self.service.job(job)["trainingOutput"]["trials"]
        return trials[0]["finalMetric"]["objectiveValue"]

    def test_every_page_with_something_to_run_is_run(self):
        marked = set()
        for name in filter(lambda each: each.endswith(".md"), os.listdir(page("docs"))):
            with open(os.path.join(page("docs"), name), encoding="utf-8") as file:
                if re.search(r"^<!-- run|^<!-- dialogue", file.read(), re.MULTILINE):
                    marked.add(name)
        self.assertEqual(marked, PAGES)

    def test_gcloud(self):
        self.need_gcloud()
        self.run_page("docs/gcloud.md")
        self.assertGreater(self.best("digits"), 0.9)

    def test_the_readme_tunes_with_gcloud(self):
        self.need_gcloud()
        # Its job file and program are those of the longer page.
        documented_page.write_files(
            documented_page.blocks_of(page("docs/gcloud.md")), self.service.folder())
        self.run_page("README.md")
        self.assertGreater(self.best("digits"), 0.9)

    def test_googles_api_client(self):
        printed = self.run_page("docs/python-client.md", client="google_api")
        self.assertIn("SUCCEEDED", "".join(printed))

    def test_cloud_storage(self):
        self.need_gcloud()
        self.run_page("docs/buckets.md", client="google_cloud_storage")

    def test_oss_vizier(self):
        printed = self.run_page("docs/vizier.md", client="vizier")
        self.assertIn("'layers': 3", "".join(printed).replace('"', "'"))

    def test_the_engine_by_itself(self):
        self.run_page("docs/suggest.md")

    def test_the_command_line(self):
        self.run_page("docs/command-line.md")


if __name__ == "__main__":
    unittest.main()
