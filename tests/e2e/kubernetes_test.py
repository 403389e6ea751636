"""Jobs on a real Kubernetes control plane: see tests/kubernetes."""

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "kubernetes")]
import lab as kubernetes_lab  # noqa: E402
from service import ROOT, Service, binary, free_port, wait_for  # noqa: E402

JOB = """
trainingInput:
  scaleTier: CUSTOM
  masterType: standard
  masterConfig: {{imageUri: {image}}}
  {workers}
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: {trials}
    maxParallelTrials: {parallel}
    params: [{{parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}}]
vernier:
  command: [sh, -c, '{script}', sh]
  {more}
"""
# SIGTERM does nothing to the first process of a container unless it handles it.
GRACE = "killGrace: 2s"
with open(os.path.join(ROOT, "examples/kubernetes/cluster/vernier.yaml"), encoding="utf-8") as text:
    MANIFEST = text.read()


def rules_of_manifest():
    """Those of its Role, so that every test shows that they are enough."""
    def words(text):
        return [word.strip(' "') for word in text.split(",")]
    return [{"apiGroups": words(groups), "resources": words(resources), "verbs": words(verbs)}
            for groups, resources, verbs in re.findall(
                r"- apiGroups: \[(.*)\]\n  resources: \[(.*)\]\n  verbs: \[(.*)\]", MANIFEST)]


RULES = rules_of_manifest()
LONG = 120.0

LAB = None


def setUpModule():
    global LAB
    why = kubernetes_lab.missing()
    if why:
        raise unittest.SkipTest(why)
    LAB = kubernetes_lab.Lab()
    LAB.start()


def tearDownModule():
    if LAB is not None:
        LAB.stop()


