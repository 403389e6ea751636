"""Optuna's way of writing a search, with Vernier's engine and without Optuna.

    import vernier_hpo.optuna as optuna

    study = optuna.create_study()
    study.optimize(lambda trial: (trial.suggest_float("x", -5, 5) - 1) ** 2, n_trials=20)

The objective declares the parameters while it runs, and the engine searches what the
trials have declared so far, conditional parameters included. Studies are kept in the
memory of the program, or in a file. docs/from-optuna.md has a table of what is served; all else
raises an error that says what to use instead.
"""

from typing import TYPE_CHECKING, Any

from .._version import __version__
from . import (artifacts, distributions, exceptions, importance, integration, logging, pruners,
               samplers, search_space, storages, study, terminator, trial, version, visualization)
from ._frozen_trial import FrozenTrial, create_trial
from ._not_served import not_served
from ._studies import (copy_study, create_study, delete_study, get_all_study_names,
                       get_all_study_summaries, load_study)
from ._study import Study
from ._trial import Trial
from .exceptions import NotServedError, TrialPruned

__all__ = [
    "FrozenTrial", "NotServedError", "Study", "Trial", "TrialPruned", "__version__",
    "artifacts", "copy_study", "create_study", "create_trial", "delete_study",
    "distributions", "exceptions", "get_all_study_names", "get_all_study_summaries",
    "importance", "integration", "load_study", "logging", "pruners", "samplers",
    "search_space", "storages", "study", "terminator", "trial", "version",
    "visualization",
]


if not TYPE_CHECKING:  # To type checkers a name that is not there is an error.
    def __getattr__(name: str) -> Any:
        raise not_served(name, f"vernier_hpo.optuna has no {name}; docs/from-optuna.md has a "
                               f"table of what is served")
