"""Submitting jobs, as `vernier jobs submit training` does."""

from __future__ import annotations

import json
import os
import re
import tempfile
import uuid
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._binary import run_binary
from ._job import Job
from ._location import Folder, location_of
from ._space import Space
from ._transport import transport_to
from .errors import AlreadyExistsError, InvalidArgumentError


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
    return _submit(config, args, name, env, endpoint, storage, project, None, None)


def _submit(config: Union[str, "os.PathLike[str]", Mapping[str, Any]],
            args: Optional[Sequence[object]], name: Optional[str],
            env: Optional[Mapping[str, str]], endpoint: Optional[str],
            storage: Optional[Folder], project: Optional[str], space: Optional[Space],
            caller_env: Optional[Dict[str, str]]) -> Job:
    location = location_of(endpoint, storage, project)
    if isinstance(config, Mapping):
        given = name or str(config.get("jobId") or f"job-{uuid.uuid4().hex[:12]}")
        with tempfile.TemporaryDirectory(prefix="vernier-") as folder:
            path = os.path.join(folder, "job.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
            _run_submit(path, given, args, env, location.flags(), caller_env)
    else:
        path = os.path.abspath(config)
        given = name or _name_of_file(path)
        _run_submit(path, given, args, env, location.flags(), caller_env)
    return Job(transport_to(location), given, space)


def _name_of_file(path: str) -> str:
    """A job's name from the file's, with `_` for what a name cannot have."""
    stem = os.path.splitext(os.path.basename(path))[0]
    text = re.sub(r"[^A-Za-z0-9_-]", "_", stem)
    return text if text[:1].isalpha() else "job_" + text


def _run_submit(path: str, name: str, args: Optional[Sequence[object]],
                env: Optional[Mapping[str, str]], flags: List[str],
                caller_env: Optional[Dict[str, str]]) -> None:
    if not isinstance(name, str):
        raise InvalidArgumentError(f"a job's name is a text: {name!r}")
    words = ["jobs", "submit", "training", name, "--config", path, "--format", "json",
             *flags]
    for key, value in (env or {}).items():
        words += ["--env", f"{key}={value}"]
    if args is not None:
        words += ["--", *(str(each) for each in args)]
    try:
        run_binary(words, env=caller_env)
    except InvalidArgumentError as error:
        # One exit code stands for all that is wrong with a request.
        if "a job of this name exists" in str(error):
            raise AlreadyExistsError(str(error)) from None
        raise
