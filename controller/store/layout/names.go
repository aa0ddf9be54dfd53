package layout

import (
	"errors"
	"path"
	"slices"
	"strings"
	"time"

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
	kind, known := resources.KindOf(strings.TrimPrefix(strings.TrimPrefix(folder, DerivedDir+"/"), Dir+"/"))
	if !ok || !known || kind.Single || folder != Folder(kind.Plural) && folder != DerivedFolder(kind.Plural) {
		return resources.Key{}, false
	}
	return resources.Key{Kind: kind.Plural, Name: name}, true
}

// maxPasses is how often a folder is gone through that changes all the time.
const maxPasses = 6

// Names returns the names of all that is in the folder but its IgnoreFile, sorted, each once.
// It may name what was removed meanwhile, and leaves nothing out that was there all the time.
//
// One pass through a folder can leave such a file out: a save that renames a new version
// over a file moves its name behind the end of the list that the system has begun (btrfs,
// tmpfs), and a pass that has not come to the old place never meets it. So a pass counts
// alone only if the folder's times show that nothing changed in it meanwhile. Otherwise
// another one follows, and all that any of them met is there.
func (d *OpenDir) Names() ([]string, error) {
	var all []string
	calm := false
	for range maxPasses {
		began := time.Now()
		before, failed := d.self()
		names, err := d.pass()
		after, again := d.self()
		if err := errors.Join(failed, err, again); err != nil {
			return nil, d.explain("", err)
		}
		same := before.Same(after)
		if same && before.Settled(began) {
			return sorted(names), nil
		}
		all = append(all, names...)
		if same && calm {
			break
		}
		calm = same
	}
	return sorted(all), nil
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(slices.DeleteFunc(names, func(name string) bool { return name == IgnoreFile }))
}

// Names lists a folder of .idumb; see OpenDir.Names. None if there is no such folder.
func (r Root) Names(folder string) ([]string, error) {
	d, err := r.Open(folder)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Names()
}

// SpecNames lists the files of the objects of a kind, those that are derived included, sorted.
func (r Root) SpecNames(kind string) ([]string, error) {
	names, err := r.Names(Folder(kind))
	if folder := DerivedFolder(kind); folder != "" && err == nil {
		derived, _ := r.Names(folder) // what cannot be read is derived again
		names = sorted(append(names, derived...))
	}
	return names, err
}

// Locate is where an object stands: at its Path, or where it was derived if it is there only.
func (r Root) Locate(key resources.Key) string {
	if DerivedFolder(key.Kind) != "" && !exists(r.Abs(Path(key))) && exists(r.Abs(DerivedPath(key))) {
		return DerivedPath(key)
	}
	return Path(key)
}

// Stands reports whether there is an object, readable or not, set aside or not.
func (r Root) Stands(key resources.Key) bool {
	return resources.CheckName(key.Name) == nil && (exists(r.Abs(r.Locate(key))) || exists(r.Abs(ArchivePath(key))))
}

// Within one tick of the file system's clock a second change leaves the time of the first.
const (
	coarseTick = 2 * time.Second        // FAT has the slowest
	fineTick   = 100 * time.Millisecond // more than any that keeps fractions of a second
)

// Settled reports whether a change from that moment on would show in the Info: its times
// are older than a tick. A time in the future, after a clock was set back, proves nothing.
func (i Info) Settled(at time.Time) bool {
	tick := coarseTick
	if i.Changed%int64(time.Second) != 0 { // no tool can set that one
		tick = fineTick
	}
	return max(i.ModTime.UnixNano(), i.Changed) < at.Add(-tick).UnixNano()
}
