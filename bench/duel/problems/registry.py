"""All problems, and the suites that a run picks from."""

import fnmatch
import functools

from problems import (bbob, cells, choices, classics, conditional, failing, grids,
                      responses, sklearn_tasks)

MODULES = (bbob, choices, classics, conditional, failing, grids, cells, responses,
           sklearn_tasks)

# Cheap ones of three kinds, to see that an optimizer works at all.
SMOKE = ("branin", "bbob-f08-d5-discrete", "network-tree")

# A few of each family, all of the reporting part: what one machine can run for
# the slow peers too.
HEADLINE = (
    "bbob-f01-d5", "bbob-f09-d5", "bbob-f12-d10", "bbob-f17-d10",
    "bbob-f20-d5", "bbob-f02-d5-noise1", "bbob-f07-d5-noise10",
    "bbob-f02-d10-discrete", "bbob-f09-d5-discrete",
    "bbob-f01-d10-categorical", "bbob-f16-d5-categorical",
    "hartmann6", "michalewicz-d5", "styblinski-tang-d4",
    "network-tree", "network-tree-noise10", "switch-a-2x2", "switch-c-3x2",
    "pipeline-wine-nll",
    "network-grid-digits", "network-grid-friedman",
    "mlp-grid-digits", "mlp-grid-wine", "svm-grid-friedman", "svm-grid-parity",
    "cell-diabetes", "cell-parity", "nk-c-5^6-noise10", "nk-d-3^8-noise10",
    "svm-wide-wine-nll", "tree-wine-nll", "mlp-adam-wine-nll",
)


@functools.lru_cache(maxsize=None)
def all_problems():
    """Every problem by name."""
    found = {}
    for module in MODULES:
        for problem in module.problems():
            if problem.name in found:
                raise ValueError("two problems share a name: " + problem.name)
            found[problem.name] = problem
    return found


def families():
    return sorted({problem.family for problem in all_problems().values()})


def select(suite, part=None):
    """The problems of `suite`, in order of name: a comma-separated list of
    families, suites (smoke, headline, all) and patterns of names.

    Only those of `part`, if it is given. A word that picks nothing is an error.
    """
    names = set()
    for word in suite.split(","):
        picked = _names_of(word)
        if not picked:
            raise ValueError(f"no problem is called {word!r}; families: "
                             + ", ".join(families()))
        names |= set(picked)
    chosen = [all_problems()[name] for name in sorted(names)]
    return [problem for problem in chosen if part in (None, problem.part)]


def _names_of(word):
    if word == "all":
        return list(all_problems())
    if word == "smoke":
        return SMOKE
    if word == "headline":
        return HEADLINE
    if word in families():
        return [name for name, problem in all_problems().items()
                if problem.family == word]
    return fnmatch.filter(all_problems(), word)
