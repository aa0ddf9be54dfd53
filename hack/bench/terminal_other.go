//go:build !linux

package main

import (
	"errors"
	"os"
	"os/exec"
)

func openTerminal(_, _ uint16) (ours, theirs *os.File, err error) {
	return nil, nil, errors.New("a terminal is opened on Linux only")
}

func inTerminal(*exec.Cmd) {}
