"""A launch as a job of the service, in the words of docs/job-file.md."""

import os
import re
import sys
from typing import Any, Dict, Mapping

from hydra.errors import HydraException

from .config import VernierLauncherConf

# The parameter that says which job of the multirun a trial is, and what says it is done.
PARAMETER = "job"
DONE = "done"
# The job's label with what its jobs are, by which a later call knows it again.
LABEL = "hydra"

_PLACES = ("local", "slurm", "kubernetes")
_MOST_ON_CLUSTERS = 256
_FOR_EVER = 10 * 365 * 24 * 3600


def job_config(settings: VernierLauncherConf, name: str, fingerprint: str, count: int,
               folder: str) -> Dict[str, Any]:
    """The job whose `count` trials are the jobs in the file of `folder`.

    It has no search: its points are a grid of one parameter, in their order. No number
    of failures ends it before all jobs have run, as with Hydra's other launchers.
    HydraException for settings that do not go together.
    """
    _check(settings)
    section: Dict[str, Any] = {
        "algorithm": "GRID_SEARCH", "codeDir": folder,
        "maxConsecutiveFailures": 1_000_000, "maxInstantFailures": 1000,
        "retry": {"maxUserErrorRetries": settings.retries},
        "command": [_python(settings), "-m", "hydra_plugins.hydra_vernier._trial_main"]}
    if settings.where is not None:
        section["launcher"] = settings.where
    if settings.timeout_min is not None:
        section["trialTimeLimit"] = f"{max(1, round(60 * settings.timeout_min))}s"
    if settings.gpus_per_node is not None:
        section["gpusPerReplica"] = settings.gpus_per_node
    for cluster, fields in (("slurm", _slurm(settings)),
                            ("kubernetes", _kubernetes(settings))):
        if fields:
            section[cluster] = fields
    training: Dict[str, Any] = {
        "scaleTier": "BASIC",
        "scheduling": {"maxRunningTime": f"{_FOR_EVER}s"},
        "hyperparameters": {
            "goal": "MAXIMIZE", "hyperparameterMetricTag": DONE, "maxTrials": count,
            "maxParallelTrials": min(count, _parallelism(settings)),
            "maxFailedTrials": count,
            "params": [{"parameterName": PARAMETER, "type": "INTEGER", "minValue": 0,
                        "maxValue": count - 1}]}}
    if settings.image is not None:
        training["masterConfig"] = {"imageUri": settings.image}
    return {"jobId": name, "labels": {LABEL: fingerprint}, "trainingInput": training,
            "vernier": section}


def name_from(text: str) -> str:
    """A name that a job may have, from any text."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", text)[:100]
    return name if name[:1].isalpha() else "job_" + name


def _check(settings: VernierLauncherConf) -> None:
    if settings.where is not None and settings.where not in _PLACES:
        raise HydraException(f"hydra.launcher.where is {', '.join(_PLACES[:-1])} or "
                             f"{_PLACES[-1]}, not {settings.where!r}")
    if settings.name is not None and settings.name != name_from(settings.name):
        raise HydraException(
            f"hydra.launcher.name is a letter, then letters, digits, _ or -, at most 100 "
            f"in all: {settings.name!r}")
    if settings.retries < 0:
        raise HydraException(f"hydra.launcher.retries is 0 or more: {settings.retries}")
    if _parallelism(settings) < 1:
        raise HydraException("hydra.launcher.array_parallelism is 1 or more: "
                             f"{settings.array_parallelism}")


def _parallelism(settings: VernierLauncherConf) -> int:
    if settings.array_parallelism is not None:
        return settings.array_parallelism
    return (os.cpu_count() or 1) if settings.where in (None, "local") else _MOST_ON_CLUSTERS


def _python(settings: VernierLauncherConf) -> str:
    in_image = settings.image is not None or settings.where == "kubernetes"
    return settings.python or ("python3" if in_image else sys.executable)


def _slurm(settings: VernierLauncherConf) -> Dict[str, Any]:
    fields = {name: getattr(settings, name)
              for name in ("partition", "qos", "constraint", "account")}
    if settings.where == "slurm":
        fields["cpusPerReplica"] = settings.cpus_per_task
        fields["memoryPerReplica"] = _memory(settings)
    return {**_given(fields), **_camel_case(settings.slurm)}


def _kubernetes(settings: VernierLauncherConf) -> Dict[str, Any]:
    fields: Dict[str, Any] = {}
    if settings.where == "kubernetes":
        cpus = settings.cpus_per_task
        fields["cpusPerReplica"] = None if cpus is None else str(cpus)
        fields["memoryPerReplica"] = _memory(settings)
    return {**_given(fields), **_camel_case(settings.kubernetes)}


def _memory(settings: VernierLauncherConf) -> Any:
    return None if settings.mem_gb is None else f"{settings.mem_gb}G"


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _camel_case(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """Fields by the names of a job file, given by those of a study file or by these."""
    return {re.sub(r"_([a-z])", lambda found: found[1].upper(), name): value
            for name, value in fields.items()}
