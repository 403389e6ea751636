"""What a study and a job have in common: results to read, and words about them."""

from __future__ import annotations

import abc
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import _plot
from . import _study_calls as calls
from ._dataframe import trials_dataframe
from ._frozen_trial import FrozenTrial
from ._space import Parameter, Value, json_value, whole, with_defaults
from ._transport import Transport
from .errors import FailedPreconditionError

Json = Dict[str, Any]


class Results(abc.ABC):
    """The trials of a study, whoever runs them."""

    _transport: Transport

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """Its name in its project."""

    @property
    @abc.abstractmethod
    def full_name(self) -> str:
        """The name by which the service knows it."""

    @property
    @abc.abstractmethod
    def metrics(self) -> Dict[str, str]:
        """The goals, "minimize" or "maximize", by metric; the first is the objective."""

    @property
    @abc.abstractmethod
    def space(self) -> Dict[str, Parameter]:
        """The parameters by name."""

    @abc.abstractmethod
    def get_trials(self, filter: str = "") -> List[FrozenTrial]:
        """Trials that a filter selects, such as "state=completed AND lr<0.01"."""

    @property
    def trials(self) -> List[FrozenTrial]:
        """All trials by number."""
        return self.get_trials()

    def hypervolume(self) -> Optional[float]:
        """What the front of several metrics dominates above the references; asks the
        service. None while there is no front, and of one metric."""
        front = calls.describe(self._transport, self.full_name).get("front", {})
        return None if "hypervolume" not in front else float(front["hypervolume"])

    @property
    @abc.abstractmethod
    def best_trial(self) -> FrozenTrial:
        """The completed trial with the best value."""

    @property
    def best_mean(self) -> float:
        """With `repeats` the mean of the results at the best trial's point, by which it is
        the best; else its value."""
        best = self.best_trial
        found = calls.native(self._transport, "JobService", "GetTrial", {
            "jobId": self.full_name, "trialId": str(best.number)})
        assert best.value is not None
        return float(found.get("point", {}).get("mean", best.value))

    def why(self, number: Optional[int] = None) -> str:
        """Says in words why a trial is as it is, or without a number, or with 0, the whole."""
        if number is not None and whole("number", number) < 0:
            raise ValueError(f"a trial's number is 1 or more: {number}")
        answer = calls.native(self._transport, "JobService", "Explain",
                              {"jobId": self.full_name, "trialId": str(number or 0)})
        return str(answer.get("text", ""))

    def propose(self, params: Mapping[str, Value], source: str) -> None:
        """Adds a point that `source` thinks worth a trial: a person, an agent, a tool.

        The search tries it when the source is trusted more than the search itself, by
        what the points of both came to, so any number of points may be proposed. What is
        left out is the parameter's default. InvalidArgumentError if the point does not fit
        the space, or if the study's algorithm looks at no proposals.
        """
        space = self.space
        if not isinstance(source, str):
            raise TypeError(f"source is a text, the name of who proposes: {source!r}")
        self._pen().propose({name: json_value(name, space.get(name), value) for name, value
                             in with_defaults(space, params).items()}, source)

    @property
    def note(self) -> str:
        """What people wrote about it; set it to write it anew."""
        return str(calls.describe(self._transport, self.full_name).get("note", ""))

    @note.setter
    def note(self, text: str) -> None:
        self._pen().write_note(0, text)

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What set_user_attr has set, by name; asks the service."""
        return calls.attributes_in(calls.describe(self._transport, self.full_name))

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the study: anything that JSON can say.

        64 KiB for a study in all; any program that loads the study has it.
        """
        self._pen().set_attributes(0, {key: value})

    def _pen(self) -> calls.Pen:
        return calls.Pen(self._transport, self.full_name)

    # What the service's model says.

    def get_insights(self, contours: Iterable[Tuple[str, str]] = (),
                     metric: str = "") -> Json:
        """All that `vernier insights` knows, as its JSON (docs/insights.md).

        `contours` are pairs of parameters, at most 6, and `metric` is one of several;
        without, the first. FailedPreconditionError with the reason if there is no model
        yet.
        """
        pairs = [list(each) if isinstance(each, (tuple, list)) else [] for each in contours]
        if not all(len(each) == 2 for each in pairs):
            raise ValueError(f"contours is a list of pairs of parameters: {contours!r}")
        answer = calls.native(self._transport, "StudyService", "GetInsights", {
            "study": self.full_name, "metric": metric,
            "contours": [{"first": first, "second": second} for first, second in pairs]})
        if not answer.get("hasModel", False):
            raise FailedPreconditionError(
                f"{self.name} has no insights yet: {answer.get('reason', '')}")
        return answer

    def get_failures(self) -> List[Json]:
        """How trials died, and where: an entry for each kind of failure with three trials.

        The "failures" of `vernier insights` (docs/insights.md), which need no model: "kind",
        "count", "share", "text", and "boundary" where a rule separates them from the trials
        that live.
        """
        answer = calls.native(self._transport, "StudyService", "GetInsights",
                              {"study": self.full_name})
        return list(answer.get("failures", []))

    def get_param_importances(self, metric: str = "") -> Dict[str, float]:
        """The share of the variation that each parameter explains, largest first.

        `metric` is one of several; without, the first.

        What several explain only together is in none of them, so the shares add up to
        1 at most. FailedPreconditionError with the reason if there is no model yet.
        """
        return {each["parameter"]: float(each.get("share", 0.0))
                for each in self.get_insights(metric=metric).get("importance", [])}

    # Tables and plots. Plots take matplotlib's axes, and return them.

    def trials_dataframe(self, attrs: Optional[Sequence[str]] = None) -> Any:
        """All trials as a pandas DataFrame; ImportError without pandas.

        `attrs` chooses columns by what they are of: "number", "state", "value", "params",
        "user_attrs", "datetime_start", "datetime_complete", "duration", "end_cause".
        """
        return trials_dataframe(self, attrs)

    def plot_history(self, ax: Any = None) -> Any:
        """Draws the values and the best so far."""
        return _plot.plot_history(self, ax)

    def plot_importance(self, ax: Any = None, metric: str = "") -> Any:
        """Draws the share of each parameter, with its interval."""
        return _plot.plot_importance(self, ax, metric)

    def plot_slice(self, params: Optional[Sequence[str]] = None, axes: Any = None) -> Any:
        """Draws each parameter's values, and what the model expects along it.

        Returns an array of axes, one for each of `params`, or of all.
        """
        return _plot.plot_slice(self, params, axes)

    def plot_contour(self, params: Optional[Sequence[str]] = None, ax: Any = None) -> Any:
        """Draws what the model expects over two parameters, or the two that matter most."""
        return _plot.plot_contour(self, params, ax)

    def plot_parallel(self, params: Optional[Sequence[str]] = None, ax: Any = None) -> Any:
        """Draws each trial as a line through its parameters, coloured by its value."""
        return _plot.plot_parallel(self, params, ax)

    def plot_curves(self, ax: Any = None) -> Any:
        """Draws what each trial reported, by step."""
        return _plot.plot_curves(self, ax)

    def plot_pareto(self, metrics: Optional[Sequence[str]] = None, ax: Any = None) -> Any:
        """Draws two of several metrics, and the trials that no other one beats."""
        return _plot.plot_pareto(self, metrics, ax)


def check_has_one_metric(name: str, metrics: Mapping[str, str]) -> None:
    """FailedPreconditionError of several metrics, which have no best trial."""
    if len(metrics) > 1:
        raise FailedPreconditionError(
            f"{name} has {len(metrics)} metrics ({', '.join(metrics)}), and so no single "
            f"best trial: best_trials has those that no other one beats")


def goals_of(study: Mapping[str, Any]) -> Dict[str, str]:
    """The goals by metric of a described study."""
    return {each["name"]: each.get("goal", "").lower() for each in study.get("metrics", [])}
