"""The data that scikit-learn brings along or makes, scaled and split."""

import functools

import numpy as np
from sklearn import datasets, model_selection, preprocessing

# The data sets of Bayesmark.
BUNDLED = ("breast", "diabetes", "digits", "iris", "wine")


def _parity(return_X_y):
    """Even digits from odd ones: no straight line tells them apart."""
    inputs, targets = datasets.load_digits(return_X_y=return_X_y)
    return inputs, targets % 2


def _friedman(return_X_y):
    assert return_X_y
    return datasets.make_friedman1(600, noise=0.5, random_state=0)


LOADERS = {
    "breast": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes,
    "digits": datasets.load_digits,
    "friedman": _friedman,
    "iris": datasets.load_iris,
    "parity": _parity,
    "wine": datasets.load_wine,
}
REGRESSION = ("diabetes", "friedman")


@functools.lru_cache(maxsize=None)
def load(name):
    """Inputs and targets; the inputs have mean 0 and deviation 1."""
    inputs, targets = LOADERS[name](return_X_y=True)
    if name in REGRESSION:
        targets = (targets - targets.mean()) / targets.std()
    return preprocessing.StandardScaler().fit_transform(inputs), targets


@functools.lru_cache(maxsize=None)
def split(name, rows, seed):
    """Training and validation parts of `rows` rows: inputs, inputs, targets,
    targets, as scikit-learn orders them.
    """
    inputs, targets = load(name)
    if rows < len(targets):
        chosen = np.random.default_rng(seed).permutation(len(targets))[:rows]
        inputs, targets = inputs[chosen], targets[chosen]
    stratify = None if name in REGRESSION else targets
    return model_selection.train_test_split(
        inputs, targets, test_size=0.4, random_state=seed, stratify=stratify)
