package layout

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// TempPrefix starts the names of our temporary files. Names that start so are
// never objects, and no watcher reports them.
const TempPrefix = ".tmp-"

// ObjectName returns the name of the object that a file of that name holds.
// The pattern ^[a-z0-9][a-z0-9.-]*\.json$ leaves out the temporary files of
// every editor and tool that we know of, ours included.
func ObjectName(file string) (string, bool) { return cutName(file, ".json") }

// LogName is ObjectName for a checkpoint log, <task>.jsonl.
func LogName(file string) (string, bool) { return cutName(file, ".jsonl") }

func cutName(file, suffix string) (string, bool) {
	name, ok := strings.CutSuffix(file, suffix)
	return name, ok && resources.CheckName(name) == nil
}

// KeyOf returns the object, or the checkpoint log, that stands at a path. It
// knows specs and logs only: false for statuses, the archive and all else.
func KeyOf(p string) (resources.Key, bool) {
	folder, file := path.Split(p)
	switch folder = strings.TrimSuffix(folder, "/"); folder {
	case Dir:
		name, ok := ObjectName(file)
		kind, known := resources.KindOf(name)
		return resources.Key{Kind: name, Name: name}, ok && known && kind.Single
	case CheckpointsDir:
		name, ok := LogName(file)
		return resources.Key{Kind: resources.CheckpointsKind, Name: name}, ok
	}
	name, ok := ObjectName(file)
	kind, known := resources.KindOf(strings.TrimPrefix(folder, Dir+"/"))
	if !ok || !known || kind.Single || folder != Folder(kind.Plural) {
		return resources.Key{}, false
	}
	return resources.Key{Kind: kind.Plural, Name: name}, true
}
