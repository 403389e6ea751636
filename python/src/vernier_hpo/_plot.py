"""Plots of a study or a job, with matplotlib; the dashboard draws them without."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._frozen_trial import FrozenTrial, short
from ._space import Categorical, Parameter
from ._trial_state import TrialState
from ._tuned import Tuned, names_of
from .errors import FailedPreconditionError, InvalidArgumentError


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "plots need matplotlib: pip install matplotlib; the dashboard (vernier ui) "
            "draws them without") from error
    return matplotlib.pyplot


def _axes(ax: Any) -> Any:
    return _pyplot().subplots()[1] if ax is None else ax


def _objective(tuned: Tuned) -> Tuple[str, str]:
    """The first metric and its goal."""
    return next(iter(tuned.metrics.items()))


def _with_value(trials: Sequence[FrozenTrial], metric: str) -> List[FrozenTrial]:
    return [each for each in trials if metric in each.metrics]


def plot_history(tuned: Tuned, ax: Any = None) -> Any:
    """Each trial's value, and the best one so far."""
    ax = _axes(ax)
    metric, goal = _objective(tuned)
    pick = min if goal == "minimize" else max
    trials = _with_value(tuned.trials, metric)
    values = [each.metrics[metric] for each in trials]
    numbers = [each.number for each in trials]
    best: List[float] = []
    so_far = math.nan
    for trial, value in zip(trials, values):
        if trial.state == TrialState.COMPLETED:
            so_far = value if math.isnan(so_far) else pick(so_far, value)
        best.append(so_far)
    ax.plot(numbers, values, "o", markersize=4, alpha=0.6, label="trial")
    ax.plot(numbers, best, "-", label="best so far")
    ax.set(xlabel="trial", ylabel=metric, title=tuned.name)
    ax.legend()
    return ax


def plot_importance(tuned: Tuned, ax: Any = None, metric: str = "") -> Any:
    """The share of the variation that each parameter explains, the largest on top.

    `metric` is one of several; without, the first.
    """
    ax = _axes(ax)
    found = tuned.get_insights(metric=metric).get("importance", [])[::-1]
    shares = [float(each.get("share", 0.0)) for each in found]
    errors = [[max(0.0, share - float(each.get("low", 0.0)))
               for share, each in zip(shares, found)],
              [max(0.0, float(each.get("high", 0.0)) - share)
               for share, each in zip(shares, found)]]
    ax.barh([each["parameter"] for each in found], shares, xerr=errors, capsize=3)
    ax.set(xlabel=f"share of the variation of {metric or _objective(tuned)[0]}", title=tuned.name)
    ax.set_xlim(left=0)
    return ax


class _Scale:
    """Where the values of a parameter are drawn."""

    def __init__(self, parameter: Optional[Parameter], values: Sequence[Any]) -> None:
        self.is_log = bool(getattr(parameter, "log", False))
        self.labels: Optional[List[str]] = None
        if isinstance(parameter, Categorical):
            # Trials from before an edit may have others.
            self.labels = list(dict.fromkeys(str(each) for each in [
                *parameter.choices, *values]))
        elif any(isinstance(each, (str, bool, type(None))) for each in values):
            self.labels = list(dict.fromkeys(str(each) for each in values))

    def place(self, value: Any) -> float:
        """On the axis: the value itself, or the position of a choice."""
        if self.labels is None:
            return float(value)
        return float(self.labels.index(str(value)))

    def share(self, value: Any, low: float, high: float) -> float:
        """From 0 at `low` to 1 at `high`, on the parameter's own scale."""
        at = self.place(value)
        if self.is_log and low > 0:
            at, low, high = math.log(at), math.log(low), math.log(high)
        return 0.5 if high == low else (at - low) / (high - low)

    def dress(self, axis: Any, set_scale: Any) -> None:
        """Has the axis say what its positions mean."""
        if self.labels is not None:
            axis.set_ticks(range(len(self.labels)), self.labels)
        elif self.is_log:
            set_scale("log")


def _names(tuned: Tuned, trials: Sequence[FrozenTrial],
           params: Optional[Sequence[str]]) -> List[str]:
    """The parameters to draw. InvalidArgumentError for one that there is not."""
    known = names_of(tuned, trials)
    if isinstance(params, str):
        params = [params]
    for name in params or []:
        if name not in known:
            raise InvalidArgumentError(
                f"{tuned.name} has no parameter {name!r}, but {', '.join(known)}")
    return list(params or known)


def plot_slice(tuned: Tuned, params: Optional[Sequence[str]] = None,
               axes: Any = None) -> Any:
    """The values over each parameter, and what the model expects along it."""
    metric, _ = _objective(tuned)
    trials = _with_value(tuned.trials, metric)
    names = _names(tuned, trials, params)
    if axes is None:
        axes = _pyplot().subplots(1, len(names), sharey=True, squeeze=False,
                                  figsize=(3.2 * len(names), 3.6))[1][0]
    try:
        slices = {each["parameter"]: each for each in tuned.get_insights()["slices"]}
    except (FailedPreconditionError, KeyError):
        slices = {}  # There is no model yet; the trials are there.
    for ax, name in zip(axes, names):
        own = [each for each in trials if name in each.params]
        scale = _Scale(tuned.space.get(name), [each.params[name] for each in own])
        ax.scatter([scale.place(each.params[name]) for each in own],
                   [each.metrics[metric] for each in own],
                   c=[each.number for each in own], cmap="Blues", s=16, zorder=3)
        if name in slices:
            _draw_slice(ax, slices[name])
        scale.dress(ax.xaxis, ax.set_xscale)
        ax.set_xlabel(name)
    axes[0].set_ylabel(metric)
    return axes


