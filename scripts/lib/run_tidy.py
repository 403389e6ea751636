"""Runs clang-tidy over src/ and remembers which files were clean.

    run_tidy.py --build-dir build/fuzz [--all]

The list scripts/tidy_checked.txt, which is committed, holds a digest of each
file that clang-tidy found clean: of its text, its header's and .clang-tidy.
Without --all, files are left out whose digest stands there; so a change is
checked once, on the machine where it was made, and continuous integration looks
at what was not. The list is written after each file, so that a run can be
broken off.

Files of a folder are checked together, as one translation unit, as far as they
compile so: most of the time goes into the headers that they share. Where one of
them is not clean, halves are looked at, down to single files, whose findings
are printed.

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
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "scripts" / "tidy_checked.txt"
# Files to a translation unit.
BATCH = 16
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


def forgotten_files(known, files, root=ROOT):
    """Files that were checked before and are still there, but no longer compiled
    by themselves: they would be passed over without a word."""
    return sorted(file for file in known if file not in files and (root / file).exists())


def flags_by_file(build_dir, root=ROOT):
    """The compiler's flags for each file, relative to the root."""
    database = json.loads((build_dir / "compile_commands.json").read_text())
    flags = {}
    for entry in database:
        words = shlex.split(entry["command"])
        # Without the compiler, and what names the object and the source.
        kept = [word for before, word in zip(words, words[1:])
                if word not in ("-o", "-c") and before not in ("-o", "-c")]
        path = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
        flags[os.path.relpath(path, os.path.realpath(root))] = kept
    return flags


def batches_of(files, flags):
    """Files of a folder with the same flags, BATCH at most at a time."""
    alike = {}
    for file in files:
        key = (os.path.dirname(file), tuple(flags[file]))
        alike.setdefault(key, []).append(file)
    return [group[i:i + BATCH] for group in alike.values()
            for i in range(0, len(group), BATCH)]


def unit_of(files, folder):
    """One translation unit of files."""
    if len(files) == 1:
        return files[0]
    name = hashlib.sha256(" ".join(files).encode()).hexdigest()[:16]
    unit = folder / f"{name}.cc"
    unit.write_text("".join(f'#include "{ROOT / file}"\n' for file in files))
    return str(unit)


def files_in_the_way(compiler, flags, files, folder):
    """Those of the files that do not compile together with the ones before."""
    process = subprocess.run(
        [compiler, "-fsyntax-only", "-w", "-ferror-limit=0",
         *flags[files[0]], unit_of(files, folder)],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, check=False)
    text = process.stderr.decode("utf-8", "replace")
    named = {os.path.relpath(path, ROOT) for path in re.findall(
        r"^(/[^:\n]+):\d+:\d+: (?:fatal )?error:", text, re.MULTILINE)}
    found = [file for file in files if file in named]
    if process.returncode != 0 and not found:
        return files[1:]
    return found


def compilable_batches(compiler, flags, files, folder):
    """`files` in batches that compile as one translation unit."""
    batches = []
    while files:
        later = (files_in_the_way(compiler, flags, files, folder)
                 if len(files) > 1 else [])
        if len(later) == len(files):
            later = files[1:]
        batches.append([file for file in files if file not in later])
        files = later
    return batches


def run_tidy(tidy, flags, files, folder):
    """What clang-tidy says about files as one, or "" if they are clean."""
    is_batch = len(files) > 1
    process = subprocess.run(
        [tidy, "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
         # A batch does include files.
         *(["--checks=-bugprone-suspicious-include"] if is_batch else []),
         unit_of(files, folder), "--", *flags[files[0]],
         "-Wno-unknown-warning-option",
         # Names of one file may shadow another's.
         *(["-Wno-shadow"] if is_batch else [])],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False)
    if process.returncode == 0:
        return ""
    text = process.stdout.decode("utf-8", "replace")
    return text or f"clang-tidy ended with {process.returncode}"


def check_batch(tidy, flags, files, folder):
    """What is wrong with each of the files; "" for those that are clean."""
    finding = run_tidy(tidy, flags, files, folder)
    if len(files) == 1:
        return {files[0]: finding}
    if not finding:
        return {file: "" for file in files}
    half = len(files) // 2
    return {**check_batch(tidy, flags, files[:half], folder),
            **check_batch(tidy, flags, files[half:], folder)}


def check_files(options, flags, files, folder):
    """As check_batch, for files that may not go together."""
    found = {}
    for batch in compilable_batches(options.compiler, flags, files, folder):
        found.update(check_batch(options.tidy, flags, batch, folder))
    return found


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--tidy", default="clang-tidy")
    parser.add_argument("--compiler", default="clang++")
    options = parser.parse_args(arguments)

    files = source_files(options.build_dir)
    if not files:
        print("the build compiles nothing of src/")
        return 1
    forgotten = forgotten_files(read_list(), set(files))
    if forgotten:
        print(f"the build compiles {len(forgotten)} files not at all, or only with others"
              f" (VERNIER_UNITY): {', '.join(forgotten[:5])}")
        return 1
    headers = headers_by_file(files)
    now = {file: digest(file, headers[file]) for file in files}
    clean = {file: known for file, known in read_list().items()
             if now.get(file) == known}
    todo = [file for file in files if options.all or file not in clean]
    print(f"{len(files)} files, {len(todo)} to be checked", flush=True)
    failed = 0
    start = time.monotonic()
    flags = flags_by_file(options.build_dir)
    folder = options.build_dir.resolve() / "tidy"
    folder.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        runs = [pool.submit(check_files, options, flags, batch, folder)
                for batch in batches_of(todo, flags)]
        for run in concurrent.futures.as_completed(runs):
            for file, finding in run.result().items():
                clean.pop(file, None)
                if finding:
                    failed += 1
                    print(f"FAILED {file}\n{finding}", flush=True)
                else:
                    clean[file] = now[file]
            write_list(clean)
    write_list(clean)
    print(f"{len(todo) - failed} files are clean, {failed} are not"
          f" ({time.monotonic() - start:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
