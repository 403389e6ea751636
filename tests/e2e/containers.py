"""Images for tests of containers: real ones, made of this machine's own files."""

import os
import subprocess
import sys

from service import ROOT


def podman(*words):
    return subprocess.run(["podman", *words], capture_output=True, text=True, check=False)


def make_image(name, *flags):
    """Makes an image with Python, a shell and a few tools."""
    return subprocess.run(
        [sys.executable, os.path.join(ROOT, "scripts/lib/make_image.py"), "podman", name,
         "--python", *flags, "/bin/dash:/bin/sh", "/bin/sleep", "/bin/cat"],
        capture_output=True, text=True, check=False)


def works():
    """Whether podman is here. Its other faults fail the tests, which must not vanish."""
    try:
        return podman("info").returncode == 0
    except OSError:
        return False


def image_for_tests(test):
    """Makes an image that goes with the test, and returns its name; skips the test where
    there is no podman."""
    if not works():
        test.skipTest("podman is not installed or does not work")
    name = f"localhost/vernier-e2e-{os.getpid()}-loop"
    made = make_image(name)
    test.assertEqual(made.returncode, 0, made.stderr)
    test.addCleanup(podman, "image", "rm", "--force", name)
    return name
