"""Wilcoxon's signed-rank test."""

from __future__ import annotations

import math
from typing import List, Sequence

_MOST_EXACT = 50


def p_value_of_worse(differences: Sequence[float]) -> float:
    """The probability of differences at least as large in sum of ranks, if their signs
    were those of fair coins. Differences of zero count half for either side."""
    ordered = sorted(differences, key=abs)
    ranks = _ranks([abs(each) for each in ordered])
    positive = sum(rank * (1.0 if each > 0 else 0.5 if each == 0 else 0.0)
                   for rank, each in zip(ranks, ordered))
    moved = [rank for rank, each in zip(ranks, ordered) if each != 0]
    has_ties = ranks != list(range(1, len(ranks) + 1))
    if len(moved) == len(ranks) <= _MOST_EXACT and not has_ties:
        return _exact(len(moved), positive)
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


def _exact(count: int, positive: float) -> float:
    """By counting the subsets of 1, ..., count with this sum or a larger one."""
    ways = [1]
    for rank in range(1, count + 1):
        longer = ways + [0] * rank
        for total, number in enumerate(ways):
            longer[total + rank] += number
        ways = longer
    return float(sum(ways[math.ceil(positive - 1e-9):])) / float(2 ** count)
