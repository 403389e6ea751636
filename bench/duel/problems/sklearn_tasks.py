"""Live scikit-learn tasks: the grid of Bayesmark on the bundled data.

Models, ranges and 5-fold cross-validation after Bayesmark (Uber, 2019). Where
Bayesmark has a logit scale we have a logarithmic one on the side that matters.
Nobody knows the optimum: a report takes the best value that any run has seen.
Each value is kept in build/duel/cache under its decoded parameters.
"""

import functools
import json
import os
import threading
import warnings

import numpy as np
import parameter_space
from problems import datasets
from problems.problem import DATA_FLOOR, Problem, cache_folder
from sklearn import (ensemble, linear_model, model_selection, neighbors,
                     neural_network, svm, tree)

FOLDS = 5
WORST = {"accuracy": 1.0, "nll": 5.0, "mae": 10.0, "mse": 100.0}
SCORERS = {"accuracy": "accuracy", "nll": "neg_log_loss",
           "mae": "neg_mean_absolute_error", "mse": "neg_mean_squared_error"}

double = parameter_space.double
integer = parameter_space.integer

_TREE = (integer("max_depth", 1, 15),
         double("min_samples_split", 0.01, 0.99, log=True),
         double("min_samples_leaf", 0.01, 0.49, log=True),
         double("min_weight_fraction_leaf", 0.01, 0.49, log=True),
         double("max_features", 0.01, 0.99),
         double("min_impurity_decrease", 0.0, 0.5))
_NETWORK = (integer("width", 50, 200),
            double("alpha", 1e-5, 10, log=True),
            integer("batch_size", 10, 250),
            double("rate", 1e-5, 1e-1, log=True))
SPACES = {
    "knn": (integer("n_neighbors", 1, 25), integer("p", 1, 4)),
    "svm": (double("C", 1, 1e3, log=True), double("gamma", 1e-4, 1e-3, log=True),
            double("tol", 1e-5, 1e-1, log=True)),
    "svm-wide": (double("C", 1e-3, 1e3, log=True),
                 double("gamma", 1e-6, 10, log=True)),
    "tree": _TREE,
    "forest": _TREE,
    "mlp-adam": _NETWORK + (
        double("one_minus_beta1", 0.01, 0.5, log=True),
        double("one_minus_beta2", 1e-6, 0.1, log=True),
        double("epsilon", 1e-9, 1e-6, log=True)),
    "mlp-sgd": _NETWORK + (double("power_t", 0.1, 0.9),
                           double("momentum", 0.001, 0.999)),
    "ada": (integer("n_estimators", 10, 100),
            double("learning_rate", 1e-4, 10, log=True)),
    "boosting": (double("learning_rate", 1e-3, 1, log=True),
                 integer("max_leaf_nodes", 2, 64, log=True),
                 integer("max_iter", 5, 60, log=True),
                 integer("min_samples_leaf", 1, 50, log=True),
                 double("l2_regularization", 1e-6, 10, log=True)),
    "lasso": (double("C", 1e-2, 1e2, log=True),),
    "linear": (double("C", 1e-2, 1e2, log=True),),
}

# A pipeline: which model, then that model's own parameters.
PIPELINE = (parameter_space.categorical("model", ("knn", "svm", "tree", "ada"), (
    (("knn",), SPACES["knn"]),
    (("svm",), SPACES["svm-wide"]),
    (("tree",), _TREE),
    (("ada",), SPACES["ada"]))),)


def _network_options(point):
    options = dict(point)
    options["hidden_layer_sizes"] = (options.pop("width"),)
    options["learning_rate_init"] = options.pop("rate")
    for beta in ("1", "2"):
        if "one_minus_beta" + beta in options:
            options["beta_" + beta] = 1 - options.pop("one_minus_beta" + beta)
    return options


