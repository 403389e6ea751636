"""A study whose trials declare its search space."""

from __future__ import annotations

import collections.abc
import copy
import math
import warnings
from typing import (Any, Callable, Collection, Dict, Iterable, List, Mapping, Optional,
                    Sequence, Tuple, Type, Union)

from .._space import plain
from ._best import best_of, front_of
from ._dataframe import dataframe_of
from ._frozen_trial import FIXED, FrozenTrial, check_trial, create_trial
from ._optimize import Objective, Run
from ._record import StudyRecord
from ._runs import Runs
from ._states import StudyDirection, TrialState
from ._trial import Trial
from .distributions import BaseDistribution
from .pruners import BasePruner, MedianPruner
from .samplers import BaseSampler, EngineSampler

_METRIC_NAMES = "study:metric_names"

# What an objective may not return, although it can be gone through.
_NO_VALUES = (str, bytes, collections.abc.Mapping, collections.abc.Set,
              collections.abc.Iterator)

Callback = Callable[["Study", FrozenTrial], None]


class Study:
    """A study, made by `create_study` or `load_study`. Thread-safe."""

    def __init__(self, record: StudyRecord, sampler: Optional[BaseSampler],
                 pruner: Optional[BasePruner]) -> None:
        #: Chooses the values of parameters.
        self.sampler: BaseSampler = sampler or EngineSampler()
        #: Ends trials early.
        self.pruner: BasePruner = pruner or MedianPruner()
        self._record = record
        self._runs = Runs()

    @property
    def study_name(self) -> str:
        """Its name."""
        return self._record.name

    @property
    def _study_id(self) -> int:
        return self._record.id

    @property
    def directions(self) -> List[StudyDirection]:
        """Which values of each objective are better."""
        return list(self._record.directions)

    @property
    def direction(self) -> StudyDirection:
        """Which values are better; RuntimeError if there are several objectives."""
        self._needs_one("direction", "directions")
        return self._record.directions[0]

    @property
    def trials(self) -> List[FrozenTrial]:
        """Copies of all trials, by number."""
        return self.get_trials()

    def get_trials(self, deepcopy: bool = True,
                   states: Optional[Collection[TrialState]] = None) -> List[FrozenTrial]:
        """The trials by number, those in certain states if these are given; copies,
        unless `deepcopy=False` promises that nothing is changed in them."""
        return self._record.trials_now(states, deepcopy)

    @property
    def best_trial(self) -> FrozenTrial:
        """The best trial that is complete and meets its constraints. ValueError."""
        self._needs_one("best_trial", "best_trials")
        return copy.deepcopy(self._record.best_now() or best_of(
            self.get_trials(deepcopy=False), self._record.directions[0]))

    @property
    def best_trials(self) -> List[FrozenTrial]:
        """The front: complete trials that meet their constraints and that none beats."""
        return copy.deepcopy(front_of(self.get_trials(deepcopy=False),
                                      self._record.directions))

    @property
    def best_value(self) -> float:
        """The value of the best trial. ValueError if there is none."""
        value = self.best_trial.value
        assert value is not None
        return value

    @property
    def best_params(self) -> Dict[str, Any]:
        """The parameters of the best trial. ValueError if there is none."""
        return self.best_trial.params

    @property
    def user_attrs(self) -> Dict[str, Any]:
        """What `set_user_attr` has set, by name."""
        return self._record.attributes("user")

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with the study."""
        self._record.set_attr(None, "user", key, value)

    @property
    def system_attrs(self) -> Dict[str, Any]:
        """What this module has set, by name."""
        return self._record.attributes("system")

    def set_system_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name among those of this module."""
        self._record.set_attr(None, "system", key, value)

    @property
    def metric_names(self) -> Optional[List[str]]:
        """The names of the objectives, or None."""
        found: Optional[List[str]] = self.system_attrs.get(_METRIC_NAMES)
        return found

    def set_metric_names(self, metric_names: List[str]) -> None:
        """Names the objectives, for the table of trials."""
        if len(metric_names) != len(self._record.directions):
            raise ValueError(f"there are {len(self._record.directions)} objectives, and "
                             f"{len(metric_names)} names: {metric_names}")
        self.set_system_attr(_METRIC_NAMES, list(metric_names))

    def ask(self, fixed_distributions: Optional[Mapping[str, BaseDistribution]] = None
            ) -> Trial:
        """A trial to run by hand, whose end `tell` tells: a queued one, if there is one.
        Parameters that are given with their distributions have values at once."""
        trial = Trial(self, self._record.begin())
        self.sampler.before_trial(self, self._record.snapshot(trial.number))
        for name, distribution in (fixed_distributions or {}).items():
            trial._value_for(name, distribution)
        return trial

    def tell(self, trial: Union[Trial, int],
             values: Union[float, Sequence[float], None] = None,
             state: Optional[TrialState] = None,
             skip_if_finished: bool = False) -> FrozenTrial:
        """Ends a trial: with values (COMPLETE), as PRUNED with its last report, or as
        FAIL. Values that are no numbers, or NaN, end it as FAIL, with a warning."""
        ended, trouble = self._tell(trial, values, state, skip_if_finished)
        if trouble:
            warnings.warn(trouble, stacklevel=2)
        return copy.deepcopy(ended)

    def _tell(self, trial: Union[Trial, int], values: Any, state: Optional[TrialState],
              skip_if_finished: bool = False) -> Tuple[FrozenTrial, str]:
        """Ends a trial as `tell` does, and returns it for who changes nothing in it. Also
        why it failed, if its values say so."""
        if not isinstance(trial, Trial) and (
                isinstance(trial, bool) or not isinstance(plain(trial), int)):
            raise TypeError(f"trial is a trial of ask(), or its number: {trial!r}")
        number = trial.number if isinstance(trial, Trial) else int(trial)
        record = self._record.find(number)
        if record.state.is_finished():
            if skip_if_finished:
                return self._record.snapshot(number), ""
            raise ValueError(f"trial {number} has ended already: {record.state}")
        if state is not None and not (isinstance(state, TrialState) and state.is_finished()):
            raise ValueError(f"a trial ends as COMPLETE, PRUNED or FAIL: {state}")
        if record.state == TrialState.WAITING:
            raise ValueError(f"trial {number} is queued: ask() begins it")
        ends_as, found, trouble = self._outcome(record, values, state)
        return self._end(record, ends_as, found), trouble

    def _outcome(self, record: FrozenTrial, values: Any, state: Optional[TrialState]
                 ) -> Tuple[TrialState, Optional[List[float]], str]:
        """How a trial ends, with which values, and why it fails."""
        if state == TrialState.PRUNED:
            if values is not None:
                raise ValueError("a pruned trial has its last report as its value: leave "
                                 "values out")
            last = record.last_step
            value = math.nan if last is None else record.intermediate_values[last]
            return TrialState.PRUNED, None if math.isnan(value) else [value], ""
        if state == TrialState.FAIL:
            if values is not None:
                raise ValueError("a trial that failed has no values: leave them out")
            return TrialState.FAIL, None, ""
        found, trouble = self._checked_values(values)
        if found is not None:
            return TrialState.COMPLETE, found, ""
        if state == TrialState.COMPLETE:
            raise ValueError(f"trial {record.number}: {trouble}")
        return TrialState.FAIL, None, f"Trial {record.number} failed: {trouble}"

    def _checked_values(self, values: Any) -> Tuple[Optional[List[float]], str]:
        """The values as floats, or None and what is wrong with them."""
        given = plain(values)
        if given is None or isinstance(given, _NO_VALUES):
            return None, f"its value is no number: {given!r}"
        try:
            listed = list(given)
        except TypeError:
            listed = [given]
        if len(listed) != len(self._record.directions):
            return None, (f"it has {len(listed)} values, and the study "
                          f"{len(self._record.directions)} objectives")
        try:
            found = [float(each) for each in listed]
        except (TypeError, ValueError):
            return None, f"its value is no number: {values!r}"
        except OverflowError:
            return None, "its value is a number that no float can hold"
        if any(map(math.isnan, found)):
            return None, f"its value is NaN: {found}"
        return found, ""

    def _end(self, record: FrozenTrial, state: TrialState,
             values: Optional[List[float]]) -> FrozenTrial:
        ending = self._record.snapshot(record.number)
        ending.values = values
        try:
            self.sampler.after_trial(self, ending, state, values)
        finally:
            self._record.end(record.number, state, values)
        return self._record.snapshot(record.number)

    def optimize(self, func: Objective, n_trials: Optional[int] = None,
                 timeout: Optional[float] = None, n_jobs: int = 1,
                 catch: Union[Iterable[Type[Exception]], Type[Exception]] = (),
                 callbacks: Optional[Iterable[Callback]] = None,
                 gc_after_trial: bool = False, show_progress_bar: bool = False) -> None:
        """Runs trials: so many, for so many seconds, or until `stop` or Ctrl-C.

        `n_jobs` threads run them, -1 for one per processor. A trial whose objective
        raises one of `catch` fails alone; others end the call.
        """
        Run(self, func, n_trials, timeout, n_jobs, catch, list(callbacks or ()),
            gc_after_trial, show_progress_bar).run()

    def stop(self) -> None:
        """Has `optimize` end after the trials that run, in all threads that have called
        it. For objectives and callbacks."""
        if not self._runs.stop():
            raise RuntimeError("stop is called by an objective or a callback of optimize")

    def enqueue_trial(self, params: Dict[str, Any],
                      user_attrs: Optional[Dict[str, Any]] = None,
                      skip_if_exists: bool = False) -> None:
        """Queues a trial with fixed values; parameters that are left out are chosen."""
        if not isinstance(params, dict):
            raise TypeError(f"params is a dict of values by name: {params!r}")
        with self._record.changing():
            if skip_if_exists and any(
                    params in (each.params, each.system_attrs.get(FIXED))
                    for each in self._record.trials_now(deepcopy=False)):
                return
            self._record.add(create_trial(
                state=TrialState.WAITING, user_attrs=user_attrs,
                system_attrs={FIXED: dict(params)}))

    def add_trial(self, trial: FrozenTrial) -> None:
        """Adds a copy of a trial from elsewhere, such as one of `create_trial`."""
        check_trial(trial)
        if trial.values is not None and len(trial.values) != len(self._record.directions):
            raise ValueError(f"the trial has {len(trial.values)} values, and the study "
                             f"{len(self._record.directions)} objectives")
        self._record.add(trial)

    def add_trials(self, trials: Iterable[FrozenTrial]) -> None:
        """Adds copies of trials from elsewhere."""
        for each in trials:
            self.add_trial(each)

    def trials_dataframe(
            self, attrs: Tuple[str, ...] = (
                "number", "value", "datetime_start", "datetime_complete", "duration",
                "params", "user_attrs", "system_attrs", "state"),
            multi_index: bool = False) -> Any:
        """The trials as a table of pandas, with a column for each parameter."""
        return dataframe_of(self.get_trials(deepcopy=False), attrs, multi_index,
                            len(self._record.directions), self.metric_names)

    def __repr__(self) -> str:
        return f"<Study {self.study_name!r}: {len(self._record.trials_now(deepcopy=False))} trials>"

    def _needs_one(self, name: str, several: str) -> None:
        if len(self._record.directions) > 1:
            raise RuntimeError(f"{name} is of a study of one objective; this one has "
                               f"{several}")
