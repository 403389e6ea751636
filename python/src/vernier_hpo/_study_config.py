"""Search spaces and goals in the form of the service's REST API, and back."""

from __future__ import annotations

import dataclasses
import json
from types import MappingProxyType
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._space import (Categorical, Discrete, Float, Int, Parameter, Space, Value,
                     choice_of_literal, condition_of, finite, json_value, plain,
                     text_of_choice, whole)

Json = Dict[str, Any]

# Names of the API by ours. Others are sent in the section of our own additions.
_ALGORITHMS = {"default": "", "random": "RANDOM_SEARCH", "grid": "GRID_SEARCH"}
_OWN_ALGORITHMS = {"quasi_random": "QUASI_RANDOM_SEARCH",
                   "shuffled_grid": "SHUFFLED_GRID_SEARCH"}
# The fields of vernier.earlyStopping by ours.
_STOPPING_FIELDS = {"rule": "rule", "min_steps": "minSteps", "max_steps": "maxSteps",
                    "reduction_factor": "reductionFactor", "brackets": "brackets",
                    "min_win_probability": "minWinProbability"}
_RULES = ("AUTO", "MEDIAN", "DECAY_CURVE", "ASHA", "HYPERBAND", "NONE")

# True, the name of a rule, or a rule with its options.
EarlyStopping = Union[bool, str, Mapping[str, Any]]

# Trials of one point, or "auto".
Repeats = Union[int, str]
# Names of studies and jobs, or what has such a `name`.
PriorStudies = Sequence[Any]

# By a parameter's name {"near": value} or {"near": number, "within": number or "10x"}.
Beliefs = Mapping[str, Mapping[str, Any]]
# Texts between parameters, and bounds of metrics.
Constraints = Sequence[Union[str, Mapping[str, Any]]]
# Goals by metric, or {"goal": goal, "reference": number}.
Metrics = Mapping[str, Union[str, Mapping[str, Any]]]
# By a parameter's name what the service's texts stand for: the choices of a Categorical,
# and those that it had before an edit.
Literals = Mapping[str, Mapping[str, Value]]

_MOST_CLIENT_DATA = 256 << 10  # Bytes that the service takes.

_GOALS = {"minimize": "MINIMIZE", "maximize": "MAXIMIZE"}


def check_goal(goal: Any) -> str:
    """"minimize" or "maximize", in any case; ValueError for anything else.

    A member of an enumeration, such as Optuna's StudyDirection, is its name.
    """
    goal = getattr(goal, "name", goal)
    if isinstance(goal, str) and goal.lower() in _GOALS:
        return goal.lower()
    raise ValueError(f'a goal is "minimize" or "maximize": {goal!r}')


def stopping_of(early_stopping: EarlyStopping) -> Optional[Json]:
    """The rule and its options as vernier.earlyStopping; None for none. ValueError."""
    if isinstance(early_stopping, str):
        early_stopping = {"rule": early_stopping}
    if not isinstance(early_stopping, Mapping):
        return {"rule": "AUTO"} if early_stopping else None
    section: Json = {}
    for name, value in early_stopping.items():
        if name not in _STOPPING_FIELDS:
            raise ValueError(f"early_stopping has no option {name!r}, but "
                             f"{', '.join(_STOPPING_FIELDS)}")
        if value is not None:
            if name != "rule":
                finite(f"early_stopping: {name}", value)
            section[_STOPPING_FIELDS[name]] = value
    rule = str(section.get("rule", "AUTO")).upper()
    if rule not in _RULES:
        raise ValueError(f"there is no stopping rule {rule!r}, but {', '.join(_RULES)}")
    section["rule"] = rule
    return None if rule == "NONE" else section


