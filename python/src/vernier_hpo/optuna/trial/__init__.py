"""Trials: the one that runs, one that was read, and one to call an objective by hand."""

from .._base_trial import BaseTrial
from .._fixed_trial import FixedTrial
from .._frozen_trial import FrozenTrial, create_trial
from .._states import TrialState
from .._trial import Trial

__all__ = ["BaseTrial", "FixedTrial", "FrozenTrial", "Trial", "TrialState", "create_trial"]
