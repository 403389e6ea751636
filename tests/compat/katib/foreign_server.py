"""A plugin of pytest that points the unit tests of Katib's services at KATIB_ADDRESS.

Those tests make a service object and call it in their own process, through grpc_testing.
Here the object is a shell, and the call goes over a channel.
"""

import importlib.abc
import importlib.machinery
import os
import sys
import types
import uuid

import grpc
import pytest
from google.protobuf import message_factory

# Those of Katib's packages that import what their services are made of.
SHELLS = ("pkg.suggestion.v1beta1.optuna", "pkg.suggestion.v1beta1.hyperopt",
          "pkg.suggestion.v1beta1.skopt", "pkg.earlystopping.v1beta1.medianstop")


class Ended:
    """A call that has ended, as grpc_testing shows it."""

    def __init__(self, *result):
        self.result = result

    def termination(self):
        return self.result


class Server:
    def __init__(self):
        self.channel = grpc.insecure_channel(os.environ["KATIB_ADDRESS"])
        # Each of the tests has an experiment of its own.
        self.experiment = "t-" + uuid.uuid4().hex

    def invoke_unary_unary(self, method_descriptor, invocation_metadata, request, timeout):
        del invocation_metadata, timeout  # Theirs is one second, for this process.
        if "experiment" in request.DESCRIPTOR.fields_by_name:
            request.experiment.name = self.experiment
        answer = message_factory.GetMessageClass(method_descriptor.output_type)
        call = self.channel.unary_unary(
            f"/{method_descriptor.containing_service.full_name}/{method_descriptor.name}",
            type(request).SerializeToString, answer.FromString)
        try:
            response, ended = call.with_call(request, timeout=60)
        except grpc.RpcError as error:
            return Ended(None, error.trailing_metadata(), error.code(), error.details())
        return Ended(response, ended.trailing_metadata(), ended.code(), ended.details())


class Shell:
    """In place of a service of Katib's."""

    load_kube_config = None

    def __init__(self, **kwargs):
        if kwargs:
            pytest.skip("looks inside of Katib's own service")


class Shells(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes modules that have a shell by any name, and grpc_testing."""

    def find_spec(self, name, path=None, target=None):
        del path, target
        if name == "grpc_testing" or name.startswith(SHELLS):
            return importlib.machinery.ModuleSpec(name, self, is_package=name in SHELLS)
        return None

    def create_module(self, spec):
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        if module.__name__ == "grpc_testing":
            module.server_from_dictionary = lambda *args: Server()
            module.strict_real_time = lambda: None
        else:
            module.__getattr__ = lambda name: Shell


sys.meta_path.insert(0, Shells())
