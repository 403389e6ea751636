"""What happens when the service is killed, when nobody looks and when `run` does;
when the disk is full; and when a program holds up its supervisor."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import DEADLINE, Service, binary, supervisors, wait_for  # noqa: E402

# Notes its start, waits for a file of its number, and reports.
TRIAL = """#!/bin/sh
echo "$CLOUD_ML_TRIAL_ID" >> {home}/started
while [ ! -e {home}/go-$CLOUD_ML_TRIAL_ID ] && [ ! -e {home}/go ]; do sleep 0.05; done
printf '{{"global_step": "1", "loss": "0.%s", "timestamp": 1.5, "trial": "1"}}\\n' \\
  "$CLOUD_ML_TRIAL_ID" > "$CLOUD_ML_HP_METRIC_FILE"
"""

CONFIG = """
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    params:
    - {{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}
vernier:
  seed: 7
  algorithm: RANDOM_SEARCH
  command: [{command}]
"""


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


class Home:
    """A user's folder: services are started in the background by whatever verb
    needs one."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="vernier-")
        self.data = os.path.join(self.path, "data")
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("VERNIER_")}
        self.environment["VERNIER_HOME"] = self.data

    def cli(self, *args, check=True, env=None):
        done = subprocess.run([binary(), *args], cwd=self.path,
                              env={**self.environment, **(env or {})},
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=2 * DEADLINE)
        if check and done.returncode != 0:
            raise AssertionError(f"vernier {args}: {done.returncode}\n"
                                 f"{done.stdout}{done.stderr}{self.guard_log()}")
        return done

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.path, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def allow(self, trial=None):
        self.write("go" if trial is None else f"go-{trial}", "")

    def config(self, trials):
        program = self.write("trial.sh", TRIAL.format(home=self.path), 0o755)
        return self.write("job.yaml", CONFIG.format(trials=trials, command=program))

    def started(self):
        try:
            with open(os.path.join(self.path, "started"), encoding="utf-8") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def guard_log(self):
        try:
            with open(os.path.join(self.data, "logs/stderr.log"),
                      encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def service(self):
        """The service's process, by what it writes of itself; None if none
        answers. Starts none."""
        here = {"VERNIER_ENDPOINT": f"unix:{self.data}/vernier.sock"}
        done = self.cli("info", "--format", "value(processId)", check=False, env=here)
        return int(done.stdout) if done.returncode == 0 else None

    def end(self):
        self.allow()
        try:
            pid = self.service()
            if pid is not None:
                self.end_service(pid)
            # A program that looks for "go" after its folder is gone never ends.
            wait_for("the trials to end", lambda: not supervisors(self.data))
        finally:
            shutil.rmtree(self.path, ignore_errors=True)

    def end_service(self, pid):
        for job in self.cli("jobs", "list", "--format", "value(jobId)").stdout.split():
            self.cli("jobs", "cancel", job, check=False)
        wait_for("all jobs to end", lambda: not self.cli(
            "jobs", "list", "--filter",
            "NOT state=SUCCEEDED AND NOT state=FAILED AND NOT state=CANCELLED",
            "--format", "value(jobId)").stdout.strip())
        guard = parent_of(pid)
        os.kill(pid, signal.SIGTERM)
        wait_for("the service and its guard to end",
                 lambda: not is_alive(pid) and (guard == 1 or not is_alive(guard)))


class GuardTest(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.end)

    def submit(self, trials):
        self.home.cli("jobs", "submit", "training", "job", "--config",
                      self.home.config(trials))

    def stop(self, guard):
        """With SIGSTOP; a test that fails leaves no process that waits for ever."""
        os.kill(guard, signal.SIGSTOP)
        self.addCleanup(lambda: is_alive(guard) and os.kill(guard, signal.SIGCONT))

    def test_a_killed_service_comes_back_though_nobody_looks(self):
        self.submit(3)
        wait_for("the first trial", lambda: self.home.started() == ["1"])
        service = self.home.service()
        guard = parent_of(service)
        os.kill(service, signal.SIGKILL)
        # The next trials are a service's to start, and no verb is typed.
        self.home.allow()
        wait_for("the last trial to start",
                 lambda: self.home.started() == ["1", "2", "3"])
        self.assertTrue(is_alive(guard))
        self.assertIn("was killed by signal 9; starting it again",
                      self.home.guard_log())
        wait_for("the job to end", lambda: self.home.cli(
            "jobs", "describe", "job", "--format", "value(state)").stdout ==
            "SUCCEEDED\n")
        self.assertNotEqual(self.home.service(), service)

    def test_a_job_of_which_nothing_runs_goes_on_too(self):
        self.submit(2)
        wait_for("the first trial", lambda: self.home.started() == ["1"])
        service = self.home.service()
        # Its only trial ends while there is no service; then no process is left
        # but the guard.
        self.stop(parent_of(service))
        os.kill(service, signal.SIGKILL)
        self.home.allow(1)
        wait_for("the attempt's record", lambda: [
            name for _, _, names in os.walk(os.path.join(self.home.data, "runs"))
            for name in names if name == "exit.json"])
        self.assertEqual(self.home.started(), ["1"])
        os.kill(parent_of(service), signal.SIGCONT)
        wait_for("the second trial", lambda: self.home.started() == ["1", "2"])

    def test_a_service_that_was_stopped_stays_so(self):
        self.submit(2)
        wait_for("the first trial", lambda: self.home.started() == ["1"])
        for by_guard in (False, True):
            self.home.cli("jobs", "list")  # Starts one.
            service = self.home.service()
            guard = parent_of(service)
            os.kill(guard if by_guard else service, signal.SIGTERM)
            wait_for("both to end", lambda s=service, g=guard:
                     not is_alive(s) and not is_alive(g))
            self.assertFalse(os.path.exists(
                os.path.join(self.home.data, "vernier.sock")))

    def test_a_service_without_its_data_stays_dead(self):
        self.home.cli("jobs", "list")
        service = self.home.service()
        guard = parent_of(service)
        self.stop(guard)
        os.kill(service, signal.SIGKILL)
        shutil.rmtree(self.home.data)
        os.kill(guard, signal.SIGCONT)
        wait_for("the guard to end", lambda: not is_alive(guard))
        self.assertFalse(os.path.exists(self.home.data))

    def test_detach_serves_in_the_background_with_its_flags(self):
        done = self.home.cli("serve", "--detach", "--http", "off", "--gpus", "fake:2",
                             "--max-concurrent-replicas", "5")
        pid = int(re.search(r"process (\d+)", done.stderr).group(1))
        self.assertEqual(self.home.service(), pid)
        os.kill(pid, signal.SIGKILL)
        wait_for("another service", lambda: (self.home.service() or pid) != pid)
        info = self.home.cli("info").stdout
        self.assertIn("maxConcurrentReplicas", info)
        self.assertNotIn("httpUrl", info)
        self.assertNotIn("started a service", self.home.cli("info").stderr)
        again = self.home.cli("serve", "--detach", check=False)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("another", again.stderr)

    def test_print_unit_has_the_flags(self):
        done = self.home.cli("serve", "--print-unit", "--data-dir", "/my data",
                             "--http", "off")
        self.assertIn('"serve" "--data-dir" "/my data" "--http" "off"\n', done.stdout)
        self.assertFalse(os.path.exists(self.home.data))


class RunTest(unittest.TestCase):
    def follow(self, home, *flags):
        run = subprocess.Popen(
            [binary(), "run", "--config", home.config(3), "--name", "job", *flags],
            cwd=home.path, env=home.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def check(self, run):
        out, err = run.communicate(timeout=2 * DEADLINE)
        self.assertEqual(run.returncode, 0, out + err)
        # It may be back before run looks again; if it was missed, both are said.
        self.assertEqual("the service has gone away; trials that run go on" in err,
                         "the service answers again" in err, err)
        # Each trial's end once, in order; the table of the best comes after.
        ends = re.findall(r"^trial +(\d+)", out.split("Best trials")[0], re.MULTILINE)
        self.assertEqual(ends, ["1", "2", "3"], out)

    def test_run_follows_on_when_its_service_is_killed(self):
        home = Home()
        self.addCleanup(home.end)
        run = self.follow(home)
        home.allow(1)
        wait_for("the second trial", lambda: home.started() == ["1", "2"])
        os.kill(home.service(), signal.SIGKILL)
        wait_for("run to notice, and the service to be back",
                 lambda: "starting it again" in home.guard_log())
        wait_for("it to serve", home.service)
        home.allow()
        self.check(run)

    def test_run_waits_for_the_service_that_it_was_given(self):
        home = Home()
        self.addCleanup(home.end)
        with Service() as service:
            run = self.follow(home, "--endpoint", service.endpoint)
            home.allow(1)
            wait_for("the second trial", lambda: home.started() == ["1", "2"])
            service.kill()
            home.allow(2)
            # It is not for run to start one there.
            err = []
            wait_for("run to notice", lambda: (
                err.append(run.stderr.readline()) or "gone away" in "".join(err)))
            self.assertIn("Waiting for it to answer again", "".join(err))
            self.assertFalse(os.path.exists(home.data))
            service.start()
            home.allow()
            out, rest = run.communicate(timeout=2 * DEADLINE)
            self.assertEqual(run.returncode, 0, out + rest)
            self.assertIn("the service answers again", rest)
            ends = re.findall(r"^trial +(\d+)", out.split("Best trials")[0],
                              re.MULTILINE)
            self.assertEqual(ends, ["1", "2", "3"], out)


class EndpointTest(unittest.TestCase):
    """A wrong address or token: the error says what would be right."""

    def test_errors_name_what_would_be_right(self):
        home = Home()
        self.addCleanup(home.end)
        home.cli("jobs", "list")
        own = f"unix:{home.data}/vernier.sock"
        nobody = home.cli("jobs", "list", "--endpoint", "127.0.0.1:9", check=False)
        self.assertEqual(nobody.returncode, 4)
        self.assertEqual(nobody.stderr,
                         "vernier: no service answers at 127.0.0.1:9; your own "
                         f"service listens at {own}: to reach it, leave out "
                         "--endpoint\n")
        variable = home.cli("jobs", "list", check=False,
                            env={"VERNIER_ENDPOINT": "unix:/no/such.sock"})
        self.assertEqual(variable.returncode, 4)
        self.assertIn("no service answers at unix:/no/such.sock", variable.stderr)
        self.assertIn("unset VERNIER_ENDPOINT", variable.stderr)
        url = home.cli("info", "--format", "value(httpUrl)").stdout.strip()
        web = home.cli("jobs", "list", "--endpoint", url.split("//")[1], check=False)
        self.assertEqual(web.returncode, 4)
        self.assertIn("speaks HTTP, not gRPC", web.stderr)
        self.assertIn(own, web.stderr)
        address = home.cli("jobs", "list", "--endpoint", url, check=False)
        self.assertEqual(address.returncode, 2)
        self.assertIn("names an HTTP interface", address.stderr)

    def test_a_wrong_token_names_the_variable(self):
        with Service("--listen", "127.0.0.1:0") as service:
            endpoint = wait_for("the endpoint", lambda: re.search(
                r"endpoint=(127.0.0.1:\d+)", service.log())).group(1)
            none = service.cli("jobs", "list", "--endpoint", endpoint, check=False)
            self.assertIn("the call needs a token: set VERNIER_TOKEN", none.stderr)
            wrong = service.cli("jobs", "list", "--endpoint", endpoint, check=False,
                                env={"VERNIER_TOKEN": "nonsense"})
            self.assertIn("the token is not valid", wrong.stderr)
            self.assertIn("VERNIER_TOKEN", wrong.stderr)


@contextlib.contextmanager
def small_disk(folder, size):
    """A file system of its own at `folder`; None if only root could make one."""
    os.makedirs(folder, mode=0o700)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700",
                           "none", folder], capture_output=True, check=False)
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=False)


