//go:build unix

package layout

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lockInterval is the interval for retrying a lock.
const lockInterval = 2 * time.Millisecond

// Lock locks the file with a name and creates it if necessary. The system
// releases the lock at the end of the process. It returns
// os.ErrDeadlineExceeded if the lock is not available within patience. With a
// zero patience it tries once.
func (d *OpenDir) Lock(name string, patience time.Duration) (unlock func(), err error) {
	f, err := d.open(name, d.path+"/"+name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, Explain(d.path+"/"+name, err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(lockInterval) {
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
