"""A study whose trials this program (and others) run."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional, Tuple, Type, Union

from ._ask_tell import AskTell
from ._hints import OPTIMIZE, with_hints
from ._html import study_html
from ._optimize import Callback, Optimization
from ._trial import Trial

_NEWEST_SHOWN = 8


class Study(AskTell):
    """A study of the service: ask for trials, evaluate them, tell the results.

    Made by create_study and load_study. Thread-safe; it may be pickled and sent to
    another process, and any number of processes may work on one study.
    """

    @with_hints(**OPTIMIZE)
    def optimize(self, objective: Callable[[Trial], Any], n_trials: Optional[int] = None,
                 *, n_jobs: int = 1, timeout: Optional[float] = None,
                 callbacks: Iterable[Callback] = (),
                 catch: Union[Type[Exception], Tuple[Type[Exception], ...]] = (),
                 show_progress_bar: bool = False) -> None:
        """Evaluates trials until `n_trials` of them or `timeout` seconds are over.

        `objective` gets a Trial and returns its value (or values). It may raise
        TrialStopped to end early. Another exception makes the trial infeasible and
        ends the call, unless it is one of `catch`; Ctrl-C removes the running trials.
        With `n_jobs` > 1 that many threads call it. A callback is called after each
        trial, with the study and the trial; `study.stop()` ends the call early.

        Trials that a killed process of this machine left behind are run first.
        """
        Optimization(self, objective, n_trials, n_jobs, timeout, callbacks, catch,
                     show_progress_bar).run()

    def _repr_html_(self) -> str:
        about = self._calls.describe()
        best = self._freeze([about["bestTrial"]] if "bestTrial" in about else [])
        newest = self._freeze(self._calls.list_trials("", "-trial", _NEWEST_SHOWN))[::-1]
        return study_html(self.name, about, best, newest, self.metrics, self.space)