class FullDiskTest(unittest.TestCase):
    def follow(self, service, log_path):
        """`vernier run` of the job that runs; what it says goes to a file."""
        with open(log_path, "wb") as log:
            process = subprocess.Popen(
                [binary(), "run", "--config", os.path.join(service.home, "job.yaml"),
                 "--name", "job"], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "VERNIER_ENDPOINT": service.endpoint})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_for("run to follow", lambda: "following it" in read_text(log_path)
                 or "differs" in read_text(log_path))
        return process

    def test_why_and_info_say_that_the_disk_is_full(self):
        service = Service()
        self.addCleanup(shutil.rmtree, service.home, ignore_errors=True)
        with small_disk(service.data, "48m") as is_there:
            if not is_there:
                self.skipTest("ONLY ROOT CAN MOUNT A SMALL DISK: NOT TESTED")
            with service:
                program = service.write("report.sh", f"""#!/bin/sh
echo '{{"global_step": "1", "loss": "1", "timestamp": 1.5, "trial": "1"}}' \\
  > "$CLOUD_ML_HP_METRIC_FILE"
echo reported >> {service.home}/reported
while [ ! -e {service.home}/go ]; do sleep 0.05; done
""", 0o755)
                service.submit("job", CONFIG.format(trials=2, command=program))
                service.wait_state("job", "RUNNING")
                said = os.path.join(service.home, "run.log")
                follower = self.follow(service, said)
                wait_for("the report", lambda: os.path.exists(
                    os.path.join(service.home, "reported")))
                filler = os.path.join(service.data, "filler")
                with open(filler, "wb", buffering=0) as file:
                    for size in (1 << 20, 4096):
                        with contextlib.suppress(OSError):
                            while file.write(b"x" * size):
                                pass
                before = service.log().count("\n")
                open(os.path.join(service.home, "go"), "w", encoding="utf-8").close()
                why = wait_for("why to say so", lambda: (
                    lambda text: text if "room on the disk" in text else None)(
                        service.cli("why", "job").stdout))
                self.assertIn("It waits for room on the disk", why)
                self.assertIn("room on the disk", service.cli("info").stdout)
                self.assertIn("room on the disk",
                              service.job("job")["vernier"]["waitingFor"])
                self.assertIn("room on the disk",
                              service.cli("why", "job", "1").stdout)
                told = "vernier: the service waits for room on the disk"
                wait_for("run to say so", lambda: told in read_text(said))
                lines = service.log().count("\n") - before
                self.assertLess(lines, 20, service.log())
                os.remove(filler)
                service.wait_state("job", "SUCCEEDED")
                self.assertNotIn("room on the disk", service.cli("info").stdout)
                self.assertEqual(follower.wait(DEADLINE), 0)
                self.assertEqual(read_text(said).count(told), 1)
                self.assertIn("has what it waited for", read_text(said))


