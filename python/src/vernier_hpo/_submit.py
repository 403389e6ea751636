"""Submitting jobs, as `vernier jobs submit training` does."""

from __future__ import annotations

import json
import os
import re
import tempfile
import uuid
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ._binary import run_binary
from ._job import Job
from ._location import Folder, Location, location_of
from ._space import Space
from ._transport import transport_to
from .errors import (AlreadyExistsError, FailedPreconditionError, InvalidArgumentError,
                     VernierError)

_KINDS: Tuple[Tuple[str, Type[VernierError]], ...] = (
    ("a job of this name exists", AlreadyExistsError),
    ("exists and searches otherwise", FailedPreconditionError))


def submit(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *,
           args: Optional[Sequence[object]] = None, name: Optional[str] = None,
           env: Optional[Mapping[str, str]] = None, endpoint: Optional[str] = None,
           storage: Optional[Folder] = None, project: Optional[str] = None) -> Job:
    """Submits a job and returns at once.

    `config` is a job file (YAML or JSON, docs/job-file.md), or what would be in it as
    a dict. `args` replace those of the file; `env` adds to the trials' environment.
    The trials run a copy of the code, as it is now. The name is `name`, else the
    dict's jobId or the file's name.

    Raises InvalidArgumentError with every fault of the file by its line, and
    AlreadyExistsError if there is a job of this name.
    """
    location = location_of(endpoint, storage, project)
    given, path = name, config
    with tempfile.TemporaryDirectory(prefix="vernier-") as folder:
        if isinstance(config, Mapping):
            given = name or str(config.get("jobId") or f"job-{uuid.uuid4().hex[:12]}")
            path = write_config(folder, config)
        else:
            path = os.path.abspath(config)
            given = name or _name_of_file(path)
        words = ["jobs", "submit", "training", _checked_name(given), "--config", path,
                 "--format", "json", *location.flags(), *env_flags(env)]
        if args is not None:
            words += ["--", *(str(each) for each in args)]
        _call(words, None)
    return Job(transport_to(location), given)


def submit_or_go_on(config: Mapping[str, Any], name: str, *, location: Location,
                    env: Optional[Mapping[str, str]], caller_env: Dict[str, str],
                    restart: bool, space: Optional[Space]) -> Job:
    """Has a job of this name run as `config` says, by the rules of `vernier run`.

    What the service makes of it, such as new code for a job that had failed, is said on
    standard error.
    """
    with tempfile.TemporaryDirectory(prefix="vernier-") as folder:
        words = ["run", "--detach", "--config", write_config(folder, config), "--name",
                 _checked_name(name), *location.flags(), *env_flags(env)]
        if restart:
            words.append("--restart")
        _call(words, caller_env)
    return Job(transport_to(location), name, space)


def write_config(folder: str, config: Mapping[str, Any]) -> str:
    """The path of a job file with this in it."""
    path = os.path.join(folder, "job.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    return path


def env_flags(env: Optional[Mapping[str, str]]) -> List[str]:
    """Variables for the trials as the command line takes them."""
    return [word for key, value in (env or {}).items()
            for word in ("--env", f"{key}={value}")]


def _name_of_file(path: str) -> str:
    """A job's name from the file's, with `_` for what a name cannot have."""
    stem = os.path.splitext(os.path.basename(path))[0]
    text = re.sub(r"[^A-Za-z0-9_-]", "_", stem)
    return text if text[:1].isalpha() else "job_" + text


def _checked_name(name: Any) -> str:
    if not isinstance(name, str):
        raise InvalidArgumentError(f"a job's name is a text: {name!r}")
    return name


def _call(words: Sequence[str], caller_env: Optional[Dict[str, str]]) -> None:
    try:
        run_binary(words, env=caller_env)
    except InvalidArgumentError as error:
        # One exit code stands for all that is wrong with a request.
        for text, kind in _KINDS:
            if text in str(error):
                raise kind(str(error)) from None
        raise
