//go:build unix

package hooks

import (
	"os"
	"syscall"
)

const programSuffix = ""

// detached starts a process in a session of its own, which the end of a terminal, or
// of the host's process group, leaves alone.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepToOurselves marks what the host may have left open in us beside the three
// standard files, so that no program that is started from here gets it.
func keepToOurselves() {
	const most = 256
	for fd := 3; fd < most; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// execute has this process run another program, with the same arguments, input and output. It
// returns where that cannot be run, as while it is being written.
func execute(path string) { _ = syscall.Exec(path, os.Args, os.Environ()) }
