"""A Kubernetes cluster on this machine, for tests.

The control plane is Kubernetes' own; nodes are lab/kubelet, which runs pods as
processes of this machine, each pod in network, mount and process namespaces.
"""

import base64
import glob
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "build_lab")
PROGRAMS = ("etcd", "ip", "openssl", "unshare")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
PREFIX = "vernier-kubernetes-"

# Names of images that are this machine's own file system, and what they run.
IMAGES = {"localhost/host:1": "", "localhost/python:1": "python3"}

CONTROLLERS = (
    "disruption-controller", "endpoints-controller", "endpointslice-controller",
    "garbage-collector-controller", "job-controller", "namespace-controller",
    "node-lifecycle-controller", "persistentvolume-binder-controller",
    "pod-garbage-collector-controller", "resourcequota-controller",
    "root-ca-certificate-publisher-controller", "serviceaccount-controller",
    "taint-eviction-controller", "ttl-after-finished-controller")

# A node that is silent for the first is not ready; its pods go after the second.
NODE_SILENCE_SECONDS = 8
EVICTION_SECONDS = 4


def binaries():
    """Paths of the programs that build_lab makes, by name."""
    done = subprocess.run(["bash", BUILD, "--where"], capture_output=True, text=True,
                          check=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def missing():
    """Why this machine cannot run the lab, in words; empty: it can."""
    lacking = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
    if lacking:
        return f"no {', '.join(lacking)}"
    if os.geteuid() != 0:
        return "not root, so pods cannot have networks of their own"
    words = ["unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--fork", "true"]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        return "this machine allows no namespaces"
    unbuilt = [name for name, path in binaries().items() if not os.path.exists(path)]
    if unbuilt:
        return f"{', '.join(unbuilt)} not built; run tests/kubernetes/build_lab"
    return ""


def start_time(pid):
    """When a process started, in the kernel's ticks; None: there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[19]
    except OSError:
        return None


def ip(*words, check=True):
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=check,
                          env={**os.environ, "PATH": PATH}).stdout


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(what, condition, seconds=30.0):
    """Waits until condition() is true, and returns what it says."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.1)


class Refused(Exception):
    """The API server's answer to a request that it did not carry out."""

    def __init__(self, code, status):
        super().__init__(f"{code}: {status.get('message', status)}")
        self.code = code
        self.status = status


class Remains:
    """What a lab has on this machine, as noted below its folder `root`."""

    def __init__(self, root):
        self.root = root

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def read(self, *parts):
        try:
            with open(self.path(*parts), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""

    def note(self, text, *parts):
        os.makedirs(os.path.dirname(self.path(*parts)), exist_ok=True)
        with open(self.path(*parts), "w", encoding="utf-8") as file:
            file.write(text)

    def pid(self, name):
        """The process of this name, if it still runs."""
        pid, _, since = self.read("pids", name).partition(" ")
        return int(pid) if pid and start_time(pid) == since else None

    def kill(self, name, number=signal.SIGKILL, seconds=10):
        """Ends a process, by SIGKILL if it takes its time."""
        pid = self.pid(name)
        if pid is not None:
            os.kill(pid, number)
            deadline = time.monotonic() + seconds
            while self.is_running(pid, name):
                if time.monotonic() > deadline:
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.02)
        if os.path.exists(self.path("pids", name)):
            os.remove(self.path("pids", name))

    def is_running(self, pid, name):
        try:
            if os.waitpid(pid, os.WNOHANG)[0] == pid:
                return False
        except ChildProcessError:
            pass  # Of a lab before this one.
        return self.pid(name) is not None

    def remove(self):
        """Ends every process, and removes networks, mount points and files."""
        names = sorted(os.listdir(self.path("pids"))) if os.path.exists(self.path("pids")) else []
        for name in [n for n in names if n.startswith("kubelet-")]:
            self.kill(name, signal.SIGTERM, seconds=5)
        for name in [n for n in names if n != "etcd" and not n.startswith("kubelet-")]:
            self.kill(name)
        self.kill("etcd")
        network = self.read("network")
        if re.fullmatch(r"vk\d+", network):
            self.remove_links(network + "n")
            ip("link", "del", network, check=False)
        for path in glob.glob(self.path("nodes", "*", "made_mount_points")):
            self.remove_mount_points(path)
        shutil.rmtree(self.root, ignore_errors=True)

    @staticmethod
    def remove_links(prefix):
        """Removes the networks of pods whose names begin so."""
        for path in glob.glob(f"/run/netns/{prefix}*"):
            name = os.path.basename(path)
            ip("link", "del", name, check=False)
            ip("netns", "del", name, check=False)

    def remove_mount_points(self, path):
        for made in sorted(set(self.read(path).splitlines()), reverse=True):
            try:
                if os.path.isdir(made):
                    os.rmdir(made)
                elif os.path.getsize(made) == 0:
                    os.remove(made)
            except OSError:
                pass  # Something else is in it by now.


def remove_leftovers():
    """Removes what labs left whose tests were killed."""
    for root in glob.glob(os.path.join(tempfile.gettempdir(), PREFIX + "*")):
        owner, _, since = Remains(root).read("owner").partition(" ")
        if owner and start_time(owner) != since:
            Remains(root).remove()


class Lab:
    """A cluster, started by start() and removed by stop().

    `nodes` is how many, or a list of {"name", "cpu", "memory", "gpus", "labels"},
    each of which may be left out. `gpus` and `gpu_type` are those of nodes that
    do not say. `images` are more names for this machine's file system, as IMAGES.
    """

    def __init__(self, nodes=2, *, gpus=2, gpu_type="nvidia-tesla-t4", cpu="8",
                 memory="16Gi", jobset=True, images=None):
        self.jobset = jobset
        self.images = {**IMAGES, **(images or {})}
        self.binaries = binaries()
        listed = nodes if isinstance(nodes, list) else [{} for _ in range(nodes)]
        self.nodes = {}
        for number, node in enumerate(listed, 1):
            labels = {"cloud.google.com/gke-accelerator": gpu_type} if node.get("gpus", gpus) else {}
            merged = {"number": number, "cpu": cpu, "memory": memory, "gpus": gpus, **node}
            merged["labels"] = {**labels, **node.get("labels", {})}
            self.nodes[node.get("name", f"node-{number}")] = merged
        self.namespace = "vernier-test"
        self.token = base64.b16encode(os.urandom(16)).decode().lower()
        self.root = ""
        self.remains = None
        self.number = 0
        self.ports = {}
        self.tls = None
        self.resources = {}

    @property
    def network(self):
        return f"vk{self.number}"

    @property
    def host_address(self):
        """This machine's address, as pods see it."""
        return f"10.{self.number}.0.1"

    @property
    def server(self):
        return f"https://{self.host_address}"

    @property
    def kubeconfig(self):
        return self.path("admin.kubeconfig")

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    # ------------------------------------------------------- start and stop

    def start(self):
        """Starts the cluster; all its nodes are ready then."""
        reason = missing()
        if reason:
            raise RuntimeError(reason)
        remove_leftovers()
        self.root = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
        os.chmod(self.root, 0o755)  # Containers of other users look into it.
        self.remains = Remains(self.root)
        self.remains.note(f"{os.getpid()} {start_time(os.getpid())}", "owner")
        try:
            self._make_network()
            self._make_certificates()
            self._write_config()
            self._start_etcd()
            self.start_api_server()
            self._start_rest()
        except BaseException:
            self.stop()
            raise

    def stop(self):
        """Ends all processes, pods too, and removes every trace."""
        if self.root:
            self.remains.remove()
            self.root = ""

    def _start_rest(self):
        """All that needs the API server."""
        self.start_controllers()
        for name in self.nodes:
            self._start_kubelet(name)
        self.make_namespace(self.namespace)
        if self.jobset:
            self._install_jobset()
        for name in self.nodes:
            wait_for(f"node {name}", lambda name=name: self.is_node_ready(name))
        if self.jobset:
            wait_for("JobSet's controller", self._is_jobset_ready)

    def _make_network(self):
        """A bridge with an address in a range that nobody here uses."""
        for number in range(100, 250):
            if f"inet 10.{number}." in ip("-o", "-4", "addr"):
                continue
            if f"10.{number}." in ip("-4", "route"):
                continue
            self.number = number
            try:
                ip("link", "add", self.network, "type", "bridge")
                break
            except subprocess.CalledProcessError:
                continue  # Another lab was faster.
        else:
            raise RuntimeError("no free 10.N.0.0/16 on this machine")
        self.remains.note(self.network, "network")
        ip("addr", "add", f"{self.host_address}/16", "dev", self.network)
        for node in self.nodes.values():
            ip("addr", "add", f"{self.node_address(node)}/16", "dev", self.network)
        ip("link", "set", self.network, "up")

    def node_address(self, node):
        return f"10.{self.number}.0.{10 + node['number']}"

    def _make_certificates(self):
        """One authority, one certificate for all servers, one key for the
        tokens of service accounts."""
        os.makedirs(self.path("tls"))
        names = (f"IP:{self.host_address},IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc,"
                 "DNS:kubernetes.default.svc.cluster.local,DNS:kubernetes.default")
        self.remains.note(f"subjectAltName={names}\n", "tls", "names")
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        for words in (
                ["req", "-x509", *key, "-subj", "/CN=lab", "-days", "365", "-keyout", "ca.key",
                 "-out", "ca.crt", "-addext", "keyUsage=critical,keyCertSign,digitalSignature"],
                ["req", *key, "-subj", "/CN=kube-apiserver", "-keyout", "tls.key", "-out", "tls.csr"],
                ["x509", "-req", "-in", "tls.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                 "-CAcreateserial", "-days", "365", "-extfile", "names", "-out", "tls.crt"],
                ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                 "-out", "accounts.key"],
                ["pkey", "-in", "accounts.key", "-pubout", "-out", "accounts.pub"]):
            subprocess.run(["openssl", *words], cwd=self.path("tls"), capture_output=True, check=True)
        self.tls = ssl.create_default_context(cafile=self.path("tls", "ca.crt"))

    def _write_config(self):
        self.ports = {name: free_port() for name in ("etcd", "etcd-peer", "webhook", "health")}
        self.remains.note(f'{self.token},admin,admin,"system:masters"\n', "tokens.csv")
        self.write_kubeconfig(self.kubeconfig, self.token, self.namespace)

    def write_kubeconfig(self, path, token, namespace):
        """Writes a kubeconfig: JSON, which is YAML, too."""
        with open(self.path("tls", "ca.crt"), "rb") as file:
            authority = base64.b64encode(file.read()).decode()
        config = {
            "apiVersion": "v1", "kind": "Config", "current-context": "lab",
            "clusters": [{"name": "lab", "cluster": {
                "server": self.server, "certificate-authority-data": authority}}],
            "users": [{"name": "user", "user": {"token": token}}],
            "contexts": [{"name": "lab", "context": {
                "cluster": "lab", "user": "user", "namespace": namespace}}],
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file, indent=1)
        os.chmod(path, 0o600)
        return path

    def _spawn(self, name, *words):
        """Starts a process in a session of its own, and notes it."""
        os.makedirs(self.path("log"), exist_ok=True)
        with open(self.path("log", name), "ab") as log:
            process = subprocess.Popen(  # Ended by its pid, in Remains.
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.root,
                env={"PATH": PATH, "HOME": self.root, "TMPDIR": self.root},
                start_new_session=True)
        process.returncode = 0  # Remains waits for it.
        self.remains.note(f"{process.pid} {start_time(process.pid)}", "pids", name)

    def _start_etcd(self):
        client, peer = (f"http://127.0.0.1:{self.ports[name]}" for name in ("etcd", "etcd-peer"))
        self._spawn("etcd", "etcd", "--data-dir", self.path("etcd"),
                    "--listen-client-urls", client, "--advertise-client-urls", client,
                    "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                    "--initial-cluster", f"default={peer}", "--logger", "zap",
                    "--log-level", "warn")

    def start_api_server(self):
        """Starts the API server and waits until it is ready."""
        key = self.path("tls", "accounts.key")
        self._spawn(
            "kube-apiserver", self.binaries["kube-apiserver"],
            f"--etcd-servers=http://127.0.0.1:{self.ports['etcd']}",
            f"--bind-address={self.host_address}", "--secure-port=443",
            f"--advertise-address={self.host_address}", "--endpoint-reconciler-type=none",
            f"--tls-cert-file={self.path('tls', 'tls.crt')}",
            f"--tls-private-key-file={self.path('tls', 'tls.key')}",
            f"--token-auth-file={self.path('tokens.csv')}",
            "--authorization-mode=RBAC", "--allow-privileged",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
            f"--service-account-key-file={self.path('tls', 'accounts.pub')}",
            f"--service-account-signing-key-file={key}",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--kubelet-preferred-address-types=InternalIP",
            f"--default-not-ready-toleration-seconds={EVICTION_SECONDS}",
            f"--default-unreachable-toleration-seconds={EVICTION_SECONDS}",
            "--profiling=false")
        wait_for("the API server", self.is_api_server_ready, 60)

    def is_api_server_ready(self):
        try:
            with urllib.request.urlopen(self.server + "/readyz", context=self.tls, timeout=5):
                return True
        except OSError:
            if self.remains.pid("kube-apiserver") is None:
                raise RuntimeError(self.remains.read("log", "kube-apiserver")[-3000:]) from None
            return False

    def stop_api_server(self, number=signal.SIGKILL):
        self.remains.kill("kube-apiserver", number)

    def start_controllers(self):
        """Starts the controller manager, the scheduler, and JobSet's controller
        where it was."""
        self._spawn(
            "kube-controller-manager", self.binaries["kube-controller-manager"],
            f"--kubeconfig={self.kubeconfig}", "--leader-elect=false", "--secure-port=0",
            f"--controllers={','.join(CONTROLLERS)}",
            f"--service-account-private-key-file={self.path('tls', 'accounts.key')}",
            f"--root-ca-file={self.path('tls', 'ca.crt')}",
            "--node-monitor-period=1s", f"--node-monitor-grace-period={NODE_SILENCE_SECONDS}s",
            "--node-eviction-rate=10", "--secondary-node-eviction-rate=10",
            "--unhealthy-zone-threshold=1", "--pvclaimbinder-sync-period=2s",
            "--kube-api-qps=200", "--kube-api-burst=400",
            "--profiling=false")
        self._spawn(
            "kube-scheduler", self.binaries["kube-scheduler"],
            f"--kubeconfig={self.kubeconfig}", "--leader-elect=false", "--secure-port=0",
            "--profiling=false")
        if os.path.exists(self.path("jobset.json")):
            self._start_jobset()

    def stop_controllers(self):
        for name in ("kube-controller-manager", "kube-scheduler", "jobset"):
            self.remains.kill(name)

    def _install_jobset(self):
        folder = os.path.dirname(self.binaries["jobset"])
        with open(os.path.join(folder, "jobset-crd.yaml"), "rb") as file:
            self.request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                         file.read(), "application/yaml")
        self.remains.note(json.dumps({
            "apiVersion": "config.jobset.x-k8s.io/v1alpha1", "kind": "Configuration",
            "leaderElection": {"leaderElect": False},
            "internalCertManagement": {"enable": False},
            "metrics": {"bindAddress": "0"},
            "health": {"healthProbeBindAddress": f"127.0.0.1:{self.ports['health']}"},
            "webhook": {"host": "127.0.0.1", "port": self.ports["webhook"],
                        "certDir": self.path("tls")},
        }), "jobset.json")
        self._start_jobset()
        for kind in ("Mutating", "Validating"):
            self.request(
                "POST", "/apis/admissionregistration.k8s.io/v1/"
                f"{kind.lower()}webhookconfigurations", self._jobset_webhooks(kind))

    def _start_jobset(self):
        self._spawn("jobset", self.binaries["jobset"], f"--config={self.path('jobset.json')}",
                    f"--kubeconfig={self.kubeconfig}", "--zap-log-level=info")

    def _jobset_webhooks(self, kind):
        """JobSet's config/components/webhook, with addresses instead of a service."""
        with open(self.path("tls", "ca.crt"), "rb") as file:
            authority = base64.b64encode(file.read()).decode()
        verb = {"Mutating": "mutate", "Validating": "validate"}[kind]

        def webhook(name, path, selector, group, version, resource, operations):
            return {
                "name": f"{verb[0]}{name}.kb.io", "admissionReviewVersions": ["v1"],
                "sideEffects": "None", "failurePolicy": "Fail", "objectSelector": selector,
                "clientConfig": {
                    "url": f"https://127.0.0.1:{self.ports['webhook']}/{verb}-{path}",
                    "caBundle": authority},
                "rules": [{"apiGroups": [group], "apiVersions": [version],
                           "operations": operations, "resources": [resource]}]}

        of_jobset = {"matchExpressions": [
            {"key": "jobset.sigs.k8s.io/jobset-name", "operator": "Exists"}]}
        operations = ["CREATE"] if kind == "Mutating" else ["CREATE", "UPDATE"]
        return {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": f"{kind}WebhookConfiguration",
            "metadata": {"name": f"jobset-{kind.lower()}-webhook-configuration"},
            "webhooks": [
                webhook("jobset", "jobset-x-k8s-io-v1alpha2-jobset", {}, "jobset.x-k8s.io",
                        "v1alpha2", "jobsets", operations),
                webhook("pod", "-v1-pod", of_jobset, "", "v1", "pods", ["CREATE"])]}

    def _is_jobset_ready(self):
        """Whether the controller is, and the API server knows what a JobSet is."""
        try:
            for path in ("", "/jobsets"):
                self.get("/apis/jobset.x-k8s.io/v1alpha2" + path)
            url = f"http://127.0.0.1:{self.ports['health']}/readyz"
            with urllib.request.urlopen(url, timeout=5):
                return True
        except (OSError, Refused):
            return False

    # ---------------------------------------------------------------- nodes

    def _start_kubelet(self, name):
        node = self.nodes[name]
        words = [
            self.binaries["kubelet"], f"--kubeconfig={self.kubeconfig}", f"--node={name}",
            f"--address={self.node_address(node)}", f"--root={self.path('nodes', name)}",
            f"--network={self.network},{self._links(name)}",
            f"--pod-range=10.{self.number}.{node['number']}", f"--api-host={self.host_address}",
            f"--cpu={node['cpu']}", f"--memory={node['memory']}", f"--gpus={node['gpus']}"]
        words += [f"--label={key}={value}" for key, value in node["labels"].items()]
        words += [f"--image={image}={entry}" for image, entry in self.images.items()]
        self._spawn(f"kubelet-{name}", *words)

    def _links(self, name):
        return f"{self.network}n{self.nodes[name]['number']}"

    def is_node_ready(self, name):
        try:
            node = self.get(f"/api/v1/nodes/{name}")
        except Refused:
            return False
        conditions = node["status"].get("conditions", [])
        return not node["spec"].get("taints") and any(
            c["type"] == "Ready" and c["status"] == "True" for c in conditions)

    def kill_node(self, name):
        """Power off: the kubelet and all its pods are gone at once, and peers
        hear nothing of it."""
        links = self._links(name) + "p"
        for path in glob.glob(f"/run/netns/{links}*"):
            ip("link", "set", os.path.basename(path), "down", check=False)
        self.remains.kill(f"kubelet-{name}")
        Remains.remove_links(links)

    def revive_node(self, name):
        """Power on, after kill_node."""
        self._start_kubelet(name)

    # ------------------------------------------------------------- requests

    def request(self, method, path, body=None, content_type="application/json"):
        """The API server's answer to the admin; raises Refused."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            self.server + path, data=data, method=method,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": content_type,
                     "Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, context=self.tls, timeout=30) as answer:
                text = answer.read()
                if answer.headers.get_content_type() == "application/json":
                    return json.loads(text)
                return text.decode(errors="replace")
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                status = json.loads(text)
            except ValueError:
                status = {"message": text.decode(errors="replace")}
            raise Refused(error.code, status) from None

    def get(self, path):
        return self.request("GET", path)

    def path_of(self, thing):
        """Where an object is, or is to be: (path of its collection, name)."""
        version, kind = thing["apiVersion"], thing["kind"]
        root = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if (version, kind) not in self.resources:
            for resource in self.get(root)["resources"]:
                if "/" not in resource["name"]:
                    self.resources[version, resource["kind"]] = resource
        resource = self.resources[version, kind]
        meta = thing.setdefault("metadata", {})
        if resource["namespaced"]:
            root += f"/namespaces/{meta.get('namespace', self.namespace)}"
        return f"{root}/{resource['name']}", meta["name"]

    def apply(self, things):
        """Makes or changes objects, given as a dict, a list of them, or YAML;
        the last one as it is now."""
        if isinstance(things, str):
            import yaml  # pylint: disable=import-outside-toplevel
            things = [thing for thing in yaml.safe_load_all(things) if thing]
        result = None
        for thing in things if isinstance(things, list) else [things]:
            collection, name = self.path_of(thing)
            result = self.request(
                "PATCH", f"{collection}/{name}?fieldManager=lab&force=true&fieldValidation=Strict",
                thing, "application/apply-patch+yaml")
        return result

    def in_namespace(self, *parts, namespace=None):
        """A path of the core group, such as in_namespace("pods", name)."""
        return "/".join(["/api/v1/namespaces", namespace or self.namespace, *parts])

    def pods(self, selector="", namespace=None):
        query = f"?labelSelector={urllib.request.quote(selector)}" if selector else ""
        return self.get(self.in_namespace("pods", namespace=namespace) + query)["items"]

    def log(self, pod, container="", namespace=None, **options):
        """A container's log; options are those of the API, such as tailLines=3."""
        if container:
            options["container"] = container
        query = "&".join(f"{key}={urllib.request.quote(str(value))}" for key, value in options.items())
        return self.get(self.in_namespace("pods", pod, "log", namespace=namespace) + f"?{query}")

    def events(self, name, namespace=None):
        """Reasons and messages of events about the object of this name."""
        listed = self.get(self.in_namespace("events", namespace=namespace)
                          + f"?fieldSelector=involvedObject.name={name}")["items"]
        return [(event["reason"], event["message"]) for event in listed]

    def delete_pod(self, name, grace=None, namespace=None):
        body = {} if grace is None else {"gracePeriodSeconds": grace}
        return self.request("DELETE", self.in_namespace("pods", name, namespace=namespace), body)

    def evict(self, name, grace=None, namespace=None):
        """As kubectl drain does; Refused with 429 where a disruption budget says no."""
        body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
        if grace is not None:
            body["deleteOptions"] = {"gracePeriodSeconds": grace}
        path = self.in_namespace("pods", name, "eviction", namespace=namespace)
        return self.request("POST", path, body)

    def make_namespace(self, name):
        """Makes a namespace in which pods can be made."""
        self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

        def has_account():
            try:
                return self.get(self.in_namespace("serviceaccounts", "default", namespace=name))
            except Refused:
                return None
        wait_for(f"the service account of {name}", has_account)

    def set_quota(self, namespace, hard):
        """Limits a namespace, such as {"pods": "2"}; None: no more."""
        thing = {"apiVersion": "v1", "kind": "ResourceQuota",
                 "metadata": {"name": "lab", "namespace": namespace}, "spec": {"hard": hard}}
        collection, name = self.path_of(thing)
        if hard is None:
            self.request("DELETE", f"{collection}/{name}")
            return
        self.apply(thing)
        wait_for("the quota", lambda: self.get(f"{collection}/{name}")["status"].get("hard") == hard)

    def service_account_kubeconfig(self, namespace, name, rules=None):
        """A kubeconfig of a service account, made if missing. It may do what
        `rules` of a Role say, such as [{"apiGroups": [""], "resources": ["pods"],
        "verbs": ["get"]}]; None: what it may already."""
        meta = {"name": name, "namespace": namespace}
        self.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": meta})
        if rules is not None:
            group = "rbac.authorization.k8s.io"
            self.apply({"apiVersion": f"{group}/v1", "kind": "Role", "metadata": meta, "rules": rules})
            self.apply({
                "apiVersion": f"{group}/v1", "kind": "RoleBinding", "metadata": meta,
                "roleRef": {"apiGroup": group, "kind": "Role", "name": name},
                "subjects": [{"kind": "ServiceAccount", **meta}]})
        answer = self.request(
            "POST", self.in_namespace("serviceaccounts", name, "token", namespace=namespace),
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
             "spec": {"expirationSeconds": 86400}})
        return self.write_kubeconfig(self.path(f"{namespace}-{name}.kubeconfig"),
                                     answer["status"]["token"], namespace)

    def compact(self):
        """Forgets the past: a watch or a list from a version that was current
        before this call is answered 410. The API server is started anew for it,
        because it remembers on its own."""
        endpoint = f"http://127.0.0.1:{self.ports['etcd']}/v3/kv/"

        def call(method, body):
            request = urllib.request.Request(endpoint + method, json.dumps(body).encode())
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        # So that the version is past all those that anyone has seen.
        self.apply({"apiVersion": "v1", "kind": "ConfigMap",
                    "metadata": {"name": "compacted"}, "data": {"at": str(time.time())}})
        revision = call("range", {"key": base64.b64encode(b"/").decode()})["header"]["revision"]
        self.stop_api_server()
        call("compaction", {"revision": revision, "physical": True})
        self.start_api_server()