def repeats_of(repeats: Repeats) -> Union[int, str]:
    """The field `repeats`: the trials of one point, or "AUTO". ValueError."""
    if isinstance(repeats, str) and repeats.upper() == "AUTO":
        return "AUTO"
    if not isinstance(repeats, str) and 2 <= whole("repeats", repeats) <= 100:
        return int(repeats)
    raise ValueError(f'repeats is a whole number from 2 to 100, or "auto": {repeats!r}')


def check_metrics(goal: Any, metric: Optional[str], metrics: Optional[Metrics],
                  references: Optional[Mapping[str, float]] = None,
                  ) -> Tuple[Dict[str, str], Dict[str, float]]:
    """The goals and the references by metric of a study that is given its only metric, or
    all of them. ValueError for what is none, and for both."""
    if metrics is None:
        metrics = {"value" if metric is None else metric:
                   "minimize" if goal is None else goal}
    elif goal is not None:
        raise ValueError("give goal and metric, or metrics, not both")
    elif metric is not None:
        warnings.warn(f"metric={metric!r} is ignored beside metrics, and will be an error",
                      FutureWarning, stacklevel=4)
    if not metrics or not isinstance(metrics, Mapping):
        raise ValueError(
            f"metrics is a dict of at least one goal by its metric: {metrics!r}")
    if not isinstance(references or {}, Mapping):
        raise ValueError(f"references is a dict of numbers by metric: {references!r}")
    goals: Dict[str, str] = {}
    worst: Dict[str, Any] = dict(references or {})
    for name, each in metrics.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"a metric's name is a text: {name!r}")
        if isinstance(each, Mapping):
            if not {"goal"} <= set(each) <= {"goal", "reference"}:
                raise ValueError('a metric is its goal, or {"goal": GOAL, "reference": '
                                 f"NUMBER}}: {name!r}: {dict(each)!r}")
            reference = each.get("reference")
            if reference is not None:
                finite(f"the reference of {name!r}", reference)
            if reference is not None and worst.setdefault(name, reference) != reference:
                raise ValueError(f"the metric {name!r} has two references: {reference!r}, "
                                 f"{worst[name]!r}")
            each = each["goal"]
        goals[name] = check_goal(each)
    return goals, {name: finite(f"the reference of {name!r}", each)
                   for name, each in worst.items()}


def constraints_of(constraints: Constraints) -> Json:
    """The fields of a mixed list: texts are constraints between parameters. ValueError."""
    if isinstance(constraints, (str, Mapping)) or not isinstance(constraints, Iterable):
        raise ValueError('constraints is a list, such as ["a + 2*b <= 1", {"metric": '
                         f'"memory", "max": 4e9}}]: {constraints!r}')
    texts = [each for each in constraints if isinstance(each, str)]
    metrics = [_constraint_of(each) for each in constraints if not isinstance(each, str)]
    return {name: each for name, each in (("parameterConstraints", texts),
                                          ("metricConstraints", metrics)) if each}


def _constraint_of(constraint: Any) -> Json:
    """One of {"metric": ..., "min": ..., "max": ...}; ValueError for anything else."""
    if (not isinstance(constraint, Mapping)
            or not set(constraint) <= {"metric", "min", "max"}
            or "metric" not in constraint or len(constraint) < 2):
        raise ValueError('a constraint is {"metric": NAME, "max": BOUND}, or "min": '
                         f"{constraint!r}")
    return {name: str(each) if name == "metric" else
            finite(f"the constraint on {constraint['metric']!r}: {name}", each)
            for name, each in constraint.items()}


def priors_of(studies: PriorStudies, rename: Optional[Mapping[str, str]]) -> Json:
    """The fields that say from which earlier studies to learn. TypeError."""
    if isinstance(studies, str):
        raise TypeError(f"prior_studies is a list of studies or their names: {studies!r}")
    fields: Json = {}
    if studies:
        fields["priorStudies"] = [each if isinstance(each, str) else str(each.name)
                                  for each in studies]
    if rename:
        if not isinstance(rename, Mapping):
            raise TypeError(f"prior_rename is a dict, {{their name: the name here}}: "
                            f"{rename!r}")
        fields["priorRename"] = {str(theirs): str(ours) for theirs, ours in rename.items()}
    return fields


