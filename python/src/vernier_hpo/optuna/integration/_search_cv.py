"""OptunaSearchCV: scikit-learn's search with Optuna's distributions."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import _safe_indexing, check_random_state

from ...integration.sklearn import is_failure_of_all_fits
from .._frozen_trial import FrozenTrial
from .._states import StudyDirection
from .._studies import create_study
from .._study import Study
from .._trial import Trial
from ..distributions import BaseDistribution
from ..exceptions import NotServedError
from ..samplers import EngineSampler

_SCORES = ("fit_time", "score_time", "test_score", "train_score")


class OptunaSearchCV(BaseSearchCV):  # type: ignore[misc]
    """Has a study choose an estimator's parameters, and scores each by cross-validation.

    `param_distributions` has Optuna's distributions by the estimator's names. The study is
    maximized; without one it is made. `subsample` is the part of the rows, or their number,
    that the trials are scored on; the best estimator is fitted to all. A trial whose fits
    fail is a failed one, unless `error_score="raise"`, and scores are user attributes of
    the trials.

    After `fit` there is all that GridSearchCV has, of the trials of this fit, and `study_`.
    """

    def __init__(self, estimator: Any, param_distributions: Mapping[str, BaseDistribution], *,
                 cv: Any = None, enable_pruning: bool = False, error_score: Any = math.nan,
                 max_iter: int = 1000, n_jobs: Optional[int] = None,
                 n_trials: Optional[int] = 10, random_state: Any = None, refit: bool = True,
                 return_train_score: bool = False, scoring: Any = None,
                 study: Optional[Study] = None, subsample: Union[float, int] = 1.0,
                 timeout: Optional[float] = None, verbose: int = 0,
                 callbacks: Optional[List[Callable[[Study, FrozenTrial], None]]] = None,
                 catch: Union[Sequence[Type[Exception]], Type[Exception]] = ()) -> None:
        super().__init__(estimator=estimator, scoring=scoring, n_jobs=n_jobs, refit=refit,
                         cv=cv, verbose=verbose, error_score=error_score,
                         return_train_score=return_train_score)
        self.param_distributions = param_distributions
        self.enable_pruning = enable_pruning
        self.max_iter = max_iter
        self.n_trials = n_trials
        self.random_state = random_state
        self.study = study
        self.subsample = subsample
        self.timeout = timeout
        self.callbacks = callbacks
        self.catch = catch

    @property
    def trials_(self) -> List[FrozenTrial]:
        """All trials of the study."""
        return self.study_.trials

    @property
    def n_trials_(self) -> int:
        """How many there are."""
        return len(self.trials_)

    @property
    def trials_dataframe(self) -> Callable[..., Any]:
        """Study.trials_dataframe."""
        return self.study_.trials_dataframe

    @property
    def user_attrs_(self) -> Dict[str, Any]:
        """Those of the study."""
        return self.study_.user_attrs

    @property
    def set_user_attr(self) -> Callable[[str, Any], None]:
        """Study.set_user_attr."""
        return self.study_.set_user_attr

    def fit(self, X: Any, y: Any = None, groups: Any = None, **fit_params: Any) -> Any:
        """Runs the trials, and fits the best estimator to all rows."""
        if self.enable_pruning:
            raise NotServedError("OptunaSearchCV(enable_pruning=True) is not served: in "
                                 "study.optimize a trial may report after each partial_fit")
        if self.scoring is not None and not (isinstance(self.scoring, str) or
                                             callable(self.scoring)):
            raise ValueError(f"scoring is one score, which the study maximizes: "
                             f"{self.scoring!r}")
        random = check_random_state(self.random_state)
        self.study_ = self.study or create_study(
            direction="maximize", sampler=EngineSampler(seed=int(random.randint(2 ** 31))))
        if self.study_.direction != StudyDirection.MAXIMIZE:
            raise ValueError("direction of study must be 'maximize': a larger score is better")
        rows = self._rows(len(y if y is not None else X), random)
        if groups is not None:
            fit_params["groups"] = groups if rows is None else _safe_indexing(groups, rows)
        if rows is None:
            return super().fit(X, y, **fit_params)
        super().fit(_safe_indexing(X, rows), None if y is None else _safe_indexing(y, rows),
                    **fit_params)
        if self.refit:
            fit_params.pop("groups", None)
            self.best_estimator_.fit(X, *(() if y is None else (y,)), **fit_params)
        return self

    def _rows(self, count: int, random: Any) -> Optional[List[int]]:
        """Which rows the trials are scored on, or None for all."""
        wanted = self.subsample if isinstance(self.subsample, int) else int(
            self.subsample * count)
        if wanted >= count:
            return None
        if wanted < 1:
            raise ValueError(f"subsample leaves no row of {count}: {self.subsample!r}")
        return sorted(int(each) for each in random.choice(count, wanted, replace=False))

    def _run_search(self, evaluate_candidates: Callable[..., Dict[str, Any]]) -> None:
        failures: List[BaseException] = []
        scored: List[Tuple[int, float]] = []

        def objective(trial: Trial) -> float:
            point = {name: trial._value_for(name, each)
                     for name, each in self.param_distributions.items()}
            try:
                results = evaluate_candidates([point])
            except ValueError as error:
                if not is_failure_of_all_fits(error, self.error_score):
                    raise
                failures.append(error)
                return math.nan
            for name, value in _scores_of_last(results).items():
                trial.set_user_attr(name, value)
            scored.append((trial.number, float(results["mean_test_score"][-1])))
            return scored[-1][1]

        self.study_.optimize(objective, n_trials=self.n_trials, timeout=self.timeout,
                             callbacks=self.callbacks, catch=self.catch)
        if failures and not scored:
            raise failures[-1]


def _scores_of_last(results: Dict[str, Any]) -> Dict[str, float]:
    """What was measured of the last candidate."""
    return {name: float(values[-1]) for name, values in results.items()
            if name.endswith(_SCORES) and not name.startswith("rank_")}
