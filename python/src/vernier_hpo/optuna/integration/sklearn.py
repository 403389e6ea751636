"""Optuna's searches with scikit-learn: not served. Each name says what to use instead."""

from typing import Any

from .._not_served import not_served


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"integration.sklearn.{name} is not served: "
        "vernier_hpo.integration.sklearn has a search for scikit-learn")


__all__ = []
