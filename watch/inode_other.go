//go:build !linux && !darwin

package watch

import "io/fs"

func inodeOf(fs.FileInfo) (inode uint64, changed int64) { return 0, 0 }
