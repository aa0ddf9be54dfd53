//go:build !linux

package filestore

import (
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// link gives a file a second name; fs.ErrExist if that is taken.
func link(d *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	return os.Link(filepath.Join(d.Dir(), name), filepath.Join(to.Dir(), newName))
}

// lstat says what stands under a name, and whether it is a regular file.
func lstat(d *layout.OpenDir, name string) (signature, bool, error) {
	info, err := os.Lstat(filepath.Join(d.Dir(), name))
	if err != nil {
		return signature{}, false, err
	}
	return signatureOf(layout.InfoOf(info)), info.Mode().IsRegular(), nil
}

// keepsNames reports whether a folder's time of change is known to be another one after any
// change of its names.
func keepsNames(*layout.OpenDir) bool { return false }
