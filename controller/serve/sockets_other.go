//go:build !linux

package serve

import (
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// socketName is the absolute path, which the system refuses where it is longer than a
// socket's name can be (103 bytes on macOS).
func socketName(dir *layout.OpenDir, name string) string { return filepath.Join(dir.Dir(), name) }

// ownFolder lets nobody else into a folder.
func ownFolder(dir *layout.OpenDir) error { return os.Chmod(dir.Dir(), 0o700) }
