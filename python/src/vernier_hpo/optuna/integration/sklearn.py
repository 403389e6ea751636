"""Optuna's search with scikit-learn, which is needed once the search is named."""

from typing import Any

from .._not_served import not_served


def __getattr__(name: str) -> Any:
    if name == "OptunaSearchCV":
        from ._search_cv import OptunaSearchCV
        return OptunaSearchCV
    raise not_served(name, f"integration.sklearn.{name} is not served: there is OptunaSearchCV")


__all__ = ["OptunaSearchCV"]
