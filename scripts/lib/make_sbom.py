#!/usr/bin/env python3
"""Writes the software bill of materials of a build: an SPDX 2.3 document in JSON.

    make_sbom.py --build-dir build/release --out FILE [--sysroot FOLDER --compiler CROSS-G++]

In it are the Debian packages whose archives are linked into the binary or whose headers
are compiled into it, as Ninja and dpkg know them; the packages of npm that the committed
page is made of, from web/package-lock.json; and NLopt, which is opened at run time. The
same build gives the same bytes: the document's time is that of $SOURCE_DATE_EPOCH. Of a
build for another processor the libraries are those of the sysroot (make_sysroot).

A library whose licence the table below does not have is listed with NOASSERTION, and
named on standard error.
"""

from __future__ import annotations

import argparse
import base64
import collections
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]

# By Debian's name of the source. docs/dependencies.md says what each is for.
LICENSES = {
    "abseil": "Apache-2.0",
    "boost": "BSL-1.0",
    "c-ares": "MIT",
    "cli11": "BSD-3-Clause",
    "curl": "curl",
    "eigen3": "MPL-2.0",
    "fmtlib": "MIT",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "grpc": "Apache-2.0",
    "nlohmann-json3": "MIT",
    "nlopt": "LGPL-2.1-or-later",
    "openssl": "Apache-2.0",
    "protobuf": "BSD-3-Clause",
    "re2": "BSD-3-Clause",
    "spdlog": "MIT",
    "sqlite3": "blessing",
    "yaml-cpp": "MIT",
    "zlib": "Zlib",
}
# The C library is the machine's, and the kernel's headers are no code; the last has both for
# a cross compiler.
OF_THE_MACHINE = {"glibc", "linux", "cross-toolchain-base"}
# Libraries that are headers only, also where Ninja has not compiled what reads them.
HEADERS = ("nlohmann/json.hpp", "CLI/CLI.hpp", "spdlog/spdlog.h", "fmt/format.h",
           "eigen3/Eigen/Core", "boost/version.hpp")
OPENED_AT_RUN_TIME = ("libnlopt0",)
# Objects of these folders are not in the binary.
OTHER_PROGRAMS = ("tests/", "bench/", "fuzz/", "CMakeFiles/vernier_glibc")


def output(*words: str) -> str:
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def license_of(source: str) -> str:
    """Without the version in names such as boost1.74, gcc-12 and gcc-12-cross."""
    name = re.sub(r"(?<=boost)[\d.]+$|(?<=gcc)-\d+(-cross)?$", "", source)
    if name not in LICENSES:
        print(f"make_sbom.py: {source} has no licence in the table of make_sbom.py",
              file=sys.stderr)
    return LICENSES.get(name, "NOASSERTION")


def linked_files(build: str, compiler: str = "g++") -> set[str]:
    """The archives of the machine that the link of the binary names, and the compiler's."""
    link = output("ninja", "-C", build, "-t", "commands", "vernier").splitlines()[-1]
    named = {each for each in link.split() if each.startswith("/") and each.endswith(".a")}
    return named | {output(compiler, f"-print-file-name={name}").strip()
                    for name in ("libstdc++.a", "libgcc.a", "libgcc_eh.a")}


def included_files(build: str, sysroot: str = "") -> set[str]:
    """The machine's headers that the compiler read for the binary's objects."""
    places = ("/usr/", f"{sysroot}/usr/", f"{os.path.realpath(sysroot)}/usr/")
    found, is_ours = {f"{sysroot}/usr/include/{each}" for each in HEADERS}, False
    for line in output("ninja", "-C", build, "-t", "deps").splitlines():
        if line.startswith("    "):
            path = os.path.normpath(os.path.join(build, line.strip()))
            if is_ours and path.startswith(places):
                found.add(path)
        elif line:
            is_ours = not line.startswith(OTHER_PROGRAMS)
    return found


def dpkg_query(sysroot: str) -> list[str]:
    return ["dpkg-query", *([f"--admindir={sysroot}/var/lib/dpkg"] if sysroot else [])]


