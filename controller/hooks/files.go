package hooks

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Waiting for someone who writes a file in place: vim and node cut it to zero
// bytes first, so what does not parse is read again for a moment.
const (
	tornPatience = 50 * time.Millisecond
	tornPause    = 5 * time.Millisecond
)

// files is a graph.Reader over a repository's spec files, which it reads by name. What was read
// once is kept: a decision sees one version of each object.
type files struct {
	root     layout.Root
	objects  map[resources.Key]resources.Object // nil values: not there, or never readable
	states   map[resources.Key]graph.State      // of objects, unless they are missing
	seen     map[string]*status.Evidence
	lists    map[string]*list    // of kinds
	mentions map[string][]string // of a kind and terms, once looked for
	last     *ledger             // of plans and tasks, once read
	patience time.Duration       // what is left for torn files, over the whole run
	unlisted error               // why the objects of a kind cannot be told; nil if they can
}

func readFiles(root layout.Root) *files {
	return &files{
		root: root, patience: tornPatience,
		objects: map[resources.Key]resources.Object{}, states: map[resources.Key]graph.State{}, seen: map[string]*status.Evidence{},
		lists: map[string]*list{}, mentions: map[string][]string{},
	}
}

// list is what there is of a kind.
type list struct {
	names []string // sorted
	texts []*text  // in that order, once all were read; nil for what cannot be read
}

// text is a file as it was read.
type text struct {
	data    []byte
	modTime time.Time
	stamp   []byte // another one for each version of the file; empty where that cannot be told
}

// stamp is that of a file which did not change within a tick of its clock before.
func stamp(info layout.Info) []byte {
	b := make([]byte, 0, 64)
	for _, n := range [...]int64{info.ModTime.UnixNano(), info.Changed, info.Size, int64(info.Inode)} {
		b = append(strconv.AppendInt(b, n, 36), '/')
	}
	return b
}

// same reports whether two texts of an object are the same.
func (t *text) same(other *text) bool {
	return len(t.stamp) > 0 && bytes.Equal(t.stamp, other.stamp) || bytes.Equal(t.data, other.data)
}

// object is what a text says; nil if that cannot be read.
func (t *text) object(key resources.Key) resources.Object {
	o, _, err := resources.Read(key, t.data)
	if err != nil {
		return nil
	}
	o.Source().ModTime, o.Source().Revision = t.modTime, resources.Revision(t.data)
	return o
}

// Get returns the last good version of an object, and how its file stands.
func (f *files) Get(key resources.Key) (resources.Object, graph.State) {
	if _, known := f.objects[key]; !known {
		f.objects[key], f.states[key] = f.read(key)
	}
	return f.objects[key], f.states[key]
}

// read reads an object by name: the file itself, again for a moment if it is
// being written, and then the last good version of a broken one.
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
		if err != nil && !exists(f.root.Abs(place)) { // or its folder cannot be read
			if exists(f.root.Abs(layout.ArchivePath(key))) {
				return nil, graph.Archived
			}
			if f.root.Lost(key) != nil {
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

func (f *files) lastGood(key resources.Key) resources.Object {
	data, _, found := f.root.LastGood(key)
	if !found {
		return nil
	}
	return (&text{data: data}).object(key)
}

// Names returns the names of a kind's objects, sorted.
func (f *files) Names(kind string) []string { return f.list(kind).names }

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

// find returns where the text of an object is; -1 if there is none.
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

// text is a file as it was read with all of its kind; nil if it was not.
func (f *files) text(key resources.Key) *text {
	if i := f.lists[key.Kind].find(key.Name); i >= 0 {
		return f.lists[key.Kind].texts[i]
	}
	return nil
}

// forget has an object read again by whoever asks for it next.
func (f *files) forget(key resources.Key) {
	delete(f.objects, key)
	if i := f.lists[key.Kind].find(key.Name); i >= 0 {
		f.lists[key.Kind].texts[i] = nil
	}
}

// Mentioning lists the objects of a kind whose files may hold one of the terms: far cheaper than
// decoding them, for scans. What cannot be read, or is broken with a good version kept elsewhere,
// may hold anything.
func (f *files) Mentioning(kind string, terms ...graph.Term) (names []string, exact bool) {
	memo := fmt.Sprint(kind, terms)
	if names, known := f.mentions[memo]; known {
		return names, false
	}
	marks, _ := f.root.Names(layout.QuarantineDir + "/" + kind) // nearly always none
	all := f.readAll(kind)
	for i, name := range all.names {
		if t := all.texts[i]; t == nil || len(t.data) == 0 || slices.Contains(marks, name+".json") || graph.MayHold(t.data, terms...) {
			names = append(names, name)
		}
	}
	f.mentions[memo] = names
	return names, false
}

// readAll reads the files of a kind, once and with their folder open: there may be thousands.
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

// textIn reads a file from the folder of its kind. One that is as the ledger has it costs a look.
func (f *files) textIn(folder *layout.OpenDir, key resources.Key) *text {
	file := key.Name + ".json"
	if store.Planned(key.Kind) {
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
	if info.Settled(began) {
		t.stamp = stamp(info)
	}
	return t
}

// Evidence reads what a task's log amounts to.
func (f *files) Evidence(task string) *status.Evidence {
	if s, known := f.seen[task]; known {
		return s
	}
	data, _, _ := f.root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	s, _ := status.ReadEvidence(data)
	f.seen[task] = s
	return s
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
