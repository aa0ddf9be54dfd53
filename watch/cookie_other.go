//go:build !linux

package watch

import "github.com/fsnotify/fsnotify"

// cookie: on this system changes are not reported in the order in which they were made.
type cookie struct{ path string }

func newCookie(*fsnotify.Watcher) *cookie { return nil }

func (c *cookie) send() error { return nil }

func (c *cookie) close(*fsnotify.Watcher) {}
