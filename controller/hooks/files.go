package hooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Timeouts for a file that another program is writing in place. Some programs,
// for example vim and node, truncate the file first. A file that does not parse
// is therefore read again.
const (
	tornPatience = 50 * time.Millisecond
	tornPause    = 5 * time.Millisecond
)

// files is a graph.Reader for the spec files of a repository. It reads files by
// name and caches them, so that a decision uses one version of each object.
type files struct {
	root     layout.Root
	objects  map[resources.Key]resources.Object // nil values: missing or invalid
	states   map[resources.Key]graph.State      // of objects that are not missing
	evidence map[string]*status.Evidence
	lists    map[string]*list    // of kinds
	mentions map[string][]string // results of searches, by kind and terms
	last     *ledger             // of plans and tasks, or nil before it is read
	patience time.Duration       // the remaining time for incomplete files, for the whole run
	unlisted error               // why the objects of a kind cannot be listed
}

// readFiles returns a reader with empty caches. It reads each file when it is needed.
func readFiles(root layout.Root) *files {
	return &files{
		root: root, patience: tornPatience,
		objects: map[resources.Key]resources.Object{}, states: map[resources.Key]graph.State{}, evidence: map[string]*status.Evidence{},
		lists: map[string]*list{}, mentions: map[string][]string{},
	}
}

// list holds the objects of a kind.
type list struct {
	names []string // sorted
	texts []*text  // in the order of names, after all were read; nil for an unreadable file
}

// text is the content of a file.
type text struct {
	data    []byte
	modTime time.Time
	stamp   []byte // different for each version of the file; empty if unknown
}

// stamp returns the stamp of a file that has not changed within the last clock
// tick of its file system.
func stamp(info layout.Info) []byte {
	b := make([]byte, 0, 64)
	for _, n := range [...]int64{info.ModTime.UnixNano(), info.Changed, info.Size, int64(info.Inode)} {
		b = append(strconv.AppendInt(b, n, 36), '/')
	}
	return b
}

// equal reports whether two texts of an object are the same.
func (t *text) equal(other *text) bool {
	return len(t.stamp) > 0 && bytes.Equal(t.stamp, other.stamp) || bytes.Equal(t.data, other.data)
}

// object decodes the text. It returns nil if the text is invalid.
func (t *text) object(key resources.Key) resources.Object {
	o, _, err := resources.Read(key, t.data)
	if err != nil {
		return nil
	}
	o.Source().ModTime, o.Source().Revision = t.modTime, resources.Revision(t.data)
	return o
}

// Get returns the last valid version of an object, and the state of its file.
func (f *files) Get(key resources.Key) (resources.Object, graph.State) {
	if _, known := f.objects[key]; !known {
		f.objects[key], f.states[key] = f.read(key)
	}
	return f.objects[key], f.states[key]
}

// read reads an object by name. It retries a file that is being written, and
// then returns the last valid version of an invalid file.
func (f *files) read(key resources.Key) (resources.Object, graph.State) {
	if resources.CheckName(key.Name) != nil {
		return nil, graph.Missing
	}
	if t := f.text(key); t != nil {
		if o := t.object(key); o != nil {
			return o, graph.Good
		}
	}
	for {
		place := f.root.Locate(key)
		data, info, err := f.root.Read(place, layout.MaxSpec)
		if err != nil && !exists(f.root.Abs(place)) { // or the folder is unreadable
			if exists(f.root.Abs(layout.ArchivePath(key))) {
				return nil, graph.Archived
			}
			if f.root.MarkOf(key) != nil {
				return f.lastGood(key), graph.Broken
			}
			return nil, graph.Missing
		}
		if err == nil {
			if o := (&text{data: data, modTime: info.ModTime}).object(key); o != nil {
				return o, graph.Good
			}
		}
		if err != nil || f.patience <= 0 {
			return f.lastGood(key), graph.Broken
		}
		time.Sleep(tornPause)
		f.patience -= tornPause
	}
}

