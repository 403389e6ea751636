"""Charts of how results depend on the parameters."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from .. import logging as _logging
from .._frozen_trial import FrozenTrial
from .._result_model import Pair, ResultModel, Surface
from .._states import TrialState
from ..importance import (BaseImportanceEvaluator, Target, finite_results,
                          get_param_importances, goal_of)
from ._chart import (Axis, Bars, Chart, Column, Field, Panel, ParallelChart, Points, Scale,
                     Series)
from ._parameter_axis import ParameterAxis
from ._value_charts import GREY, by_feasibility, check_target, text_of

_log = _logging.get_logger("optuna")

Results = Tuple[List[FrozenTrial], List[float]]


def _names(study: Any, params: Optional[Sequence[str]]) -> List[str]:
    """The parameters to draw, in order. ValueError for one that there is not."""
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    known = sorted({name for each in complete for name in each.params})
    if params is None:
        return known
    for name in params:
        if complete and name not in known:
            raise ValueError(f"the study has no parameter {name!r}, but {', '.join(known)}")
    return sorted(set(params))


def _warn_of_nothing() -> None:
    _log.warning("there are no completed trials with parameters to draw")


def _with(results: Results, *names: str) -> Results:
    """Those of the trials that have all of these parameters."""
    kept = [(trial, value) for trial, value in zip(*results)
            if all(name in trial.params for name in names)]
    return [trial for trial, _ in kept], [value for _, value in kept]


def _scale(study: Any, target: Optional[Target], target_name: str) -> Scale:
    return Scale(target_name, goal_of(study, target) == "minimize")


def plot_param_importances(study: Any, evaluator: Optional[BaseImportanceEvaluator] = None,
                           params: Optional[List[str]] = None, *,
                           target: Optional[Target] = None,
                           target_name: str = "Objective Value") -> Chart:
    """The importance of each parameter, the greatest on top; of several objectives
    without a target, of each of them."""
    targets: List[Tuple[str, Optional[Target]]] = [(target_name, target)]
    if target is None and len(study.directions) > 1:
        names = study.metric_names or [
            f"{target_name} {i}" for i in range(len(study.directions))]
        targets = [(name, _objective(i)) for i, name in enumerate(names)]
    else:
        check_target(study, target, target_name)
    found: List[Tuple[str, Dict[str, float]]] = []
    complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    if len(complete) < 2:
        _warn_of_nothing()
    else:
        found = [(name, get_param_importances(study, evaluator=evaluator, params=params,
                                              target=each)) for name, each in targets]
    order = list(found[0][1])[::-1] if found else []
    return Chart("Hyperparameter Importances", [[Panel(
        Axis("Hyperparameter Importance"), Axis("Hyperparameter", labels=order),
        [Bars([shares[each] for each in order], name) for name, shares in found])]])


def _objective(number: int) -> Target:
    return lambda trial: (trial.values or [])[number]


def plot_slice(study: Any, params: Optional[Sequence[str]] = None, *,
               target: Optional[Target] = None,
               target_name: str = "Objective Value") -> Chart:
    """The values over each parameter; later trials are dark."""
    check_target(study, target, target_name)
    results = finite_results(study, target)
    panels: List[Panel] = []
    for name in _names(study, params):
        trials, values = _with(results, name)
        if trials:
            panels.append(_slice(name, trials, values, "" if panels else target_name))
    if not panels:
        _warn_of_nothing()
    return Chart("Slice Plot", [panels] if panels else [])


def _slice(name: str, trials: Sequence[FrozenTrial], values: Sequence[float],
           title: str) -> Panel:
    scale = ParameterAxis(name, trials)
    value = {trial.number: each for trial, each in zip(trials, values)}
    series: List[Series] = []
    for of, is_grey in zip(by_feasibility(trials), (False, True)):
        if of:
            series.append(Points(
                [scale.place(each.params[name]) for each in of],
                [value[each.number] for each in of],
                color=GREY if is_grey else [float(each.number) for each in of],
                scale=None if is_grey else Scale("Trial"),
                texts=[text_of(each) for each in of]))
    return Panel(scale.axis, Axis(title), series)


def plot_contour(study: Any, params: Optional[Sequence[str]] = None, *,
                 target: Optional[Target] = None,
                 target_name: str = "Objective Value") -> Chart:
    """What the engine's model expects over each two parameters, and the trials there."""
    check_target(study, target, target_name)
    results = finite_results(study, target)
    names = _drawable(study, params, results)
    pairs = _pairs_of(names)
    surfaces: Dict[Pair, Surface] = {}
    if pairs:
        # The transposed panel shows the same surface.
        asked = [(x, y) for x, y in pairs if names.index(x) < names.index(y)]
        with ResultModel(*results, goal_of(study, target)) as model:
            surfaces = model.surfaces(asked)
    scale = _scale(study, target, target_name)

    def series(x: str, y: str) -> List[Series]:
        trials, _ = _with(results, x, y)
        axes = {each: ParameterAxis(each, _with(results, each)[0]) for each in (x, y)}
        drawn: List[Series] = []
        if (x, y) in surfaces:
            drawn.append(_field(surfaces[x, y], axes[x], axes[y], scale))
        elif (y, x) in surfaces:
            drawn.append(_field(_transposed(surfaces[y, x]), axes[x], axes[y], scale))
        for of, color in zip(by_feasibility(trials), ("black", GREY)):
            if of:
                drawn.append(Points([axes[x].place(each.params[x]) for each in of],
                                    [axes[y].place(each.params[y]) for each in of],
                                    color=color, texts=[text_of(each) for each in of]))
        return drawn

    return Chart("Contour Plot", _grid(names, results, series))


