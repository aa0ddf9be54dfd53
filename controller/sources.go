package controller

import (
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// sources are the files of the repository that anchors and mems are about. It
// answers from what it saw last, and looks again when the store hints that the file
// changed.
type sources struct {
	repository store.Repository

	mu    sync.Mutex
	files map[string]source
}

// source is what is known of one file.
type source struct {
	store.SourceFile
	parts map[string]part // that were asked for, as long as the file is the same
}

// part is what is known of a part of a file, as resources.Section finds it.
type part struct {
	sha256 string
	exists bool
}

func newSources(s store.Repository) *sources {
	return &sources{repository: s, files: map[string]source{}}
}

// get returns the file's time of last change and sha256 in hex, and whether it
// exists as a regular file of the repository. It is watched from then on.
func (s *sources) get(name string) (time.Time, string, bool) {
	s.mu.Lock()
	file, known := s.files[name]
	s.mu.Unlock()
	if !known {
		s.repository.WatchFile(name) // before looking, or a change in between is missed
		file.SourceFile = s.repository.ReadSource(name, store.SourceFile{})
		s.keep(name, file)
	}
	return file.ModTime, file.SHA256, file.Exists
}

// section returns the sha256 of a part of a file in hex, and whether there is such a part.
// It is computed again when the file is another one.
func (s *sources) section(name, section string) (sha256 string, exists bool) {
	if _, _, exists := s.get(name); !exists {
		return "", false
	}
	s.mu.Lock()
	of := s.files[name]
	p, known := of.parts[section]
	s.mu.Unlock()
	if known {
		return p.sha256, p.exists
	}
	p.sha256, p.exists = s.repository.SourceSection(name, section)
	s.mu.Lock()
	defer s.mu.Unlock()
	if file := s.files[name]; same(file.SourceFile, of.SourceFile) { // else this may be of the file before
		if file.parts == nil {
			file.parts = map[string]part{}
		}
		file.parts[section] = p
		s.files[name] = file
	}
	return p.sha256, p.exists
}

// same reports whether nothing about a file changed.
func same(a, b store.SourceFile) bool {
	return a.Exists == b.Exists && a.SHA256 == b.SHA256 && a.ModTime.Equal(b.ModTime)
}

// refresh looks at the file again and reports whether anything about it changed.
// A file that nobody asked for is none of our business.
func (s *sources) refresh(name string) bool {
	s.mu.Lock()
	before, known := s.files[name]
	s.mu.Unlock()
	if !known {
		return false
	}
	after := source{SourceFile: s.repository.ReadSource(name, before.SourceFile)}
	if same(before.SourceFile, after.SourceFile) {
		after.parts = before.parts
	}
	s.keep(name, after)
	return !same(before.SourceFile, after.SourceFile)
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
