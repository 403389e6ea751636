"""Intervals for a mean over problems whose seeds are a sample too."""

import numpy as np

RESAMPLES = 10000
LEVEL = 0.95


def interval(pairs, seed=0, resamples=RESAMPLES):
    """The mean over problems of (median over seeds of one optimizer, less that
    of the other), and its 95 % interval by a hierarchical bootstrap: problems
    are drawn again, and within each problem its seeds.

    `pairs` has an array (2 x seeds) for each problem. A seed is drawn for both
    optimizers at once, which keeps the pairing. Returns (mean, low, high).
    """
    rng = np.random.default_rng(seed)
    estimate = float(np.mean([_difference(pair) for pair in pairs]))
    drawn = np.empty((len(pairs), resamples))
    for i, pair in enumerate(pairs):
        seeds = rng.integers(pair.shape[1], size=(resamples, pair.shape[1]))
        medians = np.median(pair[:, seeds], axis=2)
        drawn[i] = medians[0] - medians[1]
    problems = rng.integers(len(pairs), size=(resamples, len(pairs)))
    # A problem that is drawn twice brings two different draws of its seeds.
    columns = rng.integers(resamples, size=problems.shape)
    means = drawn[problems, columns].mean(axis=1)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return estimate, float(low), float(high)


def _difference(pair):
    medians = np.median(pair, axis=1)
    return medians[0] - medians[1]


def wins_and_losses(pairs, tie):
    """How many problems the first optimizer wins and loses, by the median over
    seeds; a difference of at most `tie` is neither. Smaller is better.
    """
    differences = [_difference(pair) for pair in pairs]
    return (sum(difference < -tie for difference in differences),
            sum(difference > tie for difference in differences))
