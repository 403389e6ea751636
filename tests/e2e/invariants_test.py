"""The checker of the kill loop must see what it is there to see."""

import contextlib
import copy
import os
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import invariants  # noqa: E402


def sound_state():
    """One job: a finished trial, a running one that was given by hand and holds a
    GPU, and a point that waits."""
    state = invariants.State()
    state.jobs = {1: {"id": 1, "name": "job", "state": "RUNNING", "wanted": "run",
                      "max_trials": 3, "max_parallel_trials": 1,
                      "code_version": 1}}
    state.trials = [
        {"study": 1, "number": 1, "state": "completed", "is_terminal": True,
         "parameters": "{}"},
        {"study": 1, "number": 2, "state": "active", "is_terminal": False,
         "parameters": "{}"}]
    state.attempts = [
        {"study": 1, "trial": 1, "number": 1, "nonce": "a", "state": "exited",
         "is_terminal": True},
        {"study": 1, "trial": 2, "number": 1, "nonce": "b", "state": "intended",
         "is_terminal": False}]
    state.leases = [{"device": "gpu", "study": 1, "trial": 2, "attempt": 1,
                     "released_at_us": None}]
    state.events = [
        (1, 1, None, 0, "job.created", "{}"),
        (2, 1, 1, 0, "trial.created", '{"parameters":{}}'),
        (3, 1, 1, 0, "trial.active", '{"from":"requested","to":"active"}'),
        (4, 1, 1, 1, "attempt.intended", "{}"),
        (5, 1, 1, 1, "attempt.exited", '{"from":"intended","to":"exited"}'),
        (6, 1, 1, 0, "trial.completed", '{"from":"active","to":"completed"}'),
        (7, 1, 2, 0, "trial.created", '{"parameters":{"x":1}}'),
        (8, 1, 2, 0, "trial.active", '{"from":"requested","to":"active"}'),
        (9, 1, 2, 1, "attempt.intended", "{}"),
        (10, 1, None, 0, "point.proposed", '{"source":"me","parameters":{"x":3}}'),
        (11, 1, None, 0, "point.queued", '{"for_trial":3,"parameters":{"x":2}}')]
    state.queued = [{"study": 1, "trial": 3, "parameters": '{"x":2}'}]
    state.proposed = [{"study": 1, "number": 1, "source": "me", "parameters": '{"x":3}'}]
    return state


class InvariantsTest(unittest.TestCase):
    def found(self, state, history=None):
        problems = invariants.check(state, history or invariants.History())
        return {problem.split(":")[0] for problem in problems}

    def test_a_sound_state_passes(self):
        self.assertEqual(self.found(sound_state()), set())

    def test_tables_that_are_being_made_hold_no_study(self):
        with tempfile.TemporaryDirectory() as data:
            with contextlib.closing(
                    sqlite3.connect(os.path.join(data, "vernier.db"))) as database:
                database.execute("CREATE TABLE study (id INTEGER)")
                database.commit()
                self.assertEqual(self.found(invariants.read(data)), set())
                database.execute("INSERT INTO study VALUES (1)")
                database.commit()
                self.assertEqual(self.found(invariants.read(data)), {"I19"})

    def test_a_changed_past_is_seen(self):
        history = invariants.History()
        self.found(sound_state(), history)
        state = sound_state()
        state.trials[0]["state"] = "failed"
        self.assertIn("I5", self.found(state, copy.deepcopy(history)))
        state = sound_state()
        state.trials[1]["parameters"] = '{"x":1}'
        self.assertIn("I4", self.found(state, copy.deepcopy(history)))
        state = sound_state()
        state.events.pop()
        self.assertIn("I1", self.found(state, copy.deepcopy(history)))

    def test_broken_rows_are_seen(self):
        for expected, plant in {
                "I3": lambda s: s.trials[1].update(number=3),
                "I12": lambda s: s.jobs[1].update(max_trials=1),
                "I7": lambda s: s.attempts[0].update(is_terminal=False),
                "I8": lambda s: s.attempts[1].update(nonce="a"),
                "I9": lambda s: s.attempts[1].update(number=2),
                "I11": lambda s: s.leases[0].update(trial=1),
        }.items():
            with self.subTest(expected):
                state = sound_state()
                plant(state)
                self.assertIn(expected, self.found(state))

    def test_a_device_that_is_leased_twice_is_seen(self):
        state = sound_state()
        state.leases.append(dict(state.leases[0]))
        self.assertIn("I11", self.found(state))

    def test_a_broken_queue_is_seen(self):
        def another_trial_in_between(state):
            state.trials.append(dict(state.trials[1], number=3))

        def the_trial_differs_from_its_point(state):
            state.events.append((12, 1, 3, 0, "trial.created",
                                 '{"parameters":{"x":7}}'))
            state.queued = []

        for name, plant in {
                "lost": lambda s: s.queued.clear(),
                "from nowhere": lambda s: s.events.pop(),
                "changed": lambda s: s.queued[0].update(parameters='{"x":3}'),
                "beyond the budget": lambda s: s.jobs[1].update(max_trials=2),
                "overtaken": another_trial_in_between,
                "not tried": the_trial_differs_from_its_point,
        }.items():
            with self.subTest(name):
                state = sound_state()
                plant(state)
                self.assertIn("I24", self.found(state))

    def test_a_proposal_that_was_lost_is_seen(self):
        for name, plant in {
                "lost": lambda s: s.proposed.clear(),
                "from nowhere": lambda s: s.events.pop(9),
                "changed": lambda s: s.proposed[0].update(source="you"),
        }.items():
            with self.subTest(name):
                state = sound_state()
                plant(state)
                self.assertIn("I25", self.found(state))

    def test_broken_events_are_seen(self):
        state = sound_state()
        del state.events[1]
        self.assertIn("I17", self.found(state))
        state = sound_state()
        state.events[5] = (6, 1, 1, 0, "trial.x", '{"to":"requested"}')
        self.assertLessEqual({"I6", "I18"}, self.found(state))


if __name__ == "__main__":
    unittest.main()
