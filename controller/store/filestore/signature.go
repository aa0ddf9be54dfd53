package filestore

import (
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

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

// modTime is mtime as package os gives it.
func (s signature) modTime() time.Time { return time.Unix(0, s.mtime) }

// racy is how recently a file may have changed for its signature to prove nothing:
// it may change again within one tick of the file system's clock, which is two
// seconds on FAT (git calls such an entry racily clean).
const racy = 2 * time.Second

// racyFine is racy for a file system that keeps fractions of a second: its clock
// ticks as the kernel's does, every 10 ms at the slowest.
const racyFine = 100 * time.Millisecond

// racyAt reports whether the signature, taken at that moment, proves nothing. A time
// in the future, after a clock was set back, proves nothing either.
func (s signature) racyAt(t time.Time) bool {
	window := racy
	if s.changed%int64(time.Second) != 0 { // no tool can set that one
		window = racyFine
	}
	return max(s.mtime, s.changed) > t.Add(-window).UnixNano()
}