class ConformanceTest(unittest.TestCase):
    def test_the_launcher_keeps_the_contract(self):
        program = os.path.join(os.path.dirname(binary()), "tests/vernier_cluster_test")
        if not os.access(program, os.X_OK):
            self.skipTest(f"{program} is not built")
        done = subprocess.run(
            [program, "--gtest_filter=Kubernetes/LauncherConformance.*", "--gtest_brief=1"],
            env={**os.environ, "VERNIER_KUBERNETES_CONFIG": LAB.kubeconfig}, timeout=900,
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        self.assertNotIn("SKIPPED", done.stdout)


class KubernetesBed(unittest.TestCase):
    OBJECTS = "auto"
    service = None

    def start(self, *flags, rules=RULES):
        """A service whose account has these rights."""
        account = "vernier" if rules is RULES else f"limited-{len(rules)}"
        config = LAB.service_account_kubeconfig(LAB.namespace, account, rules=rules)
        self.service = Service("--launcher", "kubernetes", "--kubernetes-config", config,
                               "--kubernetes-objects", self.OBJECTS, "--gpus", "none", *flags)
        self.addCleanup(self.expect_nothing)
        self.addCleanup(self.service.__exit__)
        self.service.start()

    def objects(self, *kinds):
        paths = {"jobsets": "/apis/jobset.x-k8s.io/v1alpha2", "jobs": "/apis/batch/v1"}
        found = []
        for kind in kinds or ("jobsets", "jobs", "pods", "secrets", "services"):
            root = paths.get(kind, "/api/v1")
            items = LAB.get(f"{root}/namespaces/{LAB.namespace}/{kind}")["items"]
            found += [f"{kind}/{item['metadata']['name']}" for item in items
                      if item["metadata"]["name"].startswith("vernier-")
                      and "vernier/revoked" not in item["metadata"].get("labels", {})]
        return found

    def expect_nothing(self):
        wait_for("the namespace to be empty", lambda: self.objects() == [], LONG)

    def live_pods(self):
        return [pod["metadata"]["name"] for pod in LAB.pods()
                if pod["metadata"]["name"].startswith("vernier-")
                and pod["status"].get("phase") in ("Pending", "Running")
                and "deletionTimestamp" not in pod["metadata"]]

    def submit(self, name, script, trials=1, parallel=1, workers="",
               more=GRACE, image="localhost/host:1"):
        if isinstance(workers, int):
            workers = f"workerType: standard\n  workerCount: {workers}"
        self.service.submit(name, JOB.format(
            script=script, trials=trials, more=more, parallel=parallel, workers=workers,
            image=image))

    def why(self, name, *trial):
        # A trial that was not made yet is an error.
        return self.service.cli("why", name, *trial, check=False).stdout

    def expect_success(self, name="job"):
        state = wait_for(f"the end of {name}", lambda: (
            lambda state: state if state in ("SUCCEEDED", "FAILED", "PAUSED") else None)(
                self.service.job(name)["state"]), LONG)
        self.assertEqual(state, "SUCCEEDED", self.why(name) + self.why(name, "1"))

    def submit_sleeper(self, name="job", **kwargs):
        """A trial that runs until the file `go` exists, and then reports."""
        go = os.path.join(self.service.home, "go")
        self.submit(name, f"while [ ! -e {go} ]; do sleep 0.1; done; echo loss=1",
                    **kwargs)
        wait_for("the service to see it",
                 lambda: "Attempt 1: running" in self.why(name, "1"))
        return go

    def release(self, go):
        open(go, "w", encoding="utf-8").close()


class KubernetesTest(KubernetesBed):
    def setUp(self):
        self.start()

    def test_a_study_succeeds(self):
        # A worker of a master that ends at once may be ended before it begins.
        self.submit("job", "echo loss=0.5; echo last; sleep 4", trials=4, parallel=2,
                    workers=1)
        self.expect_success()
        trials = self.service.json("trials", "list", "job")
        self.assertEqual([t["finalMeasurement"]["value"] for t in trials], [0.5] * 4)
        self.assertEqual(self.service.cli("trials", "logs", "job", "1").stdout.count(
            "loss=0.5\nlast\n"), 2)

    def test_one_service_serves_local_jobs_too(self):
        self.service.submit("here", JOB.format(
            script="echo loss=2", trials=1, parallel=1, workers="", image="",
            more="launcher: local").replace("masterConfig: {imageUri: }", ""))
        self.submit("there", "echo loss=1")
        for name in ("here", "there"):
            self.expect_success(name)

    def test_roles_meet_by_name(self):
        # The master hears from each of the others, at the address that
        # CLUSTER_SPEC gives.
        program = self.service.write("meet.py", MEET)
        self.submit("job", f"exec python3 {program}", workers=(
            "workerType: standard\n  workerCount: 2\n"
            "  parameterServerType: standard\n  parameterServerCount: 1"))
        self.expect_success()
        log = self.service.cli("trials", "logs", "job", "1").stdout
        self.assertEqual(sorted(line for line in log.splitlines() if "heard" in line), [
            "heard ps 0 rank None", "heard worker 0 rank 1", "heard worker 1 rank 2"])

    def test_an_exit_code_is_the_programs(self):
        self.submit("job", "echo oh; exit 3")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        why = self.why("job", "1")
        self.assertIn("exited with status 3", why)
        self.assertIn("oh\n", why)

    def test_a_long_log_is_whole(self):
        self.submit("job", "seq 1 200000; echo loss=1")
        self.expect_success()
        log = self.service.cli("trials", "logs", "job", "1").stdout
        self.assertEqual(log.split("loss=1")[0].split(), [str(n) for n in range(1, 200001)])

    def test_a_log_goes_on_after_the_service_was_killed(self):
        go = os.path.join(self.service.home, "go")
        self.submit("job", "i=0; while [ ! -e %s ]; do i=$((i+1)); echo line $i; "
                    "sleep 0.01; done; echo last $i; echo loss=1" % go)
        for _ in range(3):
            wait_for("lines", lambda: "line" in self.service.cli(
                "trials", "logs", "job", "1", check=False).stdout)
            time.sleep(0.5)
            self.service.kill()
            time.sleep(0.5)
            self.service.start()
        self.release(go)
        self.expect_success()
        lines = self.service.cli("trials", "logs", "job", "1").stdout.splitlines()
        last = int([line for line in lines if line.startswith("last")][0].split()[1])
        self.assertEqual([line for line in lines if line.startswith("line")],
                         [f"line {n}" for n in range(1, last + 1)])

    def test_gpus_and_quantities_are_asked_for(self):
        go = self.submit_sleeper(more=GRACE + "\n  gpusPerReplica: 1\n  kubernetes: "
                                 "{cpusPerReplica: 500m, memoryPerReplica: 64M, shmSize: 16M}")
        pod = [pod for pod in LAB.pods() if pod["metadata"]["name"].startswith("vernier-")][0]
        self.assertEqual(pod["spec"]["containers"][0]["resources"]["limits"],
                         {"cpu": "500m", "memory": "64Mi", "nvidia.com/gpu": "1"})
        self.release(go)
        self.expect_success()

    def test_an_image_that_is_not_there_is_waited_for(self):
        self.submit("job", "true", image="nowhere/image:1")
        wait_for("the reason", lambda: "waiting for its image: " in self.why("job"))
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")

    def test_an_image_of_no_name_fails_at_once(self):
        self.submit("job", "true", image="UPPER/Image::1")
        self.service.wait_state("job", "FAILED")
        self.assertIn("InvalidImageName", self.why("job", "1"))

    def test_a_program_that_is_not_there_fails_at_once(self):
        self.service.submit("job", JOB.format(
            script="", trials=1, parallel=1, workers="", more=GRACE,
            image="localhost/host:1").replace("[sh, -c, '', sh]", "[/no/program]"))
        self.service.wait_state("job", "FAILED")
        self.assertIn("could not be started", self.why("job", "1"))

    def test_a_quota_is_waited_for_in_kubernetes_words(self):
        LAB.set_quota(LAB.namespace, {"pods": "0"})
        try:
            self.submit("job", "echo loss=1")
            wait_for("the reason", lambda: "exceeded quota" in self.why("job"), LONG)
        finally:
            LAB.set_quota(LAB.namespace, None)
        self.expect_success()

    def test_what_no_node_has_is_waited_for_in_kubernetes_words(self):
        self.submit("job", "true", more=GRACE + "\n  gpusPerReplica: 64")
        wait_for("the reason", lambda: "Unschedulable" in self.why("job"))
        self.assertIn("Insufficient nvidia.com/gpu", self.why("job"))
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")

    def test_memory_beyond_the_limit_is_told(self):
        self.submit("job", "exec python3 -c \"x = bytearray(400 << 20); "
                    "import time; time.sleep(60)\"",
                    more=GRACE + "\n  kubernetes: {memoryPerReplica: 64M}")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        self.assertIn("(out of memory)", self.why("job", "1"))

    def test_a_trial_may_run_for_its_time_only(self):
        self.submit("job", "echo loss=1; sleep 300",
                    more="trialTimeLimit: 2s\n  killGrace: 1s")
        self.service.wait_state("job", "SUCCEEDED", "FAILED")
        self.assertIn("trialTimeLimit", self.why("job", "1"))

    def test_a_cancelled_job_leaves_nothing(self):
        self.submit_sleeper(workers=1)
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")

    def test_a_killed_service_finds_its_pods_again(self):
        go = self.submit_sleeper(workers=1)
        before = self.live_pods()
        self.service.kill()
        self.service.start()
        self.assertEqual(self.live_pods(), before)
        self.release(go)
        self.expect_success()
        self.assertNotIn("Attempt 2", self.why("job", "1"))

    def test_a_service_killed_at_the_submission_runs_each_trial_once(self):
        count = os.path.join(self.service.home, "count")
        self.submit("job", f"echo $VERNIER_TRIAL $VERNIER_ATTEMPT_NUMBER >> {count}; "
                    "sleep 1; echo loss=1", trials=6, parallel=3)
        for delay in (0.05, 0.2, 0.4):
            time.sleep(delay)
            self.service.kill()
            self.service.start()
        self.expect_success()
        with open(count, encoding="utf-8") as file:
            starts = file.read().splitlines()
        self.assertEqual(len(starts), len(set(starts)), starts)
        self.assertEqual({line.split()[0] for line in starts}, set("123456"))

    def test_an_end_while_the_service_is_away_is_found(self):
        go = self.submit_sleeper()
        self.service.kill()
        self.release(go)
        wait_for("the pod to end", lambda: self.live_pods() == [])
        self.service.start()
        self.expect_success()
        self.assertNotIn("Attempt 2", self.why("job", "1"))

    def test_an_api_server_that_is_away_changes_nothing(self):
        go = self.submit_sleeper()
        LAB.stop_api_server()
        try:
            time.sleep(3)
            self.assertIn("Attempt 1: running", self.why("job", "1"))
        finally:
            LAB.start_api_server()
        self.release(go)
        self.expect_success()
        self.assertNotIn("Attempt 2", self.why("job", "1"))

    def test_a_watch_that_has_expired_begins_anew(self):
        go = self.submit_sleeper()
        LAB.compact()
        LAB.stop_api_server()
        LAB.start_api_server()
        self.release(go)
        self.expect_success()
        self.assertNotIn("Attempt 2", self.why("job", "1"))

    def test_a_pod_that_somebody_deletes_costs_no_trial(self):
        go = self.submit_sleeper()
        LAB.delete_pod(self.live_pods()[0], grace=1)
        wait_for("the second attempt", lambda: "Attempt 2" in self.why("job", "1"), LONG)
        self.assertIn("which somebody deleted", self.why("job", "1"))
        self.release(go)
        self.expect_success()

    def test_an_evicted_pod_costs_no_trial(self):
        go = self.submit_sleeper()
        LAB.evict(self.live_pods()[0], grace=1)
        wait_for("the second attempt", lambda: "Attempt 2" in self.why("job", "1"), LONG)
        self.assertIn("EvictionByEvictionAPI", self.why("job", "1"))
        self.release(go)
        self.expect_success()

    def test_a_lost_node_costs_no_trial(self):
        go = self.submit_sleeper()
        node = [pod for pod in LAB.pods()
                if pod["metadata"]["name"] in self.live_pods()][0]["spec"]["nodeName"]
        LAB.kill_node(node)
        revived = []

        def revive():
            if not revived:
                LAB.revive_node(node)
                revived.append(node)
        self.addCleanup(revive)
        wait_for("the second attempt", lambda: "Attempt 2" in self.why("job", "1"), 2 * LONG)
        self.assertIn("The machine was lost", self.why("job", "1"))
        revive()
        self.release(go)
        self.expect_success()


class DataClaimTest(unittest.TestCase):
    """A claim holds the data directory, so that pods see the service's files."""

    def setUp(self):
        # A claim of its own for each test: the old ones go when they like.
        name = self.id().rpartition("_")[2].lower() + "-data"
        self.service = Service("--launcher", "kubernetes", "--kubernetes-config",
                               LAB.kubeconfig, "--kubernetes-data-claim", name, "--gpus",
                               "none", "--kubernetes-image", "localhost/host:1")
        volume = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
                  "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"],
                           "storageClassName": "", "hostPath": {"path": self.service.data},
                           "claimRef": {"namespace": LAB.namespace, "name": name}}}
        claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                 "metadata": {"name": name, "namespace": LAB.namespace},
                 "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "",
                          "volumeName": name,
                          "resources": {"requests": {"storage": "1Gi"}}}}
        LAB.apply([volume, claim])
        self.addCleanup(self.service.__exit__)
        self.service.start()

    def expect_success(self, name, deadline):
        wait_for("the job's end", lambda: self.service.job(name)["state"] in (
            "SUCCEEDED", "FAILED", "PAUSED"), deadline)
        self.assertEqual(self.service.job(name)["state"], "SUCCEEDED",
                         self.service.cli("why", name, "1").stdout)
        return self.service.json("trials", "list", name)

    def test_code_and_metric_files_work_as_on_one_machine(self):
        code = os.path.join(self.service.home, "code")
        os.mkdir(code)
        self.service.write("code/train.py", DATA_PROGRAM)
        self.service.submit("job", JOB.format(
            script="exec python3 train.py", trials=2, parallel=2, workers="",
            more=f"{GRACE}\n  codeDir: {code}", image="localhost/host:1"))
        trials = self.expect_success("job", LONG)
        self.assertEqual([t["finalMeasurement"]["value"] for t in trials], [0.25] * 2)

    def test_the_digits_example_runs_by_the_same_job_file(self):
        self.service.cli("jobs", "submit", "training", "digits", "--config",
                         os.path.join(ROOT, "examples/digits_ddp/config.yaml"),
                         "--", "--epochs", "2")
        trials = self.expect_success("digits", 900)
        self.assertEqual(len(trials), 12)
        self.assertGreater(max(t["finalMeasurement"]["value"] for t in trials), 0.3)


