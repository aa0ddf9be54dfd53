//go:build !unix

package gitcommand

import "os/exec"

// detach does nothing: on other systems ssh prompts in a window, which
// SSH_ASKPASS_REQUIRE prevents.
func detach(*exec.Cmd) {}
