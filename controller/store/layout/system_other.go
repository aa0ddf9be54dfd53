//go:build !unix

package layout

import (
	"errors"
	"io"
	"os"
)

// ControllerAlive reports whether a controller runs in this repository. On this
// system a locked file cannot be read by others, so a read that fails says so.
func (r Root) ControllerAlive() bool {
	f, err := os.Open(r.Abs(ControllerLock))
	if err != nil {
		return false
	}
	defer f.Close()
	var b [1]byte
	_, err = f.Read(b[:])
	return err != nil && !errors.Is(err, io.EOF)
}

// sameHome reports whether two folders are of one owner, on one device; on this system
// nobody asks.
func sameHome(string, string) bool { return true }

// Forbidden reports whether the owner and mode of a file forbid this user to write it; on this system
// that is not known.
func (r Root) Forbidden(string) bool { return false }

// NoFollow is 0: reparse points are refused by Lstat.
const NoFollow = 0
