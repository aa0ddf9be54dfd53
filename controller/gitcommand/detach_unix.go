//go:build unix

package gitcommand

import (
	"os/exec"
	"syscall"
)

// detach detaches a command from the terminal, where ssh would prompt for
// passphrases regardless of stdin.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
