"""The data that scikit-learn brings along, scaled and split."""

import functools

import numpy as np
from sklearn import datasets, model_selection, preprocessing

LOADERS = {
    "breast": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
}
REGRESSION = ("diabetes",)


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
