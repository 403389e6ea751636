"""A Debian with nothing on it, as a machine of its own.

    bare_debian.py [--release NAME] [COMMAND]...

Runs the README's two commands (or those of them that are named) in a fresh clone
of the last commit, on a machine with nothing but Debian's required packages, git and
certificates. Prints what they print; fails if one fails. Needs root, debootstrap,
and the package mirror of this machine.

No tool of this machine is in sight there. Its settings for package mirrors are
carried over, since a machine without them reaches none. VERNIER_BARE_CCACHE names a
compiler's cache to lend: it saves most of an hour, and changes nothing else.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENTER = os.path.join(ROOT, "scripts/lib/enter_machine")
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")),
                     "vernier-bare-debian")
# Those on which the source is built, and those on which packages are tried.
RELEASES = ("bookworm", "trixie")
PACKAGE_RELEASES = ("bullseye", *RELEASES)
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Where this machine keeps what its package clients need in order to reach a mirror.
MIRROR_SETTINGS = ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt",
                   "/root/.npmrc", "/root/.config/pip/pip.conf")
MIRROR_VARIABLES = re.compile(r"(?i)^(.*_proxy|pip_(index_url|extra_index_url|cert)|ssl_cert_.*|"
                              r"node_extra_ca_certs|npm_config_registry)$")


def run(*words, **options):
    """The output of a command; an error with the end of it if the command fails."""
    options.setdefault("timeout", 900)
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)} ended with {done.returncode}:\n"
                             f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def mirror():
    """The mirror of Debian that this machine itself uses."""
    for line in run("apt-cache", "policy").splitlines():
        words = line.split()
        if len(words) > 2 and words[1].startswith("http") and words[2].endswith("/main") and \
                words[2].partition("/")[0] in RELEASES:
            return words[1]
    raise AssertionError("apt-cache policy names no mirror of Debian; apt-get update makes it known")


def bare_root(release, architecture=None):
    """A folder with a bare Debian, made once; copied, never changed. One of another
    architecture is made under emulation.
    """
    folder = f"{CACHE}-{release}" + (f"-{architecture}" if architecture else "")
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        shutil.rmtree(folder + ".new", ignore_errors=True)
        other = [f"--arch={architecture}"] if architecture else []
        run("debootstrap", *other, "--variant=minbase", release, folder + ".new", mirror(),
            timeout=3600)
        os.rename(folder + ".new", folder)
    return folder


class Machine:
    """A bare Debian of one's own. Not thread-safe."""

    def __init__(self, release="bookworm", architecture=None):
        """Of another architecture: for as long as emulation() of it lasts."""
        self.root = tempfile.mkdtemp(prefix="vernier-bare-")
        os.chmod(self.root, 0o755)
        run("cp", "-a", "--reflink=auto", bare_root(release, architecture) + "/.", self.root)
        self._carry_mirror_settings()
        self._environment = {
            "PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8",
            "VERNIER_LISTED_SKIPS": "1",
            **{name: value for name, value in os.environ.items()
               if MIRROR_VARIABLES.match(name)}}
        self.binds = []  # Folders of this machine to lend, each with its place there.

    def _carry_mirror_settings(self):
        for path in (*MIRROR_SETTINGS, *glob.glob("/usr/local/share/ca-certificates/*.crt")):
            if os.path.isfile(path):
                os.makedirs(self.root + os.path.dirname(path), exist_ok=True)
                shutil.copy(path, self.root + path)

    def close(self):
        """Removes it. Its processes ended with their commands."""
        shutil.rmtree(self.root, ignore_errors=True)

    def command(self, *words):
        """What runs `words` there, for subprocess, with environment()."""
        binds = [word for folder, place in self.binds for word in ("--bind", folder, place)]
        return [ENTER, self.root, *binds, "--", *words]

    def environment(self):
        return dict(self._environment)

    def run(self, *words, **options):
        """The output of a command there. What it leaves running is ended with it."""
        return run(*self.command(*words), env=self.environment(), **options)

    def install(self, *packages):
        quiet = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq")
        self.run(*quiet, "update")
        self.run(*quiet, "install", "-y", "--no-install-recommends", *packages)

    def put(self, path, folder="root"):
        """Copies a file there, and returns its path there."""
        shutil.copy(path, os.path.join(self.root, folder))
        return "/" + os.path.join(folder, os.path.basename(path))

    def write(self, path, text):
        """Makes a file there."""
        place = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)

    def as_somebody(self, command):
        """The output of a shell command of an ordinary user."""
        with open(os.path.join(self.root, "etc/passwd"), encoding="utf-8") as users:
            known = any(line.startswith("somebody:") for line in users)
        if not known:
            self.run("useradd", "--create-home", "somebody")
        return self.run("su", "somebody", "-s", "/bin/sh", "-c", f"cd; {command}")


def readme_commands():
    """The two commands, as the README gives them."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        section = file.read().partition("\n## Two commands\n")[2]
    block = section.partition("```\n")[2].partition("```")[0]
    commands = [line.partition("#")[0].strip() for line in block.splitlines()]
    assert len(commands) == 2 and all(commands), f"README.md has other commands: {commands}"
    return commands


def run_readme(release, wanted):
    """Runs the commands; returns the exit status of the first that fails, or 0."""
    commands = readme_commands()
    known = [*commands, "scripts/build"]  # The longest part of the first command.
    unknown = [each for each in wanted if each not in known]
    assert not unknown, f"the README has no command {unknown[0]}; there are {known}"
    machine = Machine(release)
    try:
        machine.install("git", "ca-certificates")
        lent = os.environ.get("VERNIER_BARE_CCACHE")
        if lent:
            machine.binds.append((lent, "/root/.cache/ccache"))
        run("git", "clone", "-q", "--no-hardlinks", ROOT, machine.root + "/root/vernier")
        for command in wanted or commands:
            print(f"== {command} on a bare {release}", flush=True)
            done = subprocess.run(
                machine.command("sh", "-c", f"cd /root/vernier && {command}"),
                env=machine.environment(), stdin=subprocess.DEVNULL, check=False)
            if done.returncode != 0:
                print(f"FAILED: {command} ended with {done.returncode}", flush=True)
                return 1
    finally:
        machine.close()
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", choices=RELEASES, default=RELEASES[0])
    parser.add_argument("command", nargs="*", help="of the README; without: both")
    options = parser.parse_args()
    return run_readme(options.release, options.command)


if __name__ == "__main__":
    sys.exit(main())
