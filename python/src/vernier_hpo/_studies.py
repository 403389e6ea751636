"""Making, finding and removing studies."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import dataclass
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _study_calls as calls
from ._existing_study import check_bounds, check_settings
from ._frozen_trial import time_of
from ._hints import LOADED, STUDY, with_hints
from ._location import Folder, location_of
from ._space import Space, check_space
from ._study import Study
from ._study_config import (Beliefs, Constraints, EarlyStopping, Metrics, PriorStudies,
                            Repeats, check_goal, check_metrics, config_of, repeats_of)
from ._transport import Transport, transport_to
from .errors import AlreadyExistsError, FailedPreconditionError, NotFoundError


@with_hints(**STUDY)
def create_study(space: Space, *, goal: Optional[str] = None, name: Optional[str] = None,
                 metric: Optional[str] = None, metrics: Optional[Metrics] = None,
                 seed: Optional[int] = None, algorithm: Optional[str] = None,
                 early_stopping: Optional[EarlyStopping] = None,
                 per_cost: Optional[bool] = None, load_if_exists: bool = False,
                 constraints: Constraints = (),
                 references: Optional[Mapping[str, float]] = None,
                 repeats: Optional[Repeats] = None,
                 prior_studies: PriorStudies = (),
                 prior_rename: Optional[Mapping[str, str]] = None,
                 beliefs: Optional[Beliefs] = None,
                 direction: Any = None, directions: Optional[Sequence[Any]] = None,
                 study_name: Optional[str] = None,
                 endpoint: Optional[str] = None, storage: Optional[Folder] = None,
                 project: Optional[str] = None) -> Study:
    """Makes a study whose trials you run.

    `space` has the parameters by name. `goal` is "minimize" (the default) or
    "maximize" for `metric` ("value"); several objectives are `metrics={name: goal}`, or
    with the worst value that is still of use `{name: {"goal": goal, "reference": number}}`,
    which `references={name: number}` says, too. `direction`,
    `directions` and `study_name` are Optuna's words; the metrics of `directions` are
    value_0, value_1, ... Without a `name` it gets one. `algorithm` is "default" (a
    Gaussian process), "random", "grid", "quasi_random" or "shuffled_grid". With
    `early_stopping` (the default), `trial.should_stop()` answers by the rule that the
    service holds for the best; it may also be the name of a rule ("AUTO", "MEDIAN",
    "DECAY_CURVE", "ASHA", "HYPERBAND" or "NONE"), or a dict of `rule` and its options
    (`min_steps`, `max_steps`, `reduction_factor`, `brackets`, `min_win_probability`).
    `constraints` bound what a trial's metrics come to, `[{"metric": "memory", "max": 4e9}]`
    (or `min`): such a metric is told beside the others, and what breaks one is never the
    best.
    With `per_cost` the search looks for gain per second, by how long trials took. If a
    parameter has a default, the first trial has the defaults, unless another one was
    enqueued before.

    For a noisy objective `repeats` tries points several times, and compares them by the
    means of their results: with a number each point is tried so often, unless it is
    already worse beyond doubt, and with "auto" where one more result is expected to
    improve the choice of the best. Repeats are trials with equal parameters.

    `prior_studies` are earlier studies and jobs of the project, or their names, from
    whose trials the search learns, if there is a single objective; `prior_rename` says
    {their parameter's name: its name here} where names differ. Spaces and goals may
    differ, and a study that misleads is ignored after a few trials.

    `beliefs` say where the best values are believed to lie, {"lr": {"near": 1e-3,
    "within": "10x"}, "optimizer": {"near": "adam"}}: half of the belief lies within a
    number, or a factor, which it is on logarithmic scales. The first trials lie around
    these values, and a belief counts less with each result.

    Texts among the `constraints` are met by the values of each trial together:
    inequalities, "layers + width/64 <= 40" or "a <= b", and forbidden combinations,
    "not (optimizer = sgd and lr > 0.1)". Names with other characters than letters,
    digits, "_", "." and "-" are put between quotes.

    The service is that of `endpoint` ("unix:PATH", "HOST:PORT", or "http://HOST:PORT"
    with VERNIER_TOKEN), or of the data directory `storage`; else of VERNIER_ENDPOINT,
    else of the default data directory, where one is started if none runs.

    Raises AlreadyExistsError if there is a study of this name, unless
    `load_if_exists`; then FailedPreconditionError if its space, its metrics or its
    constraints differ. Of the other settings early_stopping=False applies to this program, and an
    IgnoredArgumentWarning names those that are given and not the study's. ValueError for
    a space, goal, algorithm or rule that cannot be.
    """
    checked = check_space(space)
    goals, worst = _goals(_one_of("goal", goal, "direction", direction), metric, metrics,
                          directions, references)
    config = config_of(checked, goals, "default" if algorithm is None else algorithm, seed,
                       True if early_stopping is None else early_stopping, bool(per_cost),
                       constraints, worst, repeats, prior_studies, prior_rename,
                       beliefs)
    location = location_of(endpoint, storage, project)
    transport = transport_to(location)
    name = _one_of("name", name, "study_name", study_name)
    if name is None:
        name = "study-" + uuid.uuid4().hex[:12]
    full = calls.full_name(location.project, name)
    is_new = calls.create_study(transport, full, config)
    if not is_new and not load_if_exists:
        raise AlreadyExistsError(
            f"there is a study {name} already: load_if_exists=True goes on with it")
    study = Study(transport, full, checked)
    if study.metrics != goals:
        raise FailedPreconditionError(
            f"the study {name} has other metrics: {study.metrics} there, {goals} here")
    if not is_new:
        check_bounds(study, config)
        check_settings(study, config, {
            "algorithm": algorithm, "seed": seed, "early_stopping": early_stopping,
            "per_cost": per_cost,
            "repeats": None if repeats is None else repeats_of(repeats)})
    else:
        study._is_new = True
    return study


def _one_of(name: str, value: Any, other: str, habit: Any) -> Any:
    """The value of an argument that has two names."""
    if value is not None and habit is not None and value != habit:
        raise ValueError(f"{name} and {other} are two words for one thing: {value!r}, "
                         f"{habit!r}")
    return habit if value is None else value


def _goals(goal: Any, metric: Optional[str], metrics: Optional[Metrics],
           directions: Optional[Sequence[Any]],
           references: Optional[Mapping[str, float]],
           ) -> Tuple[Dict[str, str], Dict[str, float]]:
    """The goals and the references by metric."""
    if directions is not None:
        if goal is not None or metrics is not None:
            raise ValueError("give directions, or goal, or metrics")
        if isinstance(directions, str) or not directions:
            raise ValueError(f"directions is a list of goals: {directions!r}")
        if len(directions) == 1:
            goal = directions[0]
        else:
            if metric is not None:
                warnings.warn(f"metric={metric!r} is the name of one, and directions are "
                              f"{len(directions)}: it is ignored, and will be an error; "
                              "metrics={name: goal} names several", FutureWarning,
                              stacklevel=4)
                metric = None
            metrics = {f"value_{i}": check_goal(each)
                       for i, each in enumerate(directions)}
    return check_metrics(goal, metric, metrics, references)


@with_hints(**LOADED)
def load_study(name: Optional[str] = None, *, space: Optional[Space] = None,
               study_name: Optional[str] = None, endpoint: Optional[str] = None,
               storage: Optional[Folder] = None, project: Optional[str] = None) -> Study:
    """Finds a study by its name, or its resource name. NotFoundError.

    With a `space`, FailedPreconditionError unless that is the study's.
    """
    location = location_of(endpoint, storage, project)
    given = _one_of("name", name, "study_name", study_name)
    full_name = calls.full_name(location.project, given)
    transport = transport_to(location)
    try:
        return Study(transport, full_name, space)
    except NotFoundError:
        raise _no_study(transport, given) from None


def _no_study(transport: Transport, name: str) -> NotFoundError:
    """The error for a name that no study has; a job may have it."""
    if calls.is_job(transport, name):
        short = name.rsplit("/studies/", 1)[-1]
        return NotFoundError(f"{short!r} is a job, whose trials the service runs: "
                             f"vn.load_job({short!r}) finds it")
    return NotFoundError(f"there is no study {name!r}: vn.list_studies() has those that "
                         f"there are")


@dataclass(frozen=True)
class StudySummary:
    """A study in a list. Jobs have one, too; the service runs their trials."""

    #: As `load_study` takes it, and of a job `load_job`.
    name: str
    #: The name by which the service knows it.
    full_name: str
    #: Whether the service runs its trials.
    is_job: bool
    #: The service's word in small letters, such as "active".
    state: str
    #: The goal, "minimize" or "maximize", by metric.
    metrics: Dict[str, str]
    #: How many trials it has so far.
    n_trials: int
    #: Of the first metric; None if no trial has one yet.
    best_value: Optional[float]
    #: When it was made.
    datetime_create: Optional[datetime.datetime]
    #: Of an active one that nobody works on: since when; else None.
    idle_since: Optional[datetime.datetime] = None


def list_studies(*, endpoint: Optional[str] = None, storage: Optional[Folder] = None,
                 project: Optional[str] = None) -> List[StudySummary]:
    """The project's studies, newest first, those of jobs included."""
    location = location_of(endpoint, storage, project)
    answer = calls.native(transport_to(location), "StudyService", "ListStudies",
                          {"project": location.project})
    found = []
    for each in answer.get("studies", []):
        best = each.get("bestTrial", {}).get("finalMeasurement")
        found.append(StudySummary(
            name=each["name"].rsplit("/studies/", 1)[-1], full_name=each["name"],
            is_job=not each.get("runByClients", False),
            state=each.get("state", "").lower(),
            metrics={one["name"]: one.get("goal", "").lower()
                     for one in each.get("metrics", [])},
            n_trials=int(each.get("trialCount", 0)),
            best_value=None if best is None else float(best.get("value", 0.0)),
            datetime_create=time_of(each.get("createTime")),
            idle_since=time_of(each.get("lastActivityTime")) if each.get("idle") else None))
    return found


def delete_study(name: Optional[str] = None, *, study_name: Optional[str] = None,
                 endpoint: Optional[str] = None, storage: Optional[Folder] = None,
                 project: Optional[str] = None) -> None:
    """Removes a study with its trials. NotFoundError."""
    location = location_of(endpoint, storage, project)
    transport = transport_to(location)
    given = _one_of("name", name, "study_name", study_name)
    try:
        calls.delete_study(transport, calls.full_name(location.project, given))
    except NotFoundError:
        raise _no_study(transport, given) from None
