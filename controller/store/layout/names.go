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

// TempPrefix is the prefix of our temporary files. Such names are never
// objects, and watchers ignore them.
const TempPrefix = ".tmp-"

// ObjectName returns the name of the object in a file. The pattern
// ^[a-z0-9][a-z0-9.-]*\.json$ excludes the temporary files of every known
// editor and tool, including ours.
func ObjectName(file string) (string, bool) { return cutName(file, ".json") }

// LogName is like ObjectName for a checkpoint log, <task>.jsonl.
func LogName(file string) (string, bool) { return cutName(file, ".jsonl") }

// cutName removes the suffix from a file name. It returns false if the rest is
// not a valid object name.
func cutName(file, suffix string) (string, bool) {
	name, ok := strings.CutSuffix(file, suffix)
	return name, ok && resources.CheckName(name) == nil
}

// ClaimedName returns the object name that a file in a kind's directory claims,
// or the task name of a log. It accepts any .json file that is not hidden,
// including invalid names, so that they can be reported. See Misnamed.
func ClaimedName(kind, file string) (string, bool) {
	if kind == resources.CheckpointsKind {
		return LogName(file)
	}
	name, ok := strings.CutSuffix(file, ".json")
	return name, ok && !strings.HasPrefix(name, ".") && name != ""
}

// KeysBelow returns the keys of a kind with a file below a directory that has
// one directory for each kind (archive, status, quarantine), sorted. A link or
// a file in place of the kind's directory counts as empty; doctor reports it.
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

// readable reports whether .idumb is a readable directory.
func (r Root) readable() bool {
	d, err := r.Open(Dir)
	if err == nil {
		d.Close()
	}
	return err == nil
}

// KeyOf returns the key of the object or checkpoint log at a path. It returns
// false for other files, such as statuses and archived objects.
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

// ClaimedKeyOf is like KeyOf, but accepts also the path of a file in a kind's directory whose name
// is not valid for an object. See ClaimedName.
func ClaimedKeyOf(p string) (resources.Key, bool) {
	if key, ok := KeyOf(p); ok {
		return key, true
	}
	folder, file := path.Split(p)
	kind, known := resources.KindOf(strings.TrimPrefix(strings.TrimSuffix(folder, "/"), Dir+"/"))
	if !known || kind.Single || folder != Folder(kind.Plural)+"/" {
		return resources.Key{}, false
	}
	name, ok := ClaimedName(kind.Plural, file)
	return resources.Key{Kind: kind.Plural, Name: name}, ok
}

// maxPasses is the maximum number of passes through a directory that changes
// all the time.
const maxPasses = 6

// Names returns the names in the directory except IgnoreFile, sorted and
// without duplicates. It may contain names that were removed during the call.
// It contains every name that existed during the whole call.
//
// A single pass can miss a file. A save that renames a new version over a file
// moves its name to the end of the listing on some file systems (btrfs, tmpfs),
// after the pass has started. A pass is therefore sufficient only if the
// directory's times show no change. Otherwise more passes follow, and the
// results are combined.
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
		same := before.Equal(after)
		if same && before.IsSettled(began) {
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

// sorted sorts names in place and removes duplicates and IgnoreFile.
func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(slices.DeleteFunc(names, func(name string) bool { return name == IgnoreFile }))
}

// Names lists a directory of .idumb; see OpenDir.Names. It returns nil if the
// directory does not exist.
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

// SpecNames returns the file names of a kind's objects, including derived ones,
// sorted.
func (r Root) SpecNames(kind string) ([]string, error) {
	names, err := r.Names(Folder(kind))
	if folder := DerivedFolder(kind); folder != "" && err == nil {
		derived, _ := r.Names(folder) // unreadable ones are derived again
		names = sorted(append(names, derived...))
	}
	return names, err
}

// Locate returns the path of an object: its Path, or its DerivedPath if only
// the derived file exists.
func (r Root) Locate(key resources.Key) string {
	if DerivedFolder(key.Kind) != "" && !exists(r.Abs(Path(key))) && exists(r.Abs(DerivedPath(key))) {
		return DerivedPath(key)
	}
	return Path(key)
}

// HasObject reports whether an object exists, readable or not, active or archived.
func (r Root) HasObject(key resources.Key) bool {
	return resources.CheckName(key.Name) == nil && (exists(r.Abs(r.Locate(key))) || exists(r.Abs(ArchivePath(key))))
}

// Changes within one tick of the file system's clock may have the same time.
const (
	coarseTick = 2 * time.Second        // FAT has the coarsest clock
	fineTick   = 100 * time.Millisecond // longer than any clock with fractions of a second
)

// IsSettled reports whether a change after at would be visible in the Info: its
// times are older than a tick. A time in the future, after the clock was set
// back, proves nothing.
func (i Info) IsSettled(at time.Time) bool {
	tick := coarseTick
	if i.Changed%int64(time.Second) != 0 { // programs cannot set this time
		tick = fineTick
	}
	return max(i.ModTime.UnixNano(), i.Changed) < at.Add(-tick).UnixNano()
}
