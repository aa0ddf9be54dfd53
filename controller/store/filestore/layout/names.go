package layout

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
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

// ClaimedName returns the name of the object, or of the task whose log it is, that a file of
// a kind's folder claims to be: any .json file that is not hidden, also under a name that no
// object can have, so that somebody is told. See Misnamed.
func ClaimedName(kind, file string) (string, bool) {
	if kind == resources.CheckpointsKind {
		return LogName(file)
	}
	name, ok := strings.CutSuffix(file, ".json")
	return name, ok && !strings.HasPrefix(name, ".") && name != ""
}

// KeysBelow returns the keys of a kind that have a file below a folder that has one folder
// for each kind (archive, status, quarantine), sorted. A link or a file in such a folder's
// place counts as an empty one: doctor names it, and specs and their statuses do without it.
func (r Root) KeysBelow(folder, kind string) ([]resources.Key, error) {
	names, err := r.Names(folder + "/" + kind)
	if errors.Is(err, store.ErrUnreadable) && r.readable() {
		return nil, nil
	}
	var keys []resources.Key
	for _, file := range names {
		if name, ok := ObjectName(file); ok {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys, err
}

// readable reports whether .idumb itself is a folder that may be read.
func (r Root) readable() bool {
	d, err := r.Open(Dir)
	if err == nil {
		d.Close()
	}
	return err == nil
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
