"""Hyperparameter tuning with Vernier.

    import vernier_hpo as vn

    study = vn.create_study({"x": vn.Float(0, 1)}, goal="minimize")
    study.optimize(lambda trial: (trial.params["x"] - 0.3) ** 2, n_trials=20)
    print(study.best_trial)

The studies are the service's: they outlive this program, other programs may work on
them, and the command line and the dashboard show them. Only Python's standard library
is needed; docs/python.md says more.
"""

from typing import TYPE_CHECKING

from ._current_trial import LaunchedTrial, report, should_stop, trial
from ._frozen_trial import FrozenTrial
from ._hints import MODULE, absent
from ._job import Job, load_job
from ._optimize import MaxTrialsCallback
from ._run import run
from ._space import Categorical, Discrete, Float, Int, Parameter, stepped
from ._studies import (StudySummary, create_study, delete_study, list_studies, load_study)
from ._study import Study
from ._submit import submit
from ._trial import Trial
from ._trial_state import TrialState
from ._version import __version__
from .errors import (AbortedError, AlreadyExistsError, DataLossError,
                     FailedPreconditionError, IgnoredArgumentWarning, InternalError,
                     InvalidArgumentError, NotFoundError, PermissionDeniedError,
                     ResourceExhaustedError, SpaceUsedUpError, TrialStopped,
                     UnauthenticatedError, UnavailableError, UnimplementedError,
                     VernierError)

TrialPruned = TrialStopped

__all__ = [
    "AbortedError", "AlreadyExistsError", "Categorical", "DataLossError", "Discrete",
    "FailedPreconditionError", "Float", "FrozenTrial", "IgnoredArgumentWarning", "Int",
    "InternalError", "InvalidArgumentError", "Job", "LaunchedTrial", "MaxTrialsCallback",
    "NotFoundError", "Parameter", "PermissionDeniedError", "ResourceExhaustedError", "SpaceUsedUpError", "Study",
    "StudySummary", "Trial", "TrialPruned", "TrialState", "TrialStopped",
    "UnauthenticatedError", "UnavailableError", "UnimplementedError", "VernierError",
    "__version__", "create_study", "delete_study", "list_studies", "load_study",
    "load_job", "report", "run", "should_stop", "stepped", "submit", "trial",
]


if not TYPE_CHECKING:  # To type checkers a name that is not there is an error.
    def __getattr__(name: str) -> object:
        raise absent("vernier_hpo", name, MODULE)
