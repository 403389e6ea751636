"""Trials as a table of pandas."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

from ._frozen_trial import FrozenTrial
from ._tuned import Tuned, names_of

_Columns = Dict[str, Callable[[FrozenTrial], Any]]


def trials_dataframe(tuned: Tuned, attrs: Optional[Sequence[str]] = None) -> Any:
    """One row per trial: number, state, a column per metric, per `params_NAME` and per
    `user_attrs_NAME`, times and cause; or those of them that `attrs` names."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("trials_dataframe needs pandas: pip install pandas") from error
    trials = tuned.trials
    groups = _groups(tuned, trials)
    for name in attrs or ():
        if name not in groups:
            raise ValueError(f"trials have no {name!r}, but {', '.join(groups)}")
    columns: _Columns = {}
    for name in attrs or [each for each in groups if each != "values"]:
        columns.update(groups[name])
    rows = [{name: read(trial) for name, read in columns.items()} for trial in trials]
    return pandas.DataFrame(rows, columns=list(columns))


def _groups(tuned: Tuned, trials: List[FrozenTrial]) -> Dict[str, _Columns]:
    """The columns, by what they are of."""
    metrics = list(dict.fromkeys(
        [*tuned.metrics, *(name for trial in trials for name in trial.metrics)]))
    attrs = dict.fromkeys(name for trial in trials for name in trial.user_attrs)
    values: _Columns = {name: lambda trial, name=name: trial.metrics.get(name)  # type: ignore
                        for name in metrics}
    return {
        "number": {"number": lambda trial: trial.number},
        "state": {"state": lambda trial: str(trial.state)},
        "value": values, "values": values,
        "params": {f"params_{name}": lambda trial, name=name:  # type: ignore
                   trial.params.get(name) for name in names_of(tuned, trials)},
        "user_attrs": {f"user_attrs_{name}": lambda trial, name=name:  # type: ignore
                       trial.user_attrs.get(name) for name in attrs},
        "datetime_start": {"datetime_start": lambda trial: trial.datetime_start},
        "datetime_complete": {"datetime_complete": lambda trial: trial.datetime_complete},
        "duration": {"duration": lambda trial: trial.duration},
        "end_cause": {"end_cause": lambda trial: trial.end_cause}}
