"""Charts of what trials have come to."""

from __future__ import annotations

import datetime
import math
import statistics
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from .. import logging as _logging
from .._best import front_of, hypervolume_of
from .._frozen_trial import FrozenTrial
from .._states import StudyDirection, TrialState
from ..importance import Target, finite_results
from ._chart import Axis, Chart, Line, Panel, Points, Series, Spans

_log = _logging.get_logger("optuna")
GREY = "#cccccc"  # Of what does not meet its constraints.
_STATE_COLORS = {TrialState.COMPLETE: "#1f77b4", TrialState.FAIL: "#d62728",
                 TrialState.PRUNED: "#ff7f0e", TrialState.RUNNING: "#2ca02c",
                 TrialState.WAITING: "#7f7f7f"}
_EDF_POSITIONS = 100

Studies = Union[Any, Sequence[Any]]


def check_target(study: Any, target: Optional[Target], target_name: str) -> None:
    """ValueError for several objectives without a target; warns of one without a name."""
    if target is None and len(study.directions) > 1:
        raise ValueError("the study has several objectives: give target, such as "
                         "target=lambda trial: trial.values[0]")
    if target is not None and target_name == "Objective Value":
        warnings.warn("target_name says what the target is; without it the plot calls it "
                      "'Objective Value'", stacklevel=5)


def _listed(study: Studies, target: Optional[Target], target_name: str) -> List[Any]:
    studies = list(study) if isinstance(study, (list, tuple)) else [study]
    for each in studies:
        check_target(each, target, target_name)
    return studies


def text_of(trial: FrozenTrial) -> str:
    """What is shown of a trial under the mouse."""
    lines = [f"trial {trial.number}"]
    if trial.values is not None:
        lines.append("value: " + ", ".join(f"{each:.6g}" for each in trial.values))
    lines += [f"{name}: {value}" for name, value in trial.params.items()]
    lines += [f"{name}: {value}" for name, value in trial.user_attrs.items()]
    return "<br>".join(lines)


def _one(title: str, x: str, y: str, series: Sequence[Series], is_log: bool = False) -> Chart:
    return Chart(title, [[Panel(Axis(x, is_log), Axis(y), series)]])


# The values and the best so far.


def plot_optimization_history(study: Studies, *, target: Optional[Target] = None,
                              target_name: str = "Objective Value",
                              error_bar: bool = False) -> Chart:
    """Each trial's value, and the best one so far; of several studies beside each other,
    or with `error_bar=True` their means and standard deviations."""
    studies = _listed(study, target, target_name)
    series: List[Series] = []
    if error_bar:
        series = _mean_history(studies, target, target_name)
    else:
        for each in studies:
            of = "" if len(studies) == 1 else f" of {each.study_name}"
            series += _history_of(each, target, target_name + of, f"Best Value{of}")
    if not any(isinstance(each, Points) and each.x for each in series):
        _log.warning("there are no completed trials to draw")
    return _one("Optimization History Plot", "Trial", target_name, series)


def _history_of(study: Any, target: Optional[Target], name: str,
                best_name: str) -> List[Series]:
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    trials, infeasible = by_feasibility(complete)

    def points(of: Sequence[FrozenTrial], called: str, color: Optional[str]) -> Points:
        return Points([each.number for each in of], [_value(each, target) for each in of],
                      called, color=color, texts=[text_of(each) for each in of])

    series: List[Series] = [points(trials, name, None)]
    if target is None:
        x, y = _best_so_far(study)
        series.append(Line(x, y, best_name))
    if infeasible:
        series.append(points(infeasible, "Infeasible Trial", GREY))
    return series


def by_feasibility(trials: Sequence[FrozenTrial]
                   ) -> Tuple[List[FrozenTrial], List[FrozenTrial]]:
    """Those that meet their constraints, and those that do not."""
    return ([each for each in trials if each.is_feasible()],
            [each for each in trials if not each.is_feasible()])


def _value(trial: FrozenTrial, target: Optional[Target]) -> float:
    value = trial.value if target is None else target(trial)
    return math.nan if value is None else float(value)


def _best_so_far(study: Any) -> Tuple[List[float], List[float]]:
    """By number of all trials from the first one that counts."""
    pick = max if study.direction == StudyDirection.MAXIMIZE else min
    x: List[float] = []
    y: List[float] = []
    for trial in study.get_trials(deepcopy=False):
        if trial.state == TrialState.COMPLETE and trial.is_feasible():
            value = _value(trial, None)
            y.append(pick(y[-1], value) if y else value)
        elif y:
            y.append(y[-1])
        else:
            continue
        x.append(trial.number)
    return x, y


