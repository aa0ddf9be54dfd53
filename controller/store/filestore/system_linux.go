package filestore

import (
	"golang.org/x/sys/unix"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// syncsAll says that syncAll is to be had.
const syncsAll = true

// syncAll returns when all that was written to the file system of a folder is on disk. A disk that fails meanwhile is
// heard of from Linux 5.8 on; a full one was heard of by whoever wrote.
func syncAll(d *layout.OpenDir) error { return unix.Syncfs(d.Fd()) }
