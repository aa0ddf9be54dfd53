//go:build !unix

package layout

import (
	"errors"
	"io"
	"os"
)

// ControllerAlive reports whether a controller runs in this repository. On this
// system a locked file cannot be read by others, so it tests whether a read
// fails.
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

// sameHome returns true, because this system does not report owners and
// devices.
func sameHome(string, string) bool { return true }

// Forbidden returns false, because this system does not report file
// permissions.
func (r Root) Forbidden(string) bool { return false }

// NoFollow is 0, because Lstat detects reparse points.
const NoFollow = 0
