"""The history of a study as a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Union

if TYPE_CHECKING:
    from ._job import Job
    from ._study import Study


def plot_history(study: "Union[Study, Job]", ax: Any = None) -> Any:
    """Draws each trial's value and the best one so far; returns matplotlib's axes."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "plot_history needs matplotlib: pip install matplotlib; the dashboard "
            "(vernier ui) draws it without") from error
    if ax is None:
        ax = matplotlib.pyplot.subplots()[1]
    metric, goal = next(iter(study.metrics.items()))
    pick = min if goal == "minimize" else max
    numbers: List[int] = []
    values: List[float] = []
    best: List[float] = []
    for trial in study.trials:
        if trial.value is None:
            continue
        numbers.append(trial.number)
        values.append(trial.value)
        best.append(pick(best[-1], trial.value) if best else trial.value)
    ax.plot(numbers, values, "o", markersize=4, alpha=0.6, label="trial")
    ax.plot(numbers, best, "-", label="best so far")
    ax.set_xlabel("trial")
    ax.set_ylabel(metric)
    ax.set_title(study.name)
    ax.legend()
    return ax
