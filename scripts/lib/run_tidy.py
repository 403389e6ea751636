"""Runs clang-tidy over src/, or over what has changed there.

    run_tidy.py --build-dir build/tidy [--all]

scripts/tidy_base.txt names the commit at which all of src/ was clean. Without
--all, only those files are looked at that differ from it, with those that include
a header that does; all of them if the checks have changed, or where the commit is
not known: in a tarball, or in a clone without its history. With --all, every file
is looked at; if all are clean and everything is committed, the file names that
commit from then on.

Files of a folder are checked together, as one translation unit, as far as they
compile so: most of the time goes into the headers that they share. Where one of
them is not clean, halves are looked at, down to single files, whose findings
are printed.

A header may change what clang-tidy says about a file that includes it by way of
others. That is rare, and left to --all.
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
BASE = ROOT / "scripts" / "tidy_base.txt"
# What the build with clang leaves out: it belongs to the portable release.
LEFT_OUT = {"src/glibc/newer_functions.cc", "src/glibc/process_start.cc",
            "src/suggest/x86_64_v3/factory.cc"}
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


def git(*arguments, root=ROOT):
    """What git says, or None if it fails."""
    process = subprocess.run(["git", "-C", str(root), *arguments], check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
    return process.stdout.decode() if process.returncode == 0 else None


def changed_paths(commit, root=ROOT):
    """The paths that differ between a commit and the files as they are now, or None
    if the commit is not known here."""
    if git("cat-file", "-e", f"{commit}^{{commit}}", root=root) is None:
        return None
    paths = ("--", "src", ".clang-tidy")
    differing = git("diff", "--name-only", "--no-renames", "--relative", "-z", commit,
                    *paths, root=root)
    new = git("ls-files", "--others", "--exclude-standard", "-z", *paths, root=root)
    if differing is None or new is None:
        return None
    return set((differing + new).split("\0")) - {""}


def files_to_check(files, changed, root=ROOT):
    """Those of `files` for which clang-tidy may say something new."""
    if changed is None or ".clang-tidy" in changed:
        return list(files)
    headers = {path for path in changed if path.endswith(".h") and (root / path).exists()}
    chosen = set()
    reached = set()
    for file in files:
        own = {"src/" + name for name in INCLUDE.findall((root / file).read_text())}
        if file in changed or own & headers:
            chosen.add(file)
            reached |= own
    # A header that other headers alone include is seen through one file.
    for file in files:
        missing = headers - reached
        if not missing:
            break
        if file not in chosen and included_headers(file, root) & missing:
            chosen.add(file)
        if file in chosen:
            reached |= included_headers(file, root)
    return [file for file in files if file in chosen]


def committed_state(root=ROOT):
    """The commit that the files of src/ are at, or None if they differ from it."""
    commit = git("rev-parse", "HEAD", root=root)
    if commit is None or changed_paths(commit.strip(), root) != set():
        return None
    return commit.strip()


def forgotten_files(files, root=ROOT):
    """Files that are not compiled by themselves: they would be passed over without
    a word."""
    found = {str(path.relative_to(root)) for path in (root / "src").rglob("*.cc")}
    return sorted(found - set(files) - LEFT_OUT)


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
    forgotten = forgotten_files(files)
    if forgotten:
        print(f"the build compiles {len(forgotten)} files not at all, or only with others"
              f" (VERNIER_UNITY): {', '.join(forgotten[:5])}")
        return 1
    base = BASE.read_text().strip() if BASE.exists() else ""
    changed = None if options.all else changed_paths(base)
    todo = files_to_check(files, changed)
    since = "" if changed is None else f" for what has changed since {base[:12]}"
    print(f"{len(files)} files, {len(todo)} to be checked{since}", flush=True)
    # Taken before the files are read: what is changed meanwhile is not vouched for.
    commit = committed_state() if options.all else None
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
                if finding:
                    failed += 1
                    print(f"FAILED {file}\n{finding}", flush=True)
    print(f"{len(todo) - failed} files are clean, {failed} are not"
          f" ({time.monotonic() - start:.0f} s)")
    if failed:
        return 1
    if commit is not None and committed_state() == commit:
        BASE.write_text(commit + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