class ReportTest(KubernetesBed):
    """Pods that share no folder with the service report by HTTP."""

    def serve(self, rules=RULES):
        tls = [os.path.join(self.enterContext(tempfile.TemporaryDirectory()), name)
               for name in ("cert.pem", "key.pem")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=service", "-days", "2",
             "-addext", f"subjectAltName=IP:{LAB.host_address}", "-out", tls[0],
             "-keyout", tls[1]], check=True, capture_output=True)
        address = f"{LAB.host_address}:{free_port()}"
        self.certificate = tls[0]
        self.start("--http", address, "--http-host-name", LAB.host_address, "--tls-cert",
                   tls[0], "--tls-key", tls[1], "--advertise-url", f"https://{address}",
                   rules=rules)

    def test_the_attempts_token_counts_while_it_runs(self):
        self.serve()
        program = self.service.write("report.py", REPORT.format(ca=self.certificate))
        noted = os.path.join(self.service.home, "url")
        self.submit("job", f"echo $VERNIER_REPORT_URL > {noted}; exec python3 {program}")
        self.expect_success()
        trial = self.service.json("trials", "list", "job")[0]
        self.assertEqual(trial["finalMeasurement"]["value"], 0.25)
        with open(noted, encoding="utf-8") as file:
            url = file.read().strip()
        late = subprocess.run(["python3", program], capture_output=True, text=True,
                              env={**os.environ, "VERNIER_REPORT_URL": url}, check=False)
        self.assertIn("HTTP Error 401", late.stderr)

    def test_a_secret_that_may_not_be_made_is_told(self):
        self.serve([rule for rule in RULES if "secrets" not in rule["resources"]])
        self.submit("job", "echo loss=1")
        wait_for("the reason", lambda: "secrets is forbidden" in self.why("job"))
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")


