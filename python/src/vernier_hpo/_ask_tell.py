"""A study whose trials programs ask for and tell: all of it but the loop."""

from __future__ import annotations

import datetime
import logging
import math
import threading
import warnings
from typing import (TYPE_CHECKING, Any, Callable, Container, Dict, Iterable, List, Mapping,
                    Optional, Sequence, Union)

from . import _study_config as config_forms
from ._clients import ClientNames
from ._fork import after_fork
from ._frozen_trial import FrozenTrial, frozen_trial, time_of
from ._hints import ASK, STUDY_ATTRIBUTES, absent, with_hints
from ._job_space import edit_of
from ._results import Results, check_has_one_metric
from ._same_space import checked_same
from ._space import Parameter, Space, Value, check_space, complete_point, whole
from ._study_calls import CLOSED, StudyCalls, get_config, measurement
from ._study_config import Constraints, Literals
from ._transport import Transport
from ._trial import Trial, number_of
from ._trial_state import TrialState, check_end_state
from .errors import (FailedPreconditionError, InvalidArgumentError, NotFoundError,
                     SpaceUsedUpError, VernierError)

_log = logging.getLogger("vernier_hpo")

Values = Union[float, Iterable[float], Mapping[str, float]]
AnyTrial = Union[Trial, FrozenTrial, int]

# Names of this process's clients; one list for all Study objects, since several may
# stand for one study.
_client_names = ClientNames()

_begin_lock = threading.Lock()


def _renew_lock() -> None:
    """A child may have been forked while another thread had the lock."""
    global _begin_lock
    _begin_lock = threading.Lock()


after_fork(_renew_lock)

_DEFAULTS = "defaults"  # What marks the call that enqueues them.
_OPEN = "state=requested OR state=active"


