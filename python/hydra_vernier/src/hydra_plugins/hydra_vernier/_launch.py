"""One call of the launcher: jobs that run as trials, and what came of them."""

import hashlib
import json
import logging
import os
import tempfile
import threading
import uuid
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import vernier_hpo as vn
from hydra.core.singleton import Singleton
from hydra.core.utils import (JobReturn, JobStatus, configure_log, filter_overrides,
                              setup_globals)
from hydra.errors import HydraException
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

from . import _jobs_file, _return_file
from ._job_config import DONE, LABEL, PARAMETER, job_config, name_from
from .config import VernierLauncherConf

_log = logging.getLogger(__name__)

Numbered = Dict[int, List[str]]

# Hydra's state is the whole process's, and several threads may launch.
_hydra = threading.Lock()


class Launch:
    """Runs jobs of a multirun, by their numbers in it."""

    def __init__(self, settings: VernierLauncherConf, hydra_context: HydraContext,
                 task_function: TaskFunction, config: DictConfig) -> None:
        self._settings = settings
        self._context = hydra_context
        self._task = task_function
        self._config = config
        self._where: Dict[str, Any] = {
            "endpoint": settings.endpoint, "storage": settings.storage,
            "project": settings.project}
        # What jobs that returned None have reported last.
        self.reported: Dict[int, Dict[str, float]] = {}

    def run(self, jobs: Numbered) -> Dict[int, JobReturn]:
        """Runs what no earlier job of the same name has completed."""
        with _hydra:
            setup_globals()
            configure_log(self._config.hydra.hydra_logging, self._config.hydra.verbose)
        Path(str(self._config.hydra.sweep.dir)).mkdir(parents=True, exist_ok=True)
        returns: Dict[int, JobReturn] = {}
        rounds = 0
        if self._settings.name is not None:
            rounds = self._collect_earlier(jobs, returns)
        missing = {number: overrides for number, overrides in jobs.items()
                   if number not in returns}
        if missing:
            name = self._name(jobs, rounds)
            job = self._submit(name, missing, _fingerprint(jobs))
            self._wait(job)
            returns.update(self._returns_of(job, missing))
        return returns

    def _name(self, jobs: Numbered, rounds: int) -> str:
        """Of the service's job: a launch's first, or one of what that left open."""
        if self._settings.name is None:
            return f"{name_from(str(self._config.hydra.job.name))}-{uuid.uuid4().hex[:8]}"
        first = min(jobs)
        return (self._settings.name + (f"_from{first}" if first else "")
                + (f"_again{rounds}" if rounds else ""))

    def _collect_earlier(self, jobs: Numbered, returns: Dict[int, JobReturn]) -> int:
        """Adds what jobs of this name have completed; says how many jobs there are."""
        rounds = 0
        while True:
            name = self._name(jobs, rounds)
            try:
                job = vn.load_job(name, **self._where)
            except vn.NotFoundError:
                return rounds
            _check_same(job, jobs)
            _log.info("The job %s is there, %s: this multirun goes on with it", name,
                      job.state)
            self._wait(job)
            returns.update({
                number: each for number, each in self._left_by(job.trials).items()
                if each.status == JobStatus.COMPLETED})
            rounds += 1

    def _submit(self, name: str, jobs: Numbered, fingerprint: str) -> vn.Job:
        _log.info("Launching %d jobs as trials of the job %s", len(jobs), name)
        for number, overrides in jobs.items():
            _log.info("\t#%d : %s", number, " ".join(filter_overrides(overrides)))
        with tempfile.TemporaryDirectory(prefix="vernier-hydra-") as folder, _hydra:
            _jobs_file.write(folder, _jobs_file.Jobs(
                self._context, self._task, self._config, Singleton.get_state(), jobs))
            return vn.submit(
                job_config(self._settings, name, fingerprint, len(jobs), folder),
                env=self._environment(), **self._where)

    def _environment(self) -> Dict[str, str]:
        copied = {name: os.environ[name] for name in self._config.hydra.job.env_copy
                  if name in os.environ}
        return {**copied, **{name: str(value)
                             for name, value in self._settings.env.items()}}

    def _wait(self, job: vn.Job) -> None:
        try:
            job.wait()
        except KeyboardInterrupt:
            _log.warning(
                "The job %s goes on: `vernier jobs cancel %s` ends it, and the same "
                "multirun with hydra.launcher.name=%s waits for it",
                job.name, job.name, job.name)
            raise

    def _returns_of(self, job: vn.Job, jobs: Numbered) -> Dict[int, JobReturn]:
        """What came of each of these jobs, which are those of an ended job."""
        trials = job.trials
        returns = self._left_by(trials)
        by_index = {int(trial.params[PARAMETER]): trial for trial in trials}
        for index, (number, overrides) in enumerate(jobs.items()):
            if number not in returns:
                result = JobReturn(overrides=overrides, status=JobStatus.FAILED)
                result.return_value = HydraException(
                    _why_nothing(job, number, by_index.get(index)))
                returns[number] = result
            elif returns[number].status != JobStatus.COMPLETED:
                _log.error("Job #%d failed: `vernier logs %s %d` shows what it printed",
                           number, job.name, by_index[index].number)
        return returns

    def _left_by(self, trials: Sequence[vn.FrozenTrial]) -> Dict[int, JobReturn]:
        """What trials have left, by the numbers of their jobs."""
        returns: Dict[int, JobReturn] = {}
        for trial in trials:
            left = _return_file.read(trial.output_dir) if trial.output_dir else None
            if left is None:
                continue
            number, result = left
            returns[number] = result
            if result.status == JobStatus.COMPLETED and result.return_value is None:
                self.reported[number] = {
                    metric: value for metric, value in trial.last_values.items()
                    if metric != DONE}
        return returns


def _fingerprint(jobs: Numbered) -> str:
    """Tells one multirun's jobs from another's: their numbers and overrides."""
    text = json.dumps(sorted(jobs.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _check_same(job: vn.Job, jobs: Numbered) -> None:
    labels = job.describe().get("labels", {})
    if labels.get(LABEL) != _fingerprint(jobs):
        raise HydraException(
            f"the job {job.name} is another multirun's: its jobs have other overrides, or it "
            f"is no multirun. Give another hydra.launcher.name, or remove it by "
            f"`vernier jobs delete {job.name}`")


def _why_nothing(job: vn.Job, number: int, trial: Optional[vn.FrozenTrial]) -> str:
    if trial is None:
        return f"job #{number} was not run: {job.name} is {job.state}: {job.error_message}"
    place = (f"; its folder {trial.output_dir} cannot be read on this machine"
             if trial.output_dir and not os.path.isdir(trial.output_dir) else "")
    return (f"job #{number} left no result: trial {trial.number} of {job.name} is "
            f"{trial.state}: {trial.message or trial.end_cause}{place}. "
            f"`vernier logs {job.name} {trial.number}` shows what it printed")
