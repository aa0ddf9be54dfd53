//go:build unix

package effects

import (
	"io/fs"
	"syscall"
)

// hasMoreNames reports whether a file has more than one name.
func hasMoreNames(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink > 1
}