class AskTell(Results):
    """A study of the service: ask for trials, evaluate them, tell the results."""

    def __init__(self, transport: Transport, name: str,
                 space: Optional[Space] = None) -> None:
        config = get_config(transport, name)
        self._transport = transport
        self._calls = StudyCalls(transport, name)
        self._space: Dict[str, Parameter] = {}
        self._literals: Literals = {}
        self._metrics: Dict[str, str] = {}
        self._constrained: List[str] = []  # Metrics that only a constraint names.
        self._read_space(config)
        self._read_metrics(config)
        self._early_stopping = config_forms.stops_early(config)
        self._stop_optimizing = False
        self._may_begin = True  # With the defaults.
        self._is_new = False  # Made by this object: its trials were only added.
        if space is not None:
            self._space = checked_same(self.name, self._space, check_space(space))

    def _read_space(self, config: Dict[str, Any]) -> None:
        self._space = config_forms.space_of(config)
        self._literals = config_forms.literals_of(config)

    def _read_metrics(self, config: Dict[str, Any]) -> None:
        self._metrics = config_forms.metrics_of(config)
        self._constrained = config_forms.constrained_metrics_of(config)

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
    def study_name(self) -> str:
        """Optuna's word for the name."""
        return self.name

    @property
    def direction(self) -> str:
        """Optuna's word for the goal."""
        return self.goal

    @property
    def directions(self) -> List[str]:
        """The goals in the order of the metrics."""
        return list(self._metrics.values())

    @property
    def url(self) -> str:
        """Where the dashboard shows it; `vernier ui` signs a browser in."""
        return f"{self._transport.url()}/ui/jobs/{self._calls.describe()['studyId']}"

    # Asking and telling.

    @with_hints(**ASK)
    def ask(self) -> Trial:
        """The next trial to evaluate: one that was enqueued, else a new suggestion.

        Raises SpaceUsedUpError if a finite space has no further configuration.
        """
        if self._may_begin:
            with _begin_lock:  # No other thread asks for a suggestion in the meantime.
                if self._may_begin and self._begins_with_defaults():
                    self._enqueue_defaults()
                self._may_begin = False
        client = _client_names.take()
        return self._ask_as(client, _client_names.give_back)

    def _begins_with_defaults(self) -> bool:
        """Whether there are any, and nobody has enqueued another trial, or asked."""
        if all(getattr(each, "default", None) is None for each in self._space.values()):
            return False
        if int(self._calls.describe().get("trialCount", 0)) == 0:
            return True
        return self._is_new and not self._calls.list_trials(_OPEN, limit=1)

    def _enqueue_defaults(self) -> None:
        point = complete_point(self._space, {}, fills_middles=True)
        trial = {"parameters": self._parameters_json(point)}
        try:  # The service takes it once, also if several programs ask at the same time.
            self._calls.create_trial(trial, request_id=_DEFAULTS)
        except InvalidArgumentError:
            pass  # They break a constraint: the search begins near them.
        except NotFoundError:  # They were abandoned, as by Ctrl-C, and begin once more.
            self._calls.create_trial(trial)

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
        listed = message.get("parameters", [])
        params = config_forms.parameters_from_json(self._space, listed, self._literals)
        if not config_forms.knows(self._space, params):  # Another program edited it.
            self._read_space(get_config(self._transport, self.full_name))
            params = config_forms.parameters_from_json(self._space, listed, self._literals)
        return Trial(self, int(message["name"].rsplit("/", 1)[1]),
                     {name: params[name] for name in self._space if name in params},
                     message.get("clientId", ""), None)

    def _has_early_stopping(self) -> bool:
        return self._early_stopping

    def _service_calls(self) -> StudyCalls:
        return self._calls

    def tell(self, trial: AnyTrial, value: Optional[Values] = None, *,
             values: Optional[Values] = None, state: Union[TrialState, str, None] = None,
             step: Optional[int] = None, reason: str = "",
             skip_if_finished: bool = False) -> None:
        """Ends a trial, by itself or its number.

        `value` is a number; of several metrics a list in their order, an array, or a
        dict by name (`values` is the same), in which other metrics beside the study's
        are kept, too. A metric that a constraint bounds is told in a dict; a trial without
        it is never the best, and a warning says so. Without a value, a trial with
        `state="stopped"` ends with its last report. `state="infeasible"` (or "failed")
        says that its parameters could not be evaluated, and `reason` why; so does a value
        that is not finite, which is kept.

        Raises FailedPreconditionError if the trial has ended already, ValueError for
        values that do not fit the metrics and for a trial of another study. With
        `skip_if_finished` a trial that has ended already stays as it is.
        """
        try:
            self._tell(trial, value if values is None else values, state, step, reason)
        except FailedPreconditionError:
            if not skip_if_finished or not self._has_ended(trial):
                raise
            _release(trial)

    def _has_ended(self, trial: AnyTrial) -> bool:
        return self.get_trial(self._number(trial)).state.is_finished()

    def _tell(self, trial: AnyTrial, given: Optional[Values],
              state: Union[TrialState, str, None], step: Optional[int],
              reason: str) -> None:
        number = self._number(trial)
        end = TrialState.COMPLETED if state is None else check_end_state(state)
        if end in (TrialState.INFEASIBLE, TrialState.FAILED):
            if given is not None:
                raise ValueError(f"a trial that is {end} has no value: {given!r}")
            self._calls.complete_infeasible(number, reason or str(end))
        elif end == TrialState.STOPPED:
            stopped_with = None if given is None else self._by_metric(given)
            if given is None and not self._curve(number):
                raise InvalidArgumentError(
                    f"trial {number} of study {self.full_name} has reported nothing: give a "
                    f"final measurement, or say that it is infeasible")
            self._calls.request_stop(number)
            self._calls.complete(number, stopped_with, step)
        elif given is None:
            raise ValueError("a trial that is completed needs a value")
        else:
            values = self._by_metric(given)
            if not all(math.isfinite(values.get(name, 0.0))
                       for name in [*self._metrics, *self._constrained]):
                _log.warning("trial %d is infeasible: its value is %r", number, given)
            self._calls.complete(number, values, step)
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

    def enqueue_trial(self, params: Mapping[str, Value],
                      user_attrs: Optional[Mapping[str, Any]] = None,
                      skip_if_exists: bool = False) -> int:
        """Has the next ask of anybody hand out this point; returns its number.

        What is left out is the parameter's default; ValueError if it has none. With
        `skip_if_exists` a point that was tried or waits already is not enqueued again;
        the number is then that trial's.
        """
        point = complete_point(self._space, params)
        if skip_if_exists:
            for trial in self.get_trials():
                if trial.params == point:
                    return trial.number
        return self._create({"parameters": self._parameters_json(point)}, user_attrs)

    def add_trial(self, params: Union[Mapping[str, Value], FrozenTrial],
                  value: Optional[Values] = None, *,
                  state: Union[TrialState, str, None] = None, reason: str = "",
                  user_attrs: Optional[Mapping[str, Any]] = None) -> int:
        """Adds a trial that was evaluated elsewhere; returns its number.

        It may be one of another study, which was read, with its values and attributes.
        """
        if isinstance(params, FrozenTrial):
            return self.add_trial(
                params.params, params.metrics or None if value is None else value,
                state=params.state if state is None else state,
                reason=reason or params.message,
                user_attrs=params.user_attrs if user_attrs is None else user_attrs)
        trial: Dict[str, Any] = {
            "state": "COMPLETED",
            "parameters": self._parameters_json(complete_point(self._space, params))}
        end = TrialState.COMPLETED if state is None else check_end_state(state)
        if end in (TrialState.COMPLETED, TrialState.STOPPED):
            if value is None:
                raise ValueError(f"a trial that is {end} needs a value")
            trial["finalMeasurement"] = measurement(self._by_metric(value), None)
            if end == TrialState.STOPPED:
                trial["state"] = "STOPPING"  # The API's word for how it came to its end.
        else:
            trial.update(trialInfeasible=True, infeasibleReason=reason or "infeasible")
        return self._create(trial, user_attrs)

    def _parameters_json(self, point: Mapping[str, Value]) -> List[Dict[str, Any]]:
        return config_forms.parameters_to_json(self._space, point)

    def _create(self, trial: Dict[str, Any],
                user_attrs: Optional[Mapping[str, Any]]) -> int:
        number = int(self._calls.create_trial(trial)["name"].rsplit("/", 1)[1])
        if user_attrs:
            self._calls.set_attributes(number, user_attrs)
        return number

    def _warn_of(self, missing: Sequence[str], given: Any, by_name: str) -> None:
        if missing:
            warnings.warn(
                f"no value of the metric {missing[0]!r}, which a constraint bounds: "
                f"{given!r}; a trial without it is never the best; it is told as "
                f"{{{by_name}}}",
                UserWarning, stacklevel=5)

    def _by_metric(self, given: Values) -> Dict[str, float]:
        """Values by metric; ValueError unless there is one number for each metric. One
        that a constraint bounds may be missing, with a warning: such a trial is never
        the best."""
        names = list(self._metrics)
        by_name = ", ".join(f'"{name}": ...' for name in [*names, *self._constrained])
        if isinstance(given, Mapping):
            missing = [name for name in names if name not in given]
            if missing:
                raise ValueError(f"no value of the metric {missing[0]!r}: {dict(given)!r}; "
                                 f"it is told as {{{by_name}}}")
            self._warn_of([name for name in self._constrained if name not in given],
                          dict(given), by_name)
            return {name: number_of(name, each) for name, each in given.items()}
        to_list = getattr(given, "tolist", None)  # An array of numpy or another library.
        given = to_list() if callable(to_list) else given
        listed = (list(given) if isinstance(given, (list, tuple)) else [given])
        if len(listed) != len(names):
            raise ValueError(f"{len(listed)} values for {len(names)} metrics "
                             f"({', '.join(names)}): {given!r}; they are told in this "
                             f"order, or as {{{by_name}}}")
        self._warn_of(self._constrained, given, by_name)
        return {name: number_of(name, each) for name, each in zip(names, listed)}

    def edit(self, space: Optional[Space] = None, *,
             rename_metrics: Optional[Mapping[str, str]] = None,
             constraints: Optional[Constraints] = None) -> List[str]:
        """Changes the space that the trials to come are from; returns what changed.

        `space` has all parameters, as they are to be from now on; None leaves them as
        they are. `rename_metrics` has, by the name of a metric, its new name, under
        which all its values are from then on; programs may still report under the old
        one. `constraints` are all texts between parameters, `["a + b <= 1"]`, as they
        are to be from now on; `[]` drops them, and None leaves them as they are. What
        bounds metrics stays as it is. A parameter that is added has
        a default: the value that earlier trials had. Earlier trials teach the search as
        far as they lie in the space, and those that were asked for may be told as
        before; another edit undoes this one. FailedPreconditionError says what cannot be
        edited, why, and what to do instead. The page "The search space" of the
        documentation has the rules.
        """
        config = get_config(self._transport, self._calls.name)
        fields = edit_of(space, rename_metrics, constraints, _metric_constraints_of(config))
        if space is None:
            changes = self._calls.edit(fields, "")
        else:
            checked = check_space(space)
            literals = config_forms.literals_with(config_forms.literals_of(config),
                                                  self._space)
            self._tell_defaults(config, checked)
            changes = self._calls.edit(
                fields, config_forms.client_data_of(checked, literals) or "{}")
            self._space = checked
            self._literals = config_forms.literals_with(literals, checked)
        if rename_metrics:
            self._read_metrics(get_config(self._transport, self._calls.name))
        return changes

    def _tell_defaults(self, config: Dict[str, Any], after: Space) -> None:
        """Has the service know the defaults of parameters that an edit drops: older
        releases of this package kept those of create_study to themselves."""
        before = config_forms.space_of(config)
        if any(name not in after and getattr(each, "default", None) is not None
               for name, each in before.items()):
            self._calls.edit(edit_of(before, None, None, ()), "")

    def stop(self) -> None:
        """Has `optimize` end after the trials that run now."""
        self._stop_optimizing = True

    # What came out.

    def get_trials(self, filter: str = "", *,
                   states: Optional[Container[TrialState]] = None,
                   deepcopy: bool = True) -> List[FrozenTrial]:
        """Trials that a filter selects, such as "state=completed AND lr<0.01".

        `states` leaves out all others; a trial that Optuna calls FAIL is one whose
        parameters could not be evaluated. Trials are copies, whatever `deepcopy` says.
        """
        found = self._freeze(self._calls.list_trials(filter))
        if states is None:
            return found
        return [each for each in found if each.state in states or (
            each.state == TrialState.INFEASIBLE and TrialState.FAIL in states)]

    def get_trial(self, number: int) -> FrozenTrial:
        """One trial. NotFoundError."""
        found = self._freeze(self._calls.list_trials(
            f"trial={whole('number', number)}", limit=1))
        if not found:
            raise NotFoundError(f"{self.name} has no trial {number}")
        return found[0]

    @property
    def best_trial(self) -> FrozenTrial:
        """The completed trial with the best value. NotFoundError if there is none.

        FailedPreconditionError if there are several metrics: see best_trials.
        """
        check_has_one_metric(self.name, self._metrics)
        best = self._calls.describe().get("bestTrial")
        if best is None:
            raise NotFoundError(f"{self.name}: no trial has a value yet with which it completed")
        return self._freeze(self._calls.complete_trials([best]))[0]

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
    def best_params(self) -> Dict[str, Any]:
        """The parameters of the best trial."""
        return self.best_trial.params

    @property
    def datetime_create(self) -> Optional[datetime.datetime]:
        """When it was made."""
        return time_of(self._calls.describe().get("createTime"))

    # What programs say about it.

    def close(self) -> None:
        """Says that nobody works on the study any more; its results stay.

        It is then among those that are done. Whoever asks it for a trial again, or
        tells one, opens it.
        """
        self._calls.set_state("COMPLETED", CLOSED)

    def _freeze(self, messages: List[Dict[str, Any]]) -> List[FrozenTrial]:
        return [frozen_trial(each, self._space, self._metrics, self._curve, pen=self._pen(),
                             literals=self._literals)
                for each in messages]

    def _curve(self, number: int) -> Dict[int, float]:
        listed = self._calls.list_measurements(number, next(iter(self._metrics)))
        return {int(each.get("step", 0)): float(each.get("value", 0.0))
                for each in listed}

    if not TYPE_CHECKING:  # To type checkers a name that is not there is an error.
        def __getattr__(self, name: str) -> Any:
            raise absent("a study", name, STUDY_ATTRIBUTES)

    def __repr__(self) -> str:
        return f"Study(name={self.name!r}, metrics={self._metrics})"


def _metric_constraints_of(config: Mapping[str, Any]) -> List[Any]:
    return list(config.get("vernier", {}).get("metricConstraints", []))


def _release(trial: AnyTrial) -> None:
    """Gives the name of an ended trial back, once: the next trial may have it since."""
    if isinstance(trial, Trial) and trial._client:
        name, trial._client = trial._client, ""
        _client_names.give_back(name)
