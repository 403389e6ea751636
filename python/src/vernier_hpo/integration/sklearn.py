"""A search over the parameters of a scikit-learn estimator, as GridSearchCV does.

    search = VernierSearchCV(SVC(), {"C": vn.Float(1e-3, 1e3, log=True)}, n_trials=30)
    search.fit(X, y)
    search.best_params_, search.best_score_, search.predict(X)
"""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Optional

from sklearn.model_selection._search import BaseSearchCV

from .._location import Folder
from .._space import Space
from .._studies import create_study
from .._study import Study
from .._trial import Trial
from .._trial_state import TrialState
from ..errors import SpaceUsedUpError


class VernierSearchCV(BaseSearchCV):  # type: ignore[misc]
    """Asks a study for parameters, scores each by cross-validation, keeps the best.

    `param_space` has vernier's parameters by the estimator's names ("svc__C" in a
    pipeline). `batch_size` points are asked for at once, which `n_jobs` processes
    score together. With several `scoring` metrics the one that `refit` names is
    searched for. A point whose fits fail is infeasible, unless `error_score="raise"`;
    if that is a whole batch, it is not in `cv_results_`.

    After `fit` there is all that GridSearchCV has, and `study_`. A `study_name` that
    exists already is gone on with; `cv_results_` has this fit's trials.
    """

    def __init__(self, estimator: Any, param_space: Space, *, n_trials: int = 20,
                 batch_size: int = 1, algorithm: str = "default",
                 seed: Optional[int] = None, study_name: Optional[str] = None,
                 scoring: Any = None, n_jobs: Optional[int] = None, refit: Any = True,
                 cv: Any = None, verbose: int = 0, pre_dispatch: Any = "2*n_jobs",
                 error_score: Any = math.nan, return_train_score: bool = False,
                 endpoint: Optional[str] = None, storage: Optional[Folder] = None) -> None:
        super().__init__(estimator=estimator, scoring=scoring, n_jobs=n_jobs, refit=refit,
                         cv=cv, verbose=verbose, pre_dispatch=pre_dispatch,
                         error_score=error_score, return_train_score=return_train_score)
        self.param_space = param_space
        self.n_trials = n_trials
        self.batch_size = batch_size
        self.algorithm = algorithm
        self.seed = seed
        self.study_name = study_name
        self.endpoint = endpoint
        self.storage = storage

    def _run_search(self, evaluate_candidates: Callable[..., Dict[str, Any]]) -> None:
        if self.batch_size < 1 or self.n_trials < 1:
            raise ValueError(f"n_trials and batch_size must be >= 1: {self.n_trials}, "
                             f"{self.batch_size}")
        self.study_ = create_study(
            self.param_space, goal="maximize", metric=self._metric(),
            algorithm=self.algorithm, seed=self.seed, name=self.study_name,
            load_if_exists=True, endpoint=self.endpoint, storage=self.storage)
        left = self.n_trials
        failure, is_any_scored = None, False
        while left > 0:
            trials = _ask(self.study_, min(left, self.batch_size))
            if not trials:
                break  # A finite space is used up.
            left -= len(trials)
            try:
                results = evaluate_candidates([each.params for each in trials])
            except BaseException as error:
                if not is_failure_of_all_fits(error, self.error_score):
                    for each in trials:
                        self.study_.abandon(each)
                    raise
                failure = error
                _tell_infeasible(self.study_, trials)
                continue
            is_any_scored = True
            self._tell(trials, results)
        if failure is not None and not is_any_scored:
            raise failure

    def _metric(self) -> str:
        if isinstance(self.refit, str):
            return self.refit
        if self.scoring is None or isinstance(self.scoring, str) or callable(self.scoring):
            return "score"
        raise ValueError("with several scoring metrics refit names the one to search for: "
                         f"{self.refit!r}")

    def _tell(self, trials: List[Trial], results: Dict[str, Any]) -> None:
        column = f"mean_test_{self._metric()}"
        if column not in results:
            column = "mean_test_score"
        for trial, score in zip(trials, results[column][-len(trials):]):
            if math.isfinite(score):
                self.study_.tell(trial, float(score))
            else:
                _tell_infeasible(self.study_, [trial])


def is_failure_of_all_fits(error: BaseException, error_score: Any) -> bool:
    """Whether every fit of a call failed, which scikit-learn takes for a mistake in the
    model. Such a call has a few points here, whose parameters may be at fault."""
    return (error_score != "raise" and isinstance(error, ValueError) and
            "fits failed" in str(error))


def _tell_infeasible(study: Study, trials: List[Trial]) -> None:
    for trial in trials:
        study.tell(trial, state=TrialState.INFEASIBLE,
                   reason="the score is not finite: a fit failed")


def _ask(study: Study, count: int) -> List[Trial]:
    trials: List[Trial] = []
    for _ in range(count):
        try:
            trials.append(study.ask())
        except SpaceUsedUpError:
            break
    return trials