def beliefs_of(beliefs: Optional[Beliefs], space: Space) -> Json:
    """The field that says where the best values are believed to lie. ValueError."""
    if not beliefs:
        return {}
    if not isinstance(beliefs, Mapping):
        raise ValueError('beliefs is a dict by parameter, such as {"lr": {"near": 1e-3}}: '
                         f"{beliefs!r}")
    return {"beliefs": {str(name): _belief_of(name, each, space.get(name))
                        for name, each in beliefs.items()}}


def _belief_of(name: str, belief: Any, parameter: Optional[Parameter]) -> Json:
    """One belief; the service checks whether its values are in their ranges. ValueError
    for another form, and for a number between the values that the parameter has."""
    if (not isinstance(belief, Mapping) or not set(belief) <= {"near", "within"}
            or "near" not in belief):
        raise ValueError('a belief is {"near": VALUE}, or {"near": NUMBER, "within": NUMBER '
                         f'or "10x"}}: {name!r}: {belief!r}')
    near = json_value(f"beliefs: near of {name!r}", parameter, belief["near"])
    if isinstance(near, (int, float)) and _lies_between(parameter, near):
        raise ValueError(f"beliefs: near of {name!r} is a value that the parameter may have: "
                         f"{near!r}: {parameter}")
    fields: Json = {"near": near}
    within = plain(belief.get("within"))
    if within is not None:
        fields["within"] = (within if isinstance(within, str) else
                            finite(f"beliefs: within of {name!r}", within))
    return fields


def _lies_between(parameter: Optional[Parameter], number: float) -> bool:
    """Whether the number is none of the parameter's values, but between two of them."""
    if isinstance(parameter, Int):
        return parameter.low < number < parameter.high and number != int(number)
    if isinstance(parameter, Discrete):
        return (parameter.values[0] < number < parameter.values[-1]
                and number not in parameter.values)
    return False


def config_of(space: Space, metrics: Mapping[str, str], algorithm: str,
              seed: Optional[int], early_stopping: EarlyStopping,
              per_cost: bool = False,
              constraints: Constraints = (),
              references: Optional[Mapping[str, float]] = None,
              repeats: Optional[Repeats] = None,
              prior_studies: PriorStudies = (),
              prior_rename: Optional[Mapping[str, str]] = None,
              beliefs: Optional[Beliefs] = None) -> Json:
    """The StudyConfig of a checked space. ValueError for an unknown algorithm."""
    config: Json = {
        "metrics": [{"metric": name, "goal": _GOALS[check_goal(goal)]}
                    for name, goal in metrics.items()],
        "parameters": _children_of(space, None)}
    own: Json = {}
    if algorithm in _OWN_ALGORITHMS:
        own["algorithm"] = _OWN_ALGORITHMS[algorithm]
    elif algorithm not in _ALGORITHMS:
        known = ", ".join([*_ALGORITHMS, *_OWN_ALGORITHMS])
        raise ValueError(f"there is no algorithm {algorithm!r}, but {known}")
    elif _ALGORITHMS[algorithm]:
        config["algorithm"] = _ALGORITHMS[algorithm]
    stopping = stopping_of(early_stopping)
    if stopping is not None:
        own["earlyStopping"] = stopping
    if per_cost:
        own["perCost"] = True
    if repeats is not None:
        own["repeats"] = repeats_of(repeats)
    own.update(priors_of(prior_studies, prior_rename))
    own.update(beliefs_of(beliefs, space))
    if constraints:
        own.update(constraints_of(constraints))
    if references:
        own["references"] = dict(references)
    if seed is not None:
        if not 0 <= whole("seed", seed) < 2 ** 64:
            raise ValueError(f"seed must be from 0 to 2^64 - 1: {seed}")
        own["seed"] = str(int(seed))  # 64 bits are a text in JSON.
    defaults = _defaults_of(space)
    if defaults:
        own["defaults"] = {name: text_of_choice(each) if isinstance(space[name], Categorical)
                           else each for name, each in defaults.items()}
    data = client_data_of(space)
    if data:
        own["clientData"] = data
    if own:
        config["vernier"] = own
    return config


