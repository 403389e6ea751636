"""A study whose trials this program (and others) run."""

from __future__ import annotations

import datetime
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Type, Union

from . import _study_config as config_forms
from ._clients import ClientNames
from ._frozen_trial import FrozenTrial, frozen_trial, time_of
from ._space import Parameter, Space, Value, check_space, complete_point, whole
from ._study_calls import StudyCalls, get_config, measurement
from ._transport import Transport
from ._trial import Trial, number_of
from ._trial_state import TrialState, check_end_state
from .errors import (FailedPreconditionError, NotFoundError, SpaceUsedUpError,
                     VernierError)

Values = Union[float, Iterable[float], Mapping[str, float]]
AnyTrial = Union[Trial, FrozenTrial, int]
Callback = Callable[["Study", FrozenTrial], None]

# Names of this process's clients; one list for all Study objects, since several may
# stand for one study.
_client_names = ClientNames()


class Study:
    """A study of the service: ask for trials, evaluate them, tell the results.

    Made by create_study and load_study. Thread-safe; it may be pickled and sent to
    another process, and any number of processes may work on one study.
    """

    def __init__(self, transport: Transport, name: str,
                 space: Optional[Space] = None) -> None:
        config = get_config(transport, name)
        self._transport = transport
        self._calls = StudyCalls(transport, name)
        self._space: Dict[str, Parameter] = config_forms.space_of(config)
        self._metrics = config_forms.metrics_of(config)
        self._early_stopping = config_forms.stops_early(config)
        self._stop_optimizing = False
        if space is not None:
            self._space = _checked_same(name, self._space, check_space(space))

    # What it is.

    @property
    def name(self) -> str:
        """Its name, as `load_study` takes it."""
        return self._calls.name.rsplit("/studies/", 1)[1]

    @property
    def full_name(self) -> str:
        """Its resource name, as the command line shows it."""
        return self._calls.name

    @property
    def space(self) -> Dict[str, Parameter]:
        """The parameters by name."""
        return dict(self._space)

    @property
    def metrics(self) -> Dict[str, str]:
        """The goals, "minimize" or "maximize", by metric; the first is the objective."""
        return dict(self._metrics)

    @property
    def goal(self) -> str:
        """The goal of the first metric."""
        return next(iter(self._metrics.values()))

    @property
    def url(self) -> str:
        """Where the dashboard shows it; `vernier ui` signs a browser in."""
        return f"{self._transport.url()}/ui/jobs/{self._calls.describe()['studyId']}"

    # Asking and telling.

    def ask(self) -> Trial:
        """The next trial to evaluate: one that was enqueued, else a new suggestion.

        Raises SpaceUsedUpError if a finite space has no further configuration.
        """
        client = _client_names.take()
        return self._ask_as(client, _client_names.give_back)

    def _ask_as(self, client: str, give_back: Callable[[str], None]) -> Trial:
        try:
            trials = self._calls.suggest(client)
        except BaseException as error:
            give_back(client)
            if isinstance(error, FailedPreconditionError) and self._is_complete():
                raise SpaceUsedUpError(f"{self.name}: {error}") from None
            raise
        if not trials:
            give_back(client)
            raise SpaceUsedUpError(
                f"{self.name}: every configuration of the space was tried, or is being")
        return self._trial_of(trials[0])

    def _is_complete(self) -> bool:
        try:
            return bool(self._calls.describe().get("state") == "COMPLETED")
        except VernierError:
            return False

    def _trial_of(self, message: Dict[str, Any]) -> Trial:
        params = config_forms.parameters_from_json(
            self._space, message.get("parameters", []))
        return Trial(self, int(message["name"].rsplit("/", 1)[1]),
                     {name: params[name] for name in self._space if name in params},
                     message.get("clientId", ""))

    def tell(self, trial: AnyTrial, value: Optional[Values] = None, *,
             values: Optional[Values] = None, state: Union[TrialState, str, None] = None,
             step: Optional[int] = None, reason: str = "") -> None:
        """Ends a trial, by itself or its number.

        `value` is a number; of several metrics a list in their order, an array, or a
        dict by name (`values` is the same). Without either, a trial with `state="stopped"`
        ends with its last report. `state="infeasible"` (or "failed") says that its
        parameters could not be evaluated, and `reason` why. A NaN is kept, and the
        trial then counts as one without a value.

        Raises FailedPreconditionError if the trial has ended already, ValueError for
        values that do not fit the metrics and for a trial of another study.
        """
        number = self._number(trial)
        given = values if value is None else value
        end = TrialState.COMPLETED if state is None else check_end_state(state)
        if end in (TrialState.INFEASIBLE, TrialState.FAILED):
            if given is not None:
                raise ValueError(f"a trial that is {end} has no value: {given!r}")
            self._calls.complete_infeasible(number, reason or str(end))
        elif end == TrialState.STOPPED:
            self._calls.request_stop(number)
            self._calls.complete(
                number, None if given is None else self._by_metric(given), step)
        elif given is None:
            raise ValueError("a trial that is completed needs a value")
        else:
            self._calls.complete(number, self._by_metric(given), step)
        _release(trial)

    def abandon(self, trial: AnyTrial) -> None:
        """Removes a trial that was not evaluated, as if it had never been asked for."""
        self._calls.delete_trial(self._number(trial))
        _release(trial)

    def _number(self, trial: AnyTrial) -> int:
        if isinstance(trial, Trial) and trial.study.full_name != self.full_name:
            raise ValueError(f"trial {trial.number} is one of the study "
                             f"{trial.study.name}, and not of {self.name}")
        if isinstance(trial, (Trial, FrozenTrial)):
            return trial.number
        return whole("trial", trial)

    def enqueue_trial(self, params: Mapping[str, Value]) -> int:
        """Has the next ask of anybody hand out this point; returns its number.

        What is left out is the parameter's default; ValueError if it has none.
        """
        point = complete_point(self._space, params)
        return self._create({"parameters": self._parameters_json(point)})

    def add_trial(self, params: Mapping[str, Value], value: Optional[Values] = None, *,
                  state: Union[TrialState, str, None] = None, reason: str = "") -> int:
        """Adds a trial that was evaluated elsewhere; returns its number."""
        trial: Dict[str, Any] = {
            "state": "COMPLETED",
            "parameters": self._parameters_json(complete_point(self._space, params))}
        if state is None or check_end_state(state) in (TrialState.COMPLETED,
                                                       TrialState.STOPPED):
            if value is None:
                raise ValueError("a trial that is completed needs a value")
            trial["finalMeasurement"] = measurement(self._by_metric(value), None)
        else:
            trial.update(trialInfeasible=True, infeasibleReason=reason or "infeasible")
        return self._create(trial)

    def _parameters_json(self, point: Mapping[str, Value]) -> List[Dict[str, Any]]:
        return config_forms.parameters_to_json(self._space, point)

    def _create(self, trial: Dict[str, Any]) -> int:
        return int(self._calls.create_trial(trial)["name"].rsplit("/", 1)[1])

    def _by_metric(self, given: Values) -> Dict[str, float]:
        """Values by metric; ValueError unless there is one number for each metric."""
        names = list(self._metrics)
        if isinstance(given, Mapping):
            missing = [name for name in names if name not in given]
            if missing:
                raise ValueError(f"no value of the metric {missing[0]!r}: {dict(given)!r}")
            return {name: number_of(name, each) for name, each in given.items()}
        to_list = getattr(given, "tolist", None)  # An array of numpy or another library.
        given = to_list() if callable(to_list) else given
        listed = (list(given) if isinstance(given, (list, tuple)) else [given])
        if len(listed) != len(names):
            raise ValueError(f"{len(listed)} values for {len(names)} metrics "
                             f"({', '.join(names)}): {given!r}")
        return {name: number_of(name, each) for name, each in zip(names, listed)}

    def optimize(self, objective: Callable[[Trial], Any], n_trials: Optional[int] = None,
                 *, n_jobs: int = 1, timeout: Optional[float] = None,
                 callbacks: Iterable[Callback] = (),
                 catch: Union[Type[Exception], Tuple[Type[Exception], ...]] = (),
                 show_progress_bar: bool = False) -> None:
        """Evaluates trials until `n_trials` of them or `timeout` seconds are over.

        `objective` gets a Trial and returns its value (or values). It may raise
        TrialStopped to end early. Another exception makes the trial infeasible and
        ends the call, unless it is one of `catch`; Ctrl-C removes the running trials.
        With `n_jobs` > 1 that many threads call it. A callback is called after each
        trial, with the study and the trial; `study.stop()` ends the call early.

        Trials that a killed process of this machine left behind are run first.
        """
        from ._optimize import Optimization

        Optimization(self, objective, n_trials, n_jobs, timeout, callbacks, catch,
                     show_progress_bar).run()

    def stop(self) -> None:
        """Has `optimize` end after the trials that run now."""
        self._stop_optimizing = True

    # What came out.

    @property
    def trials(self) -> List[FrozenTrial]:
        """All trials by number."""
        return self.get_trials()

    def get_trials(self, filter: str = "") -> List[FrozenTrial]:
        """Trials that a filter selects, such as "state=completed AND lr<0.01"."""
        return self._freeze(self._calls.list_trials(filter))

    def get_trial(self, number: int) -> FrozenTrial:
        """One trial. NotFoundError."""
        found = self._freeze(self._calls.list_trials(
            f"trial={whole('number', number)}", limit=1))
        if not found:
            raise NotFoundError(f"{self.name} has no trial {number}")
        return found[0]

    @property
    def best_trial(self) -> FrozenTrial:
        """The completed trial with the best value of the first metric. NotFoundError."""
        best = self._calls.describe().get("bestTrial")
        if best is None:
            raise NotFoundError(f"{self.name}: no trial has a value yet")
        return self._freeze([best])[0]

    @property
    def best_trials(self) -> List[FrozenTrial]:
        """The trials that no other one beats in all metrics (the Pareto front)."""
        numbers = self._calls.optimal_trials()
        found = []
        for start in range(0, len(numbers), 200):
            some = " OR ".join(f"trial={each}" for each in numbers[start:start + 200])
            found += self._freeze(self._calls.list_trials(some))
        return found

    @property
    def best_value(self) -> float:
        """The value of the best trial."""
        value = self.best_trial.value
        assert value is not None
        return value

    @property
    def best_params(self) -> Dict[str, Value]:
        """The parameters of the best trial."""
        return self.best_trial.params

    @property
    def datetime_create(self) -> Optional[datetime.datetime]:
        """When it was made."""
        return time_of(self._calls.describe().get("createTime"))

    def why(self, number: int = 0) -> str:
        """Says in words why a trial is as it is, or with 0 the study."""
        from ._study_calls import native

        answer = native(self._transport, "JobService", "Explain",
                        {"jobId": self.full_name, "trialId": str(number)})
        return str(answer.get("text", ""))

    def trials_dataframe(self) -> Any:
        """All trials as a pandas DataFrame; ImportError without pandas."""
        from ._dataframe import trials_dataframe

        return trials_dataframe(self)

    def plot_history(self, ax: Any = None) -> Any:
        """Draws the values and the best so far with matplotlib; returns the axes."""
        from ._plot import plot_history

        return plot_history(self, ax)

    def _freeze(self, messages: List[Dict[str, Any]]) -> List[FrozenTrial]:
        metrics: Mapping[int, Mapping[str, float]] = {}
        if len(self._metrics) > 1 and len(messages) == 1:
            number = int(messages[0]["trialId"])
            final = self._calls.get_trial(number).get("finalMeasurement", {})
            metrics = {number: {each["metric"]: each.get("value", 0.0)
                                for each in final.get("metrics", [])}}
        elif len(self._metrics) > 1:
            metrics = self._calls.list_final_measurements()
        return [frozen_trial(
            each, self._space, self._metrics,
            metrics.get(int(each["trialId"]), {}) if len(self._metrics) > 1 else None,
            self._curve) for each in messages]

    def _curve(self, number: int) -> Dict[int, float]:
        listed = self._calls.list_measurements(number, next(iter(self._metrics)))
        return {int(each.get("step", 0)): float(each.get("value", 0.0))
                for each in listed}

    def __repr__(self) -> str:
        return f"Study(name={self.name!r}, metrics={self._metrics})"

    def _repr_html_(self) -> str:
        from ._html import study_html

        return study_html(self)


def _release(trial: AnyTrial) -> None:
    """Gives the name of an ended trial back, once: the next trial may have it since."""
    if isinstance(trial, Trial) and trial._client:
        name, trial._client = trial._client, ""
        _client_names.give_back(name)


def _checked_same(name: str, stored: Space, given: Dict[str, Parameter]
                  ) -> Dict[str, Parameter]:
    """The given space, which knows choices and defaults, if it is the stored one."""
    def form(space: Space) -> Any:
        return config_forms.config_of(space, {"v": "minimize"}, "default", None,
                                      False)["parameters"]

    def read_back(space: Space) -> Any:
        return form(config_forms.space_of({"parameters": form(space)}))

    if form(stored) != read_back(given):
        raise FailedPreconditionError(
            f"the study {name} has another search space: {dict(stored)!r}")
    return given
