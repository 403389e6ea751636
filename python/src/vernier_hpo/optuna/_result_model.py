"""What the engine's model says of the results of trials: importances and contours."""

from __future__ import annotations

import dataclasses
from types import TracebackType
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type

from .._engine import Engine, Json
from .._space import Categorical
from .._suggester import study_of
from ..errors import InvalidArgumentError
from . import logging as _logging
from ._frozen_trial import FrozenTrial
from ._learned_space import LearnedSpace

_MOST_CONTOURS = 6  # Of one question.

Pair = Tuple[str, str]
_log = _logging.get_logger("optuna")


@dataclasses.dataclass(frozen=True)
class Surface:
    """What is expected over two parameters: `mean[j][i]` at `x[i]` and `y[j]`."""

    x: Sequence[Any]
    y: Sequence[Any]
    mean: Sequence[Sequence[float]]


class ResultModel:
    """The model of one value of each trial, over what the trials have declared.

    Its process ends with the block that it is used in. Not thread-safe.
    """

    def __init__(self, trials: Sequence[FrozenTrial], values: Sequence[float],
                 goal: str) -> None:
        """`values` are finite and in the trials' order; `goal` is one of study_of."""
        self._space = LearnedSpace(trials)
        self._engine: Optional[Engine] = None
        if not len(self._space):
            return
        self._engine = Engine(study_of(self._space.parameters(), [goal], 0, 0))
        for trial, value in zip(trials, values):
            self._add(self._engine, trial, value)

    def _add(self, engine: Engine, trial: FrozenTrial, value: float) -> None:
        point = self._space.point_of(trial.params)
        if point is None:
            return
        try:
            engine.call("add", parameters=point, value=value)
        except InvalidArgumentError as error:
            _log.warning("trial %d is left out of the model: %s", trial.number, error)

    def __enter__(self) -> ResultModel:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._engine is not None:
            self._engine.close()

    def _ask(self, pairs: Sequence[Sequence[str]]) -> Json:
        """The engine's insights; {}, with a line in the log, if there is no model yet."""
        if self._engine is None:
            return {}
        found = self._engine.call("insights", contours=list(pairs))
        if found.get("hasModel", False):
            return found
        _log.warning("there is no model of the results: %s", found.get("reason", ""))
        return {}

    def shares(self, names: Sequence[str]) -> Dict[str, float]:
        """The share of the variation that each parameter explains by itself; 0 for all
        while there is no model, and for one that is not searched."""
        found = {each["parameter"]: float(each.get("share", 0.0))
                 for each in self._ask([]).get("importance", [])}
        parts = {name: self._space.part(name) for name in names}
        return {name: 0.0 if part is None else found.get(part.ours, 0.0)
                for name, part in parts.items()}

    def surfaces(self, pairs: Sequence[Pair]) -> Dict[Pair, Surface]:
        """What is expected over pairs of parameters, of those pairs that vary and that
        trials have together."""
        ours: Dict[Tuple[str, str], Pair] = {}
        for pair in pairs:
            first, second = (self._space.part(name) for name in pair)
            if first is not None and second is not None:
                ours[first.ours, second.ours] = pair
        surfaces: Dict[Pair, Surface] = {}
        asked = list(ours)
        for start in range(0, len(asked), _MOST_CONTOURS):
            answer = self._ask(asked[start:start + _MOST_CONTOURS])
            for each in answer.get("contours", []):
                pair = ours[each["first"], each["second"]]
                surfaces[pair] = self._surface(pair, each)
        return surfaces

    def _surface(self, pair: Pair, contour: Json) -> Surface:
        x = self._decoded(pair[0], contour["x"], contour.get("xLabels", []))
        y = self._decoded(pair[1], contour["y"], contour.get("yLabels", []))
        mean = contour["mean"]
        return Surface(x, y, [mean[j * len(x):(j + 1) * len(x)] for j in range(len(y))])

    def _decoded(self, name: str, positions: Sequence[float],
                 labels: Sequence[str]) -> List[Any]:
        part = self._space.part(name)
        assert part is not None
        if isinstance(part.codec.parameter, Categorical):
            return [part.codec.decode(label) for label in labels]
        return [part.codec.decode(position) for position in positions]