def client_data_of(space: Space, literals: Literals = MappingProxyType({})) -> str:
    """What the service has no place for: choices that are no texts, and defaults as they
    were given.

    `literals` are what earlier trials have. What an edit dropped of them is kept, as far
    as there is room; without it value_of reads it as a literal.
    """
    present = literals_with({}, space)
    former = {name: [each for text, each in known.items()
                     if text not in present.get(name, {})]
              for name, known in literals.items()
              if not _are_texts([*known.values(), *present.get(name, {}).values()])}
    former = {name: each for name, each in former.items() if each}
    choices = {name: list(each.values()) for name, each in present.items()
               if name in former or not _are_texts(each.values())}
    defaults = _defaults_of(space)
    data = {key: value for key, value in (("choices", choices), ("defaults", defaults),
                                          ("formerChoices", former)) if value}
    text = json.dumps(data) if data else ""
    if former and len(text) > _MOST_CLIENT_DATA:
        return client_data_of(space)
    return text


def _defaults_of(space: Space) -> Dict[str, Value]:
    return {name: default for name, each in space.items()
            if (default := getattr(each, "default", None)) is not None}


def literals_with(literals: Literals, space: Space) -> Dict[str, Dict[str, Value]]:
    """The literals, and in their place those of the choices that the space has."""
    found = {name: dict(each) for name, each in literals.items()}
    for name, parameter in space.items():
        if isinstance(parameter, Categorical):
            found.setdefault(name, {}).update(
                (text_of_choice(each), each) for each in parameter.choices)
    return found


def literals_of(config: Json) -> Dict[str, Dict[str, Value]]:
    """What the texts of choices stand for in the trials of a study, also where an edit
    has dropped the choice or the parameter."""
    return literals_with(_literals_in(_client_data(config)), space_of(config))


def _literals_in(data: Json) -> Dict[str, Dict[str, Value]]:
    """What client_data_of has written of choices; the present ones come last."""
    found: Dict[str, Dict[str, Value]] = {}
    for field in ("formerChoices", "choices"):
        listed = data.get(field)
        for name, choices in listed.items() if isinstance(listed, dict) else ():
            if isinstance(choices, list):
                found.setdefault(name, {}).update(
                    (text_of_choice(each), each) for each in choices)
    return found


def _are_texts(choices: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in choices)


def _client_data(config: Json) -> Json:
    """What this package keeps with a study; {} if that is another client's."""
    try:
        data = json.loads(config.get("vernier", {}).get("clientData", "{}"))
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _children_of(space: Space, parent: Optional[str]) -> List[Json]:
    found = []
    for name, parameter in space.items():
        condition = condition_of(parameter)
        if (condition[0] if condition else None) != parent:
            continue
        spec = _spec_of(name, parameter)
        if condition is not None:
            field, values = _parent_values(space[condition[0]], condition[1])
            spec[field] = {"values": values}
        children = _children_of(space, name)
        if children:
            spec["childParameterSpecs"] = children
        found.append(spec)
    return found


def _parent_values(parent: Parameter, values: List[Value]) -> Tuple[str, List[Any]]:
    if isinstance(parent, Int):
        return "parentIntValues", [str(int(each)) for each in values]  # type: ignore
    if isinstance(parent, Discrete):
        return "parentDiscreteValues", list(values)
    assert isinstance(parent, Categorical)
    return "parentCategoricalValues", [parent.text_of(each) for each in values]


