"""Wilcoxon's signed-rank test."""

from __future__ import annotations

import math
from typing import List, Sequence

_MOST_EXACT = 50
_MOST_EXACT_WITH_TIES = 13  # As in SciPy.


def p_value_of_worse(differences: Sequence[float]) -> float:
    """The probability of differences at least as large in sum of ranks, if their signs
    were those of fair coins. Differences of zero count half for either side."""
    ordered = sorted(differences, key=abs)
    ranks = _ranks([abs(each) for each in ordered])
    positive = sum(rank * (1.0 if each > 0 else 0.5 if each == 0 else 0.0)
                   for rank, each in zip(ranks, ordered))
    moved = [rank for rank, each in zip(ranks, ordered) if each != 0]
    is_plain = len(moved) == len(ranks) and ranks == list(range(1, len(ranks) + 1))
    if len(ranks) <= (_MOST_EXACT if is_plain else _MOST_EXACT_WITH_TIES):
        return _exact(moved, positive - sum(ranks) / 2 + sum(moved) / 2)
    mean = sum(ranks) / 2
    deviation = math.sqrt(sum(each * each for each in moved)) / 2
    if deviation == 0:
        return 1.0
    return 0.5 * math.erfc((positive - mean) / deviation / math.sqrt(2))


def _ranks(sizes: Sequence[float]) -> List[float]:
    """1, 2, ... of numbers in their order; equal ones have their mean."""
    ranks: List[float] = []
    while len(ranks) < len(sizes):
        first = len(ranks)
        last = first
        while last + 1 < len(sizes) and sizes[last + 1] == sizes[first]:
            last += 1
        ranks.extend([(first + last) / 2 + 1] * (last - first + 1))
    return ranks


def _exact(ranks: Sequence[float], positive: float) -> float:
    """By counting the subsets of the ranks with this sum or a larger one. Ranks are
    multiples of a half."""
    ways = [1]  # By twice the sum.
    for rank in ranks:
        step = round(2 * rank)
        longer = ways + [0] * step
        for total, number in enumerate(ways):
            longer[total + step] += number
        ways = longer
    return float(sum(ways[math.ceil(2 * positive - 1e-9):])) / float(2 ** len(ranks))
