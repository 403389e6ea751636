#!/usr/bin/env python3
"""Makes a wheel of the package, with the service's binary in it or without.

    build_wheel.py [--binary build/release/vernier [--library LIBNLOPT]] [--out DIR]
                   [--emulator PROGRAM]

The wheel with it is for Linux with glibc 2.28 or newer, on the binary's processor. The
one without is for every system, where the package calls a service elsewhere. They have
one name and version; pip takes the first wherever it runs.

Prints the wheel's path. The same inputs give the same bytes. Needs nothing but Python 3.11
or later.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# The earliest time that a ZIP file can have.
TIME = (1980, 1, 1, 0, 0, 0)

PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What of src/ goes into the wheel: names that are ours on every machine.
OURS = ("vernier_hpo", "vernier_report.py")
# The oldest glibc that the binary runs with; scripts/package sees to it.
GLIBC = "2_28"
# By the number of an ELF file.
PROCESSORS = {62: "x86_64", 183: "aarch64"}

WHEEL = """Wheel-Version: 1.0
Generator: vernier build_wheel.py
Root-Is-Purelib: {is_pure}
Tag: {tag}
"""


def metadata(version: str) -> str:
    """What pyproject.toml and README.md say of the project, as setuptools writes it."""
    fields = [
        ("Metadata-Version", "2.4"), ("Name", PROJECT["name"]), ("Version", version),
        ("Summary", PROJECT["description"]),
        *(("Author", each["name"]) for each in PROJECT["authors"]),
        ("License-Expression", PROJECT["license"]),
        ("Keywords", ",".join(PROJECT["keywords"])),
        *(("Classifier", each) for each in PROJECT["classifiers"]),
        ("Requires-Python", PROJECT["requires-python"]),
        ("Description-Content-Type", "text/markdown"),
        *(("License-File", each) for each in PROJECT["license-files"])]
    lines = "".join(f"{name}: {value}\n" for name, value in fields)
    return lines + "\n" + (HERE / PROJECT["readme"]).read_text(encoding="utf-8")


def entry_points() -> str:
    scripts = "".join(f"{name} = {what}\n" for name, what in PROJECT["scripts"].items())
    return "[console_scripts]\n" + scripts


def version_of_package() -> str:
    text = (HERE / "src/vernier_hpo/_version.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "(.+)"', text)[1]


def check_binary(binary: pathlib.Path, version: str, emulator: str) -> None:
    """Ends the program unless the binary is this release of ours."""
    words = [*filter(None, [emulator]), str(binary), "version"]
    result = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    found = result.stdout.decode().strip()
    if found != f"vernier {version}":
        sys.exit(f"{binary} is \"{found}\", but the package is {version}")


def tag_of(binary: bytes) -> str:
    """For which systems a wheel with this binary is; without one, for all."""
    if not binary:
        return "py3-none-any"
    is_elf = binary[:4] == b"\x7fELF"
    number = int.from_bytes(binary[18:20], "little")
    processor = PROCESSORS[number] if is_elf else platform.machine()
    return f"py3-none-manylinux_{GLIBC}_{processor}"


def files_of_package() -> list[tuple[str, bytes, int]]:
    """(name in the wheel, bytes, mode) of the Python sources."""
    found = []
    for path in sorted((HERE / "src").rglob("*")):
        name = path.relative_to(HERE / "src").as_posix()
        if name.partition("/")[0] not in OURS or not path.is_file():
            continue
        if path.suffix == ".py" or path.name == "py.typed":
            found.append((name, path.read_bytes(), 0o644))
    return found


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(path: pathlib.Path, binary: bytes, library: bytes, version: str) -> None:
    info = f"vernier_hpo-{version}.dist-info"
    about = WHEEL.format(is_pure=str(not binary).lower(), tag=tag_of(binary))
    files = files_of_package() + [
        *([("vernier_hpo/_bin/vernier", binary, 0o755)] if binary else []),
        *([("vernier_hpo/_bin/libnlopt.so.0", library, 0o644)] if library else []),
        (f"{info}/METADATA", metadata(version).encode(), 0o644),
        *((f"{info}/licenses/{each}", (HERE / each).read_bytes(), 0o644)
          for each in PROJECT["license-files"]),
        (f"{info}/WHEEL", about.encode(), 0o644),
        (f"{info}/entry_points.txt", entry_points().encode(), 0o644)]
    record = "".join(record_line(name, data) for name, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    draft = path.with_suffix(".draft")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    os.replace(draft, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, help="without it, for every system")
    parser.add_argument("--library", type=pathlib.Path,
                        help="libnlopt.so.0, which the binary then finds beside itself")
    parser.add_argument("--emulator", default="",
                        help="runs the binary, if it is another processor's")
    parser.add_argument("--out", default=HERE.parent / "build/python", type=pathlib.Path)
    options = parser.parse_args()
    if options.library and not options.binary:
        parser.error("--library is for a wheel with the binary")
    version = version_of_package()
    if options.binary:
        check_binary(options.binary, version, options.emulator)
    binary = options.binary.read_bytes() if options.binary else b""
    library = options.library.read_bytes() if options.library else b""
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"vernier_hpo-{version}-{tag_of(binary)}.whl"
    write_wheel(path, binary, library, version)
    print(path)


if __name__ == "__main__":
    main()
