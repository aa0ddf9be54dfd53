//go:build unix

package hook

import "syscall"

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
