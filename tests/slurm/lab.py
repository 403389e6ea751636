"""A Slurm cluster of three nodes on this machine, for tests."""

import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "slurm_lab.sh")
PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "srun", "squeue", "scancel")


def missing():
    """What this machine lacks for a cluster, in words; empty: nothing."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    lacking = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if not lacking:
        return ""
    return f"no {', '.join(lacking)}; see scripts/install_dependencies test"


def has_namespaces():
    """Whether nodes can have networks and processes of their own."""
    if os.geteuid() != 0:
        return False
    words = ["unshare", "--net", "--pid", "--fork", "--mount-proc", "true"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


class Lab:
    """A cluster, started by start() and removed by stop(). `settings` are those
    of slurm_lab.sh, such as LAB_DB="1"."""

    def __init__(self, **settings):
        self.root = tempfile.mkdtemp(prefix="vernier-slurm-")
        os.chmod(self.root, 0o755)  # Slurm's own users look into it.
        number = os.getpid() % 200
        self.mode = "netns" if has_namespaces() else "ports"
        self.settings = {
            "LAB_DIR": os.path.join(self.root, "lab"), "LAB_MODE": self.mode,
            # Apart from those of another run.
            "LAB_NET": f"10.77.{number}", "LAB_BR": f"vslurm{number}",
            "LAB_NS": f"vslurm{number}n", "CTLD_PORT": str(26000 + 10 * number),
            "SLURMD_PORT": str(26001 + 10 * number),
            "DBD_PORT": str(26002 + 10 * number), "DB_PORT": str(26003 + 10 * number),
            **settings}
        self.nodes = int(self.settings.get("LAB_NODES", "3"))

    @property
    def conf(self):
        return os.path.join(self.settings["LAB_DIR"], "etc/slurm.conf")

    @property
    def shared(self):
        return os.path.join(self.settings["LAB_DIR"], "shared")

    def run(self, *words, timeout=180):
        """A verb of slurm_lab.sh, such as crash 2."""
        done = subprocess.run(["bash", SCRIPT, *words], capture_output=True, text=True,
                              env={**os.environ, **self.settings}, timeout=timeout,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"slurm_lab.sh {' '.join(words)}: {done.stderr}")
        return done.stdout

    def start(self):
        try:
            self.run("up")
        except BaseException:
            self.stop()
            raise
        os.environ["SLURM_CONF"] = self.conf

    def stop(self):
        try:
            self.run("stop")
        finally:
            os.environ.pop("SLURM_CONF", None)
            shutil.rmtree(self.root, ignore_errors=True)

    def command(self, *words, check=True):
        """A command of Slurm; its output."""
        done = subprocess.run(words, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "SLURM_CONF": self.conf}, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def is_idle(self):
        """Whether every node is there and has nothing to do."""
        listed = self.command("sinfo", "-h", "-N", "-p", "main", "-t", "idle", "-o", "%N")
        return len(set(listed.split())) == self.nodes

    def pid_of(self, daemon):
        path = os.path.join(self.settings["LAB_DIR"], "pids", daemon)
        with open(path, encoding="utf-8") as file:
            return int(file.read().split()[0])

    def in_node(self, number, *words):
        """Runs a command as root of node nNUMBER, with its folders and network."""
        shell = self.command("pgrep", "-P", str(self.pid_of(f"n{number}"))).split()[0]
        self.command("nsenter", "-t", shell, "-m", "-n", *words)

    def queue(self, states="PENDING,RUNNING,COMPLETING,SUSPENDED,CONFIGURING", probes=True):
        """Jobs in these states: (number, state, nodes, name) each."""
        lines = self.command("squeue", "-h", "-t", states, "-o", "%A|%T|%N|%j")
        jobs = [tuple(line.split("|", 3)) for line in lines.splitlines()]
        return [job for job in jobs if probes or "-probe-" not in job[3]]
