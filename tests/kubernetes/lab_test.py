#!/usr/bin/env python3
"""Shows that the Kubernetes lab behaves as a cluster does."""

import json
import os
import sys
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lab as kubernetes_lab  # pylint: disable=wrong-import-position
from lab import Refused, wait_for  # pylint: disable=wrong-import-position

HOST = "localhost/host:1"
PYTHON = "localhost/python:1"
ENDED = ("Succeeded", "Failed")

# Each pod listens on the same port, and hears from every pod, itself too.
MEET = """
import os, socket, sys, time
name, index = os.environ["NAME"], int(os.environ["JOB_COMPLETION_INDEX"])
server = socket.create_server(("", 2222))
def connect(peer):
    for _ in range(300):
        try:
            return socket.create_connection((f"{name}-{peer}.{name}", 2222), 5)
        except OSError:
            time.sleep(0.1)
    sys.exit(f"cannot reach {peer}")
for peer in range(3):
    connect(peer).sendall(b"%d" % index)
heard = set()
while len(heard) < 3:
    heard.add(server.accept()[0].recv(1).decode())
print("heard", *sorted(heard), flush=True)
print(socket.getfqdn(), file=sys.stderr)
"""


def container(*command, image=HOST, **more):
    return {"name": "main", "image": image, "command": list(command), **more}


def pod(name, *command, image=HOST, spec=None, **more):
    """A pod that runs a command; `more` is of its container."""
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"restartPolicy": "Never", "containers": [container(*command, image=image, **more)],
                     **(spec or {})}}


def job(name, template, *, completions=1, **more):
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
            "spec": {"completions": completions, "parallelism": completions, "backoffLimit": 0,
                     "completionMode": "Indexed",
                     "template": {"spec": {"restartPolicy": "Never", **template}}, **more}}


def headless_service(name, selector):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"clusterIP": "None", "selector": selector, "publishNotReadyAddresses": True}}


def conditions(thing):
    return {c["type"]: c for c in thing.get("status", {}).get("conditions", [])
            if c["status"] == "True"}


