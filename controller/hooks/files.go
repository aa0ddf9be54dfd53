package hooks

import (
	"fmt"
	"os"
	"path"
	"slices"
	"time"

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
	names    map[string][]string    // of a kind, once listed
	texts    map[resources.Key]text // of whole kinds, until they are decoded
	whole    map[string]bool        // kinds of which all texts were read
	mentions map[string][]string    // of a kind and terms, once looked for
	patience time.Duration          // what is left for torn files, over the whole run
	unlisted error                  // why the objects of a kind cannot be told; nil if they can
}

func readFiles(root layout.Root) *files {
	return &files{
		root: root, patience: tornPatience,
		objects: map[resources.Key]resources.Object{}, states: map[resources.Key]graph.State{}, seen: map[string]*status.Evidence{},
		names: map[string][]string{}, texts: map[resources.Key]text{}, whole: map[string]bool{}, mentions: map[string][]string{},
	}
}

// text is a file as it was read.
type text struct {
	data []byte
	info layout.Info
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
	if t, known := f.texts[key]; known {
		if o := decoded(key, t.data, t.info); o != nil {
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
			if o := decoded(key, data, info); o != nil {
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

// decoded returns what a file holds, nil if that is no object.
func decoded(key resources.Key, data []byte, info layout.Info) resources.Object {
	o, _, err := resources.Read(key, data)
	if err != nil {
		return nil
	}
	o.Source().ModTime, o.Source().Revision = info.ModTime, resources.Revision(data)
	return o
}

func (f *files) lastGood(key resources.Key) resources.Object {
	data, _, found := f.root.LastGood(key)
	if !found {
		return nil
	}
	return decoded(key, data, layout.Info{})
}

// Names returns the names of a kind's objects, sorted.
func (f *files) Names(kind string) []string {
	if names, known := f.names[kind]; known {
		return names
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
	if lost := f.root.LostNames(kind); len(lost) > 0 {
		names = append(names, lost...)
		slices.Sort(names)
	}
	f.names[kind] = names
	return names
}

// Mentioning lists the objects of a kind whose files may hold one of the terms: far cheaper than
// decoding them, for scans. What cannot be read, or is broken with a good version kept elsewhere,
// may hold anything.
func (f *files) Mentioning(kind string, terms ...graph.Term) (names []string, exact bool) {
	memo := fmt.Sprint(kind, terms)
	if names, known := f.mentions[memo]; known {
		return names, false
	}
	f.readAll(kind)
	marks, _ := f.root.Names(layout.QuarantineDir + "/" + kind) // nearly always none
	f.mentions[memo] = slices.DeleteFunc(slices.Clone(f.Names(kind)), func(name string) bool {
		t, known := f.texts[resources.Key{Kind: kind, Name: name}]
		return known && len(t.data) > 0 && !slices.Contains(marks, name+".json") && !graph.MayHold(t.data, terms...)
	})
	return f.mentions[memo], false
}

// readAll reads the files of a kind, once and with their folder open: there may be thousands.
func (f *files) readAll(kind string) {
	if f.whole[kind] {
		return
	}
	f.whole[kind] = true
	folder, err := f.root.Open(layout.Folder(kind))
	if err != nil {
		return
	}
	defer folder.Close()
	for _, name := range f.Names(kind) {
		key := resources.Key{Kind: kind, Name: name}
		if data, info, err := folder.Read(path.Base(layout.Path(key)), layout.MaxSpec); err == nil {
			f.texts[key] = text{data, info}
		}
	}
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
