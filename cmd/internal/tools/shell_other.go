//go:build !unix

package tools

import (
	"context"
	"os/exec"
	"strconv"
)

// shellCommand returns a command that runs line. At the timeout, the shell and its child processes
// are killed.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd", "/C", line)
	cmd.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	return cmd
}

// endGroup does nothing here, because processes that outlive the shell cannot be identified.
func endGroup(*exec.Cmd) {}
