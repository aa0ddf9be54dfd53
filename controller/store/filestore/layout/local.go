package layout

import (
	"io/fs"
	"slices"
	"strings"
)

// LocalDirs are the folders of .idumb that belong to this machine alone: they are their
// owner's, and never committed.
func LocalDirs() []string {
	return []string{StatusDir, Dir + "/sessions", ArchiveDir + "/sessions", CheckpointsDir, EventsDir, ContextDir, QuarantineDir, Dir + "/grants", Dir + "/conflicts", RunDir}
}

// LocalFiles are the files of .idumb that belong to this machine alone.
func LocalFiles() []string { return []string{Dir + "/trajectory.json", Dir + "/queue.jsonl"} }

// IgnoreFile is the file that says what git leaves out. Each folder of LocalDirs has one of
// its own: on a branch without .idumb/.gitignore, git would offer what stands in them.
const IgnoreFile = ".gitignore"

// IgnoreAll is what it holds in a local folder.
const IgnoreAll = "# Local to this machine, and never committed.\n*\n"

// FolderMode is who may use a new folder at a path from the root: those that are committed
// are like any other of the repository, the local ones are their owner's alone.
func FolderMode(path string) fs.FileMode {
	for _, local := range LocalDirs() {
		if path == local || strings.HasPrefix(path, local+"/") {
			return 0o700
		}
	}
	return 0o755
}

// made completes a folder that was just made. That git should ignore it is no reason not to
// use it, so nothing here is an error.
func (d *OpenDir) made() {
	if slices.Contains(LocalDirs(), d.path) {
		d.Write(IgnoreFile, []byte(IgnoreAll), 0o600)
	}
}
