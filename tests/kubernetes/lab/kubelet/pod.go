package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	volumeRetryPeriod = time.Second
	firstPullBackoff  = 10 * time.Second
	longestBackoff    = 5 * time.Minute
)

// worker runs one pod, from its binding to this node until its object is gone.
type worker struct {
	k   *kubelet
	pod *v1.Pod // As first seen. A pod's containers and volumes do not change.

	// Of the goroutine that runs the pod.
	volumes       map[string]string
	link          string
	addressNumber int

	stopping  chan struct{} // Closed: end the containers within the grace.
	killing   chan struct{} // Closed: end them at once.
	mainsDone chan struct{} // Closed: sidecars may end.
	gone      chan struct{} // Closed: nothing of the pod runs any more.
	dirty     chan struct{} // Has an element: the API server is to be told.

	mu          sync.Mutex
	address     string
	containers  map[string]*v1.ContainerStatus
	reason      string // Why the whole pod failed, if it did.
	message     string
	hasSandbox  bool
	isFinished  bool // No container will be started again.
	startTime   metav1.Time
	grace       time.Duration
	isStopping  bool
	isDeleted   bool // The API server has marked the object for deletion.
	isRemoved   bool // The object is gone.
	deletedOnce sync.Once
	deleted     chan struct{} // Closed with isDeleted.
}

func newWorker(k *kubelet, pod *v1.Pod) *worker {
	w := &worker{
		k: k, pod: pod.DeepCopy(), stopping: make(chan struct{}), killing: make(chan struct{}),
		mainsDone: make(chan struct{}), gone: make(chan struct{}), dirty: make(chan struct{}, 1),
		deleted: make(chan struct{}), containers: map[string]*v1.ContainerStatus{}, startTime: metav1.Now(),
	}
	reason := "ContainerCreating"
	if len(pod.Spec.InitContainers) > 0 {
		reason = "PodInitializing"
	}
	for _, c := range append(append([]v1.Container{}, pod.Spec.InitContainers...), pod.Spec.Containers...) {
		w.containers[c.Name] = &v1.ContainerStatus{
			Name: c.Name, Image: c.Image,
			State: v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: reason}},
		}
	}
	return w
}

func (w *worker) path(parts ...string) string {
	return filepath.Join(append([]string{w.k.root, "pods", string(w.pod.UID)}, parts...)...)
}

func (w *worker) logPath(container string, restart int32) string {
	pod := fmt.Sprintf("%s_%s_%s", w.pod.Namespace, w.pod.Name, w.pod.UID)
	return filepath.Join(w.k.root, "logs", pod, container, fmt.Sprintf("%d.log", restart))
}

func (w *worker) messagePath(container string) string { return w.path("messages", container) }

func (w *worker) event(kind, reason, format string, values ...any) {
	w.k.events.Eventf(w.pod, kind, reason, format, values...)
}

// update tells the worker what the API server says of its pod.
func (w *worker) update(pod *v1.Pod) {
	if pod.DeletionTimestamp == nil {
		return
	}
	grace := 30 * time.Second
	if seconds := pod.DeletionGracePeriodSeconds; seconds != nil {
		grace = time.Duration(*seconds) * time.Second
	}
	w.stop(grace, "", "")
	w.deletedOnce.Do(func() {
		w.mu.Lock()
		w.isDeleted = true
		w.mu.Unlock()
		close(w.deleted)
	})
}

// stop ends the containers: SIGTERM, and SIGKILL after the grace.
func (w *worker) stop(grace time.Duration, reason, message string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.isStopping {
		w.isStopping, w.grace, w.reason, w.message = true, grace, reason, message
		close(w.stopping)
	}
}

// remove ends the containers at once: the pod's object is gone.
func (w *worker) remove() {
	w.stop(0, "", "")
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.isRemoved {
		w.isRemoved = true
		close(w.killing)
	}
}

