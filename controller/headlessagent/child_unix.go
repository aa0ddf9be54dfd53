//go:build unix

package headlessagent

import (
	"os/exec"
	"syscall"
)

// inGroup puts a child into a new process group, which is killed with it.
func inGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// alone detaches a process from its parent and the terminal, so that it
// survives them.
func alone(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
