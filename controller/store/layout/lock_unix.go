//go:build unix

package layout

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockPause is how long a locked file is left alone before it is looked at again.
const lockPause = 2 * time.Millisecond

// Lock waits until nobody else has the file of that name locked, and makes it if there is none.
// The system takes the lock back when the process ends. os.ErrDeadlineExceeded if somebody keeps it
// for longer than patience; without patience it is asked for once.
func (d *OpenDir) Lock(name string, patience time.Duration) (unlock func(), err error) {
	f, err := d.open(name, d.path+"/"+name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, Explain(d.path+"/"+name, err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(lockPause) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { f.Close() }, nil
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EWOULDBLOCK) && time.Now().Before(end):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			err = os.ErrDeadlineExceeded
		}
		f.Close()
		return nil, Explain(d.path+"/"+name, err)
	}
}
