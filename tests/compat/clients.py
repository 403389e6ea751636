"""Other people's clients, in virtual environments of their own.

A test names what it needs; what cannot be had here is skipped, and counted as a
skip. The environments lie under build/compat and come from PyPI.
"""

import fcntl
import os
import shutil
import site
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

# Known to work together on Python 3.11; change one only with its neighbours.
REQUIREMENTS = {
    # The last release that was seen to pack the discovery document of ml v1.
    "google_api": ["google-api-python-client==2.202.0", "google-auth==2.62.2",
                   "httplib2==0.32.0"],
    "schemathesis": ["schemathesis==4.32.5"],
    "google_cloud_storage": ["google-cloud-storage==3.17.1"],
    # The released client and what it imports: its own list is longer than the
    # client needs, and has JAX.
    "vizier": ["--no-deps", "google-vizier==0.1.24", "absl-py==2.5.1",
               "attrs==26.1.0", "googleapis-common-protos==1.76.0",
               "grpcio==1.85.1", "numpy==2.4.6", "protobuf==7.36.2",
               "typing_extensions==4.16.0"],
    # What reads our traces and checks our webhooks.
    "opentelemetry": ["opentelemetry-proto==1.45.2", "protobuf==7.36.2"],
    "standardwebhooks": ["standardwebhooks==1.1.0"],
    # Writers of event files.
    "tensorflow": ["tensorflow-cpu==2.15.1"],
    "tensorboardx": ["tensorboardX==2.6.2.2"],
    "torch": ["tensorboard==2.15.2", "protobuf<5", "numpy<2"],
    # What our own Python package works with (tests/python/integrations).
    "optuna": ["optuna==4.5.0"],
    # A writer of older files.
    "optuna3": ["optuna==3.6.2", "sqlalchemy<2.1"],
    # The client of our storage for Optuna's studies, its dashboard, and what the
    # tests in its source archive need.
    "optuna_storage": ["optuna==5.0.0", "optuna-dashboard==0.21.0",
                       "grpcio==1.85.1", "protobuf==7.36.2", "pytest==9.0.1",
                       "fakeredis", "scipy", "pandas"],
    # Hydra with what our plugins for it need, and what runs its released tests.
    "hydra": ["hydra-core==1.3.8", "omegaconf==2.3.1", "cloudpickle==3.1.3",
              "pytest==9.2.0", "mypy==1.18.2"],
    # The release that has the test classes of samplers, and the registry of them.
    "optunahub": ["optuna==5.0.0", "optunahub==0.5.0", "pytest==9.0.2"],
    # Other tuners, whose scripts the tutorials translate.
    "ray": ["ray[tune]==2.49.2"],
    "wandb": ["wandb==0.31.0"],
    # A writer of databases of metrics.
    "trackio": ["trackio==0.43.0"],
    "sklearn": ["scikit-learn==1.7.2", "pandas==2.3.3"],
    "notebook": ["pandas==2.3.3", "matplotlib==3.10.7", "ipykernel==6.30.1",
                 "nbclient==0.10.2"],
    "plots": ["matplotlib==3.10.7", "plotly==7.1.0"],
    "xgboost": ["xgboost-cpu==3.0.5", "scikit-learn==1.7.2"],
    "lightgbm": ["lightgbm==4.6.0", "scikit-learn==1.7.2"],
    "keras": ["tensorflow-cpu==2.15.1"],
    "lightning": ["lightning==2.2.5", "numpy<2"],
    "transformers": ["transformers==4.36.2", "accelerate==0.25.0", "numpy<2"],
    "typing": ["mypy==1.18.2", "vermin==1.6.0"],
    # What others make of our package's metadata.
    "packaging": ["setuptools==84.2.1", "trove-classifiers==2026.9.21.13", "twine==7.0.0"],
}

# Environments that see Debian's packages: PyPI's torch is a hundred times the
# size of python3-torch.
WITH_DEBIANS = {"torch", "lightning", "transformers"}


def environment(name):
    """Folder of the environment `name`, made if it is not there or has changed."""
    folder = os.path.join(ROOT, "build", "compat", name)
    wanted = "\n".join(REQUIREMENTS[name])
    marker = os.path.join(folder, "complete")
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    # Tests run side by side, and one installation is enough.
    with open(folder + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(marker):
            with open(marker, encoding="utf-8") as file:
                if file.read() == wanted:
                    return folder
        shutil.rmtree(folder, ignore_errors=True)
        flags = ["--system-site-packages"] if name in WITH_DEBIANS else []
        subprocess.run(["/usr/bin/python3" if flags else sys.executable, "-m",
                        "venv", *flags, folder], check=True, capture_output=True)
        subprocess.run([os.path.join(folder, "bin", "pip"), "install", "--quiet",
                        "--retries", "1", *REQUIREMENTS[name]], check=True,
                       capture_output=True, timeout=600)
        # Written last, so that an interrupted installation is made again.
        with open(marker, "w", encoding="utf-8") as file:
            file.write(wanted)
    return folder


def python(name):
    """The interpreter of an environment, or a skip."""
    try:
        return os.path.join(environment(name), "bin", "python")
    except (OSError, subprocess.SubprocessError) as error:
        raise unittest.SkipTest(f"{name} cannot be installed here: {error}") from error


def use(name):
    """Makes the packages of an environment importable, or skips the test."""
    try:
        folder = environment(name)
    except (OSError, subprocess.SubprocessError) as error:
        output = getattr(error, "stderr", None) or b""
        last = output.decode(errors="replace").strip().splitlines()[-1:]
        raise unittest.SkipTest(
            f"{name} cannot be installed here: {' '.join(last) or error}") from error
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    # In front: this machine's own packages may be older.
    packages = os.path.join(folder, "lib", version, "site-packages")
    site.addsitedir(packages)
    sys.path.remove(packages)
    sys.path.insert(0, packages)
