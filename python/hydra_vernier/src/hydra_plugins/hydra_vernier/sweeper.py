"""The sweeper `vernier`, as Hydra finds it."""

from typing import Any, List, Optional

from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

from .config import VernierSweeperConf, plain


class VernierSweeper(Sweeper):
    """Asks a study of the service which jobs to launch, and tells it what they returned.

    Takes the fields of VernierSweeperConf.
    """

    def __init__(self, **settings: Any) -> None:
        self.settings = VernierSweeperConf(**plain(settings))
        self.config: Optional[DictConfig] = None
        self.hydra_context: Optional[HydraContext] = None
        self.launcher: Optional[Launcher] = None

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction,
              config: DictConfig) -> None:
        """Makes the launcher that the configuration names."""
        from hydra.core.plugins import Plugins

        self.config = config
        self.hydra_context = hydra_context
        self.launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config)

    def sweep(self, arguments: List[str]) -> Any:
        """Runs the sweep; returns what the jobs returned, a list for each launch.

        Raises the exception of a job if more than max_failure_rate of n_trials failed.
        """
        from ._sweep import Sweep

        assert self.config is not None and self.hydra_context is not None
        assert self.launcher is not None
        return Sweep(self, self.settings, self.config, self.hydra_context,
                     self.launcher).run(arguments)
