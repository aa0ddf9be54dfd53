package watch

import "io/fs"

// identity is what tells one version of a file from the next.
type identity struct {
	size, mtime int64
	changed     int64  // of the inode, which no tool can set back; 0 where there is none
	inode       uint64 // 0 where there is none
	mode        fs.FileMode
}

func identify(info fs.FileInfo) identity {
	id := identity{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	id.inode, id.changed = inodeOf(info)
	return id
}
