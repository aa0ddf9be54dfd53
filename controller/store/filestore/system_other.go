//go:build !linux

package filestore

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// link gives a file a second name; fs.ErrExist if that is taken.
func link(d *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	return os.Link(filepath.Join(d.Dir(), name), filepath.Join(to.Dir(), newName))
}

// syncsAll says that syncAll is to be had.
const syncsAll = false

func syncAll(*layout.OpenDir) error { return errors.ErrUnsupported }
