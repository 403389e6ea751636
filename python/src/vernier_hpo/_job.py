"""A job: a study whose trials the service runs."""

from __future__ import annotations

import logging
import math
import os
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional, Set, Union

from . import _study_calls as calls
from ._frozen_trial import FrozenTrial, frozen_trial
from ._html import job_html
from ._job_space import command_for, edit_of
from ._location import Folder, location_of
from ._objective import refer_to
from ._results import Results, check_has_one_metric, goals_of
from ._space import Parameter, Space, check_space, whole
from ._study_config import Constraints, Literals, literals_with
from ._transport import Transport, transport_to
from ._tuned import names_of
from .errors import FailedPreconditionError, NotFoundError

_log = logging.getLogger("vernier_hpo")
_BEST_SHOWN = 5
_FINAL = ("SUCCEEDED", "FAILED", "CANCELLED")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
_MOST_FILES = 10000


class Job(Results):
    """A job of the service; it goes on whether this program lives or not.

    Made by submit, run and load_job. Thread-safe.
    """

    def __init__(self, transport: Transport, name: str,
                 space: Optional[Space] = None) -> None:
        self._transport = transport
        self._name = name
        self._space: Space = space or {}
        self._literals: Literals = {}  # Of the spaces that it had in this program.

    @property
    def name(self) -> str:
        """Its name in its project."""
        return self._name

    @property
    def full_name(self) -> str:
        """The name by which the service knows it."""
        return self._name

    def describe(self) -> Dict[str, Any]:
        """The whole job as AI Platform's Job, without its trials."""
        return self._call("GetJob", {"withoutTrials": True})

    @property
    def state(self) -> str:
        """QUEUED, PREPARING, RUNNING, SUCCEEDED, FAILED, CANCELLING or CANCELLED."""
        return str(self.describe().get("state", ""))

    @property
    def error_message(self) -> str:
        """Why it failed, was cancelled or is paused; or empty."""
        return str(self.describe().get("errorMessage", ""))

    def wait(self, timeout: Optional[float] = None) -> str:
        """Waits until the job has ended, and returns its state.

        TimeoutError after `timeout` seconds. FailedPreconditionError with the reason
        if the job is paused and none of its trials runs, since it would wait for ever.
        """
        end = None if timeout is None else time.monotonic() + timeout
        pause = _FIRST_PAUSE
        log = _EndsLog(self)
        while True:
            job = self.describe()
            log.update(job)
            state = str(job.get("state", ""))
            if state in _FINAL:
                return state
            section = job.get("vernier", {})
            if section.get("wanted") == "PAUSE" and not section.get("runningTrials"):
                raise FailedPreconditionError(
                    f"the job {self.name} is paused: "
                    f"{job.get('errorMessage') or section.get('waitingFor', '')}")
            if end is not None and time.monotonic() + pause > end:
                raise TimeoutError(f"the job {self.name} is {state} after {timeout} s")
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    @property
    def metrics(self) -> Dict[str, str]:
        """The goal, "minimize" or "maximize", by metric."""
        return goals_of(calls.describe(self._transport, self._name))

    @property
    def space(self) -> Dict[str, Parameter]:
        """The parameters by name; empty if the job was found without its space."""
        return dict(self._space)

    def get_trials(self, filter: str = "") -> List[FrozenTrial]:
        """Trials that a filter selects, such as "state=completed AND lr<0.01"."""
        return self._freeze(calls.list_trials(self._transport, self._name, filter))

    @property
    def best_trials(self) -> List[FrozenTrial]:
        """The completed trials with a value that break no constraint, best first; of
        several metrics those that no other one beats. At most 1,000."""
        return self._best(1000)

    @property
    def best_trial(self) -> FrozenTrial:
        """The completed trial with the best value that breaks no constraint.

        NotFoundError if there is none, and FailedPreconditionError if there are several
        metrics: see best_trials.
        """
        check_has_one_metric(self.name, self.metrics)
        for trial in self._best(1):
            return trial
        raise NotFoundError(f"{self.name}: no trial has a value yet with which it completed")

    def _best(self, most: int) -> List[FrozenTrial]:
        return self._freeze([each for each in calls.list_trials(
            self._transport, self._name, "objective:* AND state=completed", "best",
            most) if not each.get("breaksConstraint")])

    def logs(self, trial: int, replica: str = "", attempt: int = 0) -> str:
        """What a replica of a trial printed: the first 16 MiB, UTF-8 or replaced.

        Without a replica the primary's; without an attempt the newest's.
        """
        text, offset, number = [], 0, whole("trial", trial)
        while offset < 16 << 20:
            query = urllib.parse.urlencode(
                {"attempt": attempt, "replica": replica, "offset": offset})
            answer = self._transport.call(
                "GET", f"/ui/api/studies/{urllib.parse.quote(self._name, safe='')}"
                f"/log/{number}?{query}")
            text.append(str(answer.get("text", "")))
            following = int(answer.get("next", 0))
            if not answer.get("text") or following <= offset:
                break
            offset = following
        return "".join(text)

    def cancel(self) -> None:
        """Ends the job and its trials. FailedPreconditionError if it has ended."""
        self._call("CancelJob", {})

    def pause(self) -> None:
        """Starts no new trial until resume; what runs goes on."""
        self._call("PauseJob", {})

    def resume(self) -> None:
        """Ends a pause, or takes up a failed or cancelled job where it ended."""
        self._call("ResumeJob", {})

    def update(self, code: Union[Folder, Callable[[Any], Any]], *,
               restart: bool = False) -> List[str]:
        """Gives the trials that start from now on other code; returns what changed.

        `code` is a folder, or the objective, whose folder it is then. With `restart`
        the trials that run start again with it. A job that failed goes on with it
        after resume().
        """
        folder = refer_to(code).folder if callable(code) else os.fspath(code)
        answer = self._call("ReviseJob", {
            "codeDir": os.path.abspath(os.path.expanduser(folder)), "restart": restart,
            "requestId": uuid.uuid4().hex})
        return [str(each) for each in answer.get("changes", [])]

    def edit(self, space: Optional[Space] = None, *, restart: bool = False,
             rename_metrics: Optional[Mapping[str, str]] = None,
             constraints: Optional[Constraints] = None) -> List[str]:
        """Changes the space that the trials to come are from; returns what changed.

        `space` has all parameters, as they are to be from now on; None leaves them as
        they are. `rename_metrics` has, by the name of a metric, its new name, under
        which all its values are from then on; programs may still report under the old
        one. `constraints` are all texts between parameters, `["a + b <= 1"]`, as they
        are to be from now on; `[]` drops them, and None leaves them as they are. Bounds
        of metrics among them are all that there are then, and change only while no trial
        has a value; without any those of the job stay. A parameter that is added has
        a default: the value that earlier trials had. Earlier trials teach the search as
        far as they lie in the space; another edit undoes this one. With `restart` the
        trials that run start again. FailedPreconditionError says what cannot be edited,
        why, and what to do instead. The page "The search space" of the documentation
        has the rules.
        """
        section = self.describe().get("vernier", {})
        fields = edit_of(space, rename_metrics, constraints,
                         section.get("metricConstraints", []))
        if space is not None:
            command = command_for(section.get("command", []), check_space(space))
            if command is not None:
                fields.setdefault("vernier", {})["command"] = command
        answer = self._call("ReviseJob", {"edit": fields, "restart": restart,
                                          "requestId": uuid.uuid4().hex})
        if space is not None:
            self._literals = literals_with(self._literals, self._space)
            self._space = check_space(space)
        return [str(each) for each in answer.get("changes", [])]

    def extend(self, max_trials: int) -> None:
        """Raises the number of trials; a job that has ended goes on."""
        self._call("ExtendJob", {"maxTrials": whole("max_trials", max_trials)})

    def delete(self, *, with_outputs: bool = False) -> str:
        """Removes a job that has ended, with its trials, logs and copies of code.

        A call cannot ask, so it removes no file that a trial left unless
        `with_outputs` is given: FailedPreconditionError says how many there are and
        where. Files in a `job_dir` stay. Returns what went, "3 files (1.2 MiB)", or "".
        """
        answer = self._call("DeleteJob", {"withOutputs": bool(with_outputs)})
        return str(answer.get("text", ""))

    def _call(self, method: str, body: Mapping[str, Any]) -> Dict[str, Any]:
        return calls.native(self._transport, "JobService", method,
                            {"jobId": self._name, **body})

    def _freeze(self, messages: List[Dict[str, Any]]) -> List[FrozenTrial]:
        metrics = self.metrics
        return [frozen_trial(each, self._space, metrics, read_curve=self._curve,
                             list_files=self._files, read_last=self._last_values,
                             pen=self._pen(), literals=self._literals)
                for each in messages]

    def _files(self, number: int) -> List[str]:
        """The full paths of what a trial left, in their order."""
        found: List[str] = []
        root = ""
        folders = [""]
        while folders and len(found) < _MOST_FILES:
            folder = folders.pop(0)
            query = urllib.parse.urlencode({"path": folder})
            answer = self._transport.call(
                "GET", f"/ui/api/studies/{urllib.parse.quote(self._name, safe='')}"
                f"/files/{int(number)}?{query}")
            root = root or str(answer.get("folder", ""))
            for entry in answer.get("entries", []):
                path = f"{folder}/{entry['name']}" if folder else str(entry["name"])
                if not entry.get("isFolder"):
                    found.append(path)
                elif entry["name"] != "__pycache__":
                    folders.append(path)
        return [f"{root}/{path}" for path in sorted(found)[:_MOST_FILES]]

    def _curve(self, number: int) -> Dict[int, float]:
        answer = self._call("ListMeasurements", {
            "trialId": str(number), "metric": next(iter(self.metrics)),
            "limit": 100000})
        return {int(each.get("step", 0)): float(each.get("value", 0.0))
                for each in answer.get("measurements", [])}

    def _last_values(self, number: int) -> Dict[str, float]:
        """Of each metric the newest attempt's value at its highest step."""
        answer = self._call("ListMeasurements", {"trialId": str(number), "limit": 100000})
        found: Dict[str, float] = {}
        for each in answer.get("measurements", []):  # By attempt, metric, step and time.
            value = float(each.get("value", 0.0))
            if math.isfinite(value):
                found[str(each["metric"])] = value
        return dict(sorted(found.items()))

    def __repr__(self) -> str:
        return f"Job(name={self._name!r})"

    def _repr_html_(self) -> str:
        best = self._best(_BEST_SHOWN)
        return job_html(self.name, self.describe(), best, self.metrics,
                        names_of(self, best))


