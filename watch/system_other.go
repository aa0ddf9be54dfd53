//go:build !linux

package watch

import (
	"io/fs"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

// cookie: on this system changes are not reported in the order in which they were made.
type cookie struct{ path string }

func newCookie(*fsnotify.Watcher) *cookie { return nil }

func (c *cookie) send() error { return nil }

func (c *cookie) close() {}

// removals are not told here: see Watcher.Removals.
type removals struct{}

func newRemovals() *removals { return nil }

func (*removals) look(string) {}

func (*removals) close() {}

func (*removals) run(func(string)) {}

// foreignMount tells nothing here.
func foreignMount(string) string { return "" }

// identity is what tells one version of a file from the next.
type identity struct {
	size, modified int64
	mode           fs.FileMode
}

// identify reports the identity of what stands at a path, and when it was last written.
func identify(path string) (id identity, modified time.Time, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return identity{}, time.Time{}, err
	}
	return identity{info.Size(), info.ModTime().UnixNano(), info.Mode()}, info.ModTime(), nil
}