func (w *worker) run() {
	reported := w.startReporting()
	switch w.pod.Status.Phase {
	case v1.PodSucceeded, v1.PodFailed: // By this node, before it was started anew.
		w.recall()
	default:
		deadline := w.startDeadline()
		if w.isLost() {
			w.declareLost()
		} else if w.prepare() {
			w.runAll()
		}
		deadline.Stop()
		w.finish()
	}
	w.disconnect()
	close(w.gone)
	select {
	case <-w.deleted:
	case <-w.killing:
	}
	close(w.dirty)
	<-reported
	w.deleteObject()
	_ = os.RemoveAll(w.path())
}

func (w *worker) startDeadline() *time.Timer {
	seconds := w.pod.Spec.ActiveDeadlineSeconds
	if seconds == nil {
		return time.NewTimer(0)
	}
	return time.AfterFunc(time.Duration(*seconds)*time.Second, func() {
		w.stop(w.ownGrace(), "DeadlineExceeded", "Pod was active on the node longer than the specified deadline")
	})
}

func (w *worker) ownGrace() time.Duration {
	if seconds := w.pod.Spec.TerminationGracePeriodSeconds; seconds != nil {
		return time.Duration(*seconds) * time.Second
	}
	return 30 * time.Second
}

// isLost says whether containers of this pod ran before the node was started
// anew, and must not run again.
func (w *worker) isLost() bool {
	if w.pod.Spec.RestartPolicy != v1.RestartPolicyNever {
		return false
	}
	for _, list := range [][]v1.ContainerStatus{w.pod.Status.InitContainerStatuses, w.pod.Status.ContainerStatuses} {
		for _, status := range list {
			if status.State.Waiting == nil {
				return true
			}
		}
	}
	return false
}

// prepare gives the pod its volumes and its network; false: it is to end.
func (w *worker) prepare() bool {
	w.changed()
	for {
		err := w.writeEtc()
		if err == nil {
			err = w.prepareVolumes()
		}
		if err == nil {
			break
		}
		w.event(v1.EventTypeWarning, "FailedMount", "%v", err)
		if !w.sleep(volumeRetryPeriod) {
			return false
		}
	}
	for {
		err := w.connect()
		if err == nil {
			return true
		}
		w.event(v1.EventTypeWarning, "FailedCreatePodSandBox", "Failed to create pod sandbox: %v", err)
		w.disconnect()
		if !w.sleep(volumeRetryPeriod) {
			return false
		}
	}
}

func (w *worker) setAddress(address string) {
	w.mu.Lock()
	w.address, w.hasSandbox = address, true
	w.mu.Unlock()
	w.writeHosts(w.k.serviceNames(w.pod.Namespace))
	w.changed()
}

// sleep is false if the pod is to end.
func (w *worker) sleep(duration time.Duration) bool {
	select {
	case <-w.stopping:
		return false
	case <-time.After(duration):
		return true
	}
}

// runAll runs the init containers, then all others, and returns when none runs.
func (w *worker) runAll() {
	var sidecars, mains sync.WaitGroup
	done := true
	for i := range w.pod.Spec.InitContainers {
		c := &w.pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == v1.ContainerRestartPolicyAlways {
			sidecars.Add(1)
			started := make(chan struct{})
			go func() {
				defer sidecars.Done()
				w.runContainer(c, v1.RestartPolicyAlways, w.mainsDone, started)
			}()
			select {
			case <-started:
			case <-w.stopping:
			}
			continue
		}
		policy := w.pod.Spec.RestartPolicy
		if policy == v1.RestartPolicyAlways {
			policy = v1.RestartPolicyOnFailure
		}
		if done = w.runContainer(c, policy, nil, make(chan struct{})); !done {
			break
		}
	}
	for i := range w.pod.Spec.Containers {
		if !done {
			break
		}
		mains.Add(1)
		go func() {
			defer mains.Done()
			w.runContainer(&w.pod.Spec.Containers[i], w.pod.Spec.RestartPolicy, nil, make(chan struct{}))
		}()
	}
	mains.Wait()
	close(w.mainsDone)
	sidecars.Wait()
}