class ManifestTest(unittest.TestCase):
    def test_the_api_server_takes_every_object_of_it(self):
        for document in MANIFEST.split("\n---\n"):
            version = re.search(r"(?m)^apiVersion: (\S+)$", document)[1]
            kind = re.search(r"(?m)^kind: (\S+)$", document)[1]
            name = re.search(r"(?m)^metadata: {name: (\w+)", document)[1]
            collection, _ = LAB.path_of({"apiVersion": version, "kind": kind, "metadata": {
                "name": name, "namespace": "trials"}})
            LAB.request("PATCH", f"{collection}/{name}?fieldManager=test&fieldValidation=Strict",
                        document.encode(), "application/apply-patch+yaml")
        self.assertEqual(len(RULES), 6)


class InClusterTest(KubernetesBed):
    def test_a_service_in_a_pod_uses_its_account(self):
        LAB.service_account_kubeconfig(LAB.namespace, "vernier", rules=RULES)
        self.service = Service()
        self.addCleanup(self.expect_nothing)
        self.addCleanup(self.service.__exit__)
        self.addCleanup(LAB.delete_pod, "service", grace=10)
        LAB.apply({"apiVersion": "v1", "kind": "Pod",
                   "metadata": {"name": "service", "namespace": LAB.namespace},
                   "spec": {"serviceAccountName": "vernier", "restartPolicy": "Never",
                            "containers": [{
                                "name": "main", "image": "localhost/host:1",
                                "command": [binary(), "serve", "--launcher", "kubernetes",
                                            "--gpus", "none", "--data-dir", self.service.data]}]}})
        wait_for("the service", lambda: self.service.cli(
            "jobs", "list", check=False).returncode == 0)
        self.submit("job", "echo loss=1")
        self.expect_success()


