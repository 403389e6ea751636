// kubelet is a node of the Kubernetes lab. It registers with the API server,
// runs each container of the pods bound to it as a process of this machine, and
// reports as a real kubelet does. No container runtime, no images: a table says
// which image names stand for the machine's own file system.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
)

// pairs is a flag of name=value that may be given several times.
type pairs map[string]string

func (p pairs) String() string { return "" }

func (p pairs) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	p[name] = value
	return nil
}

type options struct {
	kubeconfig, node, address, root, network, podRange, apiHost string
	port, apiPort, gpus                                         int
	cpu, memory                                                 string
	labels, images                                              pairs
}

// kubelet is one node. Its pods are run by workers, one each.
type kubelet struct {
	options
	client   kubernetes.Interface
	events   record.EventRecorder
	allPods  corelisters.PodLister
	services corelisters.ServiceLister
	addresses
	gpuTable

	mu      sync.Mutex
	workers map[types.UID]*worker
}

func readFlags() options {
	o := options{labels: pairs{}, images: pairs{}}
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "how to reach the API server")
	flag.StringVar(&o.node, "node", "", "name of the node")
	flag.StringVar(&o.address, "address", "", "the node's address; the log endpoint listens there")
	flag.IntVar(&o.port, "port", 10250, "port of the log endpoint")
	flag.StringVar(&o.root, "root", "", "folder for logs and volumes")
	flag.StringVar(&o.network, "network", "", "bridge of the pods, and what their interfaces' names begin with, separated by a comma")
	flag.StringVar(&o.podRange, "pod-range", "", "pods get the addresses 2 to 254 of this, such as 10.100.1")
	flag.StringVar(&o.apiHost, "api-host", "", "address of the API server as pods see it")
	flag.IntVar(&o.apiPort, "api-port", 443, "port of the API server")
	flag.StringVar(&o.cpu, "cpu", "8", "processors the node says it has")
	flag.StringVar(&o.memory, "memory", "16Gi", "memory the node says it has")
	flag.IntVar(&o.gpus, "gpus", 0, "nvidia.com/gpu the node says it has")
	flag.Var(o.labels, "label", "a label of the node, NAME=VALUE; may be repeated")
	flag.Var(o.images, "image", "an image that is the machine's file system, NAME=ENTRYPOINT; may be repeated")
	flag.Parse()
	return o
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == stageName {
		runStage()
	}
	o := readFlags()
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 200, 400
	k := &kubelet{
		options: o, client: kubernetes.NewForConfigOrDie(config),
		workers: map[types.UID]*worker{}, addresses: addresses{prefix: o.podRange},
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedv1.EventSinkImpl{Interface: k.client.CoreV1().Events("")})
	k.events = broadcaster.NewRecorder(scheme.Scheme, v1.EventSource{Component: "kubelet", Host: o.node})

	if err := os.MkdirAll(filepath.Join(o.root, "logs"), 0o755); err != nil {
		log.Fatal(err)
	}
	if err := k.serveLogs(); err != nil {
		log.Fatal(err)
	}
	startSpawner()
	go k.keepRegistered(ctx)
	k.watch(ctx)
	<-ctx.Done()
	k.killAll()
}

// watch starts workers for the pods of this node, and tells them what becomes
// of their pods.
func (k *kubelet) watch(ctx context.Context) {
	factory := informers.NewSharedInformerFactory(k.client, 0)
	pods, services := factory.Core().V1().Pods(), factory.Core().V1().Services()
	k.allPods, k.services = pods.Lister(), services.Lister()
	names := make(chan struct{}, 1)
	changed := func() {
		select {
		case names <- struct{}{}:
		default:
		}
	}
	_, _ = pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.updatePod(o.(*v1.Pod)); changed() },
		UpdateFunc: func(_, o any) { k.updatePod(o.(*v1.Pod)); changed() },
		DeleteFunc: func(o any) { k.removePod(o); changed() },
	})
	_, _ = services.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { changed() },
		UpdateFunc: func(any, any) { changed() },
		DeleteFunc: func(any) { changed() },
	})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go func() {
		for range names {
			k.updateHosts()
		}
	}()
}

func (k *kubelet) updatePod(pod *v1.Pod) {
	if pod.Spec.NodeName != k.node {
		return
	}
	k.mu.Lock()
	w := k.workers[pod.UID]
	if w == nil {
		w = newWorker(k, pod)
		k.workers[pod.UID] = w
		go w.run()
	}
	k.mu.Unlock()
	w.update(pod)
}

func (k *kubelet) removePod(object any) {
	if lost, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = lost.Obj
	}
	pod, ok := object.(*v1.Pod)
	if !ok {
		return
	}
	k.mu.Lock()
	w := k.workers[pod.UID]
	delete(k.workers, pod.UID)
	k.mu.Unlock()
	if w != nil {
		w.remove()
	}
}

// killAll ends all containers at once, for the end of the kubelet.
func (k *kubelet) killAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.workers {
		w.remove()
	}
	for _, w := range k.workers {
		<-w.gone
	}
}
