#!/usr/bin/python3
"""Installs the packages for aarch64 on a bare Debian 11 and 12 of that processor, which
qemu runs on this one, and runs the hello job there. scripts/check arm64 makes them and
runs this; it needs root, and the package mirror of this machine.
"""

import contextlib
import json
import platform
import sys
import unittest

from package_test import BARE, BareDebianCase

from bare_debian import Machine  # By the path that package_test adds.
from emulation import emulation

# How far apart the suggestions of two processors may be, in ranges of 1: each rounds in
# its own way, and where the optimizer stops depends on that.
MOST_APART = 1e-3


def numbers_apart(one, other):
    """How far apart two JSON values are: 0 if they are the same, infinite if they differ in
    anything but the last places of numbers.
    """
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other)
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return max((numbers_apart(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max(map(numbers_apart, one, other), default=0.0)
    return 0.0 if one == other else float("inf")


class Arm64Case(BareDebianCase):
    """The packages for aarch64 on one bare release."""

    processor = "aarch64"
    most_seconds = 1200  # qemu's, which is many times slower than a processor.

    def make_machine(self):
        emulated = contextlib.ExitStack()
        self.addCleanup(emulated.close)
        emulated.enter_context(emulation("arm64"))
        return Machine(self.release, "arm64")

    def expect_same_suggestions(self, vernier):
        here, there = ([json.loads(line) for line in text.splitlines()]
                       for text in self.suggestions(vernier))
        apart = numbers_apart(here, there)
        print(f"\n{self.release}: suggestions up to {apart:.1e} apart from this machine's",
              file=sys.stderr)
        self.assertLess(apart, MOST_APART, (here, there))


@BARE
class Arm64Debian11Test(Arm64Case, unittest.TestCase):
    release = "bullseye"


@BARE
class Arm64Debian12Test(Arm64Case, unittest.TestCase):
    release = "bookworm"


if __name__ == "__main__":
    print(f"on {platform.platform()}")
    result = unittest.main(verbosity=2, exit=False).result
    # What is skipped was not tried.
    sys.exit(not result.wasSuccessful() or bool(result.skipped))
