package filestore

import (
	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// syncsAll reports whether syncAll is supported.
const syncsAll = true

// syncAll flushes the file system of a directory. It reports disk errors since
// Linux 5.8. A full disk is reported by the writes.
func syncAll(d *layout.OpenDir) error { return unix.Syncfs(d.Fd()) }
