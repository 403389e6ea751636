"""Making, finding and removing studies."""

from __future__ import annotations

import datetime
from typing import Any, Collection, List, Optional, Sequence, Union

from .._space import whole
from ._best import best_of
from ._frozen_study import FrozenStudy
from ._frozen_trial import FrozenTrial
from ._positional import takes_older_places
from ._record import StudyRecord
from ._states import StudyDirection, TrialState
from ._study import Study
from .exceptions import NotServedError
from .pruners import BasePruner
from .samplers import BaseSampler
from .storages import InMemoryStorage, storage_of


class StudySummary(FrozenStudy):
    """What a storage says of a study."""

    def __init__(self, record: StudyRecord, include_best_trial: bool = True) -> None:
        super().__init__(record)
        trials = record.trials_now()
        self.n_trials = len(trials)
        self.datetime_start: Optional[datetime.datetime] = min(
            (each.datetime_start for each in trials if each.datetime_start), default=None)
        self.best_trial: Optional[FrozenTrial] = None
        if include_best_trial and len(record.directions) == 1:
            try:
                self.best_trial = best_of(trials, record.directions[0])
            except ValueError:
                pass  # There is none yet.


class MaxTrialsCallback:
    """Ends `optimize` once so many trials are in certain states, COMPLETE by default;
    None counts all trials."""

    def __init__(self, n_trials: int,
                 states: Optional[Collection[TrialState]] = (TrialState.COMPLETE,)) -> None:
        self._n_trials = whole("n_trials", n_trials)
        self._states = states

    def __call__(self, study: Study, trial: FrozenTrial) -> None:
        """Counts the trials."""
        if len(study.get_trials(deepcopy=False, states=self._states)) >= self._n_trials:
            study.stop()


@takes_older_places("storage", "sampler", "pruner", "study_name", "direction", "load_if_exists")
def create_study(*, storage: Any = None, sampler: Optional[BaseSampler] = None,
                 pruner: Optional[BasePruner] = None, study_name: Optional[str] = None,
                 direction: Union[str, StudyDirection, None] = None, load_if_exists: bool = False,
                 directions: Optional[Sequence[Union[str, StudyDirection]]] = None) -> Study:
    """A new study, to be minimized unless a direction says otherwise.

    It is kept in memory, unless `storage` is a storage or a URL such as
    "sqlite:///studies.db". Without a sampler Vernier's engine searches, and without a
    pruner the median pruner ends trials.
    """
    if direction is not None and directions is not None:
        raise ValueError("direction and directions exclude each other")
    if isinstance(directions, str):
        raise TypeError(f"directions is a list of directions: {directions!r}")
    wanted = [direction or "minimize"] if directions is None else list(directions)
    if not wanted:
        raise ValueError("directions has at least one direction")
    _check_kind("sampler", sampler, BaseSampler, "sample_independent")
    _check_kind("pruner", pruner, BasePruner, "prune")
    record = storage_of(storage).make(study_name, [_direction_of(each) for each in wanted],
                                      load_if_exists)
    return Study(record, sampler, pruner)


@takes_older_places("study_name", "storage", "sampler", "pruner")
def load_study(*, study_name: Optional[str], storage: Any,
               sampler: Optional[BaseSampler] = None,
               pruner: Optional[BasePruner] = None) -> Study:
    """The study of this name, or the only one of the storage. KeyError."""
    _check_kind("sampler", sampler, BaseSampler, "sample_independent")
    _check_kind("pruner", pruner, BasePruner, "prune")
    return Study(_existing(storage).find(study_name), sampler, pruner)


@takes_older_places("study_name", "storage")
def delete_study(*, study_name: str, storage: Any) -> None:
    """Removes a study from a storage. KeyError."""
    _existing(storage).remove(study_name)


@takes_older_places("from_study_name", "from_storage", "to_storage", "to_study_name")
def copy_study(*, from_study_name: str, from_storage: Any, to_storage: Any,
               to_study_name: Optional[str] = None) -> None:
    """Copies a study with its trials, by default under its name."""
    record = _existing(from_storage).find(from_study_name)
    copied = create_study(storage=to_storage, study_name=to_study_name or from_study_name,
                          directions=record.directions)
    for kind in ("user", "system"):
        for key, value in record.attributes(kind).items():
            copied._record.set_attr(None, kind, key, value)
    copied.add_trials(record.trials_now())


def get_all_study_summaries(storage: Any,
                            include_best_trial: bool = True) -> List[StudySummary]:
    """What a storage says of its studies."""
    return [StudySummary(each, include_best_trial) for each in _existing(storage).all()]


def get_all_study_names(storage: Any) -> List[str]:
    """The names of the studies of a storage."""
    return [each.name for each in _existing(storage).all()]


def _existing(storage: Any) -> InMemoryStorage:
    if storage is None:
        raise NotServedError("storage=None is a new storage without studies: give "
                             "create_study and this call the same InMemoryStorage()")
    return storage_of(storage)


def _direction_of(given: Any) -> StudyDirection:
    name = str(getattr(given, "name", given)).upper()
    if name not in ("MINIMIZE", "MAXIMIZE"):
        raise ValueError(f"a direction is 'minimize' or 'maximize': {given!r}")
    return StudyDirection[name]


def _check_kind(word: str, given: Any, kind: type, method: str) -> None:
    if given is None or isinstance(given, kind):
        return
    if isinstance(given, type):
        raise TypeError(f"{word} is an object, not a class: {given.__name__}()")
    raise TypeError(f"{word} is one of vernier_hpo.optuna.{word}s, or a class of your own "
                    f"that derives from {kind.__name__} and has {method}: {given!r}")
