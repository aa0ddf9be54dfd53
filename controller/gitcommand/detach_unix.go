//go:build unix

package gitcommand

import (
	"os/exec"
	"syscall"
)

// detach takes a command from the terminal: ssh asks for passphrases there, whatever stdin is.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
