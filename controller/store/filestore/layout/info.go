package layout

import (
	"io/fs"
	"time"
)

// Limits on what is read.
const (
	MaxSpec = 1 << 20  // bytes of an object, status or mark
	MaxLog  = 16 << 20 // bytes of a log; of a longer one the end is read
)

// Info is what the file system says about a file: enough to tell whether it is
// the one that was read before.
type Info struct {
	Size    int64
	ModTime time.Time
	Changed int64  // Unix nanoseconds of the last change of content or attributes, which no tool can set back; 0 where the system has none
	Inode   uint64 // 0 where the system has none
	Mode    fs.FileMode
}

// Same reports whether nothing suggests that the file changed in between.
func (i Info) Same(other Info) bool {
	return i.Size == other.Size && i.ModTime.Equal(other.ModTime) && i.Changed == other.Changed &&
		i.Inode == other.Inode && i.Mode == other.Mode
}
