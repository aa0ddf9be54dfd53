//go:build !unix

package tools

import (
	"context"
	"os/exec"
)

// shellCommand is a command line. On this system only the shell itself is ended at
// the timeout.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd", "/C", line)
}

// endGroup has nothing to end here.
func endGroup(*exec.Cmd) {}