def _spec_of(name: str, parameter: Parameter) -> Json:
    spec: Json = {"parameter": name}
    if isinstance(parameter, Float):
        spec["type"] = "DOUBLE"
        spec["doubleValueSpec"] = {"minValue": parameter.low, "maxValue": parameter.high}
    elif isinstance(parameter, Int):
        spec["type"] = "INTEGER"
        spec["integerValueSpec"] = {"minValue": str(int(parameter.low)),
                                    "maxValue": str(int(parameter.high))}
    elif isinstance(parameter, Discrete):
        spec["type"] = "DISCRETE"
        spec["discreteValueSpec"] = {"values": list(parameter.values)}
    elif isinstance(parameter, Categorical):
        spec["type"] = "CATEGORICAL"
        spec["categoricalValueSpec"] = {
            "values": [text_of_choice(each) for each in parameter.choices]}
    if getattr(parameter, "log", False):
        spec["scaleType"] = "UNIT_LOG_SCALE"
    elif getattr(parameter, "reverse_log", False):
        spec["scaleType"] = "UNIT_REVERSE_LOG_SCALE"
    return spec


def space_of(config: Json) -> Dict[str, Parameter]:
    """The space of a study that somebody made.

    Of one that this package made, choices and defaults are as they were given; of
    others choices are texts, and defaults unknown.
    """
    space: Dict[str, Parameter] = {}
    for spec in config.get("parameters", []):
        _add_spec(spec, None, space)
    try:
        return _with_client_data(space, _client_data(config))
    except (ValueError, TypeError, AttributeError):
        return space  # Another client's data, of another form.


def _with_client_data(space: Dict[str, Parameter], data: Json) -> Dict[str, Parameter]:
    """The space with choices and defaults of the data, where these fit it."""
    found = dict(space)
    literals = _literals_in(data)
    for name, parameter in space.items():
        changes: Json = {}
        known = literals.get(name, {})
        # If it knows none of them, they are of another client. Others, which one has added
        # in an edit, are read as literals.
        if isinstance(parameter, Categorical) and any(
                str(each) in known for each in parameter.choices):
            changes["choices"] = [_choice_of([], str(each), known)
                                  for each in parameter.choices]
        condition = condition_of(parameter)
        if condition is not None:
            # Parents come before their children.
            parent = found[condition[0]]
            if isinstance(parent, Categorical):
                changes["when"] = {condition[0]: [parent.choice_of(str(each))
                                                  for each in condition[1]]}
        default = data.get("defaults", {}).get(name)
        parameter = dataclasses.replace(parameter, **changes)
        if default is not None and parameter.contains(default):
            parameter = dataclasses.replace(parameter, **{"default": default})
        found[name] = parameter
    return found


def _add_spec(spec: Json, parent: Optional[str], space: Dict[str, Parameter]) -> None:
    name = spec["parameter"]
    when = None if parent is None else {parent: _condition_values(spec)}
    scale = spec.get("scaleType", "")
    is_log, is_reverse = scale == "UNIT_LOG_SCALE", scale == "UNIT_REVERSE_LOG_SCALE"
    kind = spec.get("type")
    if kind == "DOUBLE":
        bounds = spec["doubleValueSpec"]
        space[name] = Float(bounds.get("minValue", 0.0), bounds.get("maxValue", 0.0),
                            is_log, is_reverse, when=when)
    elif kind == "INTEGER":
        bounds = spec["integerValueSpec"]
        space[name] = Int(int(bounds.get("minValue", 0)), int(bounds.get("maxValue", 0)),
                          is_log, is_reverse, when=when)
    elif kind == "DISCRETE":
        values = [_whole(each) for each in spec["discreteValueSpec"]["values"]]
        space[name] = Discrete(values, is_log, when=when)
    else:
        space[name] = Categorical(spec["categoricalValueSpec"]["values"], when=when)
    for child in spec.get("childParameterSpecs", []):
        _add_spec(child, name, space)


