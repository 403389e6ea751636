"""Words for keywords that people know from other packages."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Mapping, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_SPACE = ('the space comes first, and not by suggest_... in the objective: '
          '{"x": vn.Float(0, 1), "k": vn.Int(1, 8)}')
STUDY = {
    "space": _SPACE,
    "sampler": 'algorithm= chooses the points: "default", "random", "grid", '
               '"quasi_random" or "shuffled_grid", and seed= makes them repeatable',
    "pruner": 'early_stopping= names the rule: "AUTO", "MEDIAN", "DECAY_CURVE", "ASHA", '
              '"HYPERBAND", or False',
}
LOADED = {
    "sampler": "a study keeps the algorithm that it was made with",
    "pruner": "a study keeps the stopping rule that it was made with",
}
OPTIMIZE = {
    "gc_after_trial": "nothing is kept between trials; leave it out",
    "func": "the objective comes first, or is objective=",
}
RUN = {
    **STUDY,
    "direction": "goal= is its name here",
    "directions": "it tunes one metric; for several there is study.optimize",
    "study_name": "name= is the job's",
    "timeout": "a job goes on without this program; job.wait(timeout) ends the waiting",
    "catch": "a trial that fails fails alone; after 5 in a row the job pauses",
}
NUMBER = {
    "step": "vn.stepped(low, high, step) is one of some numbers",
}

# Names that a module or an object of Optuna's has, and what is here instead.
MODULE = {
    "samplers": STUDY["sampler"],
    "pruners": STUDY["pruner"],
    "storages": "the service stores studies; storage= names another data directory",
    "visualization": "a study draws itself: study.plot_history(), plot_importance(), "
                     "plot_slice(), plot_contour(), plot_parallel(), plot_curves(), "
                     "plot_pareto()",
    "importance": "study.get_param_importances()",
    "logging": 'logging.getLogger("vernier_hpo") is the log: a line per trial at INFO',
    "exceptions": "vn.TrialPruned and the errors are in vernier_hpo itself",
    "distributions": "vn.Float, Int, Discrete and Categorical",
    "get_all_study_summaries": "vn.list_studies()",
    "get_all_study_names": "[each.name for each in vn.list_studies()]",
    "create_trial": "study.add_trial(params, value)",
    "study": "its functions are in vernier_hpo itself: create_study, load_study, delete_study, "
             "list_studies, MaxTrialsCallback",
    "get_param_importances": "study.get_param_importances()",
    "copy_study": "for each in one.trials: other.add_trial(each)",
    "FixedTrial": "vn.LaunchedTrial(params) calls an objective by hand",
}
ASK = {
    "2 were given": "the space is the study's, and not given to ask",
    "too many positional": "the space is the study's, and not given to ask",
    "fixed_distributions": "the space is the study's, and not given to ask",
}
TRIAL_ATTRIBUTES = {
    "distributions": "study.space",
    "system_attrs": "trial.user_attrs",
    "set_system_attr": "trial.set_user_attr(key, value)",
    "relative_params": "trial.params",
}
STUDY_ATTRIBUTES = {
    "set_metric_names": 'metrics={"loss": "minimize", ...} names them when it is made',
    "metric_names": "list(study.metrics)",
    "add_trials": "for each in trials: study.add_trial(each)",
    "sampler": STUDY["sampler"],
    "pruner": STUDY["pruner"],
    "system_attrs": "study.user_attrs",
}


def absent(owner: str, name: str, hints: Mapping[str, str]) -> AttributeError:
    """The error for a name that `owner` has not, with what is there instead."""
    hint = f": {hints[name]}" if name in hints else ""
    return AttributeError(f"{owner} has no {name}{hint}")


def absent_of_trial(name: str) -> AttributeError:
    """The error for a name that a trial has not."""
    if name.startswith("suggest_"):
        return AttributeError(
            f"a trial has no {name}: the space is given to create_study, and the "
            f'values are in trial.params, such as trial.params["lr"]')
    return absent("a trial", name, TRIAL_ATTRIBUTES)


def with_hints(**hints: str) -> Callable[[F], F]:
    """Has a function say, of a keyword that it does not take, what to write instead."""
    def decorate(function: F) -> F:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                hint = _hint_for(str(error), hints)
                name = function.__qualname__.replace(".__init__", "").rpartition(".")[2]
                raise TypeError(f"{name}: {error}{hint}") from None
            return function(*args, **kwargs)

        return cast(F, checked)

    return decorate


def _hint_for(message: str, hints: "dict[str, str]") -> str:
    """The hint for the argument that Python's own message names."""
    for name, hint in hints.items():
        if f"'{name}'" in message or (" " in name and name in message):
            return f"; {hint}"
    return ""
