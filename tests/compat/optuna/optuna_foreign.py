"""A plugin of pytest: Optuna's own storage tests against a server of ours.

$OPTUNA_GRPC is its HOST:PORT. Nobody else may use the server meanwhile.
"""

import os
from contextlib import contextmanager

import optuna.testing.storages as supplier
from optuna.storages import GrpcStorageProxy


def connect():
    host, _, port = os.environ["OPTUNA_GRPC"].rpartition(":")
    proxy = GrpcStorageProxy(host=host, port=int(port))
    proxy.wait_server_ready(timeout=60)
    return proxy


_enter = supplier.StorageSupplier.__enter__


def enter(self):
    if self.storage_specifier != "grpc_foreign":
        return _enter(self)
    self.storage = self.proxy = connect()
    for study in self.proxy.get_all_studies():
        self.proxy.delete_study(study._study_id)
    return self.storage


@contextmanager
def get_storage():
    yield connect()


supplier.STORAGE_MODES[:] = ["grpc_foreign"]
supplier.StorageSupplier.__enter__ = enter


def pytest_collection_modifyitems(items):
    for item in items:
        if item.module.__name__.endswith("test_with_server"):
            item.module.get_storage = get_storage
