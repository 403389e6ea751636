"""One run: an optimizer against a problem, one after another or in parallel.

Time in a parallel run is simulated. What each worker's n-th start takes does
not depend on the optimizer, so that all of them meet the same schedule.
"""

import heapq

import numpy as np
from problems.problem import stable_seed
import parameter_space

SEQUENTIAL = "sequential"
ASYNCHRONOUS = "async"
BATCH = "batch"


class Record:
    """What happened, in the order in which the results came in."""

    def __init__(self, problem, seed):
        self._problem = problem
        self._seed = seed
        self.points = []
        self.values = []       # Free of noise.
        self.observed = []     # What the optimizer was told.
        self.ask_seconds = []  # One for each ask, of one point or of a batch.
        self.ask_cpu_seconds = []
        self.tell_seconds = []

    def started(self):
        return len(self.points)

    def ask(self, process, count):
        """Returns [(trial id, index of the trial)]."""
        trials, seconds, cpu_seconds = process.ask(count)
        if len(trials) != count:
            raise ValueError(f"asked for {count} points, got {len(trials)}")
        self.ask_seconds.append(seconds)
        self.ask_cpu_seconds.append(cpu_seconds)
        asked = []
        for trial_id, point in trials:
            if not parameter_space.contains(self._problem.parameters, point):
                raise ValueError(f"outside the space: {point}")
            asked.append((trial_id, self.started()))
            self.points.append(point)
        return asked

    def finish(self, process, trial_id, index):
        point = self.points[index]
        self.values.append(self._problem.evaluate(point))
        self.observed.append(self._problem.observe(point, self._seed, index))
        self.tell_seconds.append(process.tell(trial_id, self.observed[-1]))


def run_trials(process, record, trials, mode, workers, seed):
    """Runs `trials` trials; all of them are told before it returns."""
    if mode == ASYNCHRONOUS:
        _run_asynchronous(process, record, trials, workers, seed)
        return
    batch = workers if mode == BATCH else 1
    while record.started() < trials:
        asked = record.ask(process, min(batch, trials - record.started()))
        for trial_id, index in asked:
            record.finish(process, trial_id, index)


def _run_asynchronous(process, record, trials, workers, seed):
    running = []  # A heap of (end, index, trial id).
    now = 0.0
    while record.started() < trials or running:
        while len(running) < workers and record.started() < trials:
            (trial_id, index), = record.ask(process, 1)
            heapq.heappush(running,
                           (now + _duration(seed, index), index, trial_id))
        now, index, trial_id = heapq.heappop(running)
        record.finish(process, trial_id, index)


def _duration(seed, index):
    rng = np.random.default_rng(stable_seed("duration", seed, index))
    return 0.3 + rng.exponential()
