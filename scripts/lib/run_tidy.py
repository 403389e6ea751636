"""Runs clang-tidy over src/ and remembers which files were clean.

    run_tidy.py --build-dir build/fuzz [--all]

The list scripts/tidy_checked.txt, which is committed, holds a digest of each
file that clang-tidy found clean: of its text, its header's and .clang-tidy.
Without --all, files are left out whose digest stands there; so a change is
checked once, on the machine where it was made, and continuous integration looks
at what was not. The list is written after each file, so that a run can be
broken off.

A header of others may change what clang-tidy says about a file, though its
digest stays the same: --all looks at every file.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "scripts" / "tidy_checked.txt"
INCLUDE = re.compile(r'^#include "([^"]+\.h)"', re.MULTILINE)


def source_files(build_dir, root=ROOT):
    """The files of src/ that the build compiles, relative to the root."""
    database = json.loads((build_dir / "compile_commands.json").read_text())
    source = os.path.realpath(root / "src")
    paths = {os.path.realpath(os.path.join(e["directory"], e["file"]))
             for e in database}
    return sorted(os.path.relpath(path, os.path.realpath(root))
                  for path in paths if path.startswith(source + os.sep))


def included_headers(file, root=ROOT):
    """The headers of src/ that a file includes, also by way of others."""
    found = set()
    unread = [file]
    while unread:
        for included in INCLUDE.findall((root / unread.pop()).read_text()):
            name = "src/" + included
            if name not in found and (root / name).exists():
                found.add(name)
                unread.append(name)
    return found


def headers_by_file(files, root=ROOT):
    """For each of `files`, the headers whose findings it stands for.

    That is the header of the same name; and, for a header without such a file,
    the first that includes it.
    """
    headers = {file: [] for file in files}
    taken = set()
    for file in files:
        own = file.removesuffix(".cc") + ".h"
        if (root / own).exists():
            headers[file].append(own)
            taken.add(own)
    for file in files:
        others = included_headers(file, root) - taken
        headers[file] += sorted(others)
        taken |= others
    return headers


def digest(file, headers, root=ROOT):
    """What stands for a file's state in the list."""
    hashed = hashlib.sha256()
    for name in [".clang-tidy", file, *headers]:
        content = (root / name).read_bytes()
        hashed.update(f"{name} {len(content)}\n".encode() + content)
    return hashed.hexdigest()[:32]


def read_list(path=LIST):
    """Digests by file."""
    if not path.exists():
        return {}
    lines = (line.split() for line in path.read_text().splitlines())
    return {words[1]: words[0] for words in lines if len(words) == 2}


def write_list(digests, path=LIST):
    text = "".join(f"{digests[file]} {file}\n" for file in sorted(digests))
    temporary = path.with_suffix(".new")
    temporary.write_text(text)
    temporary.rename(path)


def check_file(tidy, build_dir, file):
    """What clang-tidy says about a file, or "" if it is clean."""
    process = subprocess.run(
        [tidy, "--quiet", "-p", str(build_dir),
         "--extra-arg=-Wno-unknown-warning-option", file],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False)
    if process.returncode == 0:
        return ""
    text = process.stdout.decode("utf-8", "replace")
    return text or f"clang-tidy ended with {process.returncode}"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tidy", default="clang-tidy")
    options = parser.parse_args(arguments)

    files = source_files(options.build_dir)
    if not files:
        print("the build compiles nothing of src/")
        return 1
    headers = headers_by_file(files)
    now = {file: digest(file, headers[file]) for file in files}
    clean = {file: known for file, known in read_list().items()
             if now.get(file) == known}
    todo = [file for file in files if options.all or file not in clean]
    print(f"{len(files)} files, {len(todo)} to be checked", flush=True)
    failed = 0
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        runs = {pool.submit(check_file, options.tidy, options.build_dir, file):
                file for file in todo}
        for run in concurrent.futures.as_completed(runs):
            file = runs[run]
            clean.pop(file, None)
            if run.result():
                failed += 1
                print(f"FAILED {file}\n{run.result()}", flush=True)
            else:
                clean[file] = now[file]
            write_list(clean)
    write_list(clean)
    print(f"{len(todo) - failed} files are clean, {failed} are not"
          f" ({time.monotonic() - start:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
