"""Importances of parameters: not served. Each name says what to use instead."""

from typing import Any

from ._not_served import not_served


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"importance.{name} is not served: "
        "studies of vernier_hpo.create_study have get_param_importances()")


__all__ = []
