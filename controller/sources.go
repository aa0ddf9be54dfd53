package controller

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// sources are the files of the repository that anchors and mems are about. It
// answers from what it saw last, and looks again when the store hints that the file
// changed.
type sources struct {
	store store.Store
	again func(name string, after time.Duration) // has refresh called for a file; nil: nobody does

	mu       sync.Mutex
	files    map[string]source
	followed map[string][]string // files to which some moved, and those
}

// source is what is known of one file, as long as it is the same.
type source struct {
	store.SourceFile
	parts map[string]resources.Part     // that were asked for
	doc   map[string]resources.Document // under "", if it was asked for
	stack map[string]resources.Stack    // likewise
	moves map[[2]string]string          // where a part ("" for all), with a sum, went; "" if nobody knows
	gone  time.Time                     // since when nobody knows where something of it went; zero: all is known
}

// lookAgainAfter is when what is gone is looked for again, from then on: who moves a function may take it out of
// one file first, git's state, by which it is looked for again too, may stay, and git mv moves the file
// before it writes its index.
var lookAgainAfter = [...]time.Duration{time.Second, 10 * time.Second, time.Minute}

func newSources(s store.Store) *sources {
	return &sources{store: s, files: map[string]source{}, followed: map[string][]string{}}
}

// get returns the file's time of last change and sha256 in hex, and whether it
// exists as a regular file of the repository. It is watched from then on.
func (s *sources) get(name string) (time.Time, string, bool) {
	s.mu.Lock()
	file, known := s.files[name]
	s.mu.Unlock()
	if !known {
		s.store.WatchFile(name) // before looking, or a change in between is missed
		file.SourceFile = s.store.ReadSource(name, store.SourceFile{})
		s.keep(name, file)
	}
	return file.ModTime, file.SHA256, file.Exists
}

// section reports on a part of a file. It is looked for again when the file is another one.
func (s *sources) section(name, section string) resources.Part {
	if _, _, exists := s.get(name); !exists {
		return resources.Part{}
	}
	return remembered(s, name, section, func(f *source) *map[string]resources.Part { return &f.parts },
		func() resources.Part { return s.store.SourceSection(name, section) })
}

// document reads a Markdown file, as long as it is the same once.
func (s *sources) document(name string) resources.Document {
	if _, _, exists := s.get(name); !exists {
		return resources.Document{}
	}
	return remembered(s, name, "", func(f *source) *map[string]resources.Document { return &f.doc },
		func() resources.Document { return s.store.SourceDocument(name) })
}

// stack reads what the map last saw, as long as that is the same once.
func (s *sources) stack() resources.Stack {
	if _, _, exists := s.get(store.StackFile); !exists {
		return resources.Stack{}
	}
	return remembered(s, store.StackFile, "", func(f *source) *map[string]resources.Stack { return &f.stack }, s.store.SourceStack)
}

// moved returns the file that stands in the place of one, or of a part of one, that is gone. It is
// watched from then on, and what it was asked for is looked for again when it changes.
func (s *sources) moved(name, section, sha256 string) string {
	s.get(name)
	to := remembered(s, name, [2]string{section, sha256}, func(f *source) *map[[2]string]string { return &f.moves },
		func() string {
			to := s.store.SourceMoved(name, section, sha256)
			if to == "" {
				s.later(name)
			}
			return to
		})
	if to != "" {
		s.get(to)
		s.mu.Lock()
		defer s.mu.Unlock()
		if !slices.Contains(s.followed[to], name) {
			s.followed[to] = append(s.followed[to], name)
		}
	}
	return to
}

// later has a file looked at again of which something is gone. A hint may have it looked at before, and again and
// again, so that not looks count but time.
func (s *sources) later(name string) {
	s.mu.Lock()
	file := s.files[name]
	if file.gone.IsZero() {
		file.gone = time.Now()
		s.files[name] = file
	}
	s.mu.Unlock()
	since := time.Since(file.gone)
	next := slices.IndexFunc(lookAgainAfter[:], func(after time.Duration) bool { return after > since })
	if next >= 0 && s.again != nil {
		s.again(name, lookAgainAfter[next]-since)
	}
}

// remembered is what was found out about a file that is the same still; else it is found out.
func remembered[K comparable, V any](s *sources, name string, key K, kept func(*source) *map[K]V, find func() V) V {
	s.mu.Lock()
	of := s.files[name]
	value, known := (*kept(&of))[key]
	s.mu.Unlock()
	if known {
		return value
	}
	value = find()
	s.mu.Lock()
	defer s.mu.Unlock()
	if file := s.files[name]; same(file.SourceFile, of.SourceFile) { // else this may be of the file before
		values := kept(&file)
		if *values == nil {
			*values = map[K]V{}
		}
		(*values)[key] = value
		s.files[name] = file
	}
	return value
}

// citedAs returns the names under which a file may be cited: its own, and those that moved to it,
// which are followed anew.
func (s *sources) citedAs(name string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	former := s.followed[name]
	delete(s.followed, name)
	s.forget(former...)
	return append([]string{name}, former...)
}

// forgetMoves has all that is gone looked for anew: git has another state.
func (s *sources) forgetMoves() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(slices.Collect(maps.Keys(s.files))...)
}

func (s *sources) forget(names ...string) {
	for _, name := range names {
		if file, known := s.files[name]; known && file.moves != nil {
			file.moves = nil
			s.files[name] = file
		}
	}
}

// same reports whether nothing about a file changed.
func same(a, b store.SourceFile) bool {
	return a.Exists == b.Exists && a.SHA256 == b.SHA256 && a.ModTime.Equal(b.ModTime)
}

// refresh looks at the file again and reports whether anything about it changed, or may have
// because what is gone of it is to be looked for again.
// A file that nobody asked for is none of our business.
func (s *sources) refresh(name string) bool {
	s.mu.Lock()
	before, known := s.files[name]
	s.mu.Unlock()
	if !known {
		return false
	}
	after := source{SourceFile: s.store.ReadSource(name, before.SourceFile)}
	changed := !same(before.SourceFile, after.SourceFile)
	if !changed {
		after.parts, after.doc, after.stack, after.moves, after.gone = before.parts, before.doc, before.stack, before.moves, before.gone
		last := lookAgainAfter[len(lookAgainAfter)-1]
		if !after.gone.IsZero() && time.Since(after.gone) < 2*last { // also where it was found since: not all heard of that
			after.moves, changed = nil, true
		}
	}
	s.keep(name, after)
	return changed
}

func (s *sources) keep(name string, file source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = file
}

// each calls do with every file that was asked for.
func (s *sources) each(do func(name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.files {
		do(name)
	}
}
