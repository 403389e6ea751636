"""What the rows of a result file say: regrets, differences, latencies.

Everything here is a pure function of the rows.
"""

import collections
import math

import bootstrap
import numpy as np
from problems.problem import regret

CHECKPOINTS = (20, 30, 60, 100)
TIE_DECADES = 0.02
LATE_TRIALS = 50


class Comparison:
    """Rows of one mode and one number of workers, ready to be compared."""

    def __init__(self, rows):
        self.rows = _longest(rows)
        self._optima = _best_known(self.rows)
        self._by_cell = collections.defaultdict(dict)
        for row in self.rows:
            cell = (row["problem"], row["optimizer"])
            self._by_cell[cell][row["seed"]] = row
        self.optimizers = sorted({row["optimizer"] for row in self.rows})
        self.family_of = {row["problem"]: row["family"] for row in self.rows}
        self.problems = sorted(self.family_of)
        self._traces = {id(row): self._trace(row) for row in self.rows}

    def families(self):
        return sorted(set(self.family_of.values()))

    def _trace(self, row):
        """log10 of the normalised regret after each trial. A run that failed
        keeps what it had reached; one that reached nothing has the value of one
        random point.
        """
        values = row["values"] or [row["random_1"]]
        values = (values + [math.inf] * row["trials"])[:row["trials"]]
        best = np.minimum.accumulate(values)
        optimum = self._optima[row["problem"]]
        regrets = [regret(optimum, row["random_50"], row["random_1"], value)
                   for value in best]
        return np.log10(np.maximum(regrets, row["floor"]))

    def pairs(self, first, second, trial, problems=None):
        """For each problem that both have runs of: 2 x seeds decades after
        `trial` trials, over the seeds that both have. Returns (names, arrays).
        """
        names, arrays = [], []
        for problem in problems or self.problems:
            one = self._decades(problem, first, trial)
            other = self._decades(problem, second, trial)
            shared = sorted(set(one) & set(other))
            if shared:
                names.append(problem)
                arrays.append(np.array([[one[seed] for seed in shared],
                                        [other[seed] for seed in shared]]))
        return names, arrays

    def _decades(self, problem, optimizer, trial):
        return {seed: self._traces[id(row)][trial - 1]
                for seed, row in self._by_cell[(problem, optimizer)].items()
                if row["trials"] >= trial}

    def difference(self, first, second, trial, problems=None):
        """How `first` stands against `second`, or None where they share
        nothing. Negative decades: `first` is better.
        """
        names, arrays = self.pairs(first, second, trial, problems)
        if not names:
            return None
        mean, low, high = bootstrap.interval(arrays)
        wins, losses = bootstrap.wins_and_losses(arrays, TIE_DECADES)
        return {"decades": mean, "low": low, "high": high, "wins": wins,
                "losses": losses, "problems": len(names),
                "runs": sum(array.shape[1] for array in arrays)}

    def decades(self, optimizer, trial, problems):
        """Mean over `problems` of the median over seeds, or None if there is a
        problem that the optimizer has no run of.
        """
        medians = []
        for problem in problems:
            found = self._decades(problem, optimizer, trial)
            if not found:
                return None
            medians.append(np.median(list(found.values())))
        return float(np.mean(medians)) if medians else None

    def problems_of(self, family):
        return [name for name in self.problems
                if self.family_of[name] == family]

    def shared_problems(self, problems, trial):
        """Those of `problems` that every optimizer has run."""
        return [problem for problem in problems
                if all(self._decades(problem, optimizer, trial)
                       for optimizer in self.optimizers)]

    def best_peer(self, subject, problems, trial):
        """The other optimizer with the lowest mean decades over `problems`, of
        those that have run them all; None if there is none.
        """
        means = {name: self.decades(name, trial, problems)
                 for name in self.optimizers if name != subject}
        means = {name: mean for name, mean in means.items() if mean is not None}
        return min(means, key=means.get) if means else None

    def share_of_trials(self, subject, trial):
        """How many of `trial` trials the subject needs, as a share, to reach
        what the best peer of each problem has at its last. One that never gets
        there counts as needing them all. Returns the geometric mean over
        problems of the medians over seeds, the number of problems, and of how
        many of them the median run gets there.
        """
        logs, reached = [], 0
        for problem in self.problems:
            peer = self.best_peer(subject, [problem], trial)
            own = [self._traces[id(row)][:trial]
                   for row in self._by_cell[(problem, subject)].values()
                   if row["trials"] >= trial]
            if peer is None or not own:
                continue
            target = np.median(list(self._decades(problem, peer, trial).values()))
            needed = float(np.median([_first_at_most(trace, target)
                                      for trace in own]))
            reached += needed <= trial
            logs.append(math.log(min(needed, trial) / trial))
        if not logs:
            return None
        return {"share": math.exp(np.mean(logs)), "problems": len(logs),
                "reached": reached}

    def latency(self, optimizer):
        """Seconds of the asks, by the clock and of the processor, of all asks
        and of those past trial 50.
        """
        rows = [row for row in self.rows if row["optimizer"] == optimizer]
        found = {"slow_asks": sum(row["slow_asks"] for row in rows),
                 "errors": sum(bool(row["error"]) for row in rows),
                 "runs": len(rows)}
        for column in ("ask_seconds", "ask_cpu_seconds"):
            every = [s for row in rows for s in row[column]]
            late = [s for row in rows for s in row[column][LATE_TRIALS:]]
            found[column] = {"p50": _quantile(every, 0.5),
                             "p99": _quantile(every, 0.99),
                             "late_p50": _quantile(late, 0.5),
                             "late_p99": _quantile(late, 0.99)}
        return found


def _first_at_most(trace, target):
    """The first trial at which `trace` is down to `target`, one past the end if
    it never is.
    """
    hits = np.nonzero(trace <= target + 1e-12)[0]
    return int(hits[0]) + 1 if len(hits) else len(trace) + 1


def _quantile(values, q):
    return float(np.quantile(values, q)) if values else None


def _longest(rows):
    """The longest row of each run, the later one of equals: a run that was
    tried again replaces the one that failed.
    """
    kept = {}
    for row in rows:
        key = (row["problem"], row["optimizer"], row["seed"])
        if key not in kept or row["trials"] >= kept[key]["trials"]:
            kept[key] = row
    return list(kept.values())


def _best_known(rows):
    """The optimum of each problem; where nobody knows it, the best value that
    any run or the random sample has seen.
    """
    optima = {}
    for row in rows:
        value = row["optimum"]
        if value is None:
            value = min([row["random_best"], *row["values"]])
        name = row["problem"]
        optima[name] = min(value, optima.get(name, math.inf))
    return optima