class LabTest(unittest.TestCase):
    """One cluster for all cases; each uses names of its own."""

    @classmethod
    def setUpClass(cls):
        reason = kubernetes_lab.missing()
        if reason:
            raise unittest.SkipTest(reason)
        cls.lab = kubernetes_lab.Lab(nodes=2, gpus=2)
        before = time.monotonic()
        cls.lab.start()
        print(f"the lab started in {time.monotonic() - before:.1f} s", file=sys.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.lab.stop()

    def pod(self, name):
        return self.lab.get(self.lab.in_namespace("pods", name))

    def pod_is_gone(self, name):
        try:
            self.pod(name)
            return False
        except Refused as refused:
            return refused.code == 404

    def job(self, name):
        return self.lab.get(f"/apis/batch/v1/namespaces/{self.lab.namespace}/jobs/{name}")

    def jobset(self, name):
        return self.lab.get(
            f"/apis/jobset.x-k8s.io/v1alpha2/namespaces/{self.lab.namespace}/jobsets/{name}")

    def await_phase(self, name, *phases, seconds=30):
        def reached():
            found = self.pod(name)
            return found if found["status"]["phase"] in phases else None
        return wait_for(f"{name} to be {' or '.join(phases)}", reached, seconds)

    def run_pod(self, thing):
        """The pod's end: (exit code, reason, log)."""
        self.lab.apply(thing)
        name = thing["metadata"]["name"]
        end = self.await_phase(name, *ENDED)
        state = end["status"]["containerStatuses"][0]["state"]["terminated"]
        return state["exitCode"], state["reason"], self.lab.log(name)

    def await_waiting(self, name, *reasons):
        def found():
            for status in self.pod(name)["status"].get("containerStatuses", []):
                waiting = status["state"].get("waiting", {})
                if waiting.get("reason") in reasons:
                    return waiting
            return None
        return wait_for(f"{name} to wait for {reasons}", found)

    # -------------------------------------------------------------- cases

    def test_pods_of_an_indexed_job_meet_by_name(self):
        self.lab.apply(headless_service("meet", {"batch.kubernetes.io/job-name": "meet"}))
        self.lab.apply(job("meet", {
            "subdomain": "meet", "containers": [container(
                "python3", "-c", MEET, env=[{"name": "NAME", "value": "meet"}])]}, completions=3))
        wait_for("the job", lambda: "Complete" in conditions(self.job("meet")), 60)
        pods = self.lab.pods("batch.kubernetes.io/job-name=meet")
        self.assertEqual(len(pods), 3)
        self.assertEqual(len({p["status"]["podIP"] for p in pods}), 3)
        for one in pods:
            index = one["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"]
            lines = self.lab.log(one["metadata"]["name"]).splitlines()
            self.assertCountEqual(lines, [
                "heard 0 1 2", f"meet-{index}.meet.{self.lab.namespace}.svc.cluster.local"])

    def test_jobset_ends_when_its_master_does(self):
        def replicated(name, command):
            return {"name": name, "template": {"spec": {
                "completions": 1, "parallelism": 1, "backoffLimit": 0,
                "template": {"spec": {
                    "restartPolicy": "Never", "terminationGracePeriodSeconds": 1,
                    "containers": [container("bash", "-c", command)]}}}}}
        self.lab.apply({
            "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "set"},
            "spec": {
                "successPolicy": {"operator": "All", "targetReplicatedJobs": ["master"]},
                "failurePolicy": {"maxRestarts": 0},
                "replicatedJobs": [
                    replicated("master", "until getent hosts set-ps-0-0.set; do sleep 0.1; done"),
                    replicated("ps", "sleep 600")]}})
        wait_for("the JobSet", lambda: "Completed" in conditions(self.jobset("set")), 60)
        wait_for("the end of the server", lambda: not any(
            p["status"]["phase"] == "Running"
            for p in self.lab.pods("jobset.sigs.k8s.io/jobset-name=set")))

    def test_environment_volumes_and_ends_are_those_of_a_pod(self):
        self.lab.apply([
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"key": "hidden"}},
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a.txt": "text"}}])
        made = "/vernier-kubernetes-lab-test"
        code, reason, log = self.run_pod(pod(
            "inside", "bash", "-c",
            f"echo $SECRET $COMBINED $IP $NODE $(whoami); cat {made}/c/a.txt; echo;"
            f" cat {made}/first; echo bye > /dev/termination-log; exit 3",
            env=[{"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "key"}}},
                 {"name": "COMBINED", "value": "$(SECRET)-$$(x)"},
                 {"name": "IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
                 {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
            volumeMounts=[{"name": "shared", "mountPath": made},
                          {"name": "config", "mountPath": f"{made}/c"}],
            spec={"volumes": [{"name": "shared", "emptyDir": {}},
                              {"name": "config", "configMap": {"name": "c"}}],
                  "initContainers": [{
                      "name": "first", "image": HOST, "command": ["bash", "-c", "echo init > /shared/first"],
                      "volumeMounts": [{"name": "shared", "mountPath": "/shared"}]}]}))
        found = self.pod("inside")
        self.assertEqual((code, reason), (3, "Error"))
        ip, node = found["status"]["podIP"], found["spec"]["nodeName"]
        self.assertEqual(log.splitlines(), [f"hidden hidden-$(x) {ip} {node} root", "text", "init"])
        state = found["status"]["containerStatuses"][0]["state"]["terminated"]
        self.assertEqual(state["message"], "bye\n")
        self.assertEqual(found["status"]["phase"], "Failed")

    def test_a_command_that_is_not_there_fails_the_pod(self):
        code, reason, log = self.run_pod(pod("typo", "no-such-program"))
        self.assertEqual((code, reason, log), (128, "StartError", ""))
        state = self.pod("typo")["status"]["containerStatuses"][0]["state"]["terminated"]
        self.assertIn("executable file not found in $PATH", state["message"])

    def test_failed_containers_are_started_again_where_asked(self):
        again = {"restartPolicy": "OnFailure", "terminationGracePeriodSeconds": 0,
                 "volumes": [{"name": "v", "emptyDir": {}}]}
        self.lab.apply(pod("again", "bash", "-c", "echo run; test -e /mnt/x || { touch /mnt/x; exit 7; }",
                           volumeMounts=[{"name": "v", "mountPath": "/mnt", "subPath": "below"}], spec=again))
        self.await_waiting("again", "CrashLoopBackOff")
        self.assertEqual(self.pod("again")["status"]["phase"], "Running")
        end = self.await_phase("again", "Succeeded")["status"]["containerStatuses"][0]
        self.assertEqual(end["restartCount"], 1)
        self.assertEqual(end["lastState"]["terminated"]["exitCode"], 7)
        self.assertEqual(self.lab.log("again", previous="true"), "run\n")

    def test_a_sidecar_ends_after_the_others(self):
        sidecar = {**container("bash", "-c", "trap 'exit 0' TERM; while :; do sleep 0.1; done"),
                   "name": "sidecar", "restartPolicy": "Always"}
        code, reason, _ = self.run_pod(pod("with-sidecar", "sleep", "1", spec={"initContainers": [sidecar]}))
        self.assertEqual((code, reason), (0, "Completed"))
        self.assertEqual(self.pod("with-sidecar")["status"]["phase"], "Succeeded")

    def test_a_pod_has_its_deadline(self):
        self.lab.apply(pod("late", "sleep", "600", spec={
            "activeDeadlineSeconds": 1, "terminationGracePeriodSeconds": 1}))
        end = self.await_phase("late", "Failed")
        self.assertEqual(end["status"]["reason"], "DeadlineExceeded")
        self.assertEqual(end["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"], 137)

    def test_a_claim_of_a_folder_is_a_volume(self):
        path = self.lab.path("claimed")
        shape = {"accessModes": ["ReadWriteMany"], "storageClassName": ""}
        self.lab.apply([
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "folder"},
             "spec": {**shape, "capacity": {"storage": "1Gi"}, "hostPath": {"path": path}}},
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "claim"},
             "spec": {**shape, "volumeName": "folder", "resources": {"requests": {"storage": "1Gi"}}}}])
        code, _, _ = self.run_pod(pod(
            "claimant", "bash", "-c", "echo kept > /mnt/file", volumeMounts=[{"name": "v", "mountPath": "/mnt"}],
            spec={"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "claim"}}]}))
        self.assertEqual(code, 0)
        with open(os.path.join(path, "file"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept\n")

    def test_pods_reach_the_api_server_with_their_token(self):
        account = "/var/run/secrets/kubernetes.io/serviceaccount"
        program = f"""
import ssl, urllib.request
tls = ssl.create_default_context(cafile="{account}/ca.crt")
url = "https://kubernetes.default.svc/api/v1/namespaces/default/pods"
headers = {{"Authorization": "Bearer " + open("{account}/token").read()}}
try:
    urllib.request.urlopen(urllib.request.Request(url, headers=headers), context=tls)
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
"""
        code, _, log = self.run_pod(pod("client", image=PYTHON, args=["-c", program]))
        self.assertEqual(code, 0)
        self.assertIn("403", log)
        self.assertIn("system:serviceaccount:vernier-test:default", log)

    def test_logs_follow_and_are_cut(self):
        self.lab.apply(pod("talk", "bash", "-c", "for i in 1 2 3 4 5; do echo $i; sleep 0.4; done"))
        self.await_phase("talk", "Running", *ENDED)
        self.assertEqual(self.lab.log("talk", follow="true"), "1\n2\n3\n4\n5\n")
        self.assertEqual(self.lab.log("talk", tailLines=2), "4\n5\n")
        self.assertEqual(self.lab.log("talk", limitBytes=3), "1\n2")
        stamps = [line.split()[0] for line in self.lab.log("talk", timestamps="true").splitlines()]
        self.assertEqual(stamps, sorted(stamps))
        late = self.lab.log("talk", sinceTime=stamps[-1])  # The API cuts it to seconds.
        self.assertTrue(late.endswith("5\n") and not late.startswith("1\n"), late)

    def test_an_image_that_is_not_there_keeps_the_pod_pending(self):
        self.lab.apply(pod("noimage", "true", image="registry.invalid/nothing:1"))
        waiting = self.await_waiting("noimage", "ErrImagePull", "ImagePullBackOff")
        waiting = self.await_waiting("noimage", "ImagePullBackOff")
        self.assertIn('Back-off pulling image "registry.invalid/nothing:1"', waiting["message"])
        self.assertEqual(self.pod("noimage")["status"]["phase"], "Pending")
        with self.assertRaises(Refused) as raised:
            self.lab.log("noimage")
        self.assertIn("is waiting to start", str(raised.exception))
        self.lab.delete_pod("noimage")
        wait_for("the pod's end", lambda: self.pod_is_gone("noimage"))

    def test_a_pod_over_its_memory_is_killed(self):
        code, reason, _ = self.run_pod(pod(
            "greedy", "python3", "-c", "import time; kept = b'x' * (300 << 20); time.sleep(60)",
            resources={"limits": {"memory": "100Mi"}}))
        self.assertEqual((code, reason), (137, "OOMKilled"))

    def test_gpus_are_counted(self):
        code, _, log = self.run_pod(pod(
            "two-gpus", "bash", "-c", "echo $NVIDIA_VISIBLE_DEVICES",
            resources={"limits": {"nvidia.com/gpu": "2"}}))
        self.assertEqual((code, log), (0, "0,1\n"))
        self.lab.apply(pod("three-gpus", "true", resources={"limits": {"nvidia.com/gpu": "3"}}))
        said = wait_for("the scheduler", lambda: [
            c for c in self.pod("three-gpus")["status"].get("conditions", [])
            if c["reason"] == "Unschedulable"])
        self.assertIn("0/2 nodes are available", said[0]["message"])
        self.assertIn("Insufficient nvidia.com/gpu", said[0]["message"])
        self.lab.delete_pod("three-gpus", grace=0)

    def test_quota_is_kept(self):
        self.lab.make_namespace("small")
        self.lab.set_quota("small", {"pods": "1"})
        thing = job("over", {"containers": [container("sleep", "60")],
                             "terminationGracePeriodSeconds": 0}, completions=2)
        thing["metadata"]["namespace"] = "small"
        self.lab.apply(thing)
        wait_for("the refusal", lambda: [
            message for reason, message in self.lab.events("over", "small")
            if reason == "FailedCreate" and "exceeded quota: lab" in message])
        self.lab.set_quota("small", None)
        self.lab.request("DELETE", "/apis/batch/v1/namespaces/small/jobs/over",
                         {"propagationPolicy": "Background"})

    def test_a_deleted_pod_has_its_grace(self):
        self.lab.apply(pod("polite", "bash", "-c",
                           "trap 'echo asked; sleep 1; exit 0' TERM; echo up; while :; do sleep 0.1; done"))
        self.lab.apply(pod("deaf", "bash", "-c", "echo up; sleep 600"))
        for name in ("polite", "deaf"):
            self.await_phase(name, "Running")
            wait_for("its first words", lambda name=name: "up" in self.lab.log(name))
        before = time.monotonic()
        for name in ("polite", "deaf"):
            self.lab.delete_pod(name, grace=4)
        wait_for("the word", lambda: "asked" in self.lab.log("polite"))
        self.assertIn("deletionTimestamp", self.pod("polite")["metadata"])
        wait_for("its end", lambda: self.pod_is_gone("polite"))
        self.assertLess(time.monotonic() - before, 4)
        wait_for("the end of the deaf", lambda: self.pod_is_gone("deaf"))
        self.assertGreater(time.monotonic() - before, 3.5)  # Process 1 ignores SIGTERM.

    def test_eviction_marks_the_pod(self):
        self.lab.apply(job("evicted", {"containers": [container("sleep", "600")]}))
        [one] = wait_for("a pod", lambda: [
            p for p in self.lab.pods("batch.kubernetes.io/job-name=evicted")
            if p["status"]["phase"] == "Running"])
        name = one["metadata"]["name"]
        self.lab.evict(name, grace=2)
        marked = conditions(self.pod(name))  # While it has its grace.
        self.assertEqual(marked["DisruptionTarget"]["reason"], "EvictionByEvictionAPI")
        wait_for("the job's failure", lambda: "Failed" in conditions(self.job("evicted")))

    def test_a_service_account_may_do_what_its_role_says(self):
        rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]
        path = self.lab.service_account_kubeconfig(self.lab.namespace, "reader", rules)
        with open(path, encoding="utf-8") as file:
            token = json.load(file)["users"][0]["user"]["token"]

        def ask(what):
            request = urllib.request.Request(
                self.lab.server + self.lab.in_namespace(what),
                headers={"Authorization": f"Bearer {token}"})
            try:
                with urllib.request.urlopen(request, context=self.lab.tls) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code
        wait_for("the role", lambda: ask("pods") == 200)
        self.assertEqual(ask("secrets"), 403)

    def test_pods_outlive_the_api_server(self):
        self.lab.apply(job("survivor", {"containers": [container(
            "bash", "-c", "for i in $(seq 30); do echo $i; sleep 0.1; done")]}))
        wait_for("its pod", lambda: [
            p for p in self.lab.pods("batch.kubernetes.io/job-name=survivor")
            if p["status"]["phase"] == "Running"])
        self.lab.stop_api_server()
        with self.assertRaises(OSError):
            self.lab.get("/api/v1/namespaces")
        time.sleep(4)
        self.lab.start_api_server()
        wait_for("the job", lambda: "Complete" in conditions(self.job("survivor")), 60)
        [one] = self.lab.pods("batch.kubernetes.io/job-name=survivor")
        self.assertEqual(one["status"]["containerStatuses"][0]["restartCount"], 0)

    def test_the_past_is_gone_after_compaction(self):
        listed = self.lab.get(self.lab.in_namespace("pods"))["metadata"]["resourceVersion"]
        self.lab.compact()
        path = self.lab.in_namespace("pods")
        event = self.first_event(path, listed)
        self.assertEqual(event["code"], 410)
        with self.assertRaises(Refused) as raised:
            self.lab.get(f"{path}?resourceVersion={listed}&resourceVersionMatch=Exact&limit=1")
        self.assertEqual(raised.exception.code, 410)

    def first_event(self, path, version):
        """The status with which a watch is refused, at once or as an event."""
        request = urllib.request.Request(
            f"{self.lab.server}{path}?watch=1&timeoutSeconds=3&resourceVersion={version}",
            headers={"Authorization": f"Bearer {self.lab.token}"})
        try:
            with urllib.request.urlopen(request, context=self.lab.tls, timeout=30) as answer:
                line = answer.readline()
                return json.loads(line)["object"] if line else {}
        except urllib.error.HTTPError as error:
            return json.loads(error.read())

    def test_pods_of_a_dead_node_are_evicted(self):
        self.lab.apply(job("doomed", {"containers": [container("sleep", "600")],
                                      "nodeSelector": {"kubernetes.io/hostname": "node-2"}}))
        [one] = wait_for("its pod", lambda: [
            p for p in self.lab.pods("batch.kubernetes.io/job-name=doomed")
            if p["status"]["phase"] == "Running"])
        name = one["metadata"]["name"]
        before = time.monotonic()
        self.lab.kill_node("node-2")
        wait_for("the eviction", lambda: "deletionTimestamp" in self.pod(name)["metadata"], 60)
        print(f"a dead node's pods were evicted after {time.monotonic() - before:.1f} s", file=sys.stderr)
        found = conditions(self.pod(name))
        self.assertEqual(found["DisruptionTarget"]["reason"], "DeletionByTaintManager")
        self.assertFalse(self.lab.is_node_ready("node-2"))
        self.lab.revive_node("node-2")
        wait_for("the node", lambda: self.lab.is_node_ready("node-2"), 60)
        wait_for("the job's failure", lambda: "Failed" in conditions(self.job("doomed")))


if __name__ == "__main__":
    unittest.main()
