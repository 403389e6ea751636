"""A search algorithm for Ray Tune.

    tune.TuneConfig(metric="loss", mode="min", search_alg=VernierSearch())
"""

from __future__ import annotations

import os
import random
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ray import cloudpickle
from ray.tune.search import Searcher

from .._job_space import params_of
from .._space import whole
from .._suggester import Evaluated, Point, Suggester, study_of
from ._ray_space import RaySpace

_FORMAT = 1  # Of what `save` writes.


class VernierSearch(Searcher):  # type: ignore[misc]
    """Vernier's engine as a searcher: a process `vernier suggest` beside Ray's own; no
    service is needed.

    The space is the Tuner's `param_space`, or `space`: a dict of Ray's domains or of
    this package's parameters. `points_to_evaluate` are the first trials' configs.
    `metric` and `mode` are the TuneConfig's, or given here; lists of them search for
    the front of several metrics. With a `seed` a run of one trial at a time is
    repeatable.

    A trial counts with its last result, also if a scheduler has stopped it. One that
    fails is a place to keep away from. It is saved and restored with the experiment,
    so that `Tuner.restore` goes on with all that was learnt.
    """

    _metric: Union[str, List[str], None]
    _mode: Union[str, List[str], None]

    def __init__(self, space: Optional[Mapping[str, Any]] = None,
                 metric: Union[str, List[str], None] = None,
                 mode: Union[str, List[str], None] = None,
                 points_to_evaluate: Optional[Sequence[Mapping[str, Any]]] = None,
                 seed: Optional[int] = None) -> None:
        super().__init__(metric=metric, mode=mode)
        if seed is not None and not 0 <= whole("seed", seed) < 2 ** 63:
            raise ValueError(f"seed must be from 0 to 2^63 - 1: {seed}")
        self._seed = random.SystemRandom().randrange(2 ** 63) if seed is None else seed
        self._first = [dict(each) for each in points_to_evaluate or []]
        self._num_first = 0  # Of the first points, those that were handed out.
        self._points: Dict[str, Point] = {}
        self._ends: Dict[str, Evaluated] = {}
        self._last: Dict[str, List[float]] = {}  # What running trials have reported last.
        self._space: Optional[RaySpace] = None
        self._suggester: Optional[Suggester] = None
        self._saved_params: Optional[List[Dict[str, Any]]] = None
        self._has_own_space = bool(space)
        if "obs" in _listed(mode):
            raise ValueError('a mode is "min" or "max": "obs" is no goal')
        if space:
            self._space = RaySpace(space)
            self._check_first_points()

    def __getstate__(self) -> Dict[str, Any]:
        """All but the process, which a copy starts for itself."""
        return {**self.__dict__, "_suggester": None}

    def set_search_properties(self, metric: Optional[str], mode: Optional[str],
                              config: Dict[str, Any], **spec: Any) -> bool:
        """Takes what the Tuner has; False if it has a space as well as this searcher."""
        found = RaySpace(config)
        if found.parameters():
            if self._has_own_space:
                return False
            if any(getattr(each, "when", None) for each in found.parameters().values()):
                raise ValueError("a space with conditions is given to VernierSearch(space), "
                                 "and not as param_space")
            self._space = found
            self._check_first_points()
        self._metric = metric or self._metric
        self._mode = mode or self._mode
        return True

    def suggest(self, trial_id: str) -> Union[Dict[str, Any], str]:
        """The config of a trial, the same one if it is asked for again; FINISHED once
        every configuration of a finite space was tried."""
        space, suggester = self._ready()
        if trial_id not in self._points:
            if self._num_first < len(self._first):
                point: Optional[Point] = space.point_of(self._first[self._num_first])
                self._num_first += 1
            else:
                running = {key: each for key, each in self._points.items()
                           if key not in self._ends}
                point = suggester.suggest(trial_id, lambda: (self._ends, running))
            if point is None:
                return str(Searcher.FINISHED)
            self._points[trial_id] = point
        return space.config_of(self._points[trial_id])

    def on_trial_result(self, trial_id: str, result: Dict[str, Any]) -> None:
        """Keeps the values, in case that the trial ends without any."""
        values = self._values_of(result)
        if values is not None:
            self._last[trial_id] = values

    def on_trial_complete(self, trial_id: str, result: Optional[Dict[str, Any]] = None,
                          error: bool = False) -> None:
        """What came of a trial: the later word counts, as of one that is run again.

        One that ends without a result and without an error was not evaluated, and is
        forgotten.
        """
        point = self._points.get(trial_id) or self._point_of_stranger(result)
        last = self._last.pop(trial_id, None)
        values = self._values_of(result or {}) or last
        if point is None or (values is None and not error):
            self._points.pop(trial_id, None)
            return
        self._points[trial_id] = point
        self._ends[trial_id] = Evaluated(point, None if error else values)

    def add_evaluated_point(self, parameters: Dict[str, Any], value: float,
                            error: bool = False, pruned: bool = False,
                            intermediate_values: Optional[List[float]] = None) -> None:
        """A trial from elsewhere, by its config."""
        space, _ = self._ready()
        key = f"added {len(self._ends)}"
        self._points[key] = space.point_of(parameters)
        self._ends[key] = Evaluated(self._points[key], None if error else [float(value)])

    def save(self, checkpoint_path: str) -> None:
        """Writes what was learnt, and the space, which Ray does not give again. The
        file is a pickle, since Ray's domains may hold any object. It is replaced at
        once or not at all."""
        state = {"format": _FORMAT, "seed": self._seed, "space": self._space,
                 "metric": self._metric, "mode": self._mode, "first": self._first,
                 "num_first": self._num_first, "points": self._points, "last": self._last,
                 "ends": {key: each.values for key, each in self._ends.items()}}
        written = f"{checkpoint_path}.{os.getpid()}.tmp"
        with open(written, "wb") as file:
            cloudpickle.dump(state, file)
        os.replace(written, checkpoint_path)

    def restore(self, checkpoint_path: str) -> None:
        """Goes on with what `save` wrote, and with its space, unless this searcher has
        been given one. ValueError if the file is of another form."""
        with open(checkpoint_path, "rb") as file:
            state = cloudpickle.load(file)
        found = state.get("format") if isinstance(state, dict) else None
        if found != _FORMAT:
            raise ValueError(f"{checkpoint_path} is not of VernierSearch in this release: "
                             f"its format is {found!r}, not {_FORMAT}")
        self._seed, self._first = state["seed"], state["first"]
        self._num_first = state["num_first"]
        self._points, self._last = state["points"], state["last"]
        self._ends = {key: Evaluated(self._points[key], values)
                      for key, values in state["ends"].items()}
        saved: Optional[RaySpace] = state["space"]
        self._saved_params = None if saved is None else params_of(saved.parameters())
        self._space = self._space or saved
        self._metric = self._metric or state["metric"]
        self._mode = self._mode or state["mode"]
        self._suggester = None

    def _ready(self) -> Tuple[RaySpace, Suggester]:
        """The space, and the engine for it. ValueError if something was not said."""
        if self._space is None or not self._space.parameters():
            raise ValueError("there is no space to search: give Tuner(param_space=...) "
                             "domains of tune, or VernierSearch a space")
        if not self._metric or not self._mode:
            raise ValueError(f"metric and mode are needed: {self._metric!r}, "
                             f"{self._mode!r}; a Tuner without param_space does not hand on "
                             f"its own, so give them to VernierSearch")
        params = params_of(self._space.parameters())
        if self._saved_params not in (None, params):
            raise ValueError("the space is not the one with which this search was saved: "
                             f"{params}, and not {self._saved_params}")
        if self._suggester is None:
            goals = ["minimize" if each == "min" else "maximize"
                     for each in _listed(self._mode)]
            self._suggester = Suggester(study_of(
                self._space.parameters(), goals, 0, self._seed))
        return self._space, self._suggester

    def _check_first_points(self) -> None:
        assert self._space is not None
        for each in self._first:
            self._space.point_of(each)

    def _values_of(self, result: Mapping[str, Any]) -> Optional[List[float]]:
        names = _listed(self._metric)
        if not names or any(result.get(name) is None for name in names):
            return None
        return [float(result[name]) for name in names]

    def _point_of_stranger(self, result: Optional[Mapping[str, Any]]) -> Optional[Point]:
        """Of a trial that was started after what was restored had been saved."""
        if self._space is None or not result or not isinstance(result.get("config"), dict):
            return None
        try:
            return self._space.point_of(result["config"])
        except ValueError:
            return None


def _listed(given: Union[str, List[str], None]) -> List[str]:
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)
