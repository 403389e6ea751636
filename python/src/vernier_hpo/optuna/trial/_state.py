"""The states of a trial, under the name that Optuna has for this module."""

from .._states import TrialState

__all__ = ["TrialState"]
