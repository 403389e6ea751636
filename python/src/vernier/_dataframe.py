"""Trials as a table of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Union

if TYPE_CHECKING:
    from ._job import Job
    from ._study import Study


def trials_dataframe(study: "Union[Study, Job]") -> Any:
    """One row per trial: number, state, a column per metric and per `params_NAME`."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("trials_dataframe needs pandas: pip install pandas") from error
    rows: List[Dict[str, Any]] = []
    trials, metrics = study.trials, study.metrics
    # A job that was loaded without its space has the parameters of its trials.
    names = list(study.space) or list(dict.fromkeys(
        name for trial in trials for name in trial.params))
    for trial in trials:
        row: Dict[str, Any] = {"number": trial.number, "state": str(trial.state)}
        row.update({name: trial.metrics.get(name) for name in metrics})
        row.update({f"params_{name}": trial.params.get(name) for name in names})
        row.update(datetime_start=trial.datetime_start,
                   datetime_complete=trial.datetime_complete,
                   duration=trial.duration, end_cause=trial.end_cause)
        rows.append(row)
    columns = ["number", "state", *metrics, *(f"params_{name}" for name in names),
               "datetime_start", "datetime_complete", "duration", "end_cause"]
    return pandas.DataFrame(rows, columns=columns)
