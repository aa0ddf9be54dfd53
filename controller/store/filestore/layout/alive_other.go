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