// runContainer runs a container as often as its policy asks for; it says
// whether the last run succeeded. `started` is closed once it runs.
func (w *worker) runContainer(c *v1.Container, policy v1.RestartPolicy, dismissed, started chan struct{}) bool {
	backoff := firstPullBackoff
	for restart := int32(0); ; restart++ {
		end := w.runOnce(c, restart, dismissed, started)
		if end == nil {
			return false
		}
		again := policy == v1.RestartPolicyAlways || policy == v1.RestartPolicyOnFailure && end.ExitCode != 0
		if !again || isClosed(w.stopping) || isClosed(dismissed) {
			return end.ExitCode == 0
		}
		message := fmt.Sprintf("back-off %s restarting failed container=%s pod=%s_%s(%s)",
			backoff, c.Name, w.pod.Name, w.pod.Namespace, w.pod.UID)
		w.setState(c, func(s *v1.ContainerStatus) {
			s.LastTerminationState = v1.ContainerState{Terminated: end}
			s.State = v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: message}}
		})
		w.event(v1.EventTypeWarning, "BackOff", "Back-off restarting failed container %s in pod %s", c.Name, w.pod.Name)
		select {
		case <-dismissed:
			return false
		case <-w.stopping:
			return false
		case <-time.After(backoff):
		}
		backoff = min(2*backoff, longestBackoff)
	}
}

func isClosed(channel chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}

// runOnce starts a container, waiting for what it lacks, and sees to its end;
// nil: the pod was to end before it could start.
func (w *worker) runOnce(c *v1.Container, restart int32, dismissed, started chan struct{}) *v1.ContainerStateTerminated {
	p, end := w.startWhenPossible(c, restart)
	if p == nil {
		return end
	}
	w.event(v1.EventTypeNormal, "Started", "Started container %s", c.Name)
	isUp := true
	w.setState(c, func(s *v1.ContainerStatus) {
		s.RestartCount, s.ContainerID, s.ImageID = restart, p.id, fullName(c.Image)
		s.Ready, s.Started = true, &isUp
		s.State = v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: metav1.NewTime(p.startedAt)}}
	})
	if !isClosed(started) {
		close(started)
	}
	w.awaitEnd(c, p, dismissed)
	end = p.terminated(w.finalMessage(c, restart, p.exitCode()))
	w.setTerminated(c, end)
	return end
}

func (w *worker) awaitEnd(c *v1.Container, p *process, dismissed chan struct{}) {
	select {
	case <-p.ended:
		return
	case <-dismissed:
	case <-w.stopping:
	}
	w.event(v1.EventTypeNormal, "Killing", "Stopping container %s", c.Name)
	w.mu.Lock()
	grace := w.grace
	w.mu.Unlock()
	if !isClosed(w.stopping) {
		grace = w.ownGrace() // A sidecar after the end of the others.
	}
	p.signal(syscall.SIGTERM)
	select {
	case <-p.ended:
		return
	case <-w.killing:
	case <-time.After(grace):
	}
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// startWhenPossible is nil and the end of a container whose command cannot run,
// or twice nil if the pod was to end first.
func (w *worker) startWhenPossible(c *v1.Container, restart int32) (*process, *v1.ContainerStateTerminated) {
	backoff := firstPullBackoff
	for !isClosed(w.stopping) {
		p, err := w.startContainer(c, restart)
		if err == nil {
			return p, nil
		}
		obstacle, isWaiting := err.(*waiting)
		if !isWaiting {
			w.event(v1.EventTypeWarning, "Failed", "Error: %v", err)
			now := metav1.Now()
			end := &v1.ContainerStateTerminated{ExitCode: 128, Reason: "StartError", Message: err.Error(),
				StartedAt: metav1.NewTime(time.Unix(0, 0)), FinishedAt: now}
			w.setTerminated(c, end)
			return nil, end
		}
		w.setWaiting(c, obstacle)
		w.event(v1.EventTypeWarning, "Failed", "Error: %s", obstacle.Error())
		pause := 2 * time.Second
		if obstacle.Reason == "ErrImagePull" {
			if !w.sleep(time.Second) {
				break
			}
			w.setWaiting(c, &waiting{"ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q: %s", c.Image, obstacle.Error())})
			w.event(v1.EventTypeNormal, "BackOff", "Back-off pulling image %q", c.Image)
			pause, backoff = backoff, min(2*backoff, longestBackoff)
		}
		w.sleep(pause)
	}
	return nil, nil
}

