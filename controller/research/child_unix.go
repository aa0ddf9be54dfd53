//go:build unix

package research

import (
	"os/exec"
	"syscall"
)

// inGroup gives a child a process group of its own, all of which is killed with it.
func inGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// alone lets a process go on when the one that started it, or its terminal, ends.
func alone(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
