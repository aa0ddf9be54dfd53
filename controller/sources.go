package controller

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// sources caches the repository files that anchors and mems refer to. It reads
// a file again when the store hints that the file changed.
type sources struct {
	store           store.Store
	scheduleRefresh func(name string, after time.Duration) // schedules refresh for a file; nil if not available

	mu        sync.Mutex
	files     map[string]source
	movedFrom map[string][]string // new file -> files that partly or fully moved to it
}

// source is the cached state of one version of a file.
type source struct {
	store.SourceFile
	parts        map[string]resources.Part     // requested parts
	doc          map[string]resources.Document // requested document, under ""
	stack        map[string]resources.Stack    // requested stack, under ""
	moves        map[[2]string]string          // part name ("" for the whole file) and hash -> new file; "" if unknown
	missingSince time.Time                     // since when the new place of something is unknown; zero if all are known
}

// searchDelays lists the times, since a part or file disappeared, at which it
// is searched again. A user may remove a function from one file before adding
// it to another without a change of git's state. git mv moves the file before
// it writes its index.
var searchDelays = [...]time.Duration{time.Second, 10 * time.Second, time.Minute}

// newSources returns an empty cache of repository files.
func newSources(s store.Store) *sources {
	return &sources{store: s, files: map[string]source{}, movedFrom: map[string][]string{}}
}

// get returns the file's modification time and hexadecimal SHA-256, and whether
// it is a regular file of the repository. It watches the file from then on.
func (s *sources) get(name string) (time.Time, string, bool) {
	s.mu.Lock()
	file, known := s.files[name]
	s.mu.Unlock()
	if !known {
		s.store.WatchFile(name) // before reading, so that no change is missed
		file.SourceFile = s.store.ReadSource(name, store.SourceFile{})
		s.keep(name, file)
	}
	return file.ModTime, file.SHA256, file.Exists
}

// section returns a part of a file. It is cached until the file changes.
func (s *sources) section(name, section string) resources.Part {
	if _, _, exists := s.get(name); !exists {
		return resources.Part{}
	}
	return cached(s, name, section, func(f *source) *map[string]resources.Part { return &f.parts },
		func() resources.Part { return s.store.SourceSection(name, section) })
}

// moved returns the file that replaces a missing file or contains a missing
// part, or "" if unknown; then it schedules another search. The returned file is
// watched from then on, and the answer is recomputed when it changes.
func (s *sources) moved(name, section, sha256 string) string {
	s.get(name)
	to := cached(s, name, [2]string{section, sha256}, func(f *source) *map[[2]string]string { return &f.moves },
		func() string {
			to := s.store.SourceMoved(name, section, sha256)
			if to == "" {
				s.scheduleSearch(name)
			}
			return to
		})
	if to != "" {
		s.get(to)
		s.mu.Lock()
		defer s.mu.Unlock()
		if !slices.Contains(s.movedFrom[to], name) {
			s.movedFrom[to] = append(s.movedFrom[to], name)
		}
	}
	return to
}

// scheduleSearch schedules another search for a missing part or file. The schedule
// depends on elapsed time, not on the number of searches, because hints may
// cause additional ones.
func (s *sources) scheduleSearch(name string) {
	s.mu.Lock()
	file := s.files[name]
	if file.missingSince.IsZero() {
		file.missingSince = time.Now()
		s.files[name] = file
	}
	s.mu.Unlock()
	since := time.Since(file.missingSince)
	next := slices.IndexFunc(searchDelays[:], func(after time.Duration) bool { return after > since })
	if next >= 0 && s.scheduleRefresh != nil {
		s.scheduleRefresh(name, searchDelays[next]-since)
	}
}

// cached returns a cached value of a file version. If the value is not
// cached, it calls find and caches the result, unless the file changed meanwhile.
func cached[K comparable, V any](s *sources, name string, key K, kept func(*source) *map[K]V, find func() V) V {
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
	if file := s.files[name]; sameVersion(file.SourceFile, of.SourceFile) { // otherwise the value may belong to the previous version
		values := kept(&file)
		if *values == nil {
			*values = map[K]V{}
		}
		(*values)[key] = value
		s.files[name] = file
	}
	return value
}

// citationNames returns the names under which a file may be cited: its own name and
// the names of files that moved to it. It forgets these moves, so that they are
// searched again.
func (s *sources) citationNames(name string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	former := s.movedFrom[name]
	delete(s.movedFrom, name)
	s.forget(former...)
	return append([]string{name}, former...)
}

// forgetMoves forgets all search results for moved files, because git's state
// changed.
func (s *sources) forgetMoves() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(slices.Collect(maps.Keys(s.files))...)
}

// forget forgets the search results for these moved files.
func (s *sources) forget(names ...string) {
	for _, name := range names {
		if file, known := s.files[name]; known && file.moves != nil {
			file.moves = nil
			s.files[name] = file
		}
	}
}

func sameVersion(a, b store.SourceFile) bool {
	return a.Exists == b.Exists && a.SHA256 == b.SHA256 && a.ModTime.Equal(b.ModTime)
}

// refresh reads the file again and reports whether it changed. It also returns
// true if a missing part must be searched again. It ignores a file that was
// never requested.
func (s *sources) refresh(name string) bool {
	s.mu.Lock()
	before, known := s.files[name]
	s.mu.Unlock()
	if !known {
		return false
	}
	after := source{SourceFile: s.store.ReadSource(name, before.SourceFile)}
	changed := !sameVersion(before.SourceFile, after.SourceFile)
	if !changed {
		after.parts, after.doc, after.stack, after.moves, after.missingSince = before.parts, before.doc, before.stack, before.moves, before.missingSince
		last := searchDelays[len(searchDelays)-1]
		if !after.missingSince.IsZero() && time.Since(after.missingSince) < 2*last { // also if it was found since, because not every dependent was requeued then
			after.moves, changed = nil, true
		}
	}
	s.keep(name, after)
	return changed
}

// keep stores the state of a file.
func (s *sources) keep(name string, file source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = file
}

// each calls do with every requested file.
func (s *sources) each(do func(name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.files {
		do(name)
	}
}
