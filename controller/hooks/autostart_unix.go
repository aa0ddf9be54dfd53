//go:build unix

package hooks

import (
	"os"
	"syscall"
)

// detached returns attributes that start a process in a new session. The
// process survives the end of the terminal and of the host's process group.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// closeOnExec sets close-on-exec for all files that the host may have left
// open, except the three standard files, so that started programs do not
// inherit them.
func closeOnExec() {
	const most = 256
	for fd := 3; fd < most; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// execute replaces this process by another program, with the same arguments,
// input and output. It returns if the program cannot be run, for example while
// its file is being written.
func execute(path string) { _ = syscall.Exec(path, os.Args, os.Environ()) }
