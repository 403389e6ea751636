"""The settings of a study that exists, beside those that a program asks for."""

from __future__ import annotations

import warnings
from typing import Any, Dict, Mapping

from ._study import Study
from ._study_calls import get_config
from .errors import FailedPreconditionError, IgnoredArgumentWarning

_ALGORITHMS = {"RANDOM_SEARCH": "random", "GRID_SEARCH": "grid",
               "QUASI_RANDOM_SEARCH": "quasi_random",
               "SHUFFLED_GRID_SEARCH": "shuffled_grid"}


def check_bounds(study: Study, wanted: Mapping[str, Any]) -> None:
    """FailedPreconditionError if what bounds metrics and parameters is not the study's."""
    stored = _with_plain_texts(
        get_config(study._transport, study.full_name).get("vernier", {}))
    ours = _with_plain_texts(wanted.get("vernier", {}))
    for field, name in (("metricConstraints", "constraints"), ("references", "references"),
                        ("parameterConstraints", "constraints")):
        if stored.get(field) != ours.get(field):
            raise FailedPreconditionError(
                f"the study {study.name} has other {name}: {stored.get(field)} there, "
                f"{ours.get(field)} here")


def _with_plain_texts(section: Mapping[str, Any]) -> Dict[str, Any]:
    """The section with its constraints between parameters without blanks, in order."""
    texts = section.get("parameterConstraints")
    if texts is None:
        return dict(section)
    return {**section, "parameterConstraints": sorted(
        "".join(each.split()) for each in texts)}


def check_settings(study: Study, wanted: Mapping[str, Any],
                   given: Mapping[str, Any]) -> None:
    """Applies the settings of `given` that a program may choose for itself, and warns of
    the others that are not the study's. `wanted` is the whole configuration."""
    if given["early_stopping"] is False:
        study._early_stopping = False
    stored = get_config(study._transport, study.full_name)
    theirs, ours = _settings_of(stored), _settings_of(wanted)
    ignored = [f"{name}={theirs[name]!r}, and not {ours[name]!r}"
               for name, value in given.items()
               if value is not None and ours[name] != theirs[name]
               and not (name == "early_stopping" and value is False)]
    if ignored:
        warnings.warn(f"the study {study.name} goes on as it was made: {'; '.join(ignored)}",
                      IgnoredArgumentWarning, stacklevel=4)


def _settings_of(config: Mapping[str, Any]) -> Dict[str, Any]:
    """By the names of create_study's arguments."""
    own = config.get("vernier", {})
    algorithm = own.get("algorithm") or config.get("algorithm", "")
    stopping = own.get("earlyStopping", {})
    if "automatedStoppingConfig" in config and not stopping:
        stopping = {"rule": "MEDIAN" if "medianAutomatedStoppingConfig" in config[
            "automatedStoppingConfig"] else "DECAY_CURVE"}
    rule = stopping.get("rule", "")
    options = {name: value for name, value in stopping.items() if name != "rule"}
    return {
        "algorithm": _ALGORITHMS.get(algorithm, "default"),
        "seed": int(own["seed"]) if "seed" in own else None,
        "early_stopping": {"rule": rule, **{name: float(value) for name, value
                                            in options.items()}} if options else rule or False,
        "per_cost": bool(own.get("perCost", False)),
        "repeats": _repeats_of(own.get("repeats"))}


def _repeats_of(stored: Any) -> Any:
    return int(stored) if isinstance(stored, float) else stored
