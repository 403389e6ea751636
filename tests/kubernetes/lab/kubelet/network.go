package main

import (
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

const clusterDomain = "svc.cluster.local"

// addresses hands out those of a node's pods.
type addresses struct {
	addressMu sync.Mutex
	prefix    string
	used      map[int]bool
	last      int
}

// takeAddress is the last number of a free address, one that was not in use
// lately.
func (a *addresses) takeAddress() (int, error) {
	a.addressMu.Lock()
	defer a.addressMu.Unlock()
	if a.used == nil {
		a.used = map[int]bool{}
	}
	for range 253 {
		a.last = a.last%253 + 1
		if !a.used[a.last+1] {
			a.used[a.last+1] = true
			return a.last + 1, nil
		}
	}
	return 0, fmt.Errorf("no free address in %s.0/24", a.prefix)
}

func (a *addresses) freeAddress(number int) {
	a.addressMu.Lock()
	defer a.addressMu.Unlock()
	delete(a.used, number)
}

func ip(input string, words ...string) error {
	command := exec.Command("ip", words...)
	command.Stdin = strings.NewReader(input)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(words, " "), err, out)
	}
	return nil
}

// connect gives the pod a network namespace with an address on the lab's bridge.
func (w *worker) connect() error {
	if w.pod.Spec.HostNetwork {
		w.setAddress(w.k.address)
		return nil
	}
	number, err := w.k.takeAddress()
	if err != nil {
		return err
	}
	bridge, prefix, _ := strings.Cut(w.k.network, ",")
	w.addressNumber = number
	w.link = fmt.Sprintf("%sp%d", prefix, number)
	w.disconnectLink() // Of a kubelet that was killed.
	outside := fmt.Sprintf("netns add %[1]s\nlink add %[1]s type veth peer name eth0 netns %[1]s\n"+
		"link set %[1]s master %[2]s\nlink set %[1]s up\n", w.link, bridge)
	address := fmt.Sprintf("%s.%d", w.k.podRange, number)
	inside := fmt.Sprintf("link set lo up\naddr add %s/16 dev eth0\nlink set eth0 up\n", address)
	if err := ip(outside, "-batch", "-"); err != nil {
		return err
	}
	if err := ip(inside, "-n", w.link, "-batch", "-"); err != nil {
		return err
	}
	w.setAddress(address)
	return nil
}

func (w *worker) disconnectLink() {
	_ = ip("", "link", "del", w.link)
	_ = ip("", "netns", "del", w.link)
}

func (w *worker) disconnect() {
	if w.link == "" {
		return
	}
	w.disconnectLink()
	w.k.freeAddress(w.addressNumber)
	w.link = ""
}

func (w *worker) networkNamespace() string {
	if w.link == "" {
		return ""
	}
	return "/run/netns/" + w.link
}

func (w *worker) hostname() string {
	name := w.pod.Spec.Hostname
	if name == "" {
		name = w.pod.Name
	}
	return name[:min(len(name), 63)]
}

// hostsFile is what stands in for DNS in this pod: its own name, the API
// server, and the names that headless services give to pods.
func (w *worker) hostsFile(services []string) []byte {
	lines := []string{"127.0.0.1 localhost", "::1 localhost ip6-localhost ip6-loopback"}
	own := w.hostname()
	if w.pod.Spec.Subdomain != "" {
		own = fmt.Sprintf("%s.%s.%s.%s %s", own, w.pod.Spec.Subdomain, w.pod.Namespace, clusterDomain, own)
	}
	if w.address != "" {
		lines = append(lines, w.address+" "+own)
	}
	lines = append(lines, w.k.apiHost+" kubernetes.default."+clusterDomain+" kubernetes.default.svc kubernetes.default")
	for _, alias := range w.pod.Spec.HostAliases {
		lines = append(lines, alias.IP+" "+strings.Join(alias.Hostnames, " "))
	}
	return []byte(strings.Join(append(lines, services...), "\n") + "\n")
}

// updateHosts writes the hosts files of this node's pods anew, in place: they
// are mounted in the pods.
func (k *kubelet) updateHosts() {
	k.mu.Lock()
	workers := make([]*worker, 0, len(k.workers))
	for _, w := range k.workers {
		workers = append(workers, w)
	}
	k.mu.Unlock()
	lines := map[string][]string{}
	for _, w := range workers {
		namespace := w.pod.Namespace
		if _, isThere := lines[namespace]; !isThere {
			lines[namespace] = k.serviceNames(namespace)
		}
		w.writeHosts(lines[namespace])
	}
}

// serviceNames are the lines that pods of a namespace share.
func (k *kubelet) serviceNames(namespace string) []string {
	services, _ := k.services.List(labels.Everything())
	var lines []string
	for _, service := range services {
		if service.Spec.ClusterIP != v1.ClusterIPNone || len(service.Spec.Selector) == 0 {
			continue
		}
		pods, _ := k.allPods.Pods(service.Namespace).List(labels.SelectorFromSet(service.Spec.Selector))
		for _, pod := range pods {
			if !isPublished(pod, service) {
				continue
			}
			names := namesFrom(namespace, service, "")
			if pod.Spec.Hostname != "" && pod.Spec.Subdomain == service.Name {
				names = append(namesFrom(namespace, service, pod.Spec.Hostname+"."), names...)
			}
			lines = append(lines, pod.Status.PodIP+" "+strings.Join(names, " "))
		}
	}
	sort.Strings(lines)
	return lines
}

func isPublished(pod *v1.Pod, service *v1.Service) bool {
	if pod.Status.PodIP == "" || pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed {
		return false
	}
	if service.Spec.PublishNotReadyAddresses {
		return true
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == v1.PodReady {
			return c.Status == v1.ConditionTrue && pod.DeletionTimestamp == nil
		}
	}
	return false
}

// namesFrom are those of a service, or of a pod of it, as a namespace sees them.
func namesFrom(namespace string, service *v1.Service, host string) []string {
	name := host + service.Name
	long := name + "." + service.Namespace
	names := []string{long + "." + clusterDomain, long + ".svc", long}
	if service.Namespace == namespace {
		names = append(names, name)
	}
	return names
}

func (w *worker) writeHosts(services []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := w.hostsFile(services)
	file, err := os.OpenFile(w.path("hosts"), os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return // Not there yet, or not any more.
	}
	defer file.Close()
	_, _ = file.Write(text)
	_ = file.Truncate(int64(len(text)))
}
