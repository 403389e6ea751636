"""What a job's process leaves for the program that launched it."""

import os
import pickle
import traceback
from dataclasses import dataclass
from typing import Optional, Tuple

from hydra.core.utils import JobReturn, JobStatus
from hydra.errors import HydraException

NAME = "hydra_return.pkl"


@dataclass
class Left:
    """A job's number in the multirun, and what came of it."""

    number: int
    job_return: bytes
    # The exception with its traceback, for whoever cannot read it; or empty.
    error: str


def write(folder: str, number: int, result: JobReturn) -> None:
    """Leaves what a job returned; what cannot be pickled becomes an error in words."""
    import cloudpickle

    error = ""
    if result.status == JobStatus.FAILED:
        error = "".join(traceback.format_exception(
            None, result._return_value, result._return_value.__traceback__))
    try:
        packed = cloudpickle.dumps(result)
    except Exception as fault:
        result.status = JobStatus.FAILED
        result.return_value = HydraException(
            error or f"what job #{number} returned cannot be pickled: {fault}")
        packed = cloudpickle.dumps(result)
    draft = os.path.join(folder, NAME + ".draft")
    with open(draft, "wb") as file:
        pickle.dump(Left(number, packed, error), file)
    os.replace(draft, os.path.join(folder, NAME))


def read(folder: str) -> Optional[Tuple[int, JobReturn]]:
    """The number of the job that left something in this folder, and what; or None."""
    try:
        with open(os.path.join(folder, NAME), "rb") as file:
            left = pickle.load(file)
    except OSError:
        return None
    try:
        result = pickle.loads(left.job_return)
        assert isinstance(result, JobReturn)
    except Exception as fault:  # An exception of a class that this process has not.
        result = JobReturn(status=JobStatus.FAILED)
        result.return_value = HydraException(left.error or f"{folder}/{NAME}: {fault}")
    return left.number, result
