//go:build !unix

package tools

import (
	"context"
	"os/exec"
	"strconv"
)

// shellCommand is a command line. At the timeout all that it has started is ended with it.
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

// endGroup has nothing to end here: what outlives the shell is no longer known to be its own.
func endGroup(*exec.Cmd) {}
