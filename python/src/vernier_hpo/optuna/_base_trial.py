"""What all trials share: an objective declares its parameters by asking for values."""

from __future__ import annotations

import contextlib
import math
import warnings
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence

from ._positional import warn_of_places
from .distributions import (BaseDistribution, CategoricalDistribution, FloatDistribution,
                            IntDistribution)


class BaseTrial:
    """A trial whose parameters are declared by `suggest_float` and its like."""

    def _value_for(self, name: str, distribution: BaseDistribution) -> Any:
        raise NotImplementedError

    @property
    def params(self) -> Dict[str, Any]:
        """The values of its parameters, by name."""
        raise NotImplementedError

    @property
    def distributions(self) -> Dict[str, BaseDistribution]:
        """What the trial said of its parameters, by name."""
        raise NotImplementedError

    def report(self, value: float, step: int) -> None:
        """Reports the objective's value at a step."""
        raise NotImplementedError

    def should_prune(self) -> bool:
        """Whether the trial is to end early."""
        raise NotImplementedError

    def should_stop(self) -> bool:
        """The same as `should_prune`, by the name that the package's callbacks use."""
        return self.should_prune()

    def suggest_float(self, name: str, low: float, high: float, *,
                      step: Optional[float] = None, log: bool = False) -> float:
        """A real number of [low, high], or with a `step` one of low, low + step, ..."""
        with _naming(name):
            declared = FloatDistribution(low, high, log=log, step=step)
        return float(self._value_for(name, declared))

    def suggest_int(self, name: str, low: int, high: int, *older: Any, step: int = 1,
                    log: bool = False) -> int:
        """A whole number: low, low + step, ... up to high. By place `step` and `log` are
        taken with a warning."""
        if older:
            warn_of_places("suggest_int", ("step", "log"), older)
            step, log = [*older, log][:2]
        with _naming(name):
            declared = IntDistribution(low, high, log=log, step=step)
        return int(self._value_for(name, declared))

    def suggest_categorical(self, name: str, choices: Sequence[Any]) -> Any:
        """One of the choices."""
        with _naming(name):
            declared = CategoricalDistribution(choices)
        return self._value_for(name, declared)

    def suggest_uniform(self, name: str, low: float, high: float) -> float:
        """An older name of suggest_float(name, low, high)."""
        _is_older("suggest_uniform", "suggest_float(name, low, high)")
        return self.suggest_float(name, low, high)

    def suggest_loguniform(self, name: str, low: float, high: float) -> float:
        """An older name of suggest_float(name, low, high, log=True)."""
        _is_older("suggest_loguniform", "suggest_float(name, low, high, log=True)")
        return self.suggest_float(name, low, high, log=True)

    def suggest_discrete_uniform(self, name: str, low: float, high: float,
                                 q: float) -> float:
        """An older name of suggest_float(name, low, high, step=q)."""
        _is_older("suggest_discrete_uniform", "suggest_float(name, low, high, step=q)")
        return self.suggest_float(name, low, high, step=q)


class DetachedTrial(BaseTrial):
    """A trial that nobody looks at while it runs: what is said of it changes nothing but
    itself."""

    user_attrs: Dict[str, Any]
    system_attrs: Dict[str, Any]

    def report(self, value: float, step: int) -> None:
        """Does nothing: no study sees the trial."""

    def should_prune(self) -> bool:
        """False: no study sees the trial."""
        return False

    def set_user_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with this trial."""
        self.user_attrs[key] = value

    @property
    def constraints(self) -> Dict[str, float]:
        """Its constraints by name, those of a `constraints_func` by their index. Met by
        values up to 0."""
        return constraints_in(self.system_attrs)

    def set_constraint(self, key: str, value: float) -> None:
        """Says how a constraint is met: by values up to 0. The first value stays."""
        number = checked_constraint(key, value, self.system_attrs, stacklevel=3)
        if number is not None:
            self.system_attrs[constraint_name(key)] = number

    def set_system_attr(self, key: str, value: Any) -> None:
        """Keeps a value under a name with this trial."""
        self.system_attrs[key] = value


CONSTRAINTS = "constraints"  # Optuna's name of the attribute, and the prefix of others.


def constraint_name(key: str) -> str:
    """The system attribute that has a constraint."""
    return f"{CONSTRAINTS}:{key}"


def constraints_in(attributes: Mapping[str, Any]) -> Dict[str, float]:
    """The constraints in a trial's system attributes, by name or index."""
    found = {str(i): float(each) for i, each in enumerate(attributes.get(CONSTRAINTS) or ())}
    prefix = constraint_name("")
    found.update((key[len(prefix):], float(value))
                 for key, value in attributes.items() if key.startswith(prefix))
    return found


def checked_constraint(key: str, value: Any, attributes: Mapping[str, Any],
                       stacklevel: int) -> Optional[float]:
    """The number, or None with a warning if the constraint was set before. TypeError for
    what is none, ValueError for NaN."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the constraint {key!r} is a number: {value!r}") from None
    if math.isnan(number):
        raise ValueError(f"the constraint {key!r} is NaN")
    if constraint_name(key) not in attributes:
        return number
    warnings.warn(f"the constraint {key!r} was set before; the first value stays",
                  stacklevel=stacklevel)
    return None


@contextlib.contextmanager
def _naming(name: str) -> Iterator[None]:
    """Has an error of a distribution say of which parameter it is."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def _is_older(name: str, newer: str) -> None:
    warnings.warn(f"{name} is an older name of {newer}", FutureWarning, stacklevel=3)
