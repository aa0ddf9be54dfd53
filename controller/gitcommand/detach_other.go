//go:build !unix

package gitcommand

import "os/exec"

// detach leaves a command as it is: elsewhere ssh asks in a window, which SSH_ASKPASS_REQUIRE forbids.
func detach(*exec.Cmd) {}
