#!/usr/bin/python3
"""Records the learning curves of scikit-learn models into recorded.npz.

Each family trains one model at many places of its search space, spread by a
Sobol' sequence, and keeps the validation loss (of one family the error rate) after every epoch (or boosting
stage). Takes about ten processor minutes; the file is in the repository, so that
nobody needs to run this to measure.
"""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import pathlib
import sys
import time
import warnings

import numpy
from scipy.stats import qmc
from sklearn import datasets
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from families import RECORDED, to_values

FILE = pathlib.Path(__file__).with_name("recorded.npz")
MAX_LOSS_IN_CHANCES = 3.0


def split(name, train, validate, seed=0):
    data = getattr(datasets, f"load_{name}")()
    inputs, validation_inputs, targets, validation_targets = train_test_split(
        data.data, data.target, train_size=train, test_size=validate, random_state=seed
    )
    scaler = StandardScaler().fit(inputs)
    return (
        scaler.transform(inputs),
        targets,
        scaler.transform(validation_inputs),
        validation_targets,
    )


def capped_loss(model, inputs, targets, classes):
    with numpy.errstate(all="ignore"):
        chances = model.predict_proba(inputs)
    if not numpy.isfinite(chances).all():
        return numpy.log(len(classes)) * MAX_LOSS_IN_CHANCES
    chances = numpy.clip(chances, 1e-6, 1)
    loss = log_loss(targets, chances / chances.sum(1, keepdims=True), labels=classes)
    return min(loss, numpy.log(len(classes)) * MAX_LOSS_IN_CHANCES)


def epochs_of(model, data, epochs, error=False):
    inputs, targets, validation_inputs, validation_targets = data
    classes = numpy.unique(targets)
    curve = []
    rng = numpy.random.default_rng(0)
    for _ in range(epochs):
        order = rng.permutation(len(targets))
        try:
            model.partial_fit(inputs[order], targets[order], classes=classes)
            if error:
                curve.append(1 - model.score(validation_inputs, validation_targets))
            else:
                curve.append(
                    capped_loss(model, validation_inputs, validation_targets, classes)
                )
        except ValueError:  # The weights overflowed.
            curve.append(
                1.0 if error else numpy.log(len(classes)) * MAX_LOSS_IN_CHANCES
            )
    return curve


def network(values, epochs, data, error):
    return epochs_of(
        MLPClassifier(
            hidden_layer_sizes=(values["width"],),
            solver="adam",
            learning_rate_init=values["rate"],
            batch_size=values["batch"],
            alpha=values["decay"],
            beta_1=1 - values["one_minus_beta"],
            random_state=1,
        ),
        data,
        epochs,
        error,
    )


def momentum_network(values, epochs, data, error):
    return epochs_of(
        MLPClassifier(
            hidden_layer_sizes=(values["width"],) * values["layers"],
            solver="sgd",
            learning_rate=values["schedule"],
            power_t=0.5,
            learning_rate_init=values["rate"],
            batch_size=values["batch"],
            momentum=1 - values["one_minus_momentum"],
            random_state=1,
        ),
        data,
        epochs,
        error,
    )


def boosting(values, epochs, data, kind):
    inputs, targets, validation_inputs, validation_targets = data
    model = kind(
        n_estimators=epochs,
        learning_rate=values["rate"],
        max_depth=values["depth"],
        subsample=values["subsample"],
        max_features=values["features"],
        min_samples_leaf=values["leaf"],
        random_state=1,
    ).fit(inputs, targets)
    if kind is GradientBoostingRegressor:
        variance = numpy.var(validation_targets)
        return [
            min(3.0, numpy.mean((p - validation_targets) ** 2) / variance)
            for p in model.staged_predict(validation_inputs)
        ]
    classes = numpy.unique(targets)
    return [
        min(
            MAX_LOSS_IN_CHANCES * numpy.log(len(classes)),
            log_loss(validation_targets, numpy.clip(p, 1e-6, 1), labels=classes),
        )
        for p in model.staged_predict_proba(validation_inputs)
    ]


def linear(values, epochs, data):
    return epochs_of(
        SGDClassifier(
            loss="log_loss",
            penalty="elasticnet",
            alpha=values["decay"],
            l1_ratio=values["l1"],
            learning_rate=values["schedule"],
            eta0=values["rate"],
            power_t=values["power"],
            random_state=1,
        ),
        data,
        epochs,
    )


def trainers():
    digits = split("digits", 500, 900)
    cancer = split("breast_cancer", 200, 369)
    diabetes = split("diabetes", 220, 222)
    return {
        "network-digits": lambda v, n: network(v, n, digits, False),
        "network-cancer": lambda v, n: network(v, n, cancer, False),
        "momentum-digits": lambda v, n: momentum_network(v, n, digits, True),
        "momentum-cancer": lambda v, n: momentum_network(v, n, cancer, False),
        "boosting-cancer": lambda v, n: boosting(
            v, n, cancer, GradientBoostingClassifier
        ),
        "boosting-diabetes": lambda v, n: boosting(
            v, n, diabetes, GradientBoostingRegressor
        ),
        "linear-digits": lambda v, n: linear(v, n, digits),
    }


def main():
    warnings.filterwarnings("ignore")
    numpy.seterr(all="ignore")
    known = dict(numpy.load(FILE)) if FILE.exists() else {}
    train = trainers()
    for name, family in RECORDED.items():
        if f"{name}/curves" in known or (sys.argv[1:] and name not in sys.argv[1:]):
            continue
        began = time.process_time()
        points = qmc.Sobol(len(family.parameters), seed=0).random(family.records)
        curves = [train[name](to_values(family.parameters, p), family.epochs) for p in points]
        known[f"{name}/points"] = points.astype(numpy.float16)
        known[f"{name}/curves"] = numpy.array(curves, numpy.float32).round(4)
        numpy.savez_compressed(FILE, **known)
        print(f"{name}: {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
