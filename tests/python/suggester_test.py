"""Suggestions that follow from the trials shown, by the engine itself."""

import concurrent.futures
import contextlib
import math
import os
import signal
import threading
import unittest

from package import SOURCES  # noqa: F401
from vernier_hpo import Float, Int, _codec
from vernier_hpo._engine import Engine
from vernier_hpo._suggester import Evaluated, Suggester, study_of
from vernier_hpo.errors import InvalidArgumentError

SPACE = {"x": Float(0, 1), "k": Int(1, 9)}


def value_of(point):
    return (point["x"] - 0.3) ** 2 + abs(point["k"] - 4)


def point_for(suggester, number, ended, running):
    return suggester.suggest(number, lambda: (ended, running))


class SuggesterCase(unittest.TestCase):
    def suggester(self, space=None, goals=("minimize",), constraints=0):
        found = Suggester(study_of(space or SPACE, goals, constraints, 7))
        self.addCleanup(found.close)
        return found

    def run_of(self, suggester, count):
        """Trials by number, one after the other."""
        ended = {}
        for number in range(count):
            point = point_for(suggester, number, ended, {})
            ended[number] = Evaluated(point, [value_of(point)])
        return ended


class SuggesterTest(SuggesterCase):
    def test_a_new_engine_that_is_shown_the_trials_goes_on_alike(self):
        one = self.suggester()
        ended = self.run_of(one, 12)
        self.assertEqual(point_for(self.suggester(), 12, ended, {}), point_for(one, 12, ended, {}))

    def test_what_is_no_longer_so_is_forgotten(self):
        one = self.suggester()
        ended = self.run_of(one, 8)
        ended[3] = Evaluated(ended[3].point, [100.0])
        self.assertEqual(point_for(self.suggester(), 8, ended, {}), point_for(one, 8, ended, {}))
        del ended[7]
        self.assertEqual(point_for(self.suggester(), 8, ended, {}), point_for(one, 8, ended, {}))

    def test_trials_that_run_get_different_points(self):
        one = self.suggester()
        ended = self.run_of(one, 8)
        running = {}
        for number in range(8, 14):
            # Its own trials are known, also before their points are stored anywhere.
            running[number] = point_for(one, number, ended, dict.fromkeys(running))
        self.assertEqual(len({tuple(each.values()) for each in running.values()}), 6)

    def test_trials_that_run_elsewhere_are_kept_away_from(self):
        ended = self.run_of(self.suggester(), 8)
        first = point_for(self.suggester(), 8, ended, {})
        other = point_for(self.suggester(), 9, ended, {8: first})
        self.assertNotEqual(first, other)
        self.assertFalse(abs(first["x"] - other["x"]) < 1e-3 and first["k"] == other["k"])
        # Also if there is nothing to tell a lie about.
        first = point_for(self.suggester(), 0, {}, {})
        self.assertNotEqual(first, point_for(self.suggester(), 1, {}, {0: first}))

    def test_trials_beside_some_that_run_elsewhere_get_different_points(self):
        one = self.suggester()
        ended = self.run_of(one, 8)
        running = {8: {"x": 0.3, "k": 4}}
        # None is an answer that was not stored yet.
        points = [point_for(one, number, ended, {**running, **dict.fromkeys(range(9, number))})
                  for number in range(9, 14)]
        self.assertEqual(len({tuple(each.values()) for each in points}), 5)

    def test_threads_that_ask_at_once_get_different_points(self):
        one = self.suggester({"k": Int(1, 8)})
        given, lock = {}, threading.Lock()

        def look():
            with lock:
                return {}, dict.fromkeys(given)

        def ask(number):
            with lock:
                given[number] = None
            return one.suggest(number, look)["k"]

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(sorted(pool.map(ask, range(8))), list(range(1, 9)))

    def test_lies_are_told_to_no_later_trial(self):
        one = self.suggester()
        ended = self.run_of(one, 8)
        point_for(one, 9, ended, {8: {"x": 0.3, "k": 4}})
        self.assertEqual(point_for(one, 8, ended, {}), point_for(self.suggester(), 8, ended, {}))

    def test_a_trial_that_is_gone_or_runs_elsewhere_is_not_waited_for(self):
        one = self.suggester({"k": Int(1, 2)})
        for number in range(3):
            self.assertIsNotNone(point_for(one, number, {}, {}))
        point = point_for(one, 3, {}, {})
        moved = {"k": 3 - point["k"]}
        self.assertEqual(point_for(one, 4, {}, {3: moved}), point)

    def test_a_space_that_is_used_up_has_no_further_point(self):
        one = self.suggester({"k": Int(1, 2)})
        ended = {i: Evaluated({"k": i}, [1.0]) for i in (1, 2)}
        self.assertIsNone(point_for(one, 3, ended, {}))

    def test_values_that_are_not_finite_are_of_trials_that_failed(self):
        for value in (math.nan, math.inf, -math.inf):
            self.assertIsNone(Evaluated({"k": 1}, [1.0, value]).values)
        one = self.suggester()
        ended = {0: Evaluated({"x": 0.5, "k": 3}, [math.nan]),
                 1: Evaluated({"x": 0.5, "k": 4}, [1.0])}
        point_for(one, 2, ended, {})
        engine = one._engine
        point_for(one, 3, ended, {2: None})
        self.assertIs(one._engine, engine)

    def test_a_trial_out_of_range_is_left_out_with_a_word(self):
        one = self.suggester()
        ended = {0: Evaluated({"x": 2.0, "k": 3}, [1.0])}
        with self.assertLogs("vernier_hpo", "WARNING") as logs:
            point_for(one, 1, ended, {})
        self.assertIn("left out", logs.output[0])

    def test_several_objectives_and_constraints(self):
        one = self.suggester(goals=("minimize", "maximize"), constraints=1)
        ended = {}
        for number in range(6):
            point = point_for(one, number, ended, {})
            ended[number] = Evaluated(point, [point["x"], point["k"], point["x"] - 0.5])
        beside = point_for(one, 7, ended, {6: {"x": 0.25, "k": 2}})
        self.assertEqual(set(beside), {"x", "k"})

    def test_a_space_that_the_engine_refuses_says_so(self):
        with self.assertRaisesRegex(InvalidArgumentError, "double can hold"):
            point_for(self.suggester({"x": Float(-1e308, 1e308)}), 0, {}, {})