class LimitsTest(unittest.TestCase):
    def test_a_program_that_stops_its_supervisor_ends_at_its_time_limit(self):
        with Service() as service:
            program = service.write("hold.sh", "#!/bin/sh\nkill -STOP $PPID\nsleep 600\n",
                                    0o755)
            service.submit("job", f"""
trainingInput: {{}}
vernier:
  command: [{program}]
  trialTimeLimit: 1s
  killGrace: 1s
""")
            job = service.wait_state("job", "FAILED")
            self.assertIn("vernier.trialTimeLimit", job["errorMessage"])

    def test_a_program_that_overwrites_its_claim_runs_once(self):
        with Service() as service:
            program = service.write("claim.sh", f"""#!/bin/sh
echo start >> {service.home}/starts
while [ ! -e {service.home}/go ]; do sleep 0.05; done
: > ../claim
kill -KILL $PPID
sleep 600
""", 0o755)
            service.submit("job", f"vernier: {{command: [{program}]}}\ntrainingInput: {{}}\n")
            service.wait_state("job", "RUNNING")
            open(os.path.join(service.home, "go"), "w", encoding="utf-8").close()
            job = service.wait_state("job", "FAILED")
            self.assertIn("the file claim was overwritten", job["errorMessage"])
            with open(os.path.join(service.home, "starts"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "start\n")

    def test_an_unknown_machine_type_is_refused_unless_it_is_listed(self):
        config = """
trainingInput:
  scaleTier: CUSTOM
  masterType: {type}
vernier: {{command: [/bin/true]}}
"""
        with Service("--gpus", "fake:4", "--machine-type", "my-box=3") as service:
            path = service.write("wrong.yaml", config.format(type="n1-standrd-4"))
            wrong = service.cli("jobs", "submit", "training", "wrong", "--config", path,
                                check=False)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn('trainingInput.masterType: there is no machine type '
                          '"n1-standrd-4"; did you mean n1-standard-4?', wrong.stderr)
            service.submit("right", config.format(type="my-box"))
            service.wait_state("right", "SUCCEEDED")
            accelerator = service.job("right")["trainingInput"]["masterConfig"][
                "acceleratorConfig"]
            self.assertEqual(accelerator["count"], "3")

    def test_why_says_that_a_gang_waits_for_room(self):
        with Service("--max-concurrent-replicas", "2") as service:
            program = service.write_gated_program()
            config = CONFIG.format(trials=3, command=program).replace(
                "trainingInput:\n", "trainingInput:\n  scaleTier: CUSTOM\n"
                "  masterType: standard\n  workerType: standard\n  workerCount: 1\n"
            ).replace("maxTrials: 3", "maxTrials: 3\n    maxParallelTrials: 3")
            service.submit("job", config)
            why = wait_for("why to say so", lambda: (
                lambda text: text if "room for its 2 replicas" in text else None)(
                    service.cli("why", "job").stdout))
            self.assertIn("2 of at most 2 run at once", why)
            open(os.path.join(service.home, "go"), "w", encoding="utf-8").close()
            service.wait_state("job", "SUCCEEDED")


class PortTest(unittest.TestCase):
    """Bookmarks of the dashboard work over restarts."""

    def restart(self, service):
        service.process.send_signal(signal.SIGTERM)
        service.process.wait(DEADLINE)
        service.start()
        return service.json("info")

    def test_a_restart_keeps_its_port(self):
        for flags in ([], ["--http", "127.0.0.1:0"]):
            with Service(*flags) as service:
                url = service.json("info")["httpUrl"]
                # Another service may have the usual port first.
                with Service():
                    self.assertEqual(self.restart(service)["httpUrl"], url)
                self.assertNotIn("had before", " ".join(service.json("info").get("notes", [])))

    def test_a_port_that_another_program_took_is_told(self):
        with Service("--http", "127.0.0.1:0") as service:
            old = service.json("info")["httpUrl"]
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(DEADLINE)
            port = int(old.rsplit(":", 1)[1])
            with socket.create_server(("127.0.0.1", port)):
                service.start()
                info = service.json("info")
            self.assertNotEqual(info["httpUrl"], old)
            note = f"port {port}, which the dashboard had before, was taken"
            self.assertIn(note, " ".join(info["notes"]))
            self.assertIn(note, service.log())
            # Bookmarks of the new address work from then on.
            self.assertEqual(self.restart(service)["httpUrl"], info["httpUrl"])


if __name__ == "__main__":
    unittest.main()
