"""The trial that this process is, if the service launched it."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict, List, Mapping, Optional, Union

import vernier_report

from ._space import Value
from ._study_calls import attribute_json

_last_step = 1


class LaunchedTrial:
    """A trial that the service launched, as its own program sees it.

    Outside of the service its number is 0, and reports do nothing: a program runs by
    hand as it runs in a trial.
    """

    def __init__(self, params: Optional[Mapping[str, Value]] = None,
                 metric: Optional[str] = None) -> None:
        self._params = dict(_params_of_process() if params is None else params)
        self._metric = metric or os.environ.get("CLOUD_ML_HP_METRIC_TAG", "value")
        self._user_attrs: Dict[str, Any] = {}
        self._stop_asked = False
        self._reported = False

    @property
    def number(self) -> int:
        """1, 2, ... in its job; 0 outside of the service."""
        return int(os.environ.get("VERNIER_TRIAL", "0"))

    @property
    def job(self) -> str:
        """The job's name; empty outside of the service."""
        return os.environ.get("VERNIER_JOB", "")

    @property
    def params(self) -> Dict[str, Any]:
        """The values to evaluate, by name: those that exist in this trial."""
        return dict(self._params)

    @property
    def restart_count(self) -> int:
        """How often the trial ran before: above 0, look for a checkpoint."""
        return int(os.environ.get("VERNIER_RESTART_COUNT", "0"))

    @property
    def metric(self) -> str:
        """The metric that is tuned."""
        return self._metric

    def report(self, value: Union[float, Mapping[str, float]], step: int) -> None:
        """Reports the tuned metric, or values by metric. Never raises, never waits."""
        values = value if isinstance(value, Mapping) else {self._metric: value}
        for name, each in values.items():
            report(name, each, step)
        self._reported = True

    def should_stop(self) -> bool:
        """Whether the trial is to end early; known some seconds after it is so."""
        self._stop_asked = self._stop_asked or bool(vernier_report.should_stop())
        return self._stop_asked

    should_prune = should_stop

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What set_user_attr has set in this process."""
        return dict(self._user_attrs)

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the trial: anything that JSON can say.

        It goes the way of reports, 64 KiB for a trial in all; `job.trials` has it, and
        `vernier trials describe`. Never waits. TypeError for what JSON cannot say.
        """
        vernier_report.set_attribute(key, json.loads(attribute_json(key, value)))
        self._user_attrs[key] = value

    def __getitem__(self, name: str) -> Any:
        return self._params[name]

    def __repr__(self) -> str:
        return f"LaunchedTrial(job={self.job!r}, number={self.number})"


def trial() -> LaunchedTrial:
    """The trial that this process runs, with the parameters that the service gave it.

    Flags on the command line that say otherwise count, for a trial that is run again by
    hand. Raises RuntimeError in a trial whose parameters cannot be read.
    """
    return LaunchedTrial()


def report(metric: str, value: float, step: int) -> None:
    """Reports a metric of the launched trial. Never raises; outside it does nothing."""
    global _last_step
    try:
        _last_step = max(_last_step, int(step))
        vernier_report.report(step, **{metric: value})
    except Exception:  # Training is worth more than a report of it.
        pass


def last_step() -> int:
    """The largest step that this process has reported, at least 1."""
    return _last_step


def should_stop() -> bool:
    """Whether the launched trial is to end early; False outside of one."""
    return bool(vernier_report.should_stop())


def _params_of_process() -> Dict[str, Value]:
    """What VERNIER_PARAMETERS or its file says; {} outside of the service."""
    text = os.environ.get("VERNIER_PARAMETERS")
    source = "VERNIER_PARAMETERS"
    path = os.environ.get("VERNIER_PARAMETERS_FILE")
    words = sys.argv[1:]
    try:
        if text is None and path:
            source = f"VERNIER_PARAMETERS_FILE={path}"
            with open(path, encoding="utf-8") as file:
                text = file.read()
        if text is None:
            source = "CLOUD_ML_JOB"
            return _params_by_job(words)
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError("it holds no JSON object")
    except (OSError, ValueError) as error:
        # Values of another kind would make a wrong result look like a right one.
        raise RuntimeError(
            f"the trial's parameters cannot be read from {source}: {error}") from error
    return {**values, **read_flags(words, {
        name: _kind_of(value) for name, value in values.items()})}


def _kind_of(value: Value) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "number"
    return "float" if isinstance(value, float) else "text"


def _params_by_job(words: List[str]) -> Dict[str, Value]:
    """The flags that the job names: what services before VERNIER_PARAMETERS tell."""
    job: Any = json.loads(os.environ.get("CLOUD_ML_JOB", "{}"))
    described = job.get("hyperparameters", {}) if isinstance(job, dict) else {}
    if not described and os.environ.get("CLOUD_ML_TRIAL_ID"):
        raise ValueError("it is without the search space, which was too long for it")
    kinds: Dict[str, str] = {}
    _collect(described.get("params", []), kinds)
    return read_flags(words, {
        name: {"INTEGER": "int", "DOUBLE": "float", "DISCRETE": "number"}.get(kind, "text")
        for name, kind in kinds.items()})


def _collect(params: List[Dict[str, Any]], kinds: Dict[str, str]) -> None:
    for each in params:
        kinds[each.get("parameter_name", "")] = each.get("type", "")
        _collect(each.get("child_parameter_specs", []), kinds)


def read_flags(words: List[str], types: Mapping[str, str]) -> Dict[str, Value]:
    """Values of `--NAME VALUE` and `--NAME=VALUE` for the names that have a type.

    A bool is also `--NAME` alone.
    """
    values: Dict[str, Value] = {}
    at = 0
    while at < len(words):
        name, equals, text = words[at][2:].partition("=")
        at += 1
        if not words[at - 1].startswith("--") or name not in types:
            continue
        if not equals and types[name] == "bool" and (
                at == len(words) or words[at].lower() not in ("true", "false")):
            text = "true"
        elif not equals:
            if at == len(words):
                break
            text = words[at]
            at += 1
        values[name] = _typed(text, types[name])
    return values


def _typed(text: str, kind: str) -> Value:
    if kind == "int":
        return int(float(text))
    if kind == "float":
        return float(text)
    if kind == "bool":
        return text.lower() == "true"
    if kind == "number":
        number = float(text)
        return int(number) if number == int(number) else number
    return text