class Pipe:
    """The answers of an engine, of which one call raises something."""

    def __init__(self, pipe, raised, is_read):
        self._pipe = pipe
        self._raised = raised
        self._is_read = is_read

    def readline(self):
        raised, self._raised = self._raised, None
        if raised is None:
            return self._pipe.readline()
        if self._is_read:
            self._pipe.readline()
        raise raised

    def close(self):
        self._pipe.close()


class InterruptTest(SuggesterCase):
    """What comes from outside between a question and its answer."""

    def interrupted(self, one, raised, is_read):
        engine = one._engine
        engine._process.stdout = Pipe(engine._process.stdout, raised, is_read)
        return engine

    def test_the_next_call_begins_again_with_nothing_shown(self):
        for raised in (KeyboardInterrupt(), TimeoutError("an alarm"), ValueError("another")):
            for is_read in (False, True):
                one = self.suggester()
                ended = self.run_of(one, 8)
                engine = self.interrupted(one, raised, is_read)
                with self.assertRaises(type(raised)) as seen:
                    point_for(one, 8, ended, {})
                self.assertIs(seen.exception, raised)
                self.assertIsNotNone(engine._process.poll())
                self.assertEqual(point_for(one, 8, ended, {}),
                                 point_for(self.suggester(), 8, ended, {}))
                self.assertIsNot(one._engine, engine)

    def test_a_signal_that_comes_while_the_engine_answers(self):
        def handler(number, frame):
            raise KeyboardInterrupt

        one = self.suggester()
        ended = self.run_of(one, 8)
        pid = one._engine._process.pid
        os.kill(pid, signal.SIGSTOP)  # So that no answer comes before the signal.
        before = signal.signal(signal.SIGALRM, handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                point_for(one, 8, ended, {})
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.assertEqual(point_for(one, 8, ended, {}), point_for(self.suggester(), 8, ended, {}))

    def test_what_comes_after_an_answer_was_read_forgets_what_was_shown(self):
        one = self.suggester()
        ended = self.run_of(one, 8)
        shown = one._show_end

        def interrupted(engine, key, trial):
            if key == 7:
                engine.call("add", parameters={"x": 0.1, "k": 1}, value=0)
                raise KeyboardInterrupt
            shown(engine, key, trial)

        one._show_end = interrupted
        with self.assertRaises(KeyboardInterrupt):
            point_for(one, 8, ended, {})
        one._show_end = shown
        self.assertEqual(point_for(one, 8, ended, {}), point_for(self.suggester(), 8, ended, {}))

    def test_an_error_that_the_engine_answers_does_not_end_it(self):
        engine = Engine(study_of(SPACE, ("minimize",), 0, 7))
        self.addCleanup(engine.close)
        with self.assertRaises(InvalidArgumentError):
            engine.call("add", parameters={"x": 7, "k": 1}, value=1)
        self.assertIn("trials", engine.call("ask"))


class CodecTest(unittest.TestCase):
    def round_trips(self, codec, values):
        for value in values:
            given = codec.encode(value)
            self.assertTrue(codec.parameter.contains(given), given)
            self.assertEqual(codec.decode(given), value)
            self.assertIs(type(codec.decode(given)), type(value))

    def test_values_come_back_as_they_were(self):
        self.round_trips(_codec.real(-1, 1, False), [-1.0, 0.1, 1.0])
        self.round_trips(_codec.whole_number(1, 100, True), [1, 7, 100])
        self.round_trips(_codec.whole_number(0, 2 ** 60, False), [0, 2 ** 60])
        self.round_trips(_codec.steps(-0.3, 0.1, 7, float), [-0.3 + i * 0.1 for i in range(7)])
        self.round_trips(_codec.steps(3, 2, 4, int), [3, 5, 7, 9])
        self.round_trips(_codec.multiples(5, 31, 5, False, int), [5, 10, 30])
        self.round_trips(_codec.multiples(0.1, 0.5, 0.1, True, float),
                         [0.1, 0.2, 3 * 0.1, 0.4, 0.5])
        self.round_trips(_codec.multiples(1, 10 ** 6, 1, True, int), [1, 500, 10 ** 6])
        values = [None, True, "a", [1, 2], {"b": 3}]
        self.round_trips(_codec.choices(values, values.index), values)

    def test_what_is_rounded_stays_in_the_range(self):
        codec = _codec.multiples(10, 10 ** 6, 7, True, int)
        self.assertEqual(codec.decode(10.0), 14)
        self.assertEqual(codec.decode(1e6), 10 ** 6 // 7 * 7)
        self.assertEqual(_codec.real(0.1, 0.3, False).decode(0.30000000001), 0.3)

    def test_a_range_without_a_multiple_is_refused(self):
        with self.assertRaisesRegex(ValueError, "no multiple of 10"):
            _codec.multiples(11, 19, 10, False, int)


if __name__ == "__main__":
    unittest.main()
