"""Running an objective as trials of the service: processes of their own."""

from __future__ import annotations

import json
import os
import sys
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from ._hints import RUN, with_hints
from ._job import Job
from ._job_space import TRIAL_PROGRAM, forms_of, params_of
from ._location import Folder, location_of
from ._objective import ObjectiveReference, refer_to
from ._optimize import jobs_of
from ._pieces import in_pieces
from ._space import Space, check_space, whole
from ._study_config import (Beliefs, Constraints, EarlyStopping, Metrics, PriorStudies,
                            Repeats, beliefs_of, check_metrics, constraints_of,
                            priors_of, repeats_of, stopping_of)
from ._submit import submit_or_go_on

_MOST_DESCRIPTION = 768 << 10  # Linux takes 2 MiB in all arguments and variables.
_ALGORITHMS = {"default": "DEFAULT", "random": "RANDOM_SEARCH", "grid": "GRID_SEARCH",
               "quasi_random": "QUASI_RANDOM_SEARCH",
               "shuffled_grid": "SHUFFLED_GRID_SEARCH"}


@with_hints(**RUN)
def run(objective: Union[str, Callable[[Any], Any]], space: Space, n_trials: int, *,
        n_jobs: int = 1, goal: Optional[str] = None, metric: Optional[str] = None,
        metrics: Optional[Metrics] = None,
        constraints: Constraints = (),
        name: Optional[str] = None, seed: Optional[int] = None,
        algorithm: str = "default", early_stopping: EarlyStopping = False,
        repeats: Optional[Repeats] = None,
        prior_studies: PriorStudies = (),
        prior_rename: Optional[Mapping[str, str]] = None,
        beliefs: Optional[Beliefs] = None,
        gpus: Optional[int] = None, job_dir: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None, copy_code: bool = True,
        wait: bool = True, restart: bool = False,
        endpoint: Optional[str] = None, storage: Optional[Folder] = None,
        project: Optional[str] = None) -> Job:
    """Runs each trial as a process of the service, `n_jobs` at a time.

    The objective gets a `vn.trial()` and returns its value. It is found again by
    name, not pickled: give a function at the top level of a module or script, or
    "module:function". A script is read again by each trial, so what it does besides
    defining functions belongs below `if __name__ == "__main__":`. The folder of the
    code is copied, so editing it changes no running job; open files, globals and
    anything else of this process are not there. The trials run this Python.

    A job of this `name` that is there already goes on by the rules of `vernier run`: one
    that failed or was cancelled with the present code and limits, one that succeeded if
    `n_trials` is larger; one that runs is left as it is, unless `restart`, which also
    starts its running trials again. What changed is said on standard error.

    Not copied are version control, caches, virtual environments, and what a file
    `.vernierignore` names. With `copy_code=False` the trials run in the folder itself.
    What a trial writes into its working directory is in its `files`.

    `goal` is "minimize" (the default) or "maximize" for `metric` ("value"). Several
    objectives are `metrics={name: goal}` as for `create_study`, and the objective returns
    a dict of them, or their values in this order. `constraints` bound what a trial's
    metrics come to, `[{"metric": "memory", "max": 4e9}]`; the objective returns or reports
    them, too. Texts among them are constraints between parameters, as for `create_study`.

    `gpus` is for each trial, and `early_stopping`, `repeats`, `prior_studies`,
    `prior_rename` and `beliefs` as for `create_study`; VERNIER_REPEAT then says which trial of its
    point one is, from 1. Waits for the end unless `wait=False`; the job goes on without
    this program.

    Raises ValueError for an objective that another process cannot find, RuntimeError in
    a trial that reads a script without that line, FailedPreconditionError for a name
    whose job searches otherwise, and what submit and Job.wait raise.
    """
    reference = refer_to(objective)
    goals, references = check_metrics(goal, metric, metrics)
    checked = check_space(space)
    if whole("n_trials", n_trials) < 1:
        raise ValueError(f"n_trials must be >= 1: {n_trials}")
    if algorithm not in _ALGORITHMS:
        raise ValueError(f"there is no algorithm {algorithm!r}, but "
                         f"{', '.join(_ALGORITHMS)}")
    hyperparameters: Dict[str, Any] = {
        "goal": next(iter(goals.values())).upper(),
        "hyperparameterMetricTag": next(iter(goals)),
        "maxTrials": whole("n_trials", n_trials),
        "maxParallelTrials": max(1, min(jobs_of(n_jobs), n_trials)),
        "params": params_of(checked)}
    section: Dict[str, Any] = {
        "algorithm": _ALGORITHMS[algorithm], "maxConsecutiveFailures": 5,
        "codeDir": reference.folder,
        "command": [sys.executable, "-m", TRIAL_PROGRAM,
                    *in_pieces(_description(reference, list(goals), checked))]}
    if len(goals) > 1 or references:
        section["objectives"] = [
            {"metric": name, "goal": each.upper(),
             **({"reference": references[name]} if name in references else {})}
            for name, each in goals.items()]
    if constraints:
        section.update(constraints_of(constraints))
    stopping = stopping_of(early_stopping)
    if stopping is not None:
        section["earlyStopping"] = stopping
    if repeats is not None:
        section["repeats"] = repeats_of(repeats)
    section.update(priors_of(prior_studies, prior_rename))
    section.update(beliefs_of(beliefs, checked))
    if not copy_code:
        folder = section.pop("codeDir")
        section["command"] = ["/usr/bin/env", f"--chdir={folder}", *section["command"]]
    if seed is not None:
        section["seed"] = whole("seed", seed)
    if gpus is not None:
        section["gpusPerReplica"] = whole("gpus", gpus)
    training: Dict[str, Any] = {"scaleTier": "BASIC", "hyperparameters": hyperparameters}
    if job_dir:
        training["jobDir"] = os.path.abspath(job_dir)
    given = f"{reference.function}-{uuid.uuid4().hex[:8]}" if name is None else name
    job = submit_or_go_on(
        {"jobId": given, "trainingInput": training, "vernier": section}, given,
        location=location_of(endpoint, storage, project), env=env,
        caller_env=_environment(), restart=restart, space=checked)
    if wait:
        job.wait()
    return job


def _description(reference: ObjectiveReference, metrics: List[str],
                 space: Space) -> str:
    """What a trial is told of its objective, as arguments of its program: these arrive
    wherever a trial runs, in containers and on clusters without a common disk, too."""
    text = json.dumps({
        "module": reference.module,
        "file": "" if reference.module else os.path.basename(reference.file),
        "function": reference.function, "metric": metrics[0], "metrics": metrics,
        **forms_of(space)})
    if len(text) > _MOST_DESCRIPTION:
        raise ValueError(f"names and choices of the {len(space)} parameters are too long "
                         f"for the command line of a trial: {len(text)} bytes; there is "
                         f"room for {_MOST_DESCRIPTION}")
    return text


def _environment() -> Dict[str, str]:
    """This process's, in which the trials' Python finds this package."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    if package not in paths:
        paths.append(package)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
