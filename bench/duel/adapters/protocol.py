"""The loop of an adapter: JSON lines in, JSON lines out.

The protocol is the one of `vernier suggest`; bench/duel/README.md lists its
messages. An adapter is a class:

    class Adapter:
        def __init__(self, parameters, seed, max_trials): ...  # minimises
        def ask(self, count): ...     # -> [(key, point)], key is the adapter's
        def tell(self, key, point, value): ...         # value None: infeasible

`main` runs it. With --describe it prints the versions instead, and whether the
optimizer `flattens`: sees conditional parameters as if always present.
"""

import importlib.metadata
import json
import os
import sys

# Last, so that no peer's module is hidden by one of ours.
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import parameter_space  # noqa: E402 (needs the path above)


class Server:
    """Numbers the trials and answers the messages."""

    def __init__(self, make_adapter):
        self._make_adapter = make_adapter
        self._adapter = None
        self._parameters = None
        self._trials = {}  # By id: (key, point).

    def answer(self, message):
        return getattr(self, "_" + message["op"])(message)

    def _create(self, message):
        hyperparameters = message["hyperparameters"]
        if hyperparameters["goal"] != "MINIMIZE":
            raise ValueError("the duel minimises: goal=" + hyperparameters["goal"])
        self._parameters = parameter_space.from_spec(hyperparameters["params"])
        self._adapter = self._make_adapter(
            self._parameters, message["seed"], hyperparameters["maxTrials"])
        return {"ok": True}

    def _ask(self, message):
        asked = []
        for key, point in self._adapter.ask(message.get("count", 1)):
            point = plain_point(self._parameters, point)
            number = len(self._trials) + 1
            self._trials[number] = (key, point)
            asked.append({"id": number, "parameters": point})
        return {"trials": asked}

    def _tell(self, message):
        key, point = self._trials[message["id"]]
        value = None if message.get("infeasible") else message["value"]
        self._adapter.tell(key, point, value)
        return {"ok": True}


def plain_point(parameters, values):
    """The active part of `values`, in plain Python types of the right kind."""
    kinds = {parameter.name: parameter
             for parameter in parameter_space.flattened(parameters)}
    plain = {name: _plain_value(kinds[name], value)
             for name, value in values.items()}
    return parameter_space.active_part(parameters, plain)


def _plain_value(parameter, value):
    if parameter.kind == parameter_space.CATEGORICAL:
        return str(value)
    if parameter.kind == parameter_space.INTEGER:
        return int(round(float(value)))
    value = float(value)
    if parameter.kind == parameter_space.DISCRETE:
        # A peer may have rounded it on the way: the nearest listed one is meant.
        return min(parameter.values, key=lambda listed: abs(listed - value))
    return min(max(value, parameter.low), parameter.high)


def main(make_adapter, packages=(), flattens=False):
    """Serves until the input ends. `packages` are those whose versions count."""
    if "--describe" in sys.argv:
        versions = {name: importlib.metadata.version(name) for name in packages}
        print(json.dumps({"versions": versions, "flattens": flattens}))
        return
    # Peers print to stdout as they like; the protocol's own stream is a copy.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    server = Server(make_adapter)
    for line in sys.stdin:
        try:
            reply = server.answer(json.loads(line))
        except Exception as error:  # A peer may raise anything; the driver asks.
            reply = {"error": {"code": "INTERNAL",
                               "message": f"{type(error).__name__}: {error}"}}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
