//go:build !linux

package replace

import (
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// isOpenForWriting returns false: this system does not tell which files are open.
func isOpenForWriting(*layout.OpenDir, string) bool { return false }

// Link gives a file a second name. It returns fs.ErrExist if the name is taken.
func Link(d *layout.OpenDir, name string, to *layout.OpenDir, newName string) error {
	return os.Link(filepath.Join(d.Dir(), name), filepath.Join(to.Dir(), newName))
}