def plot_rank(study: Any, params: Optional[Sequence[str]] = None, *,
              target: Optional[Target] = None,
              target_name: str = "Objective Value") -> Chart:
    """The trials over each two parameters, coloured by the rank of their value."""
    check_target(study, target, target_name)
    results = finite_results(study, target)
    names = _drawable(study, params, results)
    if params is not None:  # As they were given; a contour's are sorted, as in Optuna.
        names.sort(key=list(params).index)
    share = {trial.number: rank for trial, rank in zip(results[0], _ranks(results[1]))}
    scale = Scale(f"Rank of {target_name}", is_small_dark=True)

    def series(x: str, y: str) -> List[Series]:
        trials, _ = _with(results, x, y)
        axes = {each: ParameterAxis(each, _with(results, each)[0]) for each in (x, y)}
        return [Points([axes[x].place(each.params[x]) for each in trials],
                       [axes[y].place(each.params[y]) for each in trials],
                       color=[share[each.number] for each in trials], scale=scale,
                       texts=[text_of(each) for each in trials])] if trials else []

    return Chart("Rank Plot", _grid(names, results, series))


def _ranks(values: Sequence[float]) -> List[float]:
    """The rank of each value, from 0 for the smallest to 1; equal ones share theirs."""
    ordered = sorted(values)
    first = {value: i for i, value in reversed(list(enumerate(ordered)))}
    last = {value: i for i, value in enumerate(ordered)}
    most = max(1, len(values) - 1)
    return [(first[each] + last[each]) / 2 / most for each in values]


def _drawable(study: Any, params: Optional[Sequence[str]], results: Results) -> List[str]:
    """The names of two or more parameters that trials have; [] and a line in the log if
    there are none."""
    names = [name for name in _names(study, params) if _with(results, name)[0]]
    if len(names) < 2:
        _log.warning("two parameters or more of completed trials are needed to draw: %s",
                     names)
        return []
    return names


def _pairs_of(names: Sequence[str]) -> List[Pair]:
    """One pair of two parameters, and else both of each two."""
    if len(names) == 2:
        return [(names[0], names[1])]
    return [(x, y) for y in names for x in names if x != y]


def _grid(names: Sequence[str], results: Results, series: Any) -> List[List[Panel]]:
    """One panel for two parameters, or one for each pair, empty on the diagonal."""
    axes = {name: ParameterAxis(name, _with(results, name)[0]).axis for name in names}
    if len(names) == 2:
        x, y = names
        return [[Panel(axes[x], axes[y], series(x, y))]]
    return [[Panel(axes[x], axes[y], series(x, y) if x != y else [])
             for x in names] for y in names]


def _transposed(surface: Surface) -> Surface:
    return Surface(surface.y, surface.x, list(zip(*surface.mean)))


def _field(surface: Surface, x: ParameterAxis, y: ParameterAxis, scale: Scale) -> Field:
    """The surface on the axes, whose order of choices may be another one."""
    columns = _ascending([x.place(each) for each in surface.x])
    lines = _ascending([y.place(each) for each in surface.y])
    return Field([at for at, _ in columns], [at for at, _ in lines],
                 [[surface.mean[j][i] for _, i in columns] for _, j in lines], scale)


def _ascending(places: Sequence[float]) -> List[Tuple[float, int]]:
    """The places in order, each once, with where it was."""
    return sorted({at: i for i, at in reversed(list(enumerate(places)))}.items())


def plot_parallel_coordinate(study: Any, params: Optional[Sequence[str]] = None, *,
                             target: Optional[Target] = None,
                             target_name: str = "Objective Value") -> ParallelChart:
    """A line for each trial through its value and its parameters."""
    check_target(study, target, target_name)
    names = _names(study, params)
    trials, values = _with(finite_results(study, target), *names)
    columns: List[Column] = []
    if trials and names:
        columns.append(Column(Axis(target_name), values))
        for name in names:
            scale = ParameterAxis(name, trials)
            columns.append(Column(scale.axis,
                                  [scale.place(each.params[name]) for each in trials]))
    else:
        _warn_of_nothing()
    return ParallelChart("Parallel Coordinate Plot", columns,
                         _scale(study, target, target_name))
