package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// State is how far a host's installation has got in a repository.
type State struct {
	Host  Host
	Files []FileState
}

// FileState is the state of one file.
type FileState struct {
	File    string   // from the repository's root
	Present bool     // something of ours is in it
	Missing []string // what is not there, or in an earlier version's form
	Edited  []string // what a person changed of ours
	Err     error    // the file cannot be read; nil otherwise. Begins with its name
}

// Status reads how far a host's installation has got.
func Status(h Host, root string, c Commands) State {
	s := State{Host: h}
	rec := readRecord(root, h.Name)
	for _, file := range h.Files(root, c) {
		var was *recorded
		if r, known := rec.Files[file.Path]; known {
			was = &r
		}
		s.Files = append(s.Files, fileState(root, file, was))
	}
	return s
}

func fileState(root string, file File, was *recorded) FileState {
	s := FileState{File: file.Path}
	text, err := readFile(filepath.Join(root, filepath.FromSlash(file.Path)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Err = fmt.Errorf("%s: %w", file.Path, err)
		return s
	}
	if s.Missing, s.Edited, err = file.content.missing(text, was); err != nil {
		s.Err = fmt.Errorf("%s %w", file.Path, err)
	}
	s.Present = text != nil && file.content.has(text)
	return s
}

// Words of State.Summary.
const (
	NotInstalled = "not installed"
	Installed    = "installed"
	InPart       = "in part"
	OtherVersion = "of another version"
	Unreadable   = "unreadable"
)

// inOtherForm stands behind the name of what is there as another version of idumb wrote it.
const inOtherForm = " (there in another version's form)"

// Summary is the state in a word or two.
func (s State) Summary() string {
	present, missing, older := 0, 0, 0
	for _, f := range s.Files {
		if f.Err != nil {
			return Unreadable
		}
		if f.Present {
			present++
		}
		missing += len(f.Missing)
		for _, name := range f.Missing {
			if strings.HasSuffix(name, inOtherForm) {
				older++
			}
		}
	}
	switch {
	case present == 0:
		return NotInstalled
	case missing == 0:
		return Installed
	case missing == older:
		return OtherVersion
	}
	return InPart
}
