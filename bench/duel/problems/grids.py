"""Tables of real trainings on small data, shaped like published ones.

Mixed grids of networks (family network-grid) and small numeric grids of SVMs
and networks (family numeric-grid). Each repeat has its own split of the data
and its own random start, so the numeric grids are as noisy as small data is.
"""

import warnings

import numpy as np
import parameter_space
from problems import datasets
from problems.tables import Table
from sklearn import metrics, neural_network, svm

NETWORK_REPEATS = 3
NUMERIC_REPEATS = 5

discrete = parameter_space.discrete
categorical = parameter_space.categorical


def _powers(base, low, high, step=1):
    return tuple(float(base) ** k for k in np.arange(low, high + step / 2, step))


def _network(data, rows, point, repeat):
    """Validation loss of a small network: cross-entropy, or squared error."""
    train, test, train_targets, test_targets = datasets.split(data, rows, repeat)
    kind = (neural_network.MLPRegressor if data in datasets.REGRESSION
            else neural_network.MLPClassifier)
    layers = int(point.get("layers", 1))
    network = kind(
        hidden_layer_sizes=(int(point["width"]),) * layers,
        activation=point.get("activation", "relu"),
        solver=point.get("solver", "adam"),
        learning_rate_init=point["rate"], alpha=point.get("decay", 1e-4),
        batch_size=int(point.get("batch", 32)), max_iter=10,
        random_state=repeat)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            network.fit(train, train_targets)
        except ValueError:  # The weights overflowed.
            return 5.0
        if data in datasets.REGRESSION:
            loss = metrics.mean_squared_error(test_targets,
                                              network.predict(test))
        else:
            loss = metrics.log_loss(test_targets, network.predict_proba(test))
    return float(min(loss, 5.0)) if np.isfinite(loss) else 5.0


def _network_grid(data, rows):
    parameters = (
        categorical("activation", ("relu", "tanh", "logistic")),
        categorical("solver", ("adam", "sgd")),
        discrete("layers", (1.0, 2.0, 3.0)),
        discrete("width", _powers(2, 2, 6), log=True),
        discrete("rate", _powers(10, -3.5, -0.5, 0.5), log=True),
        discrete("batch", (16.0, 64.0), log=True),
    )
    return Table(f"network-grid-{data}", "network-grid", parameters,
                 lambda point, repeat: _network(data, rows, point, repeat),
                 NETWORK_REPEATS)


def _svm_error(data, rows, point, repeat):
    train, test, train_targets, test_targets = datasets.split(data, rows, repeat)
    kind = svm.SVR if data in datasets.REGRESSION else svm.SVC
    machine = kind(C=point["c"], gamma=point["gamma"], max_iter=20000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine.fit(train, train_targets)
    if data in datasets.REGRESSION:
        return float(metrics.mean_squared_error(test_targets,
                                                machine.predict(test)))
    return 1.0 - float(machine.score(test, test_targets))


def _svm_grid(data, rows):
    parameters = (discrete("c", _powers(2, -5, 10), log=True),
                  discrete("gamma", _powers(2, -15, 0), log=True))
    return Table(f"svm-grid-{data}", "numeric-grid", parameters,
                 lambda point, repeat: _svm_error(data, rows, point, repeat),
                 NUMERIC_REPEATS)


def _numeric_network_grid(data, rows):
    parameters = (discrete("rate", _powers(10, -4, -0.5, 0.5), log=True),
                  discrete("decay", _powers(10, -5, 1, 2), log=True),
                  discrete("width", _powers(2, 2, 6), log=True),
                  discrete("batch", (8.0, 16.0, 32.0, 64.0), log=True))
    return Table(f"mlp-grid-{data}", "numeric-grid", parameters,
                 lambda point, repeat: _network(data, rows, point, repeat),
                 NETWORK_REPEATS)


def problems():
    return ([_network_grid(data, 240) for data in
             ("breast", "diabetes", "digits", "friedman", "parity", "wine")]
            + [_svm_grid(data, 200) for data in
               ("diabetes", "digits", "friedman", "iris", "parity", "wine")]
            + [_numeric_network_grid(data, 160) for data in
               ("diabetes", "digits", "friedman", "parity", "wine")])
