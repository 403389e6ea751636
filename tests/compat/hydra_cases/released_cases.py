"""Hydra's released tests of a launcher, from its wheel, with ours. Run by pytest."""

from hydra.test_utils.launcher_common_tests import (BatchedSweeperTestSuite,
                                                    IntegrationTestSuite,
                                                    LauncherTestSuite)
from pytest import mark


@mark.parametrize("launcher_name, overrides", [("vernier", [])])
class TestLauncher(LauncherTestSuite):
    """Sweeps in this process, by Hydra's basic sweeper."""


@mark.parametrize("task_launcher_cfg, extra_flags", [({}, ["-m", "hydra/launcher=vernier"])])
class TestIntegration(IntegrationTestSuite):
    """Programs of their own."""


@mark.parametrize("launcher_name, overrides", [
    ("vernier", ["hydra/sweeper=basic", "hydra.sweeper.max_batch_size=2"])])
class TestBatches(BatchedSweeperTestSuite):
    """Several calls of the launcher."""
