package main

import (
	"context"
	"log"
	"os"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

const (
	leasePeriod  = time.Second
	statusPeriod = 5 * time.Second
)

func (k *kubelet) describeNode() *v1.Node {
	labels := map[string]string{
		v1.LabelHostname: k.node, v1.LabelOSStable: "linux", v1.LabelArchStable: "amd64",
	}
	for name, value := range k.labels {
		labels[name] = value
	}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: k.node, Labels: labels},
		Status:     k.nodeStatus(nil),
	}
}

func (k *kubelet) nodeStatus(before []v1.NodeCondition) v1.NodeStatus {
	resources := v1.ResourceList{
		v1.ResourceCPU:    resource.MustParse(k.cpu),
		v1.ResourceMemory: resource.MustParse(k.memory),
		v1.ResourcePods:   resource.MustParse("110"),
		gpuResource:       *resource.NewQuantity(int64(k.gpus), resource.DecimalSI),
	}
	now := metav1.Now()
	since := func(name v1.NodeConditionType, status v1.ConditionStatus) metav1.Time {
		for _, c := range before {
			if c.Type == name && c.Status == status {
				return c.LastTransitionTime
			}
		}
		return now
	}
	condition := func(name v1.NodeConditionType, status v1.ConditionStatus, reason, message string) v1.NodeCondition {
		return v1.NodeCondition{Type: name, Status: status, Reason: reason, Message: message,
			LastHeartbeatTime: now, LastTransitionTime: since(name, status)}
	}
	return v1.NodeStatus{
		Capacity: resources, Allocatable: resources,
		Conditions: []v1.NodeCondition{
			condition(v1.NodeMemoryPressure, v1.ConditionFalse, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
			condition(v1.NodeDiskPressure, v1.ConditionFalse, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
			condition(v1.NodePIDPressure, v1.ConditionFalse, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
			condition(v1.NodeReady, v1.ConditionTrue, "KubeletReady", "kubelet is posting ready status"),
		},
		Addresses: []v1.NodeAddress{
			{Type: v1.NodeInternalIP, Address: k.address}, {Type: v1.NodeHostName, Address: k.node},
		},
		DaemonEndpoints: v1.NodeDaemonEndpoints{KubeletEndpoint: v1.DaemonEndpoint{Port: int32(k.port)}},
		NodeInfo: v1.NodeSystemInfo{
			KubeletVersion: "v1.34.2", OperatingSystem: "linux", Architecture: "amd64",
			ContainerRuntimeVersion: "processes://1", BootID: bootID, MachineID: k.node, SystemUUID: k.node,
		},
	}
}

var bootID = time.Now().UTC().Format(time.RFC3339Nano)

// keepRegistered makes the node where it is missing, and renews its lease and
// its status.
func (k *kubelet) keepRegistered(ctx context.Context) {
	var reported time.Time
	for ctx.Err() == nil {
		if time.Since(reported) >= statusPeriod {
			if err := k.reportNode(ctx); err != nil {
				log.Print("node status: ", err)
			} else {
				reported = time.Now()
			}
		}
		if err := k.renewLease(ctx); err != nil {
			log.Print("lease: ", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(leasePeriod):
		}
	}
}

func (k *kubelet) reportNode(ctx context.Context) error {
	nodes := k.client.CoreV1().Nodes()
	node, err := nodes.Get(ctx, k.node, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		node, err = nodes.Create(ctx, k.describeNode(), metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	node.Status = k.nodeStatus(node.Status.Conditions)
	_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

func (k *kubelet) renewLease(ctx context.Context) error {
	leases := k.client.CoordinationV1().Leases("kube-node-lease")
	lease, err := leases.Get(ctx, k.node, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		lease, err = leases.Create(ctx, &coordination.Lease{
			ObjectMeta: metav1.ObjectMeta{Name: k.node},
			Spec: coordination.LeaseSpec{
				HolderIdentity: &k.node, LeaseDurationSeconds: ptr.To(int32(40)),
			},
		}, metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	lease.Spec.RenewTime = &metav1.MicroTime{Time: time.Now()}
	_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	return err
}

func init() { log.SetOutput(os.Stderr) }
