package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

const apiRetryPeriod = 500 * time.Millisecond

// changed asks for a report.
func (w *worker) changed() {
	select {
	case w.dirty <- struct{}{}:
	default:
	}
}

// startReporting starts what tells the API server of changes, until `dirty` is
// closed; the channel it returns is closed then.
func (w *worker) startReporting() chan struct{} {
	reported := make(chan struct{})
	go func() {
		defer close(reported)
		for range w.dirty {
			w.report()
		}
	}()
	return reported
}

// report tells the API server, and insists until it has heard.
func (w *worker) report() {
	pods := w.k.client.CoreV1().Pods(w.pod.Namespace)
	for !isClosed(w.killing) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		pod, err := pods.Get(ctx, w.pod.Name, metav1.GetOptions{})
		if errors.IsNotFound(err) || err == nil && pod.UID != w.pod.UID {
			cancel()
			return
		}
		if err == nil {
			w.fillStatus(&pod.Status)
			_, err = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		}
		cancel()
		if err == nil {
			return
		}
		if !errors.IsConflict(err) {
			log.Printf("status of %s: %v", w.pod.Name, err)
			time.Sleep(apiRetryPeriod)
		}
	}
}

// deleteObject removes the object of a pod that was marked for deletion and has
// ended.
func (w *worker) deleteObject() {
	for !isClosed(w.killing) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		err := w.k.client.CoreV1().Pods(w.pod.Namespace).Delete(ctx, w.pod.Name, metav1.DeleteOptions{
			GracePeriodSeconds: ptr.To(int64(0)), Preconditions: &metav1.Preconditions{UID: &w.pod.UID},
		})
		cancel()
		if err == nil || errors.IsNotFound(err) || errors.IsConflict(err) {
			return
		}
		time.Sleep(apiRetryPeriod)
	}
}

func (w *worker) fillStatus(status *v1.PodStatus) {
	w.mu.Lock()
	defer w.mu.Unlock()
	status.HostIP, status.HostIPs = w.k.address, []v1.HostIP{{IP: w.k.address}}
	if w.address != "" {
		status.PodIP, status.PodIPs = w.address, []v1.PodIP{{IP: w.address}}
	}
	if status.StartTime == nil {
		status.StartTime = &w.startTime
	}
	status.InitContainerStatuses = w.statusesOf(w.pod.Spec.InitContainers)
	status.ContainerStatuses = w.statusesOf(w.pod.Spec.Containers)
	status.Phase = w.phase(status)
	if status.Phase == v1.PodFailed && w.reason != "" {
		status.Reason, status.Message = w.reason, w.message
	}
	w.fillConditions(status)
}

func (w *worker) statusesOf(containers []v1.Container) (list []v1.ContainerStatus) {
	for _, c := range containers {
		list = append(list, *w.containers[c.Name].DeepCopy())
	}
	return
}

func (w *worker) phase(status *v1.PodStatus) v1.PodPhase {
	if w.isFinished {
		if w.reason != "" {
			return v1.PodFailed
		}
		for _, s := range status.ContainerStatuses {
			if s.State.Terminated == nil || s.State.Terminated.ExitCode != 0 {
				return v1.PodFailed
			}
		}
		return v1.PodSucceeded
	}
	for _, s := range status.ContainerStatuses {
		if s.State.Waiting != nil && s.LastTerminationState.Terminated == nil {
			return v1.PodPending
		}
	}
	return v1.PodRunning
}

func (w *worker) fillConditions(status *v1.PodStatus) {
	isInitialized := true
	for i, s := range status.InitContainerStatuses {
		policy := w.pod.Spec.InitContainers[i].RestartPolicy
		isSidecar := policy != nil && *policy == v1.ContainerRestartPolicyAlways
		hasEnded := s.State.Terminated != nil && s.State.Terminated.ExitCode == 0
		isInitialized = isInitialized && (hasEnded || isSidecar && s.State.Running != nil)
	}
	var unready []string
	for _, s := range status.ContainerStatuses {
		if !s.Ready {
			unready = append(unready, s.Name)
		}
	}
	reason, message := "", ""
	switch {
	case status.Phase == v1.PodSucceeded:
		reason = "PodCompleted"
		isInitialized = true
	case status.Phase == v1.PodFailed:
		reason = "PodFailed"
	case len(unready) > 0:
		reason, message = "ContainersNotReady", fmt.Sprintf("containers with unready status: [%s]", strings.Join(unready, " "))
	}
	isReady := len(unready) == 0
	setCondition(status, v1.PodReadyToStartContainers, w.hasSandbox && !w.isFinished, "", "")
	if isInitialized {
		setCondition(status, v1.PodInitialized, true, "", "")
	} else {
		setCondition(status, v1.PodInitialized, false, "ContainersNotInitialized", "containers with incomplete status")
	}
	setCondition(status, v1.PodReady, isReady, reason, message)
	setCondition(status, v1.ContainersReady, isReady, reason, message)
}

func setCondition(status *v1.PodStatus, name v1.PodConditionType, holds bool, reason, message string) {
	value := v1.ConditionFalse
	if holds {
		value = v1.ConditionTrue
	}
	for i := range status.Conditions {
		c := &status.Conditions[i]
		if c.Type == name {
			if c.Status != value {
				c.LastTransitionTime = metav1.Now()
			}
			c.Status, c.Reason, c.Message = value, reason, message
			return
		}
	}
	status.Conditions = append(status.Conditions, v1.PodCondition{
		Type: name, Status: value, Reason: reason, Message: message, LastTransitionTime: metav1.Now()})
}
