package watch

import (
	"fmt"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"
)

// cookie is a file that is changed so that the system reports it, in one line with
// all other changes. It has no name in any folder and is kept in memory: no disk is
// written, nothing is left behind, and nobody else changes it.
type cookie struct {
	fd   int
	path string // in reports
}

// newCookie makes a cookie and watches it; nil if that cannot be done.
func newCookie(system *fsnotify.Watcher) *cookie {
	fd, err := unix.MemfdCreate("idumb-cookie", unix.MFD_CLOEXEC)
	if err != nil {
		return nil
	}
	c := &cookie{fd: fd, path: fmt.Sprintf("/proc/self/fd/%d", fd)}
	if system.Add(c.path) != nil {
		unix.Close(fd)
		return nil
	}
	return c
}

// send changes the cookie: its mode, to what it is.
func (c *cookie) send() error { return unix.Fchmod(c.fd, 0o600) }

func (c *cookie) close(system *fsnotify.Watcher) {
	system.Remove(c.path)
	unix.Close(c.fd)
}
