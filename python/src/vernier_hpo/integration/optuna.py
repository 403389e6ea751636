"""A sampler for studies of Optuna, which stay in their own storage.

    study = optuna.create_study(storage="sqlite:///studies.db", sampler=VernierSampler())
"""

from __future__ import annotations

import collections
import json
import logging
import math
import random
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.samplers import BaseSampler, TPESampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from .. import _codec
from .._codec import Codec
from .._conditional_space import ConditionalSpace, Conditions, Part
from .._engine import Json
from .._space import Value, whole
from .._suggester import Evaluated, Point, Suggester, Trials, study_of

_log = logging.getLogger("vernier_hpo")

_CONSTRAINTS = "constraints"  # Optuna's name of the attribute, and the prefix of others.
_MOST_ENGINES = 4


class VernierSampler(BaseSampler):  # type: ignore[misc]
    """Vernier's engine for the parameters that the completed trials have.

    They are suggested together, from the trials that the storage has, by a process
    `vernier suggest` on this machine; no service is needed. Those that only some trials
    have are conditional parameters for it, whose conditions the trials show. All others
    are sampled one by one by `independent_sampler`, a TPESampler if there is none given:
    those of the first trial, those that a branch of an objective brings for the first
    time, and those whose range or presence nothing explains. The same holds once every
    configuration of a finite space was tried.

    Pruned trials count with their last value, failed ones as places to keep away from.
    Constraints are those that trials set (`Trial.set_constraint`), or that
    `constraints_func` computes, as in Optuna's samplers: met by values up to 0. With a
    `seed` a study that runs one trial at a time is repeatable.
    """

    def __init__(self, *, seed: Optional[int] = None,
                 independent_sampler: Optional[BaseSampler] = None,
                 constraints_func: Optional[
                     Callable[[FrozenTrial], Sequence[float]]] = None,
                 prior_studies: Sequence[Study] = (),
                 search_space: Optional[Mapping[str, BaseDistribution]] = None) -> None:
        if seed is not None and not 0 <= whole("seed", seed) < 2 ** 63:
            raise ValueError(f"seed must be from 0 to 2^63 - 1: {seed}")
        self._seed = _any_seed() if seed is None else seed
        self._independent = independent_sampler or TPESampler(
            seed=None if seed is None else seed % 2 ** 32)
        self._constraints_func = constraints_func
        self._prior_studies = list(prior_studies)
        if any(len(each.directions) > 1 for each in self._prior_studies):
            raise ValueError("each of prior_studies must have one objective")
        self._search_space = dict(search_space or {})
        self._start_without_engines()

    def _start_without_engines(self) -> None:
        self._lock = threading.Lock()
        self._suggesters: "collections.OrderedDict[str, Suggester]" = (
            collections.OrderedDict())  # Guarded by the lock; oldest use first.

    def __getstate__(self) -> Dict[str, Any]:
        """All but the processes, which a copy starts for itself."""
        return {name: each for name, each in self.__dict__.items()
                if name not in ("_lock", "_suggesters")}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """A copy that has no processes yet."""
        self.__dict__.update(state)
        self._start_without_engines()

    def reseed_rng(self) -> None:
        """Has the independent sampler use other seeds, since several threads sample now.

        The engine keeps its own: the threads share it, and it gives each its point.
        """
        self._independent.reseed_rng()

    def infer_relative_search_space(self, study: Study,
                                    trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        """The parameters that completed trials have, each with one distribution, if it is
        known which trials have them; before there is a trial, those that were given."""
        trials = study.get_trials(deepcopy=False)
        if any(each.state == TrialState.COMPLETE for each in trials):
            return _learned_from(trials)
        return {name: each for name, each in self._search_space.items()
                if not each.single()}

    def sample_relative(self, study: Study, trial: FrozenTrial,
                        search_space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        """A point that the engine suggests, while it has one that was not tried."""
        if not search_space:
            return {}
        trials = study.get_trials(deepcopy=False)
        space = _OptunaSpace(search_space, trials)
        constraints = _names_of_constraints(trials)
        suggester = self._suggester_of(study, space, len(constraints))

        def look() -> Trials:
            ended: Dict[int, Evaluated] = {}
            running: Dict[int, Optional[Point]] = {}
            for each in study.get_trials(deepcopy=False):
                point = space.point_of(each)
                if each.state.is_finished() and point is not None:
                    ended[each.number] = Evaluated(point, _values_of(each, constraints))
                elif each.state == TrialState.RUNNING and each.number != trial.number:
                    running[each.number] = point
            return ended, running

        suggested = suggester.suggest(trial.number, look)
        if suggested is not None:
            return space.values_of(suggested)
        return {name: self.sample_independent(study, trial, name, each)
                for name, each in search_space.items()}

    def sample_independent(self, study: Study, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """A value from the independent sampler."""
        return self._independent.sample_independent(
            study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """The independent sampler's own preparation."""
        self._independent.before_trial(study, trial)

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState,
                    values: Optional[Sequence[float]]) -> None:
        """Keeps what `constraints_func` says of the trial where Optuna keeps it."""
        if self._constraints_func is not None and state in (TrialState.COMPLETE,
                                                            TrialState.PRUNED):
            found = [float(each) for each in self._constraints_func(trial)]
            if any(map(math.isnan, found)):
                raise ValueError(f"constraints_func returned a NaN: {found}")
            study._storage.set_trial_system_attr(trial._trial_id, _CONSTRAINTS, found)
        self._independent.after_trial(study, trial, state, values)

    def _suggester_of(self, study: Study, space: "_OptunaSpace",
                      num_constraints: int) -> Suggester:
        """The engine that knows the study; the least recently used ones are ended."""
        goals = ["maximize" if each == StudyDirection.MAXIMIZE else "minimize"
                 for each in study.directions]
        made_with = study_of(space.parameters(), goals, num_constraints, self._seed)
        key = json.dumps([study.study_name, made_with])
        unused: List[Suggester] = []
        with self._lock:
            found = self._suggesters.pop(key, None)
            if found is None:
                found = Suggester({**made_with, **self._priors_of(space, made_with)})
            self._suggesters[key] = found
            while len(self._suggesters) > _MOST_ENGINES:
                unused.append(self._suggesters.popitem(last=False)[1])
        for each in unused:
            each.close()
        return found

    def _priors_of(self, space: "_OptunaSpace", made_with: Json) -> Json:
        """The field of the engine for earlier studies; none if it has no use for them."""
        if not self._prior_studies:
            return {}
        if "objectives" in made_with:
            _log.warning("prior_studies are left out, since the study has several "
                         "objectives or constraints")
            return {}
        return {"priorStudies": [_prior_of(each, space) for each in self._prior_studies]}


class _OptunaSpace(ConditionalSpace):
    """A search space of Optuna's, of which trials show what depends on what."""

    def __init__(self, distributions: Mapping[str, BaseDistribution],
                 trials: Sequence[FrozenTrial]) -> None:
        self._distributions = dict(distributions)
        known = _trials_of(trials, distributions)
        order = dict.fromkeys(
            [*(name for each in known for name in each.distributions), *distributions])
        codecs = {name: _codec_of(distributions[name]) for name in order
                  if name in distributions}
        found = Conditions(known, codecs)
        complete = [each for each in known if each.state == TrialState.COMPLETE]
        self.lacking = [name for name in codecs
                        if any(name not in each.distributions for each in complete)]
        self.conditions = {name: found.of(name) for name in self.lacking}
        # Numbered in the order of their names, so that each process makes the same study.
        super().__init__(sorted(codecs), codecs, self.conditions)

    def point_of(self, trial: FrozenTrial) -> Optional[Point]:
        """A trial's point; None if it has not all parameters, or one out of range. What a
        completed trial lacks against its condition counts as the middle."""
        def encoded(name: str, part: Part) -> Optional[Value]:
            distribution = self._distributions[name]
            if name not in trial.params:
                is_known = part.condition and trial.state == TrialState.COMPLETE
                return part.codec.parameter.middle() if is_known else None
            if not _is_like(trial.distributions[name], distribution):
                return None
            value = trial.params[name]
            if not distribution._contains(distribution.to_internal_repr(value)):
                return None
            return part.codec.encode(value)

        return self._point(encoded)

    def shared_point_of(self, trial: FrozenTrial) -> Point:
        """What a trial of another study says of these parameters; values may lie out of
        their ranges."""
        point: Point = {}
        for name, part in self._parts.items():
            if name not in trial.params:
                continue
            try:
                point[part.ours] = part.codec.encode(trial.params[name])
            except (ValueError, TypeError):
                continue  # It is no choice here, or no number.
        return point


def _learned_from(trials: Sequence[FrozenTrial]) -> Dict[str, BaseDistribution]:
    """The distributions, by name, of the parameters that all completed trials have, or
    that some have for a reason which is known."""
    # Of a parameter that no completed trial has the pruned ones say what it is.
    declared = {**_declared_by(trials, TrialState.PRUNED),
                **_declared_by(trials, TrialState.COMPLETE)}
    names = {name: each[-1] for name, each in sorted(declared.items())
             if not each[-1].single() and all(one == each[-1] for one in each)}
    while True:
        space = _OptunaSpace(names, trials)
        unknown = [name for name in space.lacking if space.conditions[name] is None]
        if not unknown:
            return names
        # Without these, what is below one of them may be unknown, too.
        names = {name: each for name, each in names.items() if name not in unknown}


def _declared_by(trials: Sequence[FrozenTrial],
                 state: TrialState) -> Dict[str, List[BaseDistribution]]:
    """What the trials in this state have declared, by the parameters' names."""
    found: Dict[str, List[BaseDistribution]] = {}
    for trial in trials:
        if trial.state == state:
            for name, each in trial.distributions.items():
                found.setdefault(name, []).append(each)
    return found


def _trials_of(trials: Sequence[FrozenTrial],
               distributions: Mapping[str, BaseDistribution]) -> List[FrozenTrial]:
    """The completed and the pruned trials that have such distributions, if any."""
    return [each for each in trials
            if each.state in (TrialState.COMPLETE, TrialState.PRUNED)
            and all(name not in distributions or _is_like(one, distributions[name])
                    for name, one in each.distributions.items())]


def _prior_of(study: Study, space: _OptunaSpace) -> Json:
    """A study as an earlier one of the engine's."""
    trials: List[Json] = []
    for trial in study.get_trials(deepcopy=False):
        told: Json = {"parameters": space.shared_point_of(trial)}
        if trial.state == TrialState.FAIL:
            told["infeasible"] = True
        elif trial.state == TrialState.COMPLETE and math.isfinite(trial.value):
            told["value"] = float(trial.value)
        else:
            continue
        if told["parameters"]:
            trials.append(told)
    goal = "MAXIMIZE" if study.direction == StudyDirection.MAXIMIZE else "MINIMIZE"
    return {"name": study.study_name, "goal": goal, "trials": trials}


def _is_like(one: BaseDistribution, other: BaseDistribution) -> bool:
    """Whether a value of one may be one of the other: ranges may change, choices not."""
    if isinstance(one, CategoricalDistribution):
        return bool(one == other)
    return type(one) is type(other)


def _codec_of(distribution: BaseDistribution) -> Codec:
    if isinstance(distribution, CategoricalDistribution):
        return _codec.choices(distribution.choices,
                              lambda value: int(distribution.to_internal_repr(value)))
    # Optuna has lowered the upper bound to a whole number of steps.
    return _codec.numbers(distribution.low, distribution.high, distribution.step,
                          distribution.log, isinstance(distribution, IntDistribution))


def _constraints_of(trial: FrozenTrial) -> Dict[str, float]:
    """By name: those of a list, as in Optuna 4, by their index."""
    attributes = trial.system_attrs
    found = {str(i): each for i, each in enumerate(attributes.get(_CONSTRAINTS) or ())}
    prefix = _CONSTRAINTS + ":"
    found.update((key[len(prefix):], value) for key, value in attributes.items()
                 if key.startswith(prefix))
    return found


def _names_of_constraints(trials: Sequence[FrozenTrial]) -> List[str]:
    return sorted({name for trial in trials if trial.state.is_finished()
                   for name in _constraints_of(trial)})


def _values_of(trial: FrozenTrial, constraints: Sequence[str]) -> Optional[List[float]]:
    """The objectives, then the constraints; one that is not set is met, as in Optuna."""
    if trial.state == TrialState.COMPLETE:
        values = list(trial.values)
    elif trial.state == TrialState.PRUNED and trial.last_step is not None:
        values = [trial.intermediate_values[trial.last_step]]  # There is one objective.
    else:
        return None
    found = _constraints_of(trial)
    return values + [float(found.get(name, 0.0)) for name in constraints]


def _any_seed() -> int:
    return random.SystemRandom().randrange(2 ** 63)
