package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// State is the state of a host's installation in a repository.
type State struct {
	Host  Host
	Files []FileState
}

// FileState is the state of one file.
type FileState struct {
	File    string   // relative to the repository's root
	Present bool     // the file contains entries of iDumb
	Missing []string // entries that are missing or have the form of another version
	Edited  []string // entries that a user changed
	Err     error    // reading failed; the text begins with the file's name
}

// Status returns the state of a host's installation.
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

// fileState compares a file with its current version and with the record of Install.
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
	s.Present = text != nil && file.content.contains(text)
	return s
}

// Results of State.Summary.
const (
	NotInstalled = "not installed"
	Installed    = "installed"
	InPart       = "in part"
	OtherVersion = "of another version"
	Unreadable   = "unreadable"
)

// inOtherForm is the suffix of an entry in the form of another version of idumb.
const inOtherForm = " (there in another version's form)"

// Summary returns the state in a few words.
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