def _condition_values(spec: Json) -> List[Value]:
    if "parentIntValues" in spec:
        return [int(each) for each in spec["parentIntValues"]["values"]]
    if "parentDiscreteValues" in spec:
        return [_whole(each) for each in spec["parentDiscreteValues"]["values"]]
    return list(spec.get("parentCategoricalValues", {}).get("values", []))


def _whole(value: float) -> float:
    """An int for a whole number, as people write batch sizes."""
    return int(value) if value == int(value) and abs(value) < 2 ** 53 else value


def metrics_of(config: Json) -> Dict[str, str]:
    """The goals by metric. The service takes a metric without a goal for maximized."""
    return {each["metric"]: "minimize" if each.get("goal") == "MINIMIZE" else "maximize"
            for each in config.get("metrics", [])}


def stops_early(config: Json) -> bool:
    """Whether trials of the study may be told to stop."""
    return ("automatedStoppingConfig" in config
            or "earlyStopping" in config.get("vernier", {}))


def constrained_metrics_of(config: Json) -> List[str]:
    """The metrics that only a constraint names."""
    goals = metrics_of(config)
    listed = config.get("vernier", {}).get("metricConstraints", [])
    return [each["metric"] for each in listed if each["metric"] not in goals]


def value_of(space: Space, name: str, value: Any,
             literals: Literals = MappingProxyType({})) -> Any:
    """A parameter's value, in Python's type, from the number or text of an answer.

    `literals` say what texts stand for that are none of the present choices.
    """
    parameter = space.get(name)
    if isinstance(parameter, Int):
        return int(value)
    if isinstance(parameter, Float):
        return float(value)
    if isinstance(parameter, Discrete):
        number = float(value)
        # As the user wrote it: 32, and not 32.0, also if an edit has dropped it.
        is_whole = any(isinstance(each, int) for each in parameter.values)
        return next((each for each in parameter.values if each == number),
                    _whole(number) if is_whole else number)
    if isinstance(parameter, Categorical):
        return _choice_of(parameter.choices, str(value), literals.get(name, {}))
    if isinstance(value, str):
        return _choice_of([], value, literals.get(name, {}))
    return value


def _choice_of(choices: Sequence[Value], text: str, known: Mapping[str, Value]) -> Value:
    """What a text stands for: a present choice, or an earlier one. One of which nothing
    is known is a literal, unless all choices of the parameter are texts."""
    for each in choices:
        if text_of_choice(each) == text:
            return each
    if text in known or _are_texts(choices) and _are_texts(known.values()):
        return known.get(text, text)
    return choice_of_literal(text)


def parameters_to_json(space: Space, values: Mapping[str, Value]) -> List[Json]:
    """The values of a complete point as the API's list."""
    listed = []
    for name, value in values.items():
        parameter = space[name]
        if isinstance(parameter, Int):
            listed.append({"parameter": name, "intValue": str(int(value))})  # type: ignore
        elif isinstance(parameter, Categorical):
            listed.append({"parameter": name, "stringValue": parameter.text_of(value)})
        else:
            listed.append({"parameter": name, "floatValue": float(value)})  # type: ignore
    return listed


def knows(space: Space, values: Mapping[str, Any]) -> bool:
    """Whether the space has all parameters of a trial, and their choices."""
    for name, value in values.items():
        parameter = space.get(name)
        if parameter is None or (isinstance(parameter, Categorical)
                                 and not parameter.contains(value)):
            return False
    return True


def parameters_from_json(space: Space, listed: List[Json],
                         literals: Literals) -> Dict[str, Any]:
    """A trial's values by name from the API's list."""
    values: Dict[str, Any] = {}
    for each in listed:
        name = each["parameter"]
        raw = next((each[field] for field in ("floatValue", "intValue", "stringValue")
                    if field in each), 0)
        values[name] = value_of(space, name, raw, literals)
    return values
