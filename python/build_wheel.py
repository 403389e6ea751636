#!/usr/bin/env python3
"""Makes a wheel of the package, with the service's binary in it or without.

    build_wheel.py [--binary build/release/vernier [--library LIBNLOPT]] [--out DIR]
                   [--emulator PROGRAM]
    build_wheel.py --plugins [--out DIR]

The wheel with it is for Linux with glibc 2.28 or newer, on the binary's processor. The
one without is for every system, where the package calls a service elsewhere. They have
one name and version; pip takes the first wherever it runs. With --plugins it is the
wheel of Hydra's plugins, which need the package.

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

# The oldest glibc that the binary runs with; scripts/package sees to it.
GLIBC = "2_28"
# By the number of an ELF file.
PROCESSORS = {62: "x86_64", 183: "aarch64"}

WHEEL = """Wheel-Version: 1.0
Generator: vernier build_wheel.py
Root-Is-Purelib: {is_pure}
Tag: {tag}
"""


class Distribution:
    """One that pip installs: a folder with its pyproject.toml, README.md and src/.

    `ours` are the names in src/ that go into the wheel, and are ours on every machine.
    """

    def __init__(self, folder: pathlib.Path, ours: tuple[str, ...]) -> None:
        self.folder = folder
        self.ours = ours
        text = (folder / "pyproject.toml").read_text(encoding="utf-8")
        self.project = tomllib.loads(text)["project"]
        # The release is that of the package.
        self.version = self.project.get("version") or version_of_package()

    @property
    def stem(self) -> str:
        """The beginning of the wheel's name."""
        return f"{self.project['name'].replace('-', '_')}-{self.version}"

    def metadata(self) -> str:
        """What pyproject.toml and README.md say, as setuptools writes it."""
        project = self.project
        fields = [
            ("Metadata-Version", "2.4"), ("Name", project["name"]), ("Version", self.version),
            ("Summary", project["description"]),
            *(("Author", each["name"]) for each in project["authors"]),
            ("License-Expression", project["license"]),
            ("Keywords", ",".join(project["keywords"])),
            *(("Classifier", each) for each in project["classifiers"]),
            ("Requires-Python", project["requires-python"]),
            ("Description-Content-Type", "text/markdown"),
            *(("License-File", each) for each in project["license-files"]),
            *(("Requires-Dist", each) for each in project.get("dependencies", ()))]
        lines = "".join(f"{name}: {value}\n" for name, value in fields)
        return lines + "\n" + (self.folder / project["readme"]).read_text(encoding="utf-8")

    def entry_points(self) -> str:
        scripts = "".join(f"{name} = {what}\n"
                          for name, what in self.project.get("scripts", {}).items())
        return scripts and "[console_scripts]\n" + scripts

    def files(self) -> list[tuple[str, bytes, int]]:
        """(name in the wheel, bytes, mode) of the Python sources."""
        found = []
        for path in sorted((self.folder / "src").rglob("*")):
            name = path.relative_to(self.folder / "src").as_posix()
            if name.partition("/")[0] not in self.ours or not path.is_file():
                continue
            if path.suffix == ".py" or path.name == "py.typed":
                found.append((name, path.read_bytes(), 0o644))
        return found


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


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(path: pathlib.Path, what: Distribution, binary: bytes = b"",
                library: bytes = b"") -> None:
    info = f"{what.stem}.dist-info"
    about = WHEEL.format(is_pure=str(not binary).lower(), tag=tag_of(binary))
    programs = what.entry_points().encode()
    files = what.files() + [
        *([("vernier_hpo/_bin/vernier", binary, 0o755)] if binary else []),
        *([("vernier_hpo/_bin/libnlopt.so.0", library, 0o644)] if library else []),
        (f"{info}/METADATA", what.metadata().encode(), 0o644),
        *((f"{info}/licenses/{each}", (what.folder / each).read_bytes(), 0o644)
          for each in what.project["license-files"]),
        (f"{info}/WHEEL", about.encode(), 0o644),
        *([(f"{info}/entry_points.txt", programs, 0o644)] if programs else [])]
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
    parser.add_argument("--plugins", action="store_true", help="Hydra's, which need the package")
    parser.add_argument("--out", default=HERE.parent / "build/python", type=pathlib.Path)
    options = parser.parse_args()
    if options.library and not options.binary:
        parser.error("--library is for a wheel with the binary")
    if options.plugins and options.binary:
        parser.error("the wheel of --plugins has no binary")
    what = (Distribution(HERE / "hydra_vernier", ("hydra_plugins",)) if options.plugins else
            Distribution(HERE, ("vernier_hpo", "vernier_report.py")))
    if options.binary:
        check_binary(options.binary, what.version, options.emulator)
    binary = options.binary.read_bytes() if options.binary else b""
    library = options.library.read_bytes() if options.library else b""
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{what.stem}-{tag_of(binary)}.whl"
    write_wheel(path, what, binary, library)
    print(path)


if __name__ == "__main__":
    main()
