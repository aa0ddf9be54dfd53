//go:build unix

// Peak runs a command and prints its peak memory as the last line on standard error. A process that
// is started by a large one inherits its counter, so this small program starts it.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if usage, known := cmd.ProcessState.SysUsage().(*syscall.Rusage); known {
		fmt.Fprintf(os.Stderr, "\n%d", usage.Maxrss)
	}
	if err != nil {
		os.Exit(1)
	}
}
