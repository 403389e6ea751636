"""`vernier suggest` as the small benchmarks of the duel drive it."""

import json
import math
import os
import subprocess


def double(name, low, high, log=False):
    return {"parameterName": name, "type": "DOUBLE", "minValue": low, "maxValue": high,
            "scaleType": "UNIT_LOG_SCALE" if log else "UNIT_LINEAR_SCALE"}


def integer(name, low, high, log=False):
    return {"parameterName": name, "type": "INTEGER", "minValue": low, "maxValue": high,
            "scaleType": "UNIT_LOG_SCALE" if log else "UNIT_LINEAR_SCALE"}


def choice(name, values):
    return {"parameterName": name, "type": "CATEGORICAL", "categoricalValues": values}


def draw(params, rng):
    """A point, uniform on the scales of `params`."""
    point = {}
    for each in params:
        name = each["parameterName"]
        if each["type"] == "CATEGORICAL":
            point[name] = rng.choice(each["categoricalValues"])
            continue
        low, high = each["minValue"], each["maxValue"]
        if each["scaleType"] == "UNIT_LOG_SCALE":
            value = math.exp(rng.uniform(math.log(low), math.log(high)))
        else:
            value = rng.uniform(low, high)
        point[name] = value
    return snapped(params, point)


def snapped(params, point):
    """Moves the numbers of `point` to the nearest that are possible; returns it."""
    for each in params:
        name = each["parameterName"]
        if each["type"] == "CATEGORICAL":
            continue
        value = min(each["maxValue"], max(each["minValue"], point[name]))
        point[name] = round(value) if each["type"] == "INTEGER" else value
    return point


class SuggestEngine:
    """A process with one study that minimises over `params`; `fields` are others of the
    operation `create`."""

    def __init__(self, binary, params, seed, **fields):
        self._process = subprocess.Popen([binary, "suggest"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self.call({"op": "create", "seed": seed,
                   "hyperparameters": {"goal": "MINIMIZE", "params": params}, **fields})

    def call(self, request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def processor_seconds(self):
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak_megabytes(self):
        with open(f"/proc/{self._process.pid}/status", encoding="ascii") as file:
            peak = next(line for line in file if line.startswith("VmHWM:"))
        return int(peak.split()[1]) / 1024

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def numbers(text):
    """The whole numbers that "7" or "1-5" means."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)