def _mean_history(studies: Sequence[Any], target: Optional[Target],
                  name: str) -> List[Series]:
    """The means over the studies, with standard deviations."""
    values: Dict[float, List[float]] = {}
    best: Dict[float, List[float]] = {}
    for study in studies:
        for trial in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
            if trial.is_feasible():
                values.setdefault(trial.number, []).append(_value(trial, target))
        if target is None:
            for number, value in zip(*_best_so_far(study)):
                best.setdefault(number, []).append(value)
    x, mean, spread = _moments(values)
    series: List[Series] = [Points(x, mean, name, spread=spread)]
    if target is None:
        x, mean, spread = _moments(best)
        series.append(Line(x, mean, "Best Value",
                           low=[a - b for a, b in zip(mean, spread)],
                           high=[a + b for a, b in zip(mean, spread)]))
    return series


def _moments(values: Dict[float, List[float]]
             ) -> Tuple[List[float], List[float], List[float]]:
    """The positions, and the mean and the standard deviation of the finite values there."""
    finite = {at: [each for each in listed if math.isfinite(each)]
              for at, listed in sorted(values.items())}
    finite = {at: listed for at, listed in finite.items() if listed}
    return (list(finite), [statistics.fmean(each) for each in finite.values()],
            [statistics.pstdev(each) for each in finite.values()])


def plot_edf(study: Studies, *, target: Optional[Target] = None,
             target_name: str = "Objective Value") -> Chart:
    """Which part of the trials has at most a value: the empirical distribution."""
    found = [(each.study_name, sorted(finite_results(each, target)[1]))
             for each in _listed(study, target, target_name)]
    every = [value for _, values in found for value in values]
    if not every:
        _log.warning("there are no completed trials to draw")
        return _one("Empirical Distribution Function Plot", target_name,
                    "Cumulative Probability", [])
    low, high = min(every), max(every)
    positions = [low + (high - low) * (i / (_EDF_POSITIONS - 1))
                 for i in range(_EDF_POSITIONS)]
    positions[-1] = high
    return _one("Empirical Distribution Function Plot", target_name,
                "Cumulative Probability",
                [Line(positions, [sum(value <= at for value in values) / len(values)
                                  for at in positions], name)
                 for name, values in found if values])


# Curves and times.


def plot_intermediate_values(study: Any) -> Chart:
    """What each trial has reported, by step."""
    series: List[Series] = []
    for trial in study.get_trials(deepcopy=False, states=(
            TrialState.COMPLETE, TrialState.PRUNED, TrialState.RUNNING)):
        reports = sorted(trial.intermediate_values.items())
        if reports:
            series.append(Line([step for step, _ in reports], [value for _, value in reports],
                               f"Trial{trial.number}", has_dots=True))
    if not series:
        _log.warning("no trial has reported anything to draw")
    return _one("Intermediate Values Plot", "Step", "Intermediate Value", series)


def plot_timeline(study: Any, n_recent_trials: Optional[int] = None) -> Chart:
    """When each trial ran, and how it ended."""
    if n_recent_trials is not None and n_recent_trials <= 0:
        raise ValueError(f"n_recent_trials is a positive number: {n_recent_trials}")
    trials = study.get_trials(deepcopy=False)
    if n_recent_trials is not None:
        trials = trials[-n_recent_trials:]
    now = datetime.datetime.now()
    series: List[Series] = []
    for state, color in _STATE_COLORS.items():
        own = [each for each in trials if each.state == state and each.datetime_start]
        if own:
            series.append(Spans(
                [each.number for each in own],
                [(each.datetime_start, each.datetime_complete or now) for each in own],
                state.name, color, [text_of(each) for each in own]))
    if not series:
        _log.warning("no trial has begun")
    return _one("Timeline Plot", "Datetime", "Trial", series)


# Several objectives.

Targets = Callable[[FrozenTrial], Sequence[float]]
_Row = Tuple[FrozenTrial, List[float]]