def make_model(kind, point, regression):
    """The estimator of `kind` with the values of `point`."""
    def pick(classifier, regressor):
        return regressor if regression else classifier
    options = dict(point)
    if kind == "knn":
        return pick(neighbors.KNeighborsClassifier,
                    neighbors.KNeighborsRegressor)(**options)
    if kind in ("svm", "svm-wide"):
        if regression:
            return svm.SVR(max_iter=20000, **options)
        return svm.SVC(probability=True, random_state=0, max_iter=20000,
                       **options)
    if kind == "tree":
        return pick(tree.DecisionTreeClassifier, tree.DecisionTreeRegressor)(
            random_state=0, **options)
    if kind == "forest":
        return pick(ensemble.RandomForestClassifier,
                    ensemble.RandomForestRegressor)(
                        n_estimators=10, random_state=0, **options)
    if kind in ("mlp-adam", "mlp-sgd"):
        if kind == "mlp-sgd":
            options["learning_rate"] = "invscaling"
        return pick(neural_network.MLPClassifier, neural_network.MLPRegressor)(
            solver=kind[4:], max_iter=40, random_state=0,
            **_network_options(options))
    if kind == "ada":
        return pick(ensemble.AdaBoostClassifier, ensemble.AdaBoostRegressor)(
            random_state=0, **options)
    if kind == "boosting":
        return pick(ensemble.HistGradientBoostingClassifier,
                    ensemble.HistGradientBoostingRegressor)(
                        random_state=0, early_stopping=False, **options)
    penalty = "l1" if kind == "lasso" else "l2"
    if regression:
        model = linear_model.Lasso if kind == "lasso" else linear_model.Ridge
        return model(alpha=1 / options["C"])
    return linear_model.LogisticRegression(
        penalty=penalty, solver="liblinear", random_state=0, **options)


class Cache:
    """Values by decoded parameters, in a file that several runs may share."""

    def __init__(self, name):
        self._path = os.path.join(cache_folder(), f"{name}.jsonl")
        self._lock = threading.Lock()
        self._values = {}
        if os.path.exists(self._path):
            with open(self._path, encoding="utf-8") as file:
                for line in file:
                    self._take(line)

    def _take(self, line):
        try:
            key, value = json.loads(line)
        except ValueError:  # A run was cut in the middle of a line.
            return
        self._values[key] = value

    def get(self, point, compute):
        key = json.dumps(point, sort_keys=True)
        with self._lock:
            if key in self._values:
                return self._values[key]
        value = compute(point)
        with self._lock:
            self._values[key] = value
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(json.dumps([key, value]) + "\n")
        return value


class Task(Problem):
    """Cross-validated loss of one model on one data set."""

    random_sample_size = 150

    def __init__(self, kind, data, metric, parameters=None, family="sklearn"):
        super().__init__(f"{kind}-{data}-{metric}", family,
                         parameters or SPACES[kind], group=f"{kind}-{data}",
                         optimum=None, floor=DATA_FLOOR)
        self._kind = kind
        self._data = data
        self._metric = metric

    @functools.cached_property
    def _cache(self):
        return Cache(self.name)

    def evaluate(self, point):
        return self._cache.get(point, self._loss)

    def _loss(self, point):
        point = dict(point)
        kind = point.pop("model", self._kind)
        inputs, targets = datasets.load(self._data)
        regression = self._data in datasets.REGRESSION
        folds = (model_selection.KFold if regression
                 else model_selection.StratifiedKFold)(
                     FOLDS, shuffle=True, random_state=0)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            scores = model_selection.cross_val_score(
                make_model("svm-wide" if kind == "svm" else kind, point,
                           regression),
                inputs, targets, cv=folds, scoring=SCORERS[self._metric],
                error_score=np.nan)
        score = float(np.mean(scores))
        loss = (1 - score) if self._metric == "accuracy" else -score
        return min(loss, WORST[self._metric]) if np.isfinite(loss) else (
            WORST[self._metric])


def problems():
    found = []
    for data in datasets.BUNDLED:
        regression = data in datasets.REGRESSION
        for metric in ("mae", "mse") if regression else ("accuracy", "nll"):
            found += [Task(kind, data, metric) for kind in SPACES]
    for data, metric in (("breast", "nll"), ("wine", "nll"),
                         ("diabetes", "mse")):
        found.append(Task("pipeline", data, metric, PIPELINE, "conditional"))
    return found