def packages_of(files: set[str], sysroot: str = "") -> set[str]:
    """The Debian packages that files belong to, of the sysroot if there is one. What no
    package has is the build's own.
    """
    names = sorted({os.path.realpath(each) for each in files})
    if sysroot:
        top = os.path.realpath(sysroot)
        names = [each[len(top):] for each in names if each.startswith(top + "/")]
    # It ends with 1 if it does not know one of them.
    done = subprocess.run([*dpkg_query(sysroot), "-S", *names], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {each for line in done.stdout.splitlines() if not line.startswith("diversion ")
            for each in line.rpartition(": ")[0].split(", ")}


def debian_packages(names: dict[str, set[str]], relation: str) -> list[dict]:
    """One entry for each source, with the packages in which it came here; by sysroot."""
    form = "${source:Package}\t${source:Version}\t${Package}\t${Version}\t${Architecture}\n"
    sources = collections.defaultdict(list)
    for sysroot, packages in names.items():
        known = output(*dpkg_query(sysroot), "-W", "-f", form, *sorted(packages))
        for line in known.splitlines():
            source, version, *package = line.split("\t")
            if source not in OF_THE_MACHINE:
                sources[source, version].append(package)
    system = debian_system()
    return [{
        "name": source, "version": version, "license": license_of(source),
        "supplier": "Organization: Debian", "relation": relation,
        "purls": [f"pkg:deb/{system}/{name}@{urllib.parse.quote(own, safe='')}?arch={kind}"
                  for name, own, kind in sorted(packages)],
    } for (source, version), packages in sorted(sources.items())]


def debian_system() -> str:
    text = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    return re.search(r'(?m)^ID="?([a-z]+)', text)[1]


def npm_packages() -> list[dict]:
    """What the page is made of; tools that only build it are no part of it."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    found = []
    for path, about in sorted(lock["packages"].items()):
        if not path or about.get("dev") or about.get("peer"):
            continue
        name = path.rpartition("node_modules/")[2]
        found.append({
            "name": name, "version": about["version"], "relation": "STATIC_LINK",
            "license": about.get("license", "NOASSERTION"), "supplier": "NOASSERTION",
            "checksum": about.get("integrity", ""),
            "purls": [f"pkg:npm/{urllib.parse.quote(name)}@{about['version']}"]})
    return found


def spdx_id(name: str, version: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", f"{name}-{version}").strip("-")


def spdx_package(about: dict) -> dict:
    package = {
        "SPDXID": spdx_id(about["name"], about["version"]),
        "name": about["name"], "versionInfo": about["version"],
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": about["license"],
        "copyrightText": "NOASSERTION", "supplier": about["supplier"],
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": each} for each in about["purls"]]}
    kind, _, digest = about.get("checksum", "").partition("-")
    if kind in ("sha512", "sha256"):
        package["checksums"] = [{"algorithm": kind.upper(), "checksumValue":
                                 base64.b64decode(digest).hex()}]
    return package


def document(version: str, contents: list[dict], moment: int) -> dict:
    ours = {"name": "vernier", "version": version, "license": "Apache-2.0",
            "supplier": "Organization: Vernier's authors",
            "purls": [f"pkg:generic/vernier@{version}"]}
    packages = [spdx_package(each) for each in [ours, *contents]]
    top = packages[0]["SPDXID"]
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"vernier-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/vernier-{version}-{digest}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": [f"Tool: make_sbom.py-{version}",
                                      "Organization: Vernier's authors"]},
        "documentDescribes": [top],
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
             "relatedSpdxElement": top},
            *({"spdxElementId": top, "relationshipType": each["relation"],
               "relatedSpdxElement": spdx_id(each["name"], each["version"])}
              for each in contents)]}


def contents_of(build: str, sysroot: str, compiler: str) -> list[dict]:
    files = linked_files(build, compiler) | included_files(build, sysroot)
    # The machine's own: with a sysroot, no more than the cross compiler's.
    compiled = {"": packages_of(files)}
    if sysroot:
        compiled[sysroot] = packages_of(files, sysroot)
    found = [*debian_packages(compiled, "STATIC_LINK"),
             *debian_packages({sysroot: set(OPENED_AT_RUN_TIME)}, "DYNAMIC_LINK")]
    opened = {each["name"] for each in found if each["relation"] == "DYNAMIC_LINK"}
    # The headers of what is opened come from the same source.
    return [each for each in found if each["relation"] == "DYNAMIC_LINK"
            or each["name"] not in opened] + npm_packages()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--sysroot", default="", help="of a build for another processor")
    parser.add_argument("--compiler", default="g++")
    options = parser.parse_args()
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(vernier VERSION (\S+)", text)[1]
    moment = int(os.environ.get("SOURCE_DATE_EPOCH") or 0)
    made = document(version, contents_of(options.build_dir, options.sysroot, options.compiler), moment)
    options.out.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n",
                           encoding="utf-8")


if __name__ == "__main__":
    main()
