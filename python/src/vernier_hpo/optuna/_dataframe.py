"""Trials as a table of pandas, with the columns that Optuna's has."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._frozen_trial import FrozenTrial

_Column = Tuple[str, str]  # The group, and the name in it or "".


def dataframe_of(trials: Sequence[FrozenTrial], attrs: Sequence[str], multi_index: bool,
                 n_objectives: int, metric_names: Optional[Sequence[str]]) -> Any:
    """One row per trial. Several objectives are `values_0`, ..., or have their names."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("trials_dataframe needs pandas: pip install pandas") from error
    rows = [_row(each, attrs, n_objectives, metric_names) for each in trials]
    columns = _columns(rows, attrs)
    table = [[row.get(each) for each in columns] for row in rows]
    if multi_index:
        names: Any = pandas.MultiIndex.from_tuples(columns) if columns else []
    else:
        names = [f"{group}_{name}" if name else group for group, name in columns]
    return pandas.DataFrame(table, columns=names)


def _row(trial: FrozenTrial, attrs: Sequence[str], n_objectives: int,
         metric_names: Optional[Sequence[str]]) -> Dict[_Column, Any]:
    row: Dict[_Column, Any] = {}
    for attr in attrs:
        if attr == "values" or attr == "value" and (n_objectives > 1 or metric_names):
            group = "value" if attr == "value" and n_objectives == 1 else "values"
            for i, name in enumerate(metric_names or map(str, range(n_objectives))):
                row[group, name] = trial.values[i] if trial.values else None
            continue
        if not hasattr(trial, attr):
            raise ValueError(f"a trial has no {attr!r}")
        value = getattr(trial, attr)
        if isinstance(value, dict):
            row.update({(attr, str(name)): each for name, each in value.items()})
        elif attr == "state":
            row[attr, ""] = value.name
        else:
            row[attr, ""] = value
    return row


def _columns(rows: Sequence[Dict[_Column, Any]], attrs: Sequence[str]) -> List[_Column]:
    """By group in the order of `attrs`, and in a group by name, values as the objectives."""
    order = ["values" if each == "value" else each for each in attrs]
    found = list(dict.fromkeys(each for row in rows for each in row))
    return sorted(found, key=lambda each: (
        order.index("values" if each[0] == "value" else each[0]),
        "" if each[0] == "values" else each[1]))
