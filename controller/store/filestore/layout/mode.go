package layout

import (
	"io/fs"
	"strings"
)

// FolderMode is who may use a new folder at a path from the root: those that are committed
// are like any other of the repository, the local ones are their owner's alone.
func FolderMode(path string) fs.FileMode {
	for _, private := range []string{RunDir, StatusDir, QuarantineDir, CheckpointsDir, EventsDir, ContextDir, Dir + "/sessions"} {
		if path == private || strings.HasPrefix(path, private+"/") {
			return 0o700
		}
	}
	return 0o755
}