def _draw_slice(ax: Any, model: Dict[str, Any]) -> None:
    x, mean = model.get("x", []), model.get("mean", [])
    low, high = model.get("low", mean), model.get("high", mean)
    if model.get("labels"):
        ax.errorbar(x, mean, [[a - b for a, b in zip(mean, low)],
                              [b - a for a, b in zip(mean, high)]],
                    fmt="_", color="tab:orange", capsize=4)
        return
    ax.plot(x, mean, "-", color="tab:orange")
    ax.fill_between(x, low, high, color="tab:orange", alpha=0.2)


def plot_contour(tuned: Tuned, params: Optional[Sequence[str]] = None,
                 ax: Any = None) -> Any:
    """What the model expects over two parameters, and the trials that were there."""
    trials = tuned.trials
    if params is not None and (isinstance(params, str) or len(params) != 2):
        raise InvalidArgumentError(f"a contour is over two parameters: {params!r}")
    pair = tuple(_names(tuned, trials, params)) if params else None
    found = tuned.get_insights([pair] if pair else []).get("contours", [])  # type: ignore
    if not found:
        raise FailedPreconditionError(f"{tuned.name} has no two parameters to draw")
    model, ax = found[0], _axes(ax)
    x, y, mean = model["x"], model["y"], model["mean"]
    rows = [mean[row * len(x):(row + 1) * len(x)] for row in range(len(y))]
    first, second = model["first"], model["second"]
    own = [each for each in trials if first in each.params and second in each.params]
    scales = [_Scale(tuned.space.get(name), [each.params[name] for each in own])
              for name in (first, second)]
    ax.figure.colorbar(ax.contourf(x, y, rows, levels=12, cmap="viridis"),
                       ax=ax, label=_objective(tuned)[0])
    ax.scatter([scales[0].place(each.params[first]) for each in own],
               [scales[1].place(each.params[second]) for each in own],
               s=14, color="white", edgecolor="black", zorder=3)
    scales[0].dress(ax.xaxis, ax.set_xscale)
    scales[1].dress(ax.yaxis, ax.set_yscale)
    ax.set(xlabel=first, ylabel=second, title=tuned.name)
    return ax


def plot_parallel(tuned: Tuned, params: Optional[Sequence[str]] = None,
                  ax: Any = None) -> Any:
    """A line for each trial through its parameters; a good one is dark."""
    ax = _axes(ax)
    metric, goal = _objective(tuned)
    trials = _with_value(tuned.trials, metric)
    names = _names(tuned, trials, params)
    columns = [(name, _Scale(tuned.space.get(name),
                             [each.params[name] for each in trials if name in each.params]))
               for name in names]
    ends = {}
    for place, (name, scale) in enumerate(columns):
        own = [scale.place(each.params[name]) for each in trials if name in each.params]
        ends[name] = (min(own), max(own)) if own else (0.0, 1.0)
        for share, at in zip((0, 1), ends[name]):
            text = short(at) if scale.labels is None else scale.labels[int(at)]
            ax.annotate(text, (place, share), xytext=(3, 0), textcoords="offset points",
                        fontsize=7)
    order = sorted(trials, key=lambda each: each.metrics[metric],
                   reverse=goal == "minimize")  # The best one on top.
    for rank, trial in enumerate(order):
        places = [(at, scale.share(trial.params[name], *ends[name]))
                  for at, (name, scale) in enumerate(columns) if name in trial.params]
        ax.plot([at for at, _ in places], [share for _, share in places], color="tab:blue",
                alpha=0.08 + 0.8 * ((rank + 1) / len(order)) ** 3)
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks([])
    ax.set_title(f"{tuned.name}: dark lines are better in {metric}")
    return ax


def plot_curves(tuned: Tuned, ax: Any = None) -> Any:
    """What each trial reported of the first metric, by step."""
    ax = _axes(ax)
    for trial in tuned.trials:
        curve = sorted(trial.intermediate_values.items())
        curve = [(step, value) for step, value in curve if math.isfinite(value)]
        if curve:
            ax.plot([step for step, _ in curve], [value for _, value in curve],
                    marker="." if len(curve) == 1 else None, alpha=0.6,
                    label=f"trial {trial.number}")
    ax.set(xlabel="step", ylabel=_objective(tuned)[0], title=tuned.name)
    return ax


def plot_pareto(tuned: Tuned, metrics: Optional[Sequence[str]] = None,
                ax: Any = None) -> Any:
    """Two metrics of all trials, and those that no other trial beats in both."""
    goals = tuned.metrics
    names = list(goals)[:2] if metrics is None else list(metrics)
    if len(names) != 2 or any(name not in goals for name in names):
        raise InvalidArgumentError(
            f"a front is of two metrics of the study ({', '.join(goals)}): {names!r}")
    ax = _axes(ax)
    trials = [each for each in tuned.trials if all(name in each.metrics for name in names)]
    signs = [1.0 if goals[name] == "minimize" else -1.0 for name in names]
    points = [[sign * each.metrics[name] for sign, name in zip(signs, names)]
              for each in trials]
    front = [each for each, own in zip(trials, points) if not any(
        other != own and all(a <= b for a, b in zip(other, own)) for other in points)]
    front.sort(key=lambda each: each.metrics[names[0]])
    ax.plot(*([each.metrics[name] for each in trials] for name in names), "o",
            markersize=4, alpha=0.5, label="trial")
    ax.plot(*([each.metrics[name] for each in front] for name in names), "o-",
            markersize=5, label="front")
    ax.set(xlabel=names[0], ylabel=names[1], title=tuned.name)
    ax.legend()
    return ax
