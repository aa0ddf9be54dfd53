//go:build unix

package life

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file, and does not wait for who holds it.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrUnderWay
	}
	return os.NewSyscallError("flock", err)
}

// inherited is the number under which a controller that was started finds the file of Begin.
const inherited = 3

// Keep keeps the file of Begin, which this process got from who started it, from the programs
// that this one starts: it is locked for as long as the last of them lives.
func Keep() { syscall.CloseOnExec(inherited) }
