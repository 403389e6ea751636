"""Search spaces of the recorded and the synthetic families of curves."""
import dataclasses
import math

import numpy


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    low: float = 0.0
    high: float = 1.0
    is_log: bool = False
    is_whole: bool = False
    categories: tuple = ()

    def value(self, unit):
        """The value at `unit` in [0, 1)."""
        if self.categories:
            index = min(int(unit * len(self.categories)), len(self.categories) - 1)
            return self.categories[index]
        if self.is_log:
            value = math.exp(
                math.log(self.low) + unit * (math.log(self.high) - math.log(self.low))
            )
        else:
            value = self.low + unit * (self.high - self.low)
        if self.is_whole:
            return int(min(max(round(value), self.low), self.high))
        return min(max(value, self.low), self.high)

    def unit(self, value):
        """Where `value` lies in [0, 1]; the middle of its part for a category."""
        if self.categories:
            return (self.categories.index(value) + 0.5) / len(self.categories)
        if self.is_log:
            return (math.log(value) - math.log(self.low)) / (
                math.log(self.high) - math.log(self.low)
            )
        return (value - self.low) / (self.high - self.low)

    def spec(self):
        """As in a job file."""
        if self.categories:
            return {
                "parameterName": self.name,
                "type": "CATEGORICAL",
                "categoricalValues": list(self.categories),
            }
        return {
            "parameterName": self.name,
            "type": "INTEGER" if self.is_whole else "DOUBLE",
            "minValue": self.low,
            "maxValue": self.high,
            "scaleType": "UNIT_LOG_SCALE" if self.is_log else "UNIT_LINEAR_SCALE",
        }


@dataclasses.dataclass(frozen=True)
class Recorded:
    parameters: tuple
    epochs: int
    records: int


def log(name, low, high, is_whole=False):
    return Parameter(name, low, high, True, is_whole)


NETWORK = (
    log("rate", 1e-4, 0.1),
    log("batch", 8, 128, True),
    log("decay", 1e-5, 10),
    log("width", 4, 64, True),
    log("one_minus_beta", 0.01, 0.5),
)
MOMENTUM = (
    log("rate", 1e-3, 1),
    log("batch", 8, 128, True),
    log("one_minus_momentum", 0.01, 1),
    log("width", 4, 64, True),
    Parameter("layers", 1, 3, is_whole=True),
    Parameter("schedule", categories=("constant", "invscaling")),
)
BOOSTING = (
    log("rate", 0.01, 1),
    Parameter("depth", 1, 6, is_whole=True),
    Parameter("subsample", 0.3, 1),
    Parameter("features", 0.1, 1),
    log("leaf", 1, 40, True),
)
LINEAR = (
    log("rate", 1e-4, 10),
    log("decay", 1e-6, 0.1),
    Parameter("l1", 0, 1),
    Parameter("power", 0.05, 0.9),
    Parameter("schedule", categories=("constant", "invscaling")),
)
RECORDED = {
    "network-digits": Recorded(NETWORK, 40, 512),
    "network-cancer": Recorded(NETWORK, 40, 512),
    "momentum-digits": Recorded(MOMENTUM, 40, 512),
    "momentum-cancer": Recorded(MOMENTUM, 40, 512),
    "boosting-cancer": Recorded(BOOSTING, 60, 512),
    "boosting-diabetes": Recorded(BOOSTING, 60, 512),
    "linear-digits": Recorded(LINEAR, 40, 512),
}

SCHEDULE = Parameter("schedule", categories=("constant", "cosine", "steps"))
PERCEPTRON = (
    log("rate", 1e-3, 3),
    log("one_minus_momentum", 0.01, 1),
    log("decay", 1e-6, 0.03),
    Parameter("dropout", 0, 0.8),
    log("width", 8, 128, True),
    Parameter("smoothing", 0, 0.3),
    SCHEDULE,
)
CONVOLUTION = (
    log("rate", 1e-4, 0.1),
    log("one_minus_beta", 0.01, 0.5),
    log("decay", 1e-4, 1),
    log("channels", 2, 16, True),
    Parameter("dropout", 0, 0.6),
    Parameter("warmup", 0, 0.3),
    SCHEDULE,
)
TRANSFORMER = (
    log("rate", 1e-4, 0.1),
    log("decay", 1e-3, 3),
    log("batch", 4, 32, True),
    log("scale", 0.1, 3),
    Parameter("dropout", 0, 0.5),
    Parameter("warmup", 0, 0.5),
    SCHEDULE,
)
DENOISER = (
    log("rate", 1e-4, 0.1),
    log("one_minus_beta", 0.01, 0.5),
    log("batch", 8, 128, True),
    log("width", 4, 64, True),
    Parameter("layers", 1, 3, is_whole=True),
    Parameter("noise", 0, 0.3),
    Parameter("power", 0, 2),
)
# Constants may be chosen on the first of each pair; figures that count are of
# the second.
TORCH_NETWORKS = {
    "torch-tuning-perceptron-digits": Recorded(PERCEPTRON, 50, 4096),
    "torch-reporting-perceptron-images": Recorded(PERCEPTRON, 50, 4096),
    "torch-tuning-convolution-digits": Recorded(CONVOLUTION, 50, 4096),
    "torch-reporting-convolution-images": Recorded(CONVOLUTION, 50, 4096),
    "torch-tuning-transformer-english": Recorded(TRANSFORMER, 40, 4096),
    "torch-reporting-transformer-python": Recorded(TRANSFORMER, 40, 4096),
    "torch-tuning-denoiser-china": Recorded(DENOISER, 60, 4096),
    "torch-reporting-denoiser-flower": Recorded(DENOISER, 60, 4096),
}


def to_values(parameters, point):
    """The parameters at a point of the unit cube."""
    return {p.name: p.value(float(u)) for p, u in zip(parameters, point)}


def reachable(parameters, points):
    """Where trials at `points` really lie: whole numbers are rounded."""
    return numpy.array(
        [[p.unit(p.value(float(u))) for p, u in zip(parameters, q)] for q in points]
    )


def surrogate_inputs(parameters, units):
    """Reachable places, as surrogates take them: categories one by one."""
    columns = []
    for p, unit in zip(parameters, numpy.asarray(units).T):
        if p.categories:
            value = numpy.minimum(unit * len(p.categories), len(p.categories) - 1)
            columns += [value.astype(int) == i for i in range(len(p.categories))]
        else:
            columns.append(unit)
    return numpy.array(columns, float).T
