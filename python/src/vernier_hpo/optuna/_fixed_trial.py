"""A trial for calling an objective by hand."""

from __future__ import annotations

import datetime
from typing import Any, Dict, Optional

from ._base_trial import DetachedTrial
from ._given_value import given_value
from .distributions import BaseDistribution


class FixedTrial(DetachedTrial):
    """A trial whose parameters have given values: `objective(FixedTrial({"x": 1}))`."""

    def __init__(self, params: Dict[str, Any], number: int = 0) -> None:
        self.number = number
        self.user_attrs: Dict[str, Any] = {}
        self.system_attrs: Dict[str, Any] = {}
        self.datetime_start: Optional[datetime.datetime] = datetime.datetime.now()
        self._given = dict(params)
        self._used: Dict[str, Any] = {}
        self._distributions: Dict[str, BaseDistribution] = {}

    @property
    def params(self) -> Dict[str, Any]:
        """The values of the parameters that were asked for, by name."""
        return self._used

    @property
    def distributions(self) -> Dict[str, BaseDistribution]:
        """What was asked for, by name."""
        return self._distributions

    def _value_for(self, name: str, distribution: BaseDistribution) -> Any:
        if name not in self._given:
            raise ValueError(f"the trial was given no {name!r}, but {', '.join(self._given)}")
        value = given_value(name, self._given[name], distribution, stacklevel=4)
        self._used[name] = value
        self._distributions[name] = distribution
        return value
