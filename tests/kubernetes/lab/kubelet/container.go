package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

const memoryPollPeriod = 200 * time.Millisecond

var spawns = make(chan func())

// startSpawner starts the thread that is the parent of all containers: they end
// with their parent thread, so it must live as long as the kubelet.
func startSpawner() {
	go func() {
		runtime.LockOSThread()
		for start := range spawns {
			start()
		}
	}()
}

// process is a container that runs.
type process struct {
	command   *exec.Cmd
	id        string
	startedAt time.Time
	gpus      []string
	ended     chan struct{} // Closed when all of it is gone, and its log written.
	outOfMem  atomic.Bool
}

// startContainer starts c; restart is how often it has been started before. The
// error is a *waiting, but for a command that cannot run.
func (w *worker) startContainer(c *v1.Container, restart int32) (*process, error) {
	entry, noImage := w.k.entrypoint(c)
	if noImage != nil {
		return nil, noImage
	}
	p := &process{ended: make(chan struct{})}
	if wanted, isThere := c.Resources.Limits[gpuResource]; isThere {
		p.gpus = w.k.take(int(wanted.Value()), w.k.gpus)
	}
	s, err := w.prepareStage(c, entry, p.gpus)
	if err != nil {
		w.k.giveBack(p.gpus)
		return nil, &waiting{"CreateContainerConfigError", err.Error()}
	}
	log, err := newContainerLog(w.logPath(c.Name, restart))
	if err != nil {
		w.k.giveBack(p.gpus)
		return nil, &waiting{"CreateContainerError", err.Error()}
	}
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	p.id = "processes://" + hex.EncodeToString(id)
	if err := p.start(s, log, w.k); err != nil {
		return nil, err
	}
	if limit, isThere := c.Resources.Limits[v1.ResourceMemory]; isThere {
		go p.watchMemory(limit.Value())
	}
	return p, nil
}

func (w *worker) prepareStage(c *v1.Container, entry, gpus []string) (*stage, error) {
	list, values, err := w.environment(c, gpus)
	if err != nil {
		return nil, err
	}
	mounts, err := w.mounts(c, values)
	if err != nil {
		return nil, err
	}
	expand := func(words []string) (expanded []string) {
		for _, word := range words {
			expanded = append(expanded, expansion.Expand(word, expansion.MappingFuncFor(values)))
		}
		return
	}
	argv := append([]string{}, entry...)
	if len(c.Command) > 0 {
		argv = expand(c.Command)
	}
	argv = append(argv, expand(c.Args)...)
	if len(argv) == 0 {
		return nil, fmt.Errorf("no command specified")
	}
	s := &stage{
		NetworkNamespace: w.networkNamespace(), Hostname: w.hostname(), Mounts: mounts,
		MadeList: filepath.Join(w.k.root, "made_mount_points"),
		Argv:     argv, Env: list, Dir: c.WorkingDir,
	}
	if pod := w.pod.Spec.SecurityContext; pod != nil {
		s.User, s.Group = pod.RunAsUser, pod.RunAsGroup
	}
	if own := c.SecurityContext; own != nil {
		if own.RunAsUser != nil {
			s.User = own.RunAsUser
		}
		if own.RunAsGroup != nil {
			s.Group = own.RunAsGroup
		}
	}
	return s, nil
}

// start runs the stage and waits until it has become the command.
func (p *process) start(s *stage, log *containerLog, k *kubelet) error {
	stageRead, stageWrite, _ := os.Pipe()
	complaintRead, complaintWrite, _ := os.Pipe()
	outRead, outWrite, _ := os.Pipe()
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		return &waiting{"CreateContainerError", err.Error()}
	}
	p.command = exec.Command("/proc/self/exe", stageName)
	p.command.Stdout, p.command.Stderr = outWrite, errWrite
	p.command.ExtraFiles = []*os.File{stageRead, complaintWrite}
	p.command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
		Setsid:     true, Pdeathsig: syscall.SIGKILL,
	}
	started := make(chan error)
	spawns <- func() { started <- p.command.Start() }
	err = <-started
	for _, file := range []*os.File{stageRead, complaintWrite, outWrite, errWrite} {
		_ = file.Close()
	}
	if err == nil {
		_ = json.NewEncoder(stageWrite).Encode(s)
	}
	_ = stageWrite.Close()
	copied := log.copy(outRead, errRead)
	var complaint []byte
	if err == nil {
		complaint, _ = io.ReadAll(complaintRead)
	}
	_ = complaintRead.Close()
	p.startedAt = time.Now()
	go func() {
		if err == nil {
			_ = p.command.Wait()
		}
		copied.Wait()
		log.close()
		k.giveBack(p.gpus)
		close(p.ended)
	}()
	if err != nil {
		return &waiting{"CreateContainerError", err.Error()}
	}
	if len(complaint) > 0 {
		<-p.ended
		return fmt.Errorf("failed to create containerd task: failed to create shim task: OCI runtime create failed: "+
			"runc create failed: unable to start container process: error during container init: %s", complaint)
	}
	return nil
}

func (p *process) signal(number syscall.Signal) { _ = p.command.Process.Signal(number) }

// exitCode is that of the command, or 128 and the signal that ended it.
func (p *process) exitCode() int32 {
	status := p.command.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int32(status.Signal())
	}
	return int32(status.ExitStatus())
}

func (p *process) terminated(message string) *v1.ContainerStateTerminated {
	t := &v1.ContainerStateTerminated{
		ExitCode: p.exitCode(), Reason: "Completed", Message: message, ContainerID: p.id,
		StartedAt: metav1.NewTime(p.startedAt), FinishedAt: metav1.Now(),
	}
	if p.outOfMem.Load() {
		t.Reason = "OOMKilled"
	} else if t.ExitCode != 0 {
		t.Reason = "Error"
	}
	return t
}

// watchMemory kills the container once its processes have more than `limit`
// bytes that are not files.
func (p *process) watchMemory(limit int64) {
	for {
		select {
		case <-p.ended:
			return
		case <-time.After(memoryPollPeriod):
		}
		if memoryOf(p.command.Process.Pid) > limit {
			p.outOfMem.Store(true)
			p.signal(syscall.SIGKILL)
			return
		}
	}
}

func memoryOf(pid int) int64 {
	folder := fmt.Sprintf("/proc/%d", pid)
	text, _ := os.ReadFile(folder + "/statm")
	var sum int64
	if fields := strings.Fields(string(text)); len(fields) > 2 {
		resident, _ := strconv.ParseInt(fields[1], 10, 64)
		shared, _ := strconv.ParseInt(fields[2], 10, 64)
		sum = (resident - shared) * int64(os.Getpagesize())
	}
	lists, _ := filepath.Glob(folder + "/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			if number, err := strconv.Atoi(child); err == nil {
				sum += memoryOf(number)
			}
		}
	}
	return sum
}
