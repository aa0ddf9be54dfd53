//go:build unix

package effects

import (
	"io/fs"
	"syscall"
)

func hasMoreNames(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink > 1
}
