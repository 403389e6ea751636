"""The launcher `vernier`, as Hydra finds it."""

from typing import Any, Dict, List, Optional, Sequence

from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

from .config import VernierLauncherConf, plain


class VernierLauncher(Launcher):
    """Runs the jobs of each call of launch as the trials of one job of the service.

    Takes the fields of VernierLauncherConf. Several threads may call launch.
    """

    def __init__(self, **settings: Any) -> None:
        self.settings = VernierLauncherConf(**plain(settings))
        self.config: Optional[DictConfig] = None
        self.task_function: Optional[TaskFunction] = None
        self.hydra_context: Optional[HydraContext] = None
        # What jobs that returned None have reported last, by the job's number and metric.
        self.reported: Dict[int, Dict[str, float]] = {}

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction,
              config: DictConfig) -> None:
        """Keeps what the jobs need."""
        self.config = config
        self.task_function = task_function
        self.hydra_context = hydra_context

    def launch(self, job_overrides: Sequence[Sequence[str]],
               initial_job_idx: int) -> Sequence[JobReturn]:
        """Runs the jobs, and returns what they returned, in their order.

        A job that failed returns its exception, as run_job does. With a name, jobs that
        an earlier call with these overrides completed are not run again, and those that
        still run are waited for. HydraException if the job of this name has
        other overrides.
        """
        from ._launch import Launch

        assert self.config is not None and self.hydra_context is not None
        assert self.task_function is not None
        launch = Launch(self.settings, self.hydra_context, self.task_function, self.config)
        numbered: Dict[int, List[str]] = {
            initial_job_idx + at: list(each) for at, each in enumerate(job_overrides)}
        returns = launch.run(numbered)
        self.reported.update(launch.reported)
        return [returns[number] for number in numbered]
