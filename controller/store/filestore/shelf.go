package filestore

import (
	"errors"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// An index is written anew when more than this many of its entries, and more than
// one in a hundred, are out of date: reading stays reading most of the time.
const outdated = 16

// shelf loads the files of one kind through the index.
type shelf struct {
	*loader
	kind    string
	d       *layout.OpenDir
	form    *form // nil: so few files that no index is kept
	old     *index
	names   []string       // of the folder
	kept    []int32        // of each name: the entry that still holds; -1 for none
	fresh   map[int]*entry // of the next index, by name's number, where none holds
	now     int            // the name's number that is loaded
	found   ranked
	changed int // entries that the old index did not have like that

	folder   signature // of the folder itself, before its names were listed
	provable bool      // while that is the same, so are the names
	listed   bool      // they are not the index's
}

func newShelf(l *loader, kind string, d *layout.OpenDir) *shelf {
	s := &shelf{loader: l, kind: kind, d: d, old: &index{}, fresh: map[int]*entry{}}
	if l.s.hasIndex(kind) {
		s.form = newForm(kind)
		s.old = l.s.readIndex(s.form)
	}
	return s
}

// load takes every file that claims to be an object.
func (s *shelf) load() error {
	names, err := s.list()
	if err != nil {
		return err
	}
	s.s.litter.note(layout.Folder(s.kind), names)
	if s.form == nil && len(names) > outdated {
		s.form = newForm(s.kind)
	}
	s.names = names
	s.kept = s.compare(names)
	if s.kind != resources.Mems {
		s.found.placed = make([]resources.Object, s.old.count)
	}
	for i, file := range names {
		if s.kept[i] >= 0 && s.takeKept(i, file) {
			continue
		}
		name, ok := objectFile(s.kind, file)
		if !ok {
			continue
		}
		s.now, s.kept[i] = i, -1
		if err := s.file(file, resources.Key{Kind: s.kind, Name: name}); err != nil {
			return err
		}
	}
	s.finish()
	return nil
}

// takeKept brings in an entry that still holds; false if it turns out to be damaged.
func (s *shelf) takeKept(i int, file string) bool {
	n := int(s.kept[i])
	if s.kind == resources.Mems && s.old.flags(n)&flagBroken == 0 {
		return true // it is made when somebody asks for it
	}
	name, ok := objectFile(s.kind, file)
	e := s.old.entry(n)
	return ok && s.take(resources.Key{Kind: s.kind, Name: name}, &e)
}

// finish hands over what was found, and writes the next index if that pays.
func (s *shelf) finish() {
	if s.kind == resources.Mems {
		s.in.Mems = s.deferred()
	} else {
		s.in.Objects = append(s.in.Objects, s.found.sorted()...)
	}
	there := len(s.fresh)
	for _, n := range s.kept {
		if n >= 0 {
			there++
		}
	}
	s.changed += s.old.count - min(s.old.count, there) // those that are gone
	if s.changed > max(outdated, there/100) {
		s.s.writeIndex(s.form, s.next(there))
		return
	}
	s.note()
}

// next is the content of the next index.
func (s *shelf) next(size int) []entry {
	entries := make([]entry, 0, size)
	for i, n := range s.kept {
		if n >= 0 {
			entries = append(entries, s.old.entry(int(n)))
		} else if e := s.fresh[i]; e != nil {
			entries = append(entries, *e)
		}
	}
	return entries
}

// file takes one file that no entry holds for.
func (s *shelf) file(file string, key resources.Key) error {
	sig, regular, err := lstat(s.d, file)
	if isMissing(err) {
		return nil // gone since the folder was read
	}
	if n, found := s.old.find(file); found && err == nil && regular && s.old.sig(n) == sig {
		known := s.old.entry(n)
		return s.read(file, key, &known)
	}
	return s.read(file, key, nil)
}

// take brings in what the index says; false if the entry turns out to be damaged.
func (s *shelf) take(key resources.Key, e *entry) bool {
	switch {
	case e.flags&flagBroken != 0:
		p, ok := s.form.decodeProblem(&s.r, e)
		if ok {
			s.broken(key, p)
		}
		return ok
	case s.kind == resources.CheckpointsKind:
		seen, ok := s.form.decodeSightings(&s.r, e)
		s.in.Sightings[key.Name] = seen
		return ok
	}
	o, ok := s.form.decodeObject(&s.r, e)
	if ok {
		s.found.put(o, e.rank)
	}
	return ok
}

// read reads a file. racy is its entry if that has the same signature, which
// proves nothing: if the bytes are the same after all, they need not be decoded.
func (s *shelf) read(file string, key resources.Key, racy *entry) error {
	data, info, err := s.content(file, key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil && fatal(err):
		return err
	case err != nil: // not a regular file, or not to be read: nothing to be remembered by
		s.broken(key, err)
		return nil
	}
	e := &entry{name: file, rank: unranked, sig: signatureOf(info), rev: resources.Revision(data)}
	if e.sig.racyAt(s.began) {
		e.flags = flagRacy
	}
	if racy != nil && racy.rev == e.rev && racy.sig == e.sig {
		e.flags |= racy.flags & flagBroken
		e.content, e.rank, e.sketch = racy.content, racy.rank, racy.sketch
		if s.take(key, e) {
			s.keep(e, racy.flags != e.flags)
			return nil
		}
	}
	s.decode(e, key, data)
	s.keep(e, true)
	return nil
}

func (s *shelf) keep(e *entry, changed bool) {
	s.fresh[s.now] = e
	if changed {
		s.changed++
	}
}

// decode reads an object or a log out of a file's bytes.
func (s *shelf) decode(e *entry, key resources.Key, data []byte) {
	if s.kind == resources.CheckpointsKind {
		seen, _ := resources.ReadSightings(data) // doctor reads logs for what is damaged in them
		s.in.Sightings[key.Name] = seen
		s.remember(e, func() packed { return s.form.encodeSightings(seen) })
		return
	}
	object, _, err := resources.Read(key, data)
	if err != nil {
		p := problemOf(key, err)
		s.broken(key, p)
		e.flags |= flagBroken
		s.remember(e, func() packed { return s.form.encodeProblem(p) })
		return
	}
	*object.Source() = resources.Origin{Revision: e.rev, ModTime: e.sig.modTime()}
	s.found.put(object, e.rank)
	s.remember(e, func() packed {
		if m, ok := object.(*resources.Mem); ok {
			drawn := resources.SketchMem(m)
			e.sketch = sketchOf(&drawn)
			e.sketch.setSays(resources.MemSays(m))
		}
		return s.form.encodeObject(object)
	})
}

// remember gives an entry its content, if an index is kept.
func (s *shelf) remember(e *entry, content func() packed) {
	if s.form != nil {
		e.content = content()
	}
}

// content reads a file. One that was changed a moment ago and makes no sense is
// read again: some editors truncate a file before they write it.
func (s *shelf) content(file string, key resources.Key) ([]byte, layout.Info, error) {
	if s.kind == resources.CheckpointsKind {
		return s.d.ReadLog(file)
	}
	if err := resources.CheckName(key.Name); err != nil {
		return nil, layout.Info{}, s.s.misnamed(key, err)
	}
	data, info, err := s.d.Read(file, layout.MaxSpec)
	for range 5 {
		if err != nil || complete(data) || time.Since(info.ModTime) > settling {
			break
		}
		time.Sleep(settling / 10)
		data, info, err = s.d.Read(file, layout.MaxSpec)
	}
	return data, info, err
}

// settling is how long after a change a file may be half written.
const settling = 20 * time.Millisecond

// complete reports whether a file ends as a JSON object does.
func complete(data []byte) bool {
	for i := len(data) - 1; i >= 0; i-- {
		switch data[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return data[i] == '}'
		}
	}
	return false
}