class _EndsLog:
    """Tells the log of each trial that ends while somebody waits for a job."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._told: Optional[Set[int]] = None

    def update(self, about: Mapping[str, Any]) -> None:
        """Tells of those that have ended since the last call."""
        if not _log.isEnabledFor(logging.INFO):
            return
        counts = about.get("vernier", {}).get("trialCounts", {})
        ended = sum(int(count) for state, count in counts.items()
                    if state not in ("requested", "active", "stopping"))
        if self._told is not None and len(self._told) >= ended:
            return
        trials = self._job.get_trials("cause:*")
        if self._told is not None:
            for trial in trials:
                if trial.number not in self._told:
                    _log.info("%s: %s", self._job.name, trial)
        self._told = {trial.number for trial in trials}


def load_job(name: str, *, space: Optional[Space] = None,
             endpoint: Optional[str] = None, storage: Optional[Folder] = None,
             project: Optional[str] = None) -> Job:
    """Finds a job by its name. NotFoundError."""
    location = location_of(endpoint, storage, project)
    transport = transport_to(location)
    job = Job(transport, name, space)
    try:
        job.describe()
    except NotFoundError as error:
        if calls.is_study_of_clients(transport, location.project, name):
            raise NotFoundError(f"{name!r} is a study, whose trials programs run: "
                                f"vn.load_study({name!r}) finds it") from None
        raise NotFoundError(f"{error}: vn.list_studies() has those that there are") from None
    return job
