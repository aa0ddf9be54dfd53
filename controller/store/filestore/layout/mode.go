package layout

import (
	"io/fs"
	"strings"
)

// folderMode is what a new folder may be used for: those that are committed
// are like any other of the repository, the local ones are their owner's alone.
func folderMode(path string) fs.FileMode {
	for _, private := range []string{RunDir, StatusDir, QuarantineDir, CheckpointsDir, EventsDir, ContextDir, Dir + "/sessions"} {
		if path == private || strings.HasPrefix(path, private+"/") {
			return 0o700
		}
	}
	return 0o755
}
