"""What each trial of a launched job runs: python -m ..._trial_main --job INDEX

It runs one job of the multirun as Hydra's own launchers do, leaves what it returned in
the trial's folder, and fails if the job failed, so that the service may try it again.
"""

import os
import sys
import traceback
from numbers import Real
from typing import Any, Dict, Mapping

import vernier_hpo as vn
from hydra.core.singleton import Singleton
from hydra.core.utils import JobReturn, JobStatus, run_job, setup_globals
from omegaconf import open_dict

from . import _jobs_file, _return_file
from ._job_config import DONE, PARAMETER


def main() -> int:
    """Runs the job; the exit code is 1 if it failed."""
    folder = os.environ.get("VERNIER_OUTPUT_DIR") or os.getcwd()
    index = int(vn.trial().params[PARAMETER])
    with open(_jobs_file.NAME, "rb") as file:
        jobs = _jobs_file.read(file)
    number = list(jobs.overrides)[index]
    sys.argv = sys.argv[:1]  # The task function is to see no arguments of ours.
    try:
        result = _run(jobs, number)
    except Exception as error:  # Such as a key that the configuration has not.
        result = JobReturn(overrides=jobs.overrides[number], status=JobStatus.FAILED)
        result.return_value = error
    _return_file.write(folder, number, result)
    if result.status != JobStatus.COMPLETED:
        raised = result._return_value
        traceback.print_exception(None, raised, raised.__traceback__)
        return 1
    for metric, value in _metrics_of(result._return_value).items():
        vn.report(metric, value, 1)
    vn.report(DONE, 1.0, 1)
    return 0


def _run(jobs: _jobs_file.Jobs, number: int) -> JobReturn:
    Singleton.set_state(jobs.singletons)
    setup_globals()
    config = jobs.hydra_context.config_loader.load_sweep_config(
        jobs.config, list(jobs.overrides[number]))
    with open_dict(config):
        config.hydra.job.id = (f"{os.environ.get('VERNIER_JOB', '')}"
                               f"-{os.environ.get('VERNIER_TRIAL', '')}")
        config.hydra.job.num = number
    return run_job(
        hydra_context=jobs.hydra_context, task_function=jobs.task_function, config=config,
        job_dir_key="hydra.sweep.dir", job_subdir_key="hydra.sweep.subdir")


def _metrics_of(returned: Any) -> Dict[str, float]:
    """The numbers among what the task returned, by which tables show them."""
    named: Dict[Any, Any] = {}
    if isinstance(returned, Mapping):
        named = {f"return_value.{name}": value for name, value in returned.items()}
    elif isinstance(returned, (list, tuple)):
        named = {f"return_value_{at}": value for at, value in enumerate(returned)}
    else:
        named = {"return_value": returned}
    return {str(name): float(value) for name, value in named.items()
            if isinstance(value, Real) and not isinstance(value, bool)}




if __name__ == "__main__":
    sys.exit(main())