def plot_pareto_front(study: Any, *, target_names: Optional[Sequence[str]] = None,
                      include_dominated_trials: bool = True,
                      axis_order: Optional[Sequence[int]] = None,
                      constraints_func: Optional[Targets] = None,
                      targets: Optional[Targets] = None) -> Chart:
    """Two or three objectives of all trials, and those that no other one beats."""
    if axis_order is not None and targets is not None:
        raise ValueError("give axis_order or targets, not both: targets has an order")
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    feasible = [each for each in complete if _meets(each, constraints_func)]
    best = {each.number for each in front_of(complete if constraints_func is None
                                             else feasible, study.directions)}
    count, names = _axes_of(study, complete, target_names, targets)
    order = list(range(count)) if axis_order is None else list(axis_order)
    if sorted(order) != list(range(count)):
        raise ValueError(f"axis_order has each of 0 to {count - 1} once: {axis_order}")

    def rows(of: Sequence[FrozenTrial]) -> List[_Row]:
        return [(each, [float(value) for value in _values(each, targets)]) for each in of]

    beaten = [each for each in feasible if each.number not in best]
    kept = {each.number for each in feasible}
    groups: List[Tuple[str, List[_Row], Optional[str]]] = [
        ("Infeasible Trial", rows([each for each in complete if each.number not in kept]),
         GREY)]
    if include_dominated_trials:
        groups.append(("Trial", rows(beaten), "#6baed6"))
    groups.append(("Best Trial", rows([each for each in complete if each.number in best]),
                   "#d62728"))
    series = [_cloud(name, found, order, color) for name, found, color in groups if found]
    axes = [Axis(names[i]) for i in order]
    return Chart("Pareto-front Plot", [[Panel(axes[0], axes[1], series,
                                              axes[2] if count == 3 else None)]])


def _axes_of(study: Any, complete: Sequence[FrozenTrial],
             target_names: Optional[Sequence[str]],
             targets: Optional[Targets]) -> Tuple[int, List[str]]:
    """How many axes there are, and what they are called. ValueError."""
    count = len(study.directions)
    if targets is not None and complete:
        count = len(_values(complete[0], targets))
    elif targets is not None:
        count = len(target_names or study.directions)
    if count not in (2, 3):
        raise ValueError(f"a front is drawn of two or three objectives, not of {count}: "
                         f"targets chooses some")
    if target_names is None and targets is None:
        target_names = study.metric_names
    if target_names is None:
        target_names = [f"{'Objective' if targets is None else 'Target'} {i}"
                        for i in range(count)]
    if len(target_names) != count:
        raise ValueError(f"target_names has {count} names: {target_names}")
    return count, list(target_names)


def _values(trial: FrozenTrial, targets: Optional[Targets]) -> Sequence[float]:
    found: Any = trial.values if targets is None else targets(trial)
    if not isinstance(found, (list, tuple)):
        raise ValueError(f"targets returns a list of numbers: {found!r}")
    return found


def _meets(trial: FrozenTrial, constraints_func: Optional[Targets]) -> bool:
    if constraints_func is None:
        return trial.is_feasible()
    return all(each <= 0 for each in constraints_func(trial))


def _cloud(name: str, rows: Sequence[_Row], order: Sequence[int],
           color: Optional[str]) -> Points:
    columns = [[values[i] for _, values in rows] for i in order]
    return Points(columns[0], columns[1], name, columns[2] if len(order) == 3 else None,
                  color, texts=[text_of(trial) for trial, _ in rows])


def plot_hypervolume_history(study: Any, reference_point: Sequence[float]) -> Chart:
    """The volume that the front dominates up to the reference, after each trial."""
    if len(study.directions) < 2:
        raise ValueError("a hypervolume is of several objectives, and the study has one")
    reference = [float(each) for each in reference_point]
    if len(reference) != len(study.directions):
        raise ValueError(f"reference_point has {len(study.directions)} numbers: {reference}")
    signs = [-1 if each == StudyDirection.MAXIMIZE else 1 for each in study.directions]
    limit = [sign * each for sign, each in zip(signs, reference)]
    front: List[List[float]] = []
    x: List[float] = []
    y: List[float] = []
    for trial in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
        point = [sign * each for sign, each in zip(signs, trial.values)]
        is_new = trial.is_feasible() and not any(
            all(a <= b for a, b in zip(other, point)) for other in front)
        if is_new:
            front = [each for each in front
                     if not all(a <= b for a, b in zip(point, each))] + [point]
        x.append(trial.number)
        y.append(hypervolume_of(front, limit) if is_new or not y else y[-1])
    if not x:
        _log.warning("there are no completed trials to draw")
    return _one("Hypervolume History Plot", "Trial", "Hypervolume",
                [Line(x, y, "Hypervolume", has_dots=True)] if x else [])
