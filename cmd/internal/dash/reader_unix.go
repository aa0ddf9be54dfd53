//go:build unix

package dash

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// unread is closed once nobody reads any more what is written to w, as far as the system tells: who waits
// for a change writes nothing meanwhile, and would not notice.
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
			_, err := unix.Poll(fds, -1)
			switch {
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
