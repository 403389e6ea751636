"""What `hydra/launcher=vernier` and `hydra/sweeper=vernier` can be told."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from hydra.core.config_store import ConfigStore
from omegaconf import OmegaConf


@dataclass
class VernierLauncherConf:
    """Where and how jobs run. Names that submitit's launcher has mean the same here."""

    _target_: str = "hydra_plugins.hydra_vernier.launcher.VernierLauncher"
    # The job's name in the service; the same multirun with the same name goes on.
    name: Optional[str] = None
    # local, slurm or kubernetes; without it the service's own.
    where: Optional[str] = None
    # A container image that has the program's packages, hydra-core and hydra-vernier.
    image: Optional[str] = None
    # The Python of the jobs: this one, and in an image python3.
    python: Optional[str] = None
    # How many jobs run at a time: as many as there are processors, and 256 on a cluster.
    array_parallelism: Optional[int] = None
    # How often a job whose task raised, or whose process failed, is tried again.
    retries: int = 0
    timeout_min: Optional[float] = None
    gpus_per_node: Optional[int] = None
    # Of Slurm and Kubernetes.
    cpus_per_task: Optional[int] = None
    mem_gb: Optional[int] = None
    # Of Slurm.
    partition: Optional[str] = None
    qos: Optional[str] = None
    constraint: Optional[str] = None
    account: Optional[str] = None
    # Further fields of a job file's sections of these names.
    slurm: Dict[str, Any] = field(default_factory=dict)
    kubernetes: Dict[str, Any] = field(default_factory=dict)
    # Variables of the jobs, beside those that hydra.job.env_copy names.
    env: Dict[str, str] = field(default_factory=dict)
    # Which service, as the Python package's functions take it.
    endpoint: Optional[str] = None
    storage: Optional[str] = None
    project: Optional[str] = None


@dataclass
class VernierSweeperConf:
    """What is searched for, and how. Names that the Optuna sweeper has mean the same."""

    _target_: str = "hydra_plugins.hydra_vernier.sweeper.VernierSweeper"
    # minimize or maximize, or a list of them for a task that returns several values.
    direction: Any = "minimize"
    # The name of the one metric: of what the task returns, or reports.
    metric: str = "value"
    # Several metrics by name, each with its direction; then the task returns a dict.
    metrics: Dict[str, str] = field(default_factory=dict)
    # The study's name in the service; the same sweep with the same name goes on.
    study_name: Optional[str] = None
    # Of the study, with those that an earlier call of the same sweep has left.
    n_trials: int = 20
    n_jobs: int = 2
    seed: Optional[int] = None
    # default (a Gaussian process), random, grid, quasi_random or shuffled_grid.
    algorithm: str = "default"
    # Constraints between parameters as texts, and bounds on metrics as mappings.
    constraints: List[Any] = field(default_factory=list)
    # Which share of n_trials may fail before the sweep ends with the job's error.
    max_failure_rate: float = 0.0
    params: Dict[str, Any] = field(default_factory=dict)
    endpoint: Optional[str] = None
    storage: Optional[str] = None
    project: Optional[str] = None


def plain(settings: Dict[str, Any]) -> Dict[str, Any]:
    """Settings as Hydra hands them to a plugin, with Python's own dicts and lists."""
    return {name: OmegaConf.to_container(value, resolve=True)
            if OmegaConf.is_config(value) else value for name, value in settings.items()}


ConfigStore.instance().store(
    group="hydra/launcher", name="vernier", node=VernierLauncherConf, provider="vernier")
ConfigStore.instance().store(
    group="hydra/sweeper", name="vernier", node=VernierSweeperConf, provider="vernier")
