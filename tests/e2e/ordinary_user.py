"""A user of this machine who is not root, made for a test and removed after it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile

from service import DEADLINE, ROOT, binary, wait_for

# What the user runs and reads, of a checkout that may be closed to others.
FILES = ("tests/e2e", "scripts/lib/make_image.py")


class OrdinaryUser:
    """Has subordinate ids, a home and copies of the tests and of the binary."""

    def __init__(self):
        self.name = f"vernier-e2e-{os.getpid()}"
        # Short: a socket path holds at most 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="vu-", dir="/tmp")
        self.home = os.path.join(self.folder, "home")
        self.run_dir = os.path.join(self.folder, "run")
        self.root = os.path.join(self.folder, "root")
        os.chmod(self.folder, 0o755)
        subprocess.run(["useradd", "--home-dir", self.home, "--create-home",
                        "--shell", "/bin/sh", self.name], check=True, capture_output=True)
        entry = pwd.getpwnam(self.name)
        self.uid, self.gid = entry.pw_uid, entry.pw_gid
        os.mkdir(self.run_dir, 0o700)
        os.chown(self.run_dir, self.uid, self.gid)
        for file in FILES:
            source, copy = os.path.join(ROOT, file), os.path.join(self.root, file)
            if os.path.isdir(source):
                shutil.copytree(source, copy)
            else:
                os.makedirs(os.path.dirname(copy))
                shutil.copy(source, copy)
        self.binary = shutil.copy(binary(), os.path.join(self.root, "vernier"))
        subprocess.run(["chmod", "-R", "a+rX", self.root], check=True)

    def has_subordinate_ids(self):
        """Whether useradd gave it some, as it does for people."""
        for file in ("/etc/subuid", "/etc/subgid"):
            try:
                with open(file, encoding="utf-8") as lines:
                    if not any(line.startswith(self.name + ":") for line in lines):
                        return False
            except OSError:
                return False
        return True

    def run(self, *command, cwd=None, **variables):
        """Runs a command as this user, with nothing of the caller's environment."""
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.home, "USER": self.name,
            "LOGNAME": self.name, "XDG_RUNTIME_DIR": self.run_dir, "LANG": "C.UTF-8",
            "VERNIER_BINARY": self.binary, "PYTHONDONTWRITEBYTECODE": "1", **variables}
        return subprocess.run(
            ["setpriv", f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups",
             "env", "-i",
             *(f"{name}={value}" for name, value in environment.items()), *command],
            cwd=cwd or self.home, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False, timeout=10 * DEADLINE)

    def processes(self):
        """Its processes, those in containers under its subordinate ids left out."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.stat(f"/proc/{pid}").st_uid == self.uid:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        found.append((int(pid), file.read().replace(b"\0", b" ").decode()))
            except OSError:
                continue
        return found

    def remove(self):
        """Ends its processes and removes all that it had."""
        def is_gone():
            for pid, _ in self.processes():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            return not self.processes()
        wait_for("the user's processes to end", is_gone)
        subprocess.run(["userdel", self.name], check=True, capture_output=True)
        shutil.rmtree(self.folder)
