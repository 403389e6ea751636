#!/usr/bin/env python3
"""Runs the unit tests of Katib's Optuna, hyperopt, skopt and medianstop services against
`vernier serve --katib`, over a channel.

    git clone https://github.com/kubeflow/katib
    tests/compat/katib/their_tests.py katib

Needs pytest, grpcio and protobuf; VERNIER_BINARY names the service. What follows the folder
goes to pytest. The exit status is pytest's.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from service import Service, free_port  # noqa: E402

# Each folder has a module "utils" of its own.
TESTS = {"test/unit/v1beta1/suggestion": ("optuna", "hyperopt", "skopt"),
         "test/unit/v1beta1/earlystopping": ("medianstop",)}


def main():
    sources = os.path.abspath(sys.argv[1])
    address = f"127.0.0.1:{free_port()}"
    status = 0
    # Nothing is at the second address: no test asks for the reports of a trial.
    with Service("--http", "off", "--katib", address, "--katib-db-manager", "127.0.0.1:1"):
        for folder, services in TESTS.items():
            path = (sources, os.path.join(sources, "pkg/apis/manager/v1beta1/python"),
                    os.path.join(sources, folder), HERE)
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-p", "foreign_server",
                 *(os.path.join(folder, f"test_{name}_service.py") for name in services),
                 *sys.argv[2:]], cwd=sources, check=False,
                env=dict(os.environ, KATIB_ADDRESS=address, PYTHONPATH=":".join(path)))
            status = status or done.returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
