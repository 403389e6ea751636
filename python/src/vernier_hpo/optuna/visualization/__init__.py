"""Plots by plotly, as figures of plotly. Each function raises ImportError without it.

`visualization.matplotlib` has the same ones by matplotlib.
"""

from typing import Any

from .._not_served import not_served
from . import _parameter_charts, _value_charts, matplotlib
from ._drawing import drawn_by
from ._plotly import draw as _draw, find_plotly as _find


def is_available() -> bool:
    """Whether plotly is installed."""
    try:
        _find("")
    except ImportError:
        return False
    return True


plot_contour = drawn_by(_find, _draw, _parameter_charts.plot_contour)
plot_edf = drawn_by(_find, _draw, _value_charts.plot_edf)
plot_hypervolume_history = drawn_by(_find, _draw, _value_charts.plot_hypervolume_history)
plot_intermediate_values = drawn_by(_find, _draw, _value_charts.plot_intermediate_values)
plot_optimization_history = drawn_by(_find, _draw, _value_charts.plot_optimization_history)
plot_parallel_coordinate = drawn_by(_find, _draw, _parameter_charts.plot_parallel_coordinate)
plot_param_importances = drawn_by(_find, _draw, _parameter_charts.plot_param_importances)
plot_pareto_front = drawn_by(_find, _draw, _value_charts.plot_pareto_front)
plot_rank = drawn_by(_find, _draw, _parameter_charts.plot_rank)
plot_slice = drawn_by(_find, _draw, _parameter_charts.plot_slice)
plot_timeline = drawn_by(_find, _draw, _value_charts.plot_timeline)


def __getattr__(name: str) -> Any:
    raise not_served(
        name, f"visualization.{name} is not served: there are {', '.join(__all__)}")


__all__ = ["is_available", "matplotlib", "plot_contour", "plot_edf",
           "plot_hypervolume_history", "plot_intermediate_values",
           "plot_optimization_history", "plot_parallel_coordinate",
           "plot_param_importances", "plot_pareto_front", "plot_rank", "plot_slice",
           "plot_timeline"]
