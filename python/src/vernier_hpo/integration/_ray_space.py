"""Search spaces of Ray Tune, with their nested dicts, as parameters of the engine."""

from __future__ import annotations

import copy
from typing import Any, Dict, List, Mapping, Tuple

from ray.tune.search.sample import (Categorical, Domain, Float, Function, Integer, LogUniform,
                                    Normal, Quantized, Uniform)

from .. import _codec, _space
from .._codec import Codec
from .._study_config import value_of
from .._suggester import Point

_Path = Tuple[str, ...]


class RaySpace:
    """A space of Ray's domains, or of this package's parameters; constants may be among
    them. ValueError for what the engine cannot search.

    The engine's names for domains are p0, p1, ..., since it allows fewer names. A
    parameter of this package keeps its own, which conditions mention.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self._parts: Dict[str, Tuple[_Path, Codec]] = {}
        for path, leaf in _leaves(given, ()):
            self._add(path, leaf)
        if self._parts:
            _space.check_space(self.parameters())

    def __reduce__(self) -> Tuple[Any, ...]:
        """Copies are made anew of what was given: functions of codecs are not sent."""
        return RaySpace, (self._given,)

    def _add(self, path: _Path, leaf: Any) -> None:
        if isinstance(leaf, _space.Parameter):
            if len(path) > 1 and getattr(leaf, "when", None):
                raise ValueError(f"{'/'.join(path)}: a parameter with a condition stands "
                                 f"at the top of the space")
            self._parts["/".join(path)] = path, _codec_of_ours(leaf)
        elif isinstance(leaf, Domain):
            self._parts[f"p{len(self._parts)}"] = path, _codec_of(path, leaf)

    def parameters(self) -> Dict[str, _space.Parameter]:
        """The engine's parameters by name."""
        return {name: codec.parameter for name, (_, codec) in self._parts.items()}

    def config_of(self, point: Point) -> Dict[str, Any]:
        """A point as the nested dict that a trial gets, with the constants.

        Every domain has a value, since Ray would hand one that is left out to the
        trial as it is. What does not exist at this point is left out.
        """
        config = _copied(self._given)
        for name, (path, codec) in self._parts.items():
            place = config
            for key in path[:-1]:
                place = place[key]
            if name in point:
                place[path[-1]] = codec.decode(point[name])
            else:
                del place[path[-1]]
        return config

    def point_of(self, config: Mapping[str, Any]) -> Point:
        """The point of a trial with this nested or flat ("a/b") dict. ValueError."""
        point: Point = {}
        for name, (path, codec) in self._parts.items():
            found, value = _value_at(config, path)
            if found:
                try:
                    point[name] = codec.encode(value)
                except (TypeError, ValueError) as error:
                    raise ValueError(f"{'/'.join(path)} cannot be {value!r}") from error
        try:
            return _space.complete_point(self.parameters(), point)
        except ValueError as error:
            names = {name: "/".join(path) for name, (path, _) in self._parts.items()}
            raise ValueError(f"a point does not fit the space ({names}): {error}") from None


def _copied(given: Mapping[str, Any]) -> Dict[str, Any]:
    return {key: _copied(each) if isinstance(each, Mapping) else copy.deepcopy(each)
            for key, each in given.items()}


def _leaves(given: Mapping[str, Any], above: _Path) -> List[Tuple[_Path, Any]]:
    found: List[Tuple[_Path, Any]] = []
    for key, each in given.items():
        path = (*above, key)
        if not isinstance(each, Mapping):
            found.append((path, each))
        elif set(each) == {"grid_search"}:
            raise ValueError(
                f"{'/'.join(path)}: grid_search tries every value by itself, beside any "
                f"searcher; use tune.choice, which VernierSearch can choose from")
        else:
            found += _leaves(each, path)
    return found


def _value_at(config: Mapping[str, Any], path: _Path) -> Tuple[bool, Any]:
    if "/".join(path) in config:
        return True, config["/".join(path)]
    place: Any = config
    for key in path:
        if not isinstance(place, Mapping) or key not in place:
            return False, None
        place = place[key]
    return True, place


def _codec_of_ours(parameter: _space.Parameter) -> Codec:
    def decode(given: Any) -> Any:
        return value_of({"": parameter}, "", given)

    if isinstance(parameter, _space.Categorical):
        return Codec(parameter, parameter.text_of, decode)
    return Codec(parameter, _space.plain, decode)


def _codec_of(path: _Path, domain: Domain) -> Codec:
    name = "/".join(path)
    if isinstance(domain, Function):
        raise ValueError(f"{name}: sample_from computes a value that no searcher can choose; "
                         f"compute it in the trainable, from the values of the others")
    sampler, step = domain.get_sampler(), None
    if isinstance(sampler, Quantized):
        sampler, step = sampler.get_sampler(), sampler.q
    if isinstance(sampler, Normal):
        raise ValueError(f"{name}: a normal distribution has no bounds to search between; "
                         f"use tune.uniform or tune.quniform")
    if isinstance(domain, Categorical):
        return _codec.choices(domain.categories, domain.categories.index)
    if not isinstance(domain, (Float, Integer)) or not isinstance(
            sampler, (Uniform, LogUniform)):
        raise ValueError(f"{name}: VernierSearch does not know {domain!r}")
    is_log = isinstance(sampler, LogUniform)
    kind = int if isinstance(domain, Integer) else float
    if step is not None:
        return _codec.multiples(domain.lower, domain.upper, step, is_log, kind)
    if kind is int:  # Ray leaves the upper bound out.
        return _codec.whole_number(domain.lower, domain.upper - 1, is_log)
    return _codec.real(domain.lower, domain.upper, is_log)
