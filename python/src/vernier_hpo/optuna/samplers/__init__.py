"""Samplers. Those of Optuna's that search are names for the engine of this package.

`RandomSampler`, `QMCSampler`, `GridSampler` and `PartialFixedSampler` do what their
names say; a class of your own that derives from `BaseSampler` is asked as in Optuna.
"""

from __future__ import annotations

import copy
import itertools
import math
import random
import threading
import warnings
import weakref
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from ..._binary import find_binary
from ..._space import plain, whole
from ...errors import IgnoredArgumentWarning
from .. import logging as _logging
from .._base_trial import CONSTRAINTS
from .._frozen_trial import FIXED, FrozenTrial
from .._given_value import given_value
from .._learned_space import codec_of
from .._not_served import not_served
from .._record import StudyRecord
from .._search import Search
from .._states import TrialState
from ..distributions import (BaseDistribution, CategoricalDistribution, FloatDistribution,
                            IntDistribution, is_same)
from ..exceptions import NotServedError
from . import nsgaii
from ._value_tree import ValueTree, below, values_of

_GRID_ID = "grid_id"  # Optuna's names of a trial's attributes.
_GRID = "search_space"
_log = _logging.get_logger("optuna")


class BaseSampler:
    """How a study chooses values: derive from it to choose them yourself."""

    def infer_relative_search_space(self, study: Any,
                                    trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        """The parameters that `sample_relative` is to choose together: none."""
        return {}

    def sample_relative(self, study: Any, trial: FrozenTrial,
                        search_space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        """Values of these parameters: none. Asked once, before the first of a trial."""
        return {}

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """The value of a parameter that `sample_relative` left out."""
        raise NotImplementedError

    def reseed_rng(self) -> None:
        """Draws other numbers from here on."""

    def before_trial(self, study: Any, trial: FrozenTrial) -> None:
        """Called when a trial begins."""

    def after_trial(self, study: Any, trial: FrozenTrial, state: TrialState,
                    values: Optional[Sequence[float]]) -> None:
        """Called before a trial ends."""

    def _near(self, value: Any, distribution: BaseDistribution) -> Any:
        """What to take for a value that a trial's range excludes; None: any other."""
        return None

    def __str__(self) -> str:
        return type(self).__name__


class RandomSampler(BaseSampler):
    """Draws each value uniformly on its scale."""

    def __init__(self, seed: Optional[int] = None) -> None:
        self._seed = seed
        self._rng = random.Random(plain(seed))

    def reseed_rng(self) -> None:
        """Draws other numbers from here on."""
        self._rng.seed()

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """A value that is drawn."""
        return draw(param_distribution, self._rng)


class EngineSampler(BaseSampler):
    """The engine of this package, for all parameters that the trials have declared."""

    _algorithm: Optional[str] = None

    def __init__(self, *, seed: Optional[int] = None,
                 constraints_func: Optional[
                     Callable[[FrozenTrial], Sequence[float]]] = None) -> None:
        if seed is not None and not 0 <= whole("seed", seed) < 2 ** 63:
            raise ValueError(f"seed must be from 0 to 2^63 - 1: {seed}")
        find_binary()  # An engine that is not there is named now, not by the first trial.
        self._seed = random.SystemRandom().randrange(2 ** 63) if seed is None else int(seed)
        self._constraints_func = constraints_func
        self._rng = random.Random(self._seed)
        self._start_without_engines()

    def _start_without_engines(self) -> None:
        self._lock = threading.Lock()
        self._searches: "weakref.WeakKeyDictionary[StudyRecord, Search]" = (
            weakref.WeakKeyDictionary())  # Guarded by the lock, as are the names begun.
        self._begun: "weakref.WeakKeyDictionary[StudyRecord, Set[str]]" = (
            weakref.WeakKeyDictionary())

    def __getstate__(self) -> Dict[str, Any]:
        """All but the processes, which a copy starts for itself."""
        return {name: each for name, each in self.__dict__.items()
                if name not in ("_lock", "_searches", "_begun")}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """A copy that has no processes yet."""
        self.__dict__.update(state)
        self._start_without_engines()

    def infer_relative_search_space(self, study: Any,
                                    trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        """None: what the engine suggests follows from all that trials have declared."""
        return {}

    def sample_relative(self, study: Any, trial: FrozenTrial,
                        search_space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        """What the engine suggests."""
        with self._lock:
            search = self._searches.get(study._record)
            if search is None:
                search = Search(self._algorithm, self._seed)
                self._searches[study._record] = search
        return search.suggest(study._record, trial.number)

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """A value for what the engine does not know yet: the middle of the range in the
        first trial that declares the parameter, as the engine begins, too; then a drawn
        one."""
        if self._begins(study._record, param_name):
            codec = codec_of(param_distribution)
            return codec.decode(codec.parameter.middle())
        return draw(param_distribution, self._rng)

    def _near(self, value: Any, distribution: BaseDistribution) -> Any:
        """The nearest end of the range for every other value, at random: the best may
        lie there, or the objective may have come to another range for good."""
        if isinstance(distribution, CategoricalDistribution) or self._rng.random() < 0.5:
            return None
        assert isinstance(distribution, (FloatDistribution, IntDistribution))
        if distribution.low <= value <= distribution.high:
            return None  # It lies between two steps.
        return distribution.low if value < distribution.low else distribution.high

    def _begins(self, record: StudyRecord, name: str) -> bool:
        """Whether no trial has had the parameter, nor is being given a value of it."""
        known = any(name in each.distributions for each in record.trials_now(deepcopy=False))
        with self._lock:
            begun = self._begun.setdefault(record, set())
            is_new = not known and name not in begun
            begun.add(name)
        return is_new

    def after_trial(self, study: Any, trial: FrozenTrial, state: TrialState,
                    values: Optional[Sequence[float]]) -> None:
        """Keeps what `constraints_func` says of the trial."""
        if self._constraints_func is None or state not in (TrialState.COMPLETE,
                                                           TrialState.PRUNED):
            return
        found = [float(each) for each in self._constraints_func(trial)]
        if any(map(math.isnan, found)):
            raise ValueError(f"constraints_func returned a NaN: {found}")
        study._record.set_attr(trial.number, "system", CONSTRAINTS, found)


class _NamedEngine(EngineSampler):
    """A sampler of Optuna's that is the engine here, with the settings that it takes
    and that mean nothing here."""

    _settings: Sequence[str] = ()

    def __init__(self, *args: Any, seed: Optional[int] = None,
                 constraints_func: Optional[
                     Callable[[FrozenTrial], Sequence[float]]] = None,
                 **settings: Any) -> None:
        super().__init__(seed=seed, constraints_func=constraints_func)
        name = type(self).__name__
        unknown = sorted(set(settings) - set(self._settings))
        if unknown:
            raise TypeError(f"{name} has no {', '.join(unknown)}")
        if settings.get("source_trials"):
            raise NotServedError(f"{name}(source_trials=...) is not served: "
                                 f"study.add_trials(trials) shows them to the engine")
        _say_once(name, [*settings, *map(repr, args)])


_said: Set[str] = set()


def _say_once(name: str, settings: Sequence[str]) -> None:
    ignored = f"; {', '.join(settings)} mean nothing to it" if settings else ""
    if name + ignored in _said:
        return
    _said.add(name + ignored)
    warnings.warn(f"{name}: Vernier's engine searches in its place{ignored}",
                  IgnoredArgumentWarning, stacklevel=3)


class TPESampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("consider_prior", "prior_weight", "consider_magic_clip",
                 "consider_endpoints", "n_startup_trials", "n_ei_candidates", "gamma",
                 "weights", "multivariate", "group", "warn_independent_sampling",
                 "constant_liar", "categorical_distance_func")

    @staticmethod
    def hyperopt_parameters() -> Dict[str, Any]:
        """No settings: the engine needs none."""
        return {}


class GPSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("independent_sampler", "n_startup_trials", "deterministic_objective",
                 "warn_independent_sampling")


class CmaEsSampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("x0", "sigma0", "n_startup_trials", "independent_sampler",
                 "warn_independent_sampling", "consider_pruned_trials", "restart_strategy",
                 "popsize", "inc_popsize", "use_separable_cma", "with_margin", "lr_adapt",
                 "source_trials")


class NSGAIISampler(_NamedEngine):
    """The engine of this package."""

    _settings = ("population_size", "mutation_prob", "crossover", "crossover_prob",
                 "swapping_prob", "elite_population_selection_strategy",
                 "after_trial_strategy", "child_generation_strategy", "mutation")


class NSGAIIISampler(_NamedEngine):
    """The engine of this package."""

    _settings = (*NSGAIISampler._settings, "reference_points", "dividing_parameter")


class QMCSampler(EngineSampler):
    """The engine's quasi-random points, which do not follow from the values."""

    _algorithm = "QUASI_RANDOM_SEARCH"

    def __init__(self, *, qmc_type: str = "sobol", scramble: bool = False,
                 seed: Optional[int] = None,
                 independent_sampler: Optional[BaseSampler] = None,
                 warn_asynchronous_seeding: bool = True,
                 warn_independent_sampling: bool = True) -> None:
        super().__init__(seed=seed)
        if qmc_type not in ("sobol", "halton"):
            raise ValueError(f"qmc_type is 'sobol' or 'halton': {qmc_type!r}")


class GridSampler(BaseSampler):
    """Every combination of some values once, in an order that the seed says; the study
    ends with the last one.

    A combination counts once a trial of the same grid has ended with it, so that it is
    tried again where a program was killed. Another grid, be it a larger one, begins anew.
    """

    def __init__(self, search_space: Mapping[str, Sequence[Any]],
                 seed: Optional[int] = None) -> None:
        self._grid = {name: list(values) for name, values in sorted(search_space.items())}
        self._points = list(itertools.product(*self._grid.values()))
        self._order = list(range(len(self._points)))  # The seed changes no point's number.
        random.Random(0 if seed is None else plain(seed)).shuffle(self._order)

    def before_trial(self, study: Any, trial: FrozenTrial) -> None:
        """Gives the trial the next combination, unless its values were queued."""
        if not self._points:
            raise ValueError(f"the grid has no combination: {self._grid}")
        if _GRID_ID in trial.system_attrs or FIXED in trial.system_attrs:
            return
        with study._record.changing():
            left, running = self._left(study)
            chosen = next((each for each in left if each not in running), None)
            if chosen is None:  # One that another trial has, or had until it was killed.
                if not left:
                    _log.warning("trial %d repeats a combination: the grid is exhausted",
                                 trial.number)
                several = left or self._order
                chosen = several[trial.number % len(several)]
            study._record.set_attr(trial.number, "system", _GRID, self._grid)
            study._record.set_attr(trial.number, "system", _GRID_ID, chosen)

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """The value of the combination. ValueError for a parameter that the grid has not,
        and for one that a queued trial leaves out."""
        if _GRID_ID not in trial.system_attrs:
            raise ValueError(f"All parameters must be specified when using GridSampler with "
                             f"enqueue_trial: {param_name!r} is not")
        if param_name not in self._grid:
            raise ValueError(f"the grid has no parameter {param_name!r}, but "
                             f"{', '.join(self._grid)}")
        point = dict(zip(self._grid, self._points[trial.system_attrs[_GRID_ID]]))
        return given_value(param_name, point[param_name], param_distribution, stacklevel=6)

    def after_trial(self, study: Any, trial: FrozenTrial, state: TrialState,
                    values: Optional[Sequence[float]]) -> None:
        """Ends the study after the last combination."""
        if set(self._left(study)[0]) <= {trial.system_attrs.get(_GRID_ID)}:
            study._runs.stop()

    def is_exhausted(self, study: Any) -> bool:
        """Whether every combination has been tried."""
        return not self._left(study)[0]

    def _left(self, study: Any) -> Tuple[List[int], Set[int]]:
        """The combinations that no trial has ended with, and those that trials have now."""
        mine = [each for each in study._record.trials_now(deepcopy=False)
                if _GRID_ID in each.system_attrs and self._is_mine(each.system_attrs.get(_GRID))]
        ended = {each.system_attrs[_GRID_ID] for each in mine if each.state.is_finished()}
        running = {each.system_attrs[_GRID_ID] for each in mine
                   if each.state == TrialState.RUNNING}
        return [each for each in self._order if each not in ended], running

    def _is_mine(self, grid: Any) -> bool:
        return grid is self._grid or grid == self._grid or is_same(grid, self._grid)


class PartialFixedSampler(BaseSampler):
    """Another sampler, with some parameters fixed."""

    def __init__(self, fixed_params: Mapping[str, Any], base_sampler: BaseSampler) -> None:
        self._fixed = dict(fixed_params)
        self._base = base_sampler

    def reseed_rng(self) -> None:
        """The other sampler's."""
        self._base.reseed_rng()

    def infer_relative_search_space(self, study: Any,
                                    trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        """The other sampler's, without the parameters that are fixed."""
        found = self._base.infer_relative_search_space(study, trial)
        return {name: each for name, each in found.items() if name not in self._fixed}

    def sample_relative(self, study: Any, trial: FrozenTrial,
                        search_space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        """The other sampler's, and the fixed values."""
        return {**self._base.sample_relative(study, trial, search_space), **self._fixed}

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """The other sampler's, or a fixed value, which is taken with a warning if it is out
        of its range."""
        if param_name in self._fixed:
            return given_value(param_name, self._fixed[param_name], param_distribution,
                               stacklevel=6)
        return self._base.sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Any, trial: FrozenTrial) -> None:
        """The other sampler's."""
        self._base.before_trial(study, trial)

    def after_trial(self, study: Any, trial: FrozenTrial, state: TrialState,
                    values: Optional[Sequence[float]]) -> None:
        """The other sampler's."""
        self._base.after_trial(study, trial, state, values)


class BruteForceSampler(BaseSampler):
    """Every combination of the values that the objective asks for, which may depend on
    the values before; the study ends with the last one. Floats need a step.

    With `avoid_premature_stop=True` the study goes on while a trial runs that may ask
    for more; it may then repeat a combination.
    """

    def __init__(self, seed: Optional[int] = None, avoid_premature_stop: bool = False) -> None:
        self._rng = random.Random(plain(seed))
        self._waits = avoid_premature_stop

    def reseed_rng(self) -> None:
        """Draws another order from here on."""
        self._rng.seed()

    def sample_independent(self, study: Any, trial: FrozenTrial, param_name: str,
                           param_distribution: BaseDistribution) -> Any:
        """A value that has a combination left, if there is one. ValueError for a float
        without a step."""
        every = values_of(param_distribution)
        tree = below(_begun(study), trial)
        left = (tree.left(param_name, param_distribution, counts_running=True)
                or tree.left(param_name, param_distribution, counts_running=False))
        return self._rng.choice(left or every)

    def after_trial(self, study: Any, trial: FrozenTrial, state: TrialState,
                    values: Optional[Sequence[float]]) -> None:
        """Ends the study after the last combination."""
        ended = copy.copy(trial)
        ended.state = state
        others = [each for each in _begun(study) if each.number != trial.number]
        if ValueTree([*others, ended]).is_done(counts_running=not self._waits):
            study._runs.stop()


def _begun(study: Any) -> List[FrozenTrial]:
    return [each for each in study._record.trials_now(deepcopy=False)
            if each.state != TrialState.WAITING]


def draw(distribution: BaseDistribution, rng: random.Random) -> Any:
    """A value that is drawn uniformly on its scale."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[rng.randrange(len(distribution.choices))]
    assert isinstance(distribution, (FloatDistribution, IntDistribution))
    low, high, step = distribution.low, distribution.high, distribution.step
    if distribution.log and isinstance(distribution, IntDistribution):
        # Each number has its share of the scale, those at the ends like the others.
        exponent = rng.uniform(math.log(low - 0.5), math.log(high + 0.5))
        return min(max(round(math.exp(exponent)), low), high)
    if distribution.log:
        return min(max(math.exp(rng.uniform(math.log(low), math.log(high))), low), high)
    if isinstance(distribution, IntDistribution):
        return rng.randrange(distribution.low, distribution.high + 1, distribution.step)
    if step is not None:
        return min(low + rng.randrange(round((high - low) / step) + 1) * step, high)
    return rng.uniform(low, high)


def __getattr__(name: str) -> Any:
    raise not_served(name, f"samplers.{name} is not served: without a sampler a study is "
                           f"searched by Vernier's engine, which needs no settings")


__all__ = ["BaseSampler", "BruteForceSampler", "CmaEsSampler", "EngineSampler", "GPSampler",
           "GridSampler", "NSGAIIISampler", "NSGAIISampler", "PartialFixedSampler",
           "QMCSampler", "RandomSampler", "TPESampler", "nsgaii"]
