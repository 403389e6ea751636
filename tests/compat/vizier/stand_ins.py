"""Stands in for the parts of google-vizier that its tests use beside its client.

Its tests start a server of its own, which needs JAX, and evaluate a function
from a package that needs it, too. Here the "server" is the service under test,
and the function is written out; the client and the tests stay as released.
"""

import sys
import types


def _module(name):
    module = types.ModuleType(name)
    sys.modules[name] = module
    return module


class _NothingToStop:
    def stop(self, _grace):
        pass


class _Sphere:
    """The sphere function, as vizier.benchmarks' BBOB experimenter has it."""

    def __init__(self, vz, dimension):
        self._vz = vz
        self._dimension = dimension

    def problem_statement(self):
        problem = self._vz.ProblemStatement()
        for i in range(self._dimension):
            problem.search_space.root.add_float_param(f"x{i}", -5.0, 5.0)
        problem.metric_information.append(self._vz.MetricInformation(
            name="bbob_eval", goal=self._vz.ObjectiveMetricGoal.MINIMIZE))
        return problem

    def evaluate(self, trials):
        for trial in trials:
            value = sum(trial.parameters.get_value(f"x{i}") ** 2
                        for i in range(self._dimension))
            trial.complete(self._vz.Measurement(metrics={"bbob_eval": value}))


def install(endpoint):
    """Makes the modules importable; `endpoint` is gRPC's name of our service."""
    server = _module("vizier._src.service.vizier_server")

    class DefaultVizierServer:
        def __init__(self, **_options):
            self.endpoint = endpoint
            self._server = _NothingToStop()

    class DistributedPythiaVizierServer:
        """Only named by the tests; its cases are not run."""

    server.DefaultVizierServer = DefaultVizierServer
    server.DistributedPythiaVizierServer = DistributedPythiaVizierServer
    import vizier._src.service as package
    package.vizier_server = server

    from vizier import pyvizier as vz
    benchmarks = _module("vizier.benchmarks")
    benchmarks.experimenters = _module("vizier.benchmarks.experimenters")
    benchmarks.experimenters.BBOBExperimenterFactory = (
        lambda _name, dimension: lambda: _Sphere(vz, dimension))