class RightsTest(KubernetesBed):
    def test_an_account_without_rights_is_told(self):
        self.start(rules=[])
        self.submit("job", "echo loss=1")
        wait_for("the reason", lambda: "forbidden" in self.why("job"))
        self.assertIn("system:serviceaccount:", self.why("job"))
        self.service.cli("jobs", "cancel", "job")
        self.service.wait_state("job", "CANCELLED")

    def test_logs_that_it_may_not_read_are_told(self):
        self.start(rules=[rule for rule in RULES if "pods/log" not in rule["resources"]])
        self.submit("job", "echo loss=1")
        wait_for("the end", lambda: self.service.job("job")["state"] != "RUNNING" and
                 "could not be read" in self.why("job", "1"), LONG)
        self.assertIn("pods/log", self.why("job", "1"))


class JobsTest(KubernetesTest):
    """The same without JobSets."""

    OBJECTS = "jobs"


DATA_PROGRAM = """
import json, os
with open(os.environ["VERNIER_METRICS"], "a") as file:
    file.write(json.dumps({"step": 1, "loss": 0.25}) + "\\n")
"""

REPORT = """
import os, ssl, urllib.request
request = urllib.request.Request(
    os.environ["VERNIER_REPORT_URL"], b'{{"step": 1, "loss": 0.25}}',
    {{"Content-Type": "application/json"}})
tls = ssl.create_default_context(cafile="{ca}")
print(urllib.request.urlopen(request, context=tls).read())
"""

MEET = """
import json, os, socket, time
spec = json.loads(os.environ["CLUSTER_SPEC"])
task = spec["task"]
if task["type"] != "master":
    host, port = spec["cluster"]["master"][0].rsplit(":", 1)
    while True:
        try:
            with socket.create_connection((host, int(port)), 5) as s:
                s.sendall(f"{task['type']} {task['index']} rank {os.environ.get('RANK')}".encode())
            break
        except OSError:
            time.sleep(0.1)
    time.sleep(60)
else:
    # All names resolve.
    for role in spec["cluster"].values():
        for address in role:
            while True:
                try:
                    socket.gethostbyname(address.rsplit(":", 1)[0])
                    break
                except OSError:
                    time.sleep(0.1)
    with socket.create_server(("", int(spec["cluster"]["master"][0].rsplit(":", 1)[1]))) as s:
        for _ in range(3):
            peer, _ = s.accept()
            print("heard", peer.makefile().read(), flush=True)
    print("loss=1", flush=True)
"""


if __name__ == "__main__":
    unittest.main()
