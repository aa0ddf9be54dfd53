package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
)

// git runs a command in a repository.
func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s in %s: %s", args[0], dir, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}
