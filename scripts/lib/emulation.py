"""Programs of another processor on this machine: qemu runs them, and the kernel calls it.

The kernel is told for as long as somebody needs it (binfmt_misc), and holds qemu open, so
that it is also found by what has another root. Needs root and qemu-user-static.
"""

import contextlib
import os
import shutil
import subprocess

PLACE = "/proc/sys/fs/binfmt_misc"
# By Debian's name: qemu's name, and the first bytes of a program with those of them that
# count. They are those of ELF for 64 bits, little endian, executable or shared, and 0xb7.
MASK = rb"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
PROCESSORS = {
    "arm64": ("qemu-aarch64-static",
              rb"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"),
}


def rule(name, architecture, program):
    """What the kernel is told. F: it opens qemu now; P: programs see their own name."""
    magic = PROCESSORS[architecture][1]
    return b":".join([b"", name.encode(), b"M", b"", magic, MASK, program.encode(), b"PF"])


@contextlib.contextmanager
def emulation(architecture):
    """Until it ends, programs of that architecture run here like others."""
    qemu = PROCESSORS[architecture][0]
    program = shutil.which(qemu)
    if program is None:
        raise FileNotFoundError(f"{qemu} is not installed: scripts/install_dependencies arm64")
    is_mounted = os.path.exists(f"{PLACE}/register")
    if not is_mounted:
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", PLACE], check=True)
    name = f"vernier-{architecture}-{os.getpid()}"
    with open(f"{PLACE}/register", "wb", buffering=0) as file:
        file.write(rule(name, architecture, program))
    try:
        yield
    finally:
        with open(f"{PLACE}/{name}", "wb", buffering=0) as file:
            file.write(b"-1")
        if not is_mounted:
            # Somebody else may use it by now.
            subprocess.run(["umount", PLACE], check=False, stderr=subprocess.DEVNULL)
