//go:build unix

package drive

import (
	"os"
	"syscall"
)

func hang(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }
func goOn(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
