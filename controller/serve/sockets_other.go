//go:build !linux

package serve

import (
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// socketName returns the absolute path. The system rejects it if it exceeds the
// maximum length of a socket name (103 bytes on macOS).
func socketName(dir *layout.OpenDir, name string) string { return filepath.Join(dir.Dir(), name) }

// ownFolder restricts a directory to the current user.
func ownFolder(dir *layout.OpenDir) error { return os.Chmod(dir.Dir(), 0o700) }
