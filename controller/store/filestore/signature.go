package filestore

import "github.com/idumb-dev/idumb/controller/store/filestore/layout"

// signature is what tells one version of a file from the next without reading it.
type signature struct {
	size    int64
	mtime   int64 // Unix nanoseconds
	changed int64 // Unix nanoseconds; 0 where the system has none
	inode   uint64
}

func signatureOf(i layout.Info) signature {
	return signature{size: i.Size, mtime: i.ModTime.UnixNano(), changed: i.Changed, inode: i.Inode}
}
