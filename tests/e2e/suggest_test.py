"""`vernier suggest` as a program drives it: the engine by itself, in a pipe."""

import json
import os
import subprocess
import tempfile
import unittest

from service import binary

CREATE = {
    "op": "create", "seed": 7,
    "hyperparameters": {
        "goal": "MINIMIZE",
        "params": [
            {"parameterName": "lr", "type": "DOUBLE", "minValue": 1e-4,
             "maxValue": 1, "scaleType": "UNIT_LOG_SCALE"},
            {"parameterName": "layers", "type": "INTEGER", "minValue": 1,
             "maxValue": 8}]}}


class Engine:
    """One `vernier suggest`, in an empty folder without a service."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="vernier-")
        self.process = subprocess.Popen(
            [binary(), "suggest"], stdin=subprocess.PIPE, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self.folder.name,
            env={"HOME": self.folder.name, "PATH": "/usr/bin:/bin"})

    def answer(self, request):
        line = request if isinstance(request, str) else json.dumps(request)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        """Ends it; its exit status and what it wrote to standard error."""
        if self.process.stdin.closed:
            return None
        self.process.stdin.close()
        status = self.process.wait(timeout=60)
        errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()
        return status, errors


def error_of(parameters):
    """Smallest at lr = 0.03 and three layers."""
    distance = abs(parameters["lr"] - 0.03) / 0.03
    return min(distance, 3) + abs(parameters["layers"] - 3)


class SuggestTest(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def test_points_meet_constraints_between_parameters(self):
        create = {**CREATE, "constraints": [
            "100*lr + layers <= 4", "not (layers = 1 and lr > 0.01)"]}
        self.assertEqual(self.engine.answer(create), {"ok": True})
        for _ in range(20):
            trial = self.engine.answer({"op": "ask"})["trials"][0]
            point = trial["parameters"]
            self.assertLessEqual(100 * point["lr"] + point["layers"], 4)
            self.assertFalse(point["layers"] == 1 and point["lr"] > 0.01)
            self.engine.answer({"op": "tell", "id": trial["id"],
                                "value": error_of(point)})
        refused = self.engine.answer({
            "op": "add", "parameters": {"lr": 0.5, "layers": 2}, "value": 1})
        self.assertIn("does not meet the constraint", refused["error"]["message"])

    def test_constraints_that_cannot_be_say_why(self):
        for constraints, reason in (
                (["lr + leyers <= 4"], "character 6: no parameter is called \"leyers\"; did you mean layers?"),
                (["lr * layers <= 4"], "two parameters are multiplied"),
                (["layers - 8*lr >= 7.9", "layers <= 7"], "meets together"),
                ([7], "constraints[0] must be an object")):
            answer = self.engine.answer({**CREATE, "constraints": constraints})
            self.assertIn(reason, answer["error"]["message"])

    def test_a_loop_of_ones_own_finds_the_best(self):
        self.assertEqual(self.engine.answer(CREATE), {"ok": True})
        for _ in range(40):
            trial, = self.engine.answer({"op": "ask"})["trials"]
            value = error_of(trial["parameters"])
            self.assertEqual(
                self.engine.answer({"op": "tell", "id": trial["id"],
                                    "value": value}), {"ok": True})
        best = self.engine.answer({"op": "best"})["best"]
        self.assertEqual(best["parameters"]["layers"], 3)
        self.assertLess(best["value"], 0.2)
        why = self.engine.answer({"op": "why", "id": 40})
        self.assertIn("39 results", why["text"])
        self.assertEqual(self.engine.close(), (0, ""))

    def test_two_processes_give_the_same_answers(self):
        other = Engine()
        self.addCleanup(other.close)
        answers = []
        for engine in (self.engine, other):
            engine.answer(CREATE)
            told = []
            for i in range(1, 13):
                told.append(engine.answer({"op": "ask", "count": 1}))
                engine.answer({"op": "tell", "id": i, "value": i % 5})
            answers.append(told)
            self.assertEqual(engine.close(), (0, ""))
        self.assertEqual(answers[0], answers[1])

    def test_a_bad_line_is_answered_and_changes_nothing(self):
        self.engine.answer(CREATE)
        for line in ("nonsense", "[]", '{"op":"tell","id":1,"value":No}',
                     "[" * 100000):
            error = self.engine.answer(line)["error"]
            self.assertEqual(error["code"], "INVALID_ARGUMENT", line[:40])
            self.assertTrue(error["message"])
        trial, = self.engine.answer({"op": "ask"})["trials"]
        self.assertEqual(trial["id"], 1)
        # As Python writes it: the trial came to no number.
        self.assertNotIn("error", self.engine.answer('{"op":"tell","id":1,"value":NaN}'))

    def test_it_leaves_no_file_behind(self):
        self.engine.answer(CREATE)
        self.engine.answer({"op": "ask"})
        self.assertEqual(os.listdir(self.engine.folder.name), [])


if __name__ == "__main__":
    unittest.main()
