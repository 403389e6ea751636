#!/usr/bin/env python3
"""Makes a small container image of this machine's own files, without a network.

  make_image.py ENGINE NAME [--entrypoint JSON] [--cmd JSON] [--user USER]
                [--python] PROGRAM...

The image holds the programs (absolute paths, or SOURCE:PATH to place one
elsewhere), the libraries that they are linked with, and with --python the
interpreter and its standard library. An image of this name is replaced.
"""

import argparse
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile


def libraries(program):
    """The files that the dynamic linker loads for a program."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    return set(re.findall(r"(/\S+) \(0x", listed.stdout))


def python_files():
    """The interpreter, its standard library and what its modules are linked with."""
    interpreter = os.path.realpath("/usr/bin/python3")
    stdlib = sysconfig.get_path("stdlib", vars={"base": "/usr", "installed_base": "/usr"})
    files = {interpreter: {interpreter, "/usr/bin/python3"}}
    for folder, folders, names in os.walk(stdlib):
        folders[:] = [name for name in folders if name not in (
            "test", "idlelib", "__pycache__", "dist-packages", "ensurepip", "pydoc_data")]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                files[path] = {path}
    return files


class Image:
    """A tar archive of a root folder, in memory."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w")
        self.present = set()
        for folder, mode in (("tmp", 0o1777), ("proc", 0o755), ("sys", 0o755),
                             ("dev", 0o755), ("etc", 0o755), ("run", 0o755)):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            self.tar.addfile(entry)
        self.text("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n")
        self.text("etc/group", "root:x:0:\nuser:x:1000:\n")

    def text(self, path, content):
        entry = tarfile.TarInfo(path)
        entry.size, entry.mode = len(content), 0o644
        self.tar.addfile(entry, io.BytesIO(content.encode()))

    def file(self, source, path):
        path = path.lstrip("/")
        if path in self.present:
            return
        self.present.add(path)
        entry = self.tar.gettarinfo(os.path.realpath(source), path)
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.type = tarfile.REGTYPE  # Two names of one file would be a link.
        entry.size = os.path.getsize(os.path.realpath(source))
        with open(os.path.realpath(source), "rb") as content:
            self.tar.addfile(entry, content)

    def program(self, source, path):
        self.file(source, path)
        for library in libraries(source):
            self.file(library, library)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", help="podman or docker, with any options of it")
    parser.add_argument("name")
    parser.add_argument("--entrypoint")
    parser.add_argument("--cmd")
    parser.add_argument("--user")
    parser.add_argument("--python", action="store_true")
    parser.add_argument("programs", nargs="*")
    flags = parser.parse_intermixed_args()
    image = Image()
    for program in flags.programs:
        source, _, path = program.partition(":")
        image.program(source, path or source)
    if flags.python:
        for source, paths in python_files().items():
            for path in paths:
                if source.endswith(".so") or path == "/usr/bin/python3":
                    image.program(source, path)
                else:
                    image.file(source, path)
    image.tar.close()
    changes = []
    for word, value in (("ENTRYPOINT", flags.entrypoint), ("CMD", flags.cmd),
                        ("USER", flags.user)):
        if value is not None:
            changes += ["--change", f"{word} {value}"]
    subprocess.run([*flags.engine.split(), "import", *changes, "-", flags.name],
                   input=image.bytes.getvalue(), check=True, stdout=subprocess.DEVNULL)
    return 0


if __name__ == "__main__":
    sys.exit(main())
