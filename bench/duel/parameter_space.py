"""A search space: its parameters, and its one translation to the wire.

Standard library only, because every adapter reads spaces with it, each in an
environment of its own.

A space is a tuple of Parameter. A parameter may have children: groups of
parameters that exist only while it holds one of the group's values. A point is
a dictionary from name to value that holds the active parameters only.
"""

import dataclasses
import math

LINEAR = "UNIT_LINEAR_SCALE"
LOG = "UNIT_LOG_SCALE"

DOUBLE = "DOUBLE"
INTEGER = "INTEGER"
DISCRETE = "DISCRETE"
CATEGORICAL = "CATEGORICAL"

# Where a child says for which values of its parent it exists, by the parent's
# kind.
CONDITIONS = {
    INTEGER: "parentIntValues",
    DISCRETE: "parentDiscreteValues",
    CATEGORICAL: "parentCategoricalValues",
}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter. `values` belongs to DISCRETE and CATEGORICAL, `low` and
    `high` to the others. `children` is a tuple of (parent values, parameters).
    """
    name: str
    kind: str
    low: float = 0.0
    high: float = 1.0
    values: tuple = ()
    log: bool = False
    children: tuple = ()

    def is_numeric(self):
        return self.kind != CATEGORICAL


def double(name, low, high, log=False):
    return Parameter(name, DOUBLE, low=low, high=high, log=log)


def integer(name, low, high, log=False, children=()):
    return Parameter(name, INTEGER, low=low, high=high, log=log,
                     children=children)


def discrete(name, values, log=False, children=()):
    return Parameter(name, DISCRETE, values=tuple(values), log=log,
                     children=children)


def categorical(name, values, children=()):
    return Parameter(name, CATEGORICAL, values=tuple(values),
                     children=children)


def to_spec(parameters):
    """The wire form of a space: the `params` of an AI Platform
    HyperparameterSpec, with `childParameterSpecs` where a parameter has them.
    """
    return [_parameter_to_spec(parameter) for parameter in parameters]


def _parameter_to_spec(parameter):
    spec = {"parameterName": parameter.name, "type": parameter.kind}
    if parameter.kind == CATEGORICAL:
        spec["categoricalValues"] = list(parameter.values)
    elif parameter.kind == DISCRETE:
        spec["discreteValues"] = list(parameter.values)
    else:
        spec["minValue"] = parameter.low
        spec["maxValue"] = parameter.high
    if parameter.is_numeric():
        spec["scaleType"] = LOG if parameter.log else LINEAR
    if parameter.children:
        spec["childParameterSpecs"] = [
            {**child, CONDITIONS[parameter.kind]: {"values": list(values)}}
            for values, group in parameter.children
            for child in to_spec(group)]
    return spec


def from_spec(specs):
    """The inverse of to_spec."""
    return tuple(_parameter_from_spec(spec) for spec in specs)


def _parameter_from_spec(spec):
    kind = spec["type"]
    values = spec.get("categoricalValues" if kind == CATEGORICAL
                      else "discreteValues", ())
    groups = {}  # By the parent's values, in their order of appearance.
    for child in spec.get("childParameterSpecs", ()):
        held = tuple(child[CONDITIONS[kind]]["values"])
        groups.setdefault(held, []).append(child)
    children = tuple((held, from_spec(group))
                     for held, group in groups.items())
    return Parameter(spec["parameterName"], kind, spec.get("minValue", 0.0),
                     spec.get("maxValue", 1.0), tuple(values),
                     spec.get("scaleType") == LOG, children)


def flattened(parameters):
    """Every parameter of the tree, parents first, without children."""
    flat = []
    for parameter in parameters:
        flat.append(dataclasses.replace(parameter, children=()))
        for _, group in parameter.children:
            flat += flattened(group)
    return flat


def has_children(parameters):
    return any(parameter.children for parameter in parameters)


def build_point(parameters, choose):
    """Walks the tree and returns the point of the values that `choose` gives
    for each active parameter, parents first.
    """
    point = {}
    for parameter in parameters:
        value = choose(parameter)
        point[parameter.name] = value
        for values, group in parameter.children:
            if value in values:
                point.update(build_point(group, choose))
    return point


def active_part(parameters, values):
    """The point that remains of `values`, one for every parameter of the tree,
    when the inactive ones are left out.
    """
    return build_point(parameters, lambda parameter: values[parameter.name])


def contains(parameters, point):
    """Whether `point` holds a legal value for each active parameter and
    nothing else.
    """
    try:
        active = active_part(parameters, point)
    except KeyError:
        return False
    by_name = {parameter.name: parameter for parameter in flattened(parameters)}
    return len(active) == len(point) and all(
        _is_legal(by_name[name], value) for name, value in point.items())


def _is_legal(parameter, value):
    if parameter.kind in (DISCRETE, CATEGORICAL):
        return value in parameter.values
    if parameter.kind == INTEGER and value != int(value):
        return False
    return parameter.low <= value <= parameter.high


def bounds(parameter):
    """The bounds of a DOUBLE or INTEGER. Each integer gets a cell of its own
    width, so that the ends are not rare.
    """
    low, high = parameter.low, parameter.high
    if parameter.kind == INTEGER:
        low, high = low - 0.5, high + 0.5
        if parameter.log:
            low = max(low, 0.5)
    return low, high


def from_unit(parameter, u):
    """The value at `u` in [0, 1): on the parameter's scale for DOUBLE and
    INTEGER, by position in the list for the others.
    """
    if parameter.kind in (DISCRETE, CATEGORICAL):
        last = len(parameter.values) - 1
        return parameter.values[min(int(u * len(parameter.values)), last)]
    low, high = bounds(parameter)
    if parameter.log:
        value = math.exp(math.log(low) + u * (math.log(high) - math.log(low)))
    else:
        value = low + u * (high - low)
    if parameter.kind == INTEGER:
        value = round(value)
    return min(max(value, parameter.low), parameter.high)
