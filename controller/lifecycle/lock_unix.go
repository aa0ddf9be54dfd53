//go:build unix

package lifecycle

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file. It returns ErrStarting if another process holds the lock.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrStarting
	}
	return os.NewSyscallError("flock", err)
}

// inherited is the descriptor of RecordStart's file in a started controller.
const inherited = 3

// Keep prevents programs started by this process from inheriting the file of RecordStart.
// Otherwise it would stay locked until the last of them ends.
func Keep() { syscall.CloseOnExec(inherited) }
