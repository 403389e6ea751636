"""Plots: not served. Each name but `is_available` says what to use instead."""

from typing import Any

from .._not_served import not_served
from . import matplotlib


def is_available() -> bool:
    """False: there are no plots."""
    return False


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"visualization.{name} is not served: "
        "study.trials_dataframe() is a table that any plotting library draws, and studies "
        "of vernier_hpo.create_study draw themselves (plot_history, plot_importance, ...)")


__all__ = ["is_available", "matplotlib"]
