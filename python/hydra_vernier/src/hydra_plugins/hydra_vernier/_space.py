"""Hydra's override grammar as a search space."""

import logging
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Set, Tuple, Union

import vernier_hpo as vn
from hydra.core.override_parser.types import (ChoiceSweep, IntervalSweep, Override,
                                              QuotedString)
from hydra.errors import HydraException

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Swept:
    """A parameter that is searched, and how a value of it is written as an override."""

    key: str
    parameter: vn.Parameter
    # Of listed values: by what the study calls them, their texts and what they are.
    texts: Mapping[Any, str] = field(default_factory=dict)
    values: Mapping[Any, Any] = field(default_factory=dict)

    def override(self, value: Any) -> str:
        """KEY=VALUE, with what the grammar would misread escaped."""
        return f"{self.key}={self.texts.get(value, value)}"

    def plain(self, value: Any) -> Any:
        """The value as YAML can say it."""
        return self.values.get(value, value)


def split(overrides: List[Override]) -> Tuple[List[str], Dict[str, Swept]]:
    """The overrides that all jobs have, and what is searched, by its key without `+`.

    Of two with the same key the later one counts. HydraException for what cannot be
    searched.
    """
    found: Dict[str, Union[str, Swept]] = {}
    for each in overrides:
        name = each.get_key_element().lstrip("+~")
        found.pop(name, None)
        if each.is_sweep_override():
            found[name] = _swept(each)
        elif each.is_delete():
            found[name] = str(each.input_line)
        else:
            found[name] = f"{each.get_key_element()}={each.get_value_element_as_str()}"
    return ([each for each in found.values() if isinstance(each, str)],
            {name: each for name, each in found.items() if isinstance(each, Swept)})


def _swept(override: Override) -> Union[str, Swept]:
    key = override.get_key_element()
    sweep = override.value()
    tags: Set[str] = getattr(sweep, "tags", set())
    log = "log" in tags
    for tag in sorted(tags - {"log"}):
        _log.warning("%s: the tag %s means nothing to this sweeper", key, tag)
    if isinstance(sweep, IntervalSweep):
        return Swept(key, _interval(key, sweep, log))
    elements = list(override.sweep_iterator())
    texts = list(override.sweep_string_iterator()) if not _is_shuffled(sweep) else [
        Override._get_value_element_as_str(each) for each in elements]
    if not elements:
        raise HydraException(f"{key} has no values: {override.input_line}")
    if len(elements) == 1:
        return f"{key}={texts[0]}"
    has_order = override.is_range_sweep() or (
        isinstance(sweep, ChoiceSweep) and sweep.simple_form)
    if log or (has_order and all(map(_is_number, elements))):
        return _ordered(key, elements, log)
    plain = [each.text if isinstance(each, QuotedString) else each for each in elements]
    by_text = dict(zip(texts, plain))
    return Swept(key, vn.Categorical(list(by_text)), {each: each for each in by_text}, by_text)


def _interval(key: str, sweep: IntervalSweep, log: bool) -> vn.Parameter:
    low, high = sweep.start, sweep.end
    assert low is not None and high is not None
    if log and low <= 0:
        raise HydraException(f"{key}: an interval with the tag log begins above 0: {low}")
    if isinstance(low, int) and isinstance(high, int):
        return vn.Int(low, high, log=log)
    return vn.Float(low, high, log=log)


def _ordered(key: str, elements: List[Any], log: bool) -> Swept:
    if not all(map(_is_number, elements)):
        raise HydraException(f"{key}: only numbers have a log scale: {elements}")
    values = sorted(set(elements))
    if log and values[0] <= 0:
        raise HydraException(f"{key}: values with the tag log are above 0: {values[0]}")
    if all(isinstance(each, int) for each in values) and (
            values == list(range(values[0], values[-1] + 1))):
        return Swept(key, vn.Int(values[0], values[-1], log=log))
    by_value = {each: each for each in values}  # 16.0 finds 16, too.
    return Swept(key, vn.Discrete(values, log=log),
                 {each: str(each) for each in values}, by_value)


def _is_number(element: Any) -> bool:
    return isinstance(element, (int, float)) and not isinstance(element, bool)


def _is_shuffled(sweep: Any) -> bool:
    return bool(getattr(sweep, "shuffle", False))
