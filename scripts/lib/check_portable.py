#!/usr/bin/python3
"""Says whether programs and libraries run with an older glibc.

    check_portable.py [--release 2.28] FILE...

Each may need glibc's own libraries alone, and no version of a name that the release
lacks. Prints what is wrong, with the names; fails if something is.
"""

import argparse
import collections
import os
import re
import subprocess
import sys

RELEASE = "2.28"  # VERNIER_GLIBC of cmake/portable.cmake.
LIBRARIES = re.compile(r"(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|"
                       r"ld-linux-(x86-64|aarch64)\.so\.\d)$")
NEEDED = re.compile(r"^  NEEDED +(\S+)", re.MULTILINE)
# "0000 DF *UND* 0000 (GLIBC_2.2.5) exp", of the names that a file asks for.
NAME = re.compile(r"\*UND\*\s\S+\s+\(?([A-Za-z_]+)_([0-9.]+|PRIVATE)\)? +(\S+)$",
                  re.MULTILINE)


def objdump(option, path):
    return subprocess.run(["objdump", option, path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def number(version):
    return tuple(int(part) for part in version.split("."))


def faults(path, release=RELEASE):
    """What keeps a file from running with that release, a sentence each."""
    found = [f"needs {library}" for library in NEEDED.findall(objdump("-p", path))
             if not LIBRARIES.match(library)]
    newer = collections.defaultdict(list)
    for family, version, name in NAME.findall(objdump("-T", path)):
        if family != "GLIBC" or version == "PRIVATE" or number(version) > number(release):
            newer[f"{family}_{version}"].append(name)
    return found + [f"asks for {version}: {', '.join(sorted(names))}"
                    for version, names in sorted(newer.items())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="+")
    parser.add_argument("--release", default=RELEASE)
    options = parser.parse_args()
    status = 0
    for path in options.file:
        for fault in faults(path, options.release):
            print(f"{os.path.basename(path)} does not run with glibc {options.release}: "
                  f"it {fault}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
