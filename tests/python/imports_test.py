"""The package's modules import one another in no circle, wherever the import stands."""

import ast
import os
import unittest

from package import SOURCES

PACKAGE = os.path.join(SOURCES, "vernier_hpo")


def modules():
    """Each module's name, and its file."""
    for folder, _, files in os.walk(PACKAGE):
        for file in files:
            if file.endswith(".py"):
                path = os.path.join(folder, file)
                name = os.path.relpath(path, SOURCES)[:-3].replace(os.sep, ".")
                yield name.removesuffix(".__init__"), path


def imported(name, path, known):
    """The modules of the package that a module imports: at its top, in a function, or
    for its types only."""
    package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
    found = set()
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(each.name for each in node.names)
            continue
        if not isinstance(node, ast.ImportFrom):
            continue
        base = node.module or ""
        if node.level:
            parents = package.split(".")
            parents = parents[:len(parents) - (node.level - 1)]
            base = ".".join([*parents, *([node.module] if node.module else [])])
        for each in node.names:
            whole = f"{base}.{each.name}"
            found.add(whole if whole in known else base)
    return {each for each in found if each in known and each != name}


class ImportsTest(unittest.TestCase):
    def test_no_module_imports_itself_by_way_of_others(self):
        known = dict(modules())
        graph = {name: imported(name, path, known) for name, path in known.items()}
        self.assertIn("vernier_hpo._study", graph["vernier_hpo"])
        # What is in no circle goes, until nothing more does.
        while True:
            free = {name for name, others in graph.items() if not others}
            if not free:
                break
            graph = {name: others - free for name, others in graph.items()
                     if name not in free}
        self.assertEqual(graph, {}, "these lead back to themselves")


if __name__ == "__main__":
    unittest.main()
