package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const stageName = "container-stage"

type mount struct {
	Source, Target string
	ReadOnly       bool
}

// stage is what a container's first process does before it becomes the
// container's command. It is in process, mount, host name and IPC namespaces of
// its own already, and is process 1 there, as in a real container: a signal
// that the command does not handle, but SIGKILL, has no effect.
type stage struct {
	NetworkNamespace string // A path; empty: the node's own.
	Hostname         string
	Mounts           []mount
	MadeList         string // A file: mount points made on the machine itself.
	Argv, Env        []string
	Dir              string
	User, Group      *int64
}

func runStage() {
	runtime.LockOSThread()
	complaints := os.NewFile(4, "complaints")
	unix.CloseOnExec(4)
	var s stage
	err := json.NewDecoder(os.NewFile(3, "stage")).Decode(&s)
	_ = syscall.Close(3)
	if err == nil {
		err = s.become()
	}
	_, _ = complaints.WriteString(err.Error())
	os.Exit(128)
}

func (s *stage) become() error {
	if s.NetworkNamespace != "" {
		file, err := os.Open(s.NetworkNamespace)
		if err != nil {
			return err
		}
		if err := unix.Setns(int(file.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("network namespace: %w", err)
		}
		_ = file.Close()
		if err := unix.Sethostname([]byte(s.Hostname)); err != nil {
			return err
		}
	}
	if err := s.mountAll(); err != nil {
		return err
	}
	os.Clearenv()
	for _, variable := range s.Env {
		name, value, _ := strings.Cut(variable, "=")
		_ = os.Setenv(name, value)
	}
	if s.Dir == "" {
		s.Dir = "/"
	}
	if err := os.Chdir(s.Dir); err != nil {
		return err
	}
	path, err := exec.LookPath(s.Argv[0])
	if err != nil {
		return fmt.Errorf("exec: %q: executable file not found in $PATH", s.Argv[0])
	}
	if s.Group != nil {
		if err := syscall.Setgroups(nil); err != nil {
			return err
		}
		if err := syscall.Setresgid(int(*s.Group), int(*s.Group), int(*s.Group)); err != nil {
			return err
		}
	}
	if s.User != nil {
		if err := syscall.Setresuid(int(*s.User), int(*s.User), int(*s.User)); err != nil {
			return err
		}
	}
	// A change of user forgets who is to be followed into death.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	return fmt.Errorf("exec: %q: %w", path, syscall.Exec(path, s.Argv, s.Env))
}

func (s *stage) mountAll() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("mounts of its own: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("/proc: %w", err)
	}
	if err := mountDevices(); err != nil {
		return fmt.Errorf("/dev: %w", err)
	}
	done := []string{"/dev", "/proc"}
	for _, m := range s.Mounts {
		if err := s.makeMountPoint(m, done); err != nil {
			return err
		}
		if err := unix.Mount(m.Source, m.Target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("mount %s at %s: %w", m.Source, m.Target, err)
		}
		if m.ReadOnly {
			flags := uintptr(unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY)
			if err := unix.Mount("", m.Target, "", flags, ""); err != nil {
				return fmt.Errorf("read-only %s: %w", m.Target, err)
			}
		}
		done = append(done, m.Target)
	}
	return nil
}

// mountDevices gives a container the devices that a runtime gives it.
func mountDevices() error {
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", 0, "mode=755"); err != nil {
		return err
	}
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for name, minor := range map[string]uint32{"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9} {
		if err := unix.Mknod("/dev/"+name, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"} {
		if err := os.Symlink("/proc/self/"+target, "/dev/"+name); err != nil {
			return err
		}
	}
	return os.Mkdir("/dev/shm", 0o1777)
}

// makeMountPoint makes what is missing of m.Target, and notes what it made on
// the machine's own file systems, rather than below one of the mounts `done`.
func (s *stage) makeMountPoint(m mount, done []string) error {
	var made []string
	for path := m.Target; ; path = filepath.Dir(path) {
		if _, err := os.Lstat(path); err == nil {
			break
		}
		made = append(made, path)
	}
	if len(made) == 0 {
		return nil
	}
	what, err := os.Stat(m.Source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.Target), 0o755); err != nil {
		return err
	}
	if what.IsDir() {
		err = os.MkdirAll(m.Target, 0o755)
	} else {
		err = os.WriteFile(m.Target, nil, 0o644)
	}
	if err != nil {
		return err
	}
	for _, above := range done {
		if strings.HasPrefix(m.Target, above+"/") {
			return nil
		}
	}
	list, err := os.OpenFile(s.MadeList, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer list.Close()
	_, err = list.WriteString(strings.Join(made, "\n") + "\n")
	return err
}
