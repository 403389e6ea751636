"""The file that takes a multirun's jobs to the processes that run them.

Two pickles: first what a process needs to be able to read the second one, which holds
the task function by value where no module has it.
"""

import os
import pickle
import sys
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, List

# In the job's code folder, which is the working directory of each trial.
NAME = "jobs.pkl"


@dataclass
class Jobs:
    """The jobs of one launch, by their numbers in the multirun."""

    hydra_context: Any
    task_function: Any
    config: Any
    singletons: Any
    overrides: Dict[int, List[str]]


def write(folder: str, jobs: Jobs) -> None:
    """Writes the file. Raises what cloudpickle raises for a task that it cannot pickle."""
    import cloudpickle

    with open(os.path.join(folder, NAME), "wb") as file:
        pickle.dump({"folder": os.getcwd(), "path": _absolute(sys.path)}, file)
        cloudpickle.dump(jobs, file)


def read(file: BinaryIO) -> Jobs:
    """Puts this process where the multirun was begun, and reads the jobs.

    In a container without that folder it stays where it is.
    """
    place = pickle.load(file)
    sys.path += [each for each in place["path"] if each not in sys.path]
    if os.path.isdir(place["folder"]):
        os.chdir(place["folder"])
    jobs = pickle.load(file)
    assert isinstance(jobs, Jobs)
    return jobs


def _absolute(path: List[str]) -> List[str]:
    return [os.path.abspath(each) for each in path]
