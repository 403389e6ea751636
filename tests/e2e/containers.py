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
        [sys.executable, os.path.join(ROOT, "tests/support/make_image.py"), "podman", name,
         "--python", *flags, "/bin/dash:/bin/sh", "/bin/sleep", "/bin/cat"],
        capture_output=True, text=True, check=False)


def image_for_tests(test, *flags):
    """Makes an image that goes with the test; skips it where podman makes none. Returns
    its name."""
    try:
        works = podman("info").returncode == 0
    except OSError:
        works = False
    if not works:
        test.skipTest("podman is not installed or does not work")
    name = f"localhost/vernier-e2e-{os.getpid()}-{test.id().rpartition('.')[2][:40].lower()}"
    made = make_image(name, *flags)
    if made.returncode != 0:
        test.skipTest(f"podman cannot import an image: {made.stderr[-300:]}")
    test.addCleanup(podman, "image", "rm", "--force", name)
    return name
