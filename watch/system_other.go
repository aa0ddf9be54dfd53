//go:build !linux

package watch

import (
	"io/fs"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A cookie is not available: the system does not report changes in the order in which they were
// made.
type cookie struct{ path string }

// newCookie returns nil, because there are no cookies on this system.
func newCookie(*fsnotify.Watcher) *cookie { return nil }

// send does nothing. It is never called, because newCookie returns nil.
func (c *cookie) send() error { return nil }

// close does nothing. It is never called, because newCookie returns nil.
func (c *cookie) close() {}

// removals is not available; see Watcher.Removals.
type removals struct{}

// newRemovals returns nil, because removals are not watched on this system.
func newRemovals() *removals { return nil }

// look does nothing.
func (*removals) look(string) {}

// close does nothing.
func (*removals) close() {}

// run does nothing.
func (*removals) run(func(string)) {}

// foreignMount always returns "": mounts are examined on Linux only.
func foreignMount(string) string { return "" }

// An identity distinguishes versions of a file.
type identity struct {
	size, modified int64
	mode           fs.FileMode
}

// identify returns the identity of the current version of a file, which differs
// after a change, and the time of its last modification. It does not follow
// links.
func identify(path string) (id identity, modified time.Time, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return identity{}, time.Time{}, err
	}
	return identity{info.Size(), info.ModTime().UnixNano(), info.Mode()}, info.ModTime(), nil
}