// lastGood returns the last valid version of an object, nil if none is known.
func (f *files) lastGood(key resources.Key) resources.Object {
	data, _ := githistory.LastGood(context.Background(), f.root, key)
	if data == nil {
		return nil
	}
	return (&text{data: data}).object(key)
}

// Names returns the names of a kind's objects, sorted.
func (f *files) Names(kind string) []string { return f.list(kind).names }

// list returns the list of a kind, which it reads once. It includes objects whose files were lost.
func (f *files) list(kind string) *list {
	if known := f.lists[kind]; known != nil {
		return known
	}
	found, err := f.root.SpecNames(kind)
	if err != nil {
		f.unlisted = err
	}
	names := make([]string, 0, len(found))
	for _, file := range found {
		if name, ok := layout.ObjectName(file); ok {
			names = append(names, name)
		}
	}
	names = append(names, f.root.LostNames(kind)...)
	slices.Sort(names) // "a-b.json" comes before "a.json"
	f.lists[kind] = &list{names: names}
	return f.lists[kind]
}

// find returns the index of an object's text, or -1.
func (l *list) find(name string) int {
	if l == nil || l.texts == nil {
		return -1
	}
	i, found := slices.BinarySearch(l.names, name)
	if !found {
		return -1
	}
	return i
}

// text returns the text of an object if all files of the kind were read, else
// nil.
func (f *files) text(key resources.Key) *text {
	if i := f.lists[key.Kind].find(key.Name); i >= 0 {
		return f.lists[key.Kind].texts[i]
	}
	return nil
}

// Mentioning lists the objects of a kind with files that may contain one of the
// terms. It is much faster than decoding the files. A file that is unreadable,
// or invalid with a valid older version, always matches. exact is always false.
func (f *files) Mentioning(kind string, terms ...graph.Term) (names []string, exact bool) {
	memo := fmt.Sprint(kind, terms)
	if names, known := f.mentions[memo]; known {
		return names, false
	}
	marks, _ := f.root.Names(layout.QuarantineDir + "/" + kind) // usually empty
	all := f.readAll(kind)
	for i, name := range all.names {
		if t := all.texts[i]; t == nil || len(t.data) == 0 || slices.Contains(marks, name+".json") || graph.MayHold(t.data, terms...) {
			names = append(names, name)
		}
	}
	f.mentions[memo] = names
	return names, false
}

// readAll reads all files of a kind once. It keeps their folder open, because
// there may be thousands of files.
func (f *files) readAll(kind string) *list {
	all := f.list(kind)
	if all.texts != nil {
		return all
	}
	all.texts = make([]*text, len(all.names))
	folder, err := f.root.Open(layout.Folder(kind))
	if err != nil {
		return all
	}
	defer folder.Close()
	for i, name := range all.names {
		all.texts[i] = f.textIn(folder, resources.Key{Kind: kind, Name: name})
	}
	return all
}

// textIn reads a file from the folder of its kind. For a file that is unchanged
// since the ledger, it reads only the file's attributes.
func (f *files) textIn(folder *layout.OpenDir, key resources.Key) *text {
	file := key.Name + ".json"
	if store.IsPlanned(key.Kind) {
		if was := f.ledger().specs[key]; was != nil && len(was.stamp) > 0 {
			if info, err := folder.Glance(file); err == nil && bytes.Equal(stamp(info), was.stamp) {
				was.modTime = info.ModTime
				return &was.text
			}
		}
	}
	began := time.Now()
	data, info, err := folder.Read(file, layout.MaxSpec)
	if err != nil {
		return nil
	}
	t := &text{data: data, modTime: info.ModTime}
	if info.IsSettled(began) {
		t.stamp = stamp(info)
	}
	return t
}

// Evidence reads the evidence in the log of a task.
func (f *files) Evidence(task string) *status.Evidence {
	if s, known := f.evidence[task]; known {
		return s
	}
	data, _, _ := f.root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	s, _ := status.ReadEvidence(data)
	f.evidence[task] = s
	return s
}

// exists reports whether a path exists. A link exists even if its target does not.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
