"""Tries the integrations with the real libraries, each in an environment of its own.

    run.py [NAME]...        without a NAME: all

The libraries come from PyPI into build/compat, once; torch is Debian's. What cannot be
installed here is named at the end, and does not count as a failure; nothing at all does.
Needs $VERNIER_BINARY, or the development build.
"""

import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "tests", "compat"))

import clients  # noqa: E402

# A file NAME_check.py and the environment that it runs in.
CHECKS = {"sklearn": "sklearn", "lightgbm": "lightgbm", "xgboost": "xgboost",
          "notebook": "notebook", "keras": "keras", "lightning": "lightning",
          "huggingface": "transformers", "ray": "ray", "wandb": "wandb", "plots": "plots"}


def interpreter(name):
    """The environment's Python, or None if it cannot be made here."""
    try:
        return os.path.join(clients.environment(CHECKS[name]), "bin", "python")
    except (OSError, subprocess.SubprocessError) as error:
        output = (getattr(error, "stderr", None) or b"").decode(errors="replace")
        print(f"{name}: cannot be installed: {output.strip() or error}", flush=True)
        return None


def main(names):
    unknown = [each for each in names if each not in CHECKS]
    if unknown:
        sys.exit(f"there is no check {unknown[0]}, but {', '.join(CHECKS)}")
    passed, failed, absent = [], [], []
    for name in names or CHECKS:
        python = interpreter(name)
        if python is None:
            absent.append(name)
            continue
        begin = time.monotonic()
        result = subprocess.run(
            [python, "-m", "unittest", "-v", f"{name}_check"], cwd=HERE, check=False,
            timeout=1200, env={**os.environ, "PYTHONPATH": os.path.dirname(HERE)})
        (failed if result.returncode else passed).append(name)
        print(f"{name}: {'FAILED' if result.returncode else 'ok'} "
              f"({time.monotonic() - begin:.0f} s)", flush=True)
    print(f"passed: {', '.join(passed) or 'none'}; failed: {', '.join(failed) or 'none'}; "
          f"not installed: {', '.join(absent) or 'none'}")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