func (w *worker) setWaiting(c *v1.Container, why *waiting) {
	w.setState(c, func(s *v1.ContainerStatus) {
		s.State = v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: why.Reason, Message: why.Message}}
	})
}

func (w *worker) setTerminated(c *v1.Container, end *v1.ContainerStateTerminated) {
	w.setState(c, func(s *v1.ContainerStatus) {
		no := false
		s.Ready, s.Started = false, &no
		s.State = v1.ContainerState{Terminated: end}
	})
}

func (w *worker) setState(c *v1.Container, change func(*v1.ContainerStatus)) {
	w.mu.Lock()
	change(w.containers[c.Name])
	w.mu.Unlock()
	w.changed()
}

// recall takes over what was reported before the node was started anew.
func (w *worker) recall() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, list := range [][]v1.ContainerStatus{w.pod.Status.InitContainerStatuses, w.pod.Status.ContainerStatuses} {
		for _, status := range list {
			w.containers[status.Name] = status.DeepCopy()
		}
	}
	w.isFinished = true
}

// declareLost reports that containers ended with the node.
func (w *worker) declareLost() {
	log.Printf("pod %s/%s did not outlive the node", w.pod.Namespace, w.pod.Name)
	w.recall()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, status := range w.containers {
		if status.State.Terminated != nil {
			continue
		}
		end := &v1.ContainerStateTerminated{ExitCode: 255, Reason: "Unknown", ContainerID: status.ContainerID, FinishedAt: metav1.Now()}
		if status.State.Running != nil {
			end.StartedAt = status.State.Running.StartedAt
		}
		no := false
		status.Ready, status.Started = false, &no
		status.State = v1.ContainerState{Terminated: end}
	}
}

// finish says that no container will start any more.
func (w *worker) finish() {
	w.mu.Lock()
	w.isFinished = true
	w.mu.Unlock()
	w.changed()
}

func (k *kubelet) findWorker(namespace, name string) *worker {
	k.mu.Lock()
	defer k.mu.Unlock()
	var found *worker
	for _, w := range k.workers {
		if w.pod.Namespace == namespace && w.pod.Name == name &&
			(found == nil || w.pod.CreationTimestamp.After(found.pod.CreationTimestamp.Time)) {
			found = w
		}
	}
	return found
}

// logToRead is the log of a container's last run, or of the one before.
func (w *worker) logToRead(name string, previous bool) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	status := w.containers[name]
	if status == nil {
		return "", fmt.Errorf("container %q in pod %q is not available", name, w.pod.Name)
	}
	if previous {
		if status.RestartCount == 0 {
			return "", fmt.Errorf("previous terminated container %q in pod %q not found", name, w.pod.Name)
		}
		return w.logPath(name, status.RestartCount-1), nil
	}
	if status.State.Waiting != nil && status.LastTerminationState.Terminated == nil {
		return "", fmt.Errorf("container %q in pod %q is waiting to start: %s", name, w.pod.Name, status.State.Waiting.Reason)
	}
	return w.logPath(name, status.RestartCount), nil
}

// hasEnded says whether nothing more will be in a container's log.
func (w *worker) hasEnded(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.containers[name].State.Running == nil
}
