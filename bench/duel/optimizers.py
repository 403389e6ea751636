"""The optimizers of the duel: which program each is, and where it runs."""

import dataclasses
import json
import os
import shlex
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
VENVS = os.environ.get("DUEL_VENVS", os.path.join(ROOT, "build/duel/venvs"))
SYSTEM_PYTHON = "/usr/bin/python3"

# Name: environment ("" is the system's Python), adapter, its options.
PEERS = {
    "random": ("", "random_adapter.py", ()),
    "sobol": ("", "sobol_adapter.py", ()),
    "optuna": ("optuna_ax", "optuna_adapter.py", ("--sampler", "tpe")),
    "optuna-gp": ("optuna_ax", "optuna_adapter.py", ("--sampler", "gp")),
    "ax": ("optuna_ax", "ax_adapter.py", ()),
    "smac-hpo": ("smac", "smac_adapter.py", ("--facade", "hpo")),
    "smac-blackbox": ("smac", "smac_adapter.py", ("--facade", "blackbox")),
    "hebo": ("hebo", "hebo_adapter.py", ()),
    "vizier": ("vizier", "vizier_adapter.py", ()),
}

# Nobody is to win by using more cores than another.
ONE_THREAD = {name: "1" for name in (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")} | {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false "
                     "intra_op_parallelism_threads=1",
        "CUDA_VISIBLE_DEVICES": ""}


@dataclasses.dataclass(frozen=True)
class Optimizer:
    name: str
    command: tuple

    def describe(self):
        """Versions, and whether it sees conditional parameters flattened."""
        answer = subprocess.run(
            self.command + ("--describe",), check=True, capture_output=True,
            text=True, env=environment())
        return json.loads(answer.stdout.strip().splitlines()[-1])


def environment():
    return {**os.environ, **ONE_THREAD}


def find(name, engines):
    """The optimizer called `name`. `engines` maps the name of each engine under
    test to its command line.
    """
    if name in engines:
        return Optimizer(name, (SYSTEM_PYTHON, _adapter("vernier.py"),
                                *shlex.split(engines[name])))
    if name not in PEERS:
        raise ValueError(f"no optimizer is called {name!r}: "
                         + ", ".join([*engines, *PEERS]))
    venv, script, options = PEERS[name]
    python = os.path.join(VENVS, venv, "bin/python") if venv else SYSTEM_PYTHON
    if not os.path.exists(python):
        raise ValueError(f"{name} needs its environment: run "
                         f"bench/duel/make_environments {venv}")
    return Optimizer(name, (python, _adapter(script), *options))


def _adapter(script):
    return os.path.join(FOLDER, "adapters", script)
