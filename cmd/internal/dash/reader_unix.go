//go:build unix

package dash

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// unread returns a channel that is closed when the reader closes w, if the system reports that. A
// program that waits for changes writes nothing and would not notice otherwise.
func unread(w io.Writer) <-chan struct{} {
	gone := make(chan struct{})
	f, ok := w.(*os.File)
	if !ok {
		return gone
	}
	fd := int32(f.Fd())
	go func() {
		for {
			fds := []unix.PollFd{{Fd: fd}}
			switch _, err := unix.Poll(fds, -1); {
			case errors.Is(err, unix.EINTR):
			case err != nil:
				return
			default:
				close(gone)
				return
			}
		}
	}()
	return gone
}
