"""A space as a job has it: in its file's form, and in its program's command."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._pieces import in_pieces, joined
from ._space import (Categorical, Discrete, Float, Int, Parameter, Space, check_space,
                     condition_of, literal_texts, text_of_choice)
from ._study_config import Constraints, constraints_of

TRIAL_PROGRAM = "vernier_hpo._trial_main"


def forms_of(space: Space) -> Dict[str, Any]:
    """What a trial of vn.run is told of its parameters, to read their values."""
    return {
        "texts": {name: literal_texts(each.choices) for name, each in space.items()
                  if isinstance(each, Categorical)
                  and not all(isinstance(choice, str) for choice in each.choices)},
        "types": {name: _type_of(each) for name, each in space.items()}}


def command_for(command: Sequence[str], space: Space) -> Optional[List[str]]:
    """The command of a job of vn.run once it has this space; None for other jobs, whose
    programs read their parameters themselves, and if nothing of it changes."""
    words = list(command)
    if TRIAL_PROGRAM not in words:
        return None
    begin = words.index(TRIAL_PROGRAM) + 1
    description, rest = joined(words[begin:])
    before = json.loads(description)
    after = {**before, **forms_of(space)}
    if after == before:
        return None
    return [*words[:begin], *in_pieces(json.dumps(after)), *rest]


def _type_of(parameter: Parameter) -> str:
    if isinstance(parameter, Int):
        return "int"
    if isinstance(parameter, Discrete):
        is_whole = all(isinstance(each, int) for each in parameter.values)
        return "int" if is_whole else "float"
    return "float" if isinstance(parameter, Float) else "text"


def edit_of(space: Optional[Space], rename_metrics: Optional[Mapping[str, str]],
            constraints: Optional[Constraints],
            metric_constraints: Sequence[Mapping[str, Any]]) -> Dict[str, Any]:
    """The fields of a job that an edit changes. ValueError if it changes nothing.

    `metric_constraints` are those that the study has. They are no change if `constraints`
    have the same, or bound no metric.
    """
    if rename_metrics is not None and not _is_rename(rename_metrics):
        raise ValueError(f"rename_metrics is a dict, {{old name: new name}}: "
                         f"{rename_metrics!r}")
    if space is None and not rename_metrics and constraints is None:
        raise ValueError("an edit has a space, constraints, or rename_metrics={old: new}")
    fields: Dict[str, Any] = {}
    if space is not None:
        fields["trainingInput"] = {
            "hyperparameters": {"params": params_of(check_space(space))}}
    if rename_metrics:
        former: Dict[str, List[str]] = {}
        for old, new in rename_metrics.items():
            former.setdefault(str(new), []).append(str(old))
        fields["vernier"] = {"renamedFrom": former}
    if constraints is not None:
        section = fields.setdefault("vernier", {})
        given = constraints_of(constraints)
        section["parameterConstraints"] = given.get("parameterConstraints", [])
        bounds = given.get("metricConstraints", [])
        if bounds and bounds != [dict(each) for each in metric_constraints]:
            section["metricConstraints"] = bounds
    return fields


def _is_rename(names: Any) -> bool:
    return isinstance(names, Mapping) and all(
        isinstance(each, str) for each in [*names, *names.values()])


def params_of(space: Space, parent: Optional[str] = None) -> List[Dict[str, Any]]:
    """The job file's form, in which a conditional parameter is below its parent."""
    found = []
    for name, parameter in space.items():
        condition = condition_of(parameter)
        if (condition[0] if condition else None) != parent:
            continue
        spec = _param(name, parameter)
        if condition is not None:
            spec.update(_parent_values(space[condition[0]], condition[1]))
        children = params_of(space, name)
        if children:
            spec["childParameterSpecs"] = children
        found.append(spec)
    return found


def _parent_values(parent: Parameter, values: List[Any]) -> Dict[str, Any]:
    if isinstance(parent, Int):
        return {"parentIntValues": {"values": values}}
    if isinstance(parent, Discrete):
        return {"parentDiscreteValues": {"values": values}}
    assert isinstance(parent, Categorical)
    return {"parentCategoricalValues": {
        "values": [parent.text_of(each) for each in values]}}


def _param(name: str, parameter: Parameter) -> Dict[str, Any]:
    spec: Dict[str, Any] = {"parameterName": name}
    if isinstance(parameter, (Float, Int)):
        spec["type"] = "INTEGER" if isinstance(parameter, Int) else "DOUBLE"
        spec.update(minValue=parameter.low, maxValue=parameter.high)
    elif isinstance(parameter, Discrete):
        spec.update(type="DISCRETE", discreteValues=list(parameter.values))
    elif isinstance(parameter, Categorical):
        spec.update(type="CATEGORICAL", categoricalValues=[
            text_of_choice(each) for each in parameter.choices])
    if getattr(parameter, "log", False):
        spec["scaleType"] = "UNIT_LOG_SCALE"
    elif getattr(parameter, "reverse_log", False):
        spec["scaleType"] = "UNIT_REVERSE_LOG_SCALE"
    default = getattr(parameter, "default", None)
    if default is not None:
        spec["defaultValue"] = (parameter.text_of(default)
                                if isinstance(parameter, Categorical) else default)
    return spec
