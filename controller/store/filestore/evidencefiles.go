package filestore

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/source"
)

// SourceSection describes a section of a repository file. See store.Sources.
func (s *Store) SourceSection(name, section string) (part resources.Part) {
	defer func() { // a panic of a scanner on unexpected input must not end the controller
		if recover() != nil {
			part = resources.Part{Exists: true}
		}
	}()
	text, exists := s.root.SourceText(name)
	if text == nil {
		return resources.Part{Exists: exists}
	}
	return source.Find(name, section, text)
}

// SourceDocument returns a Markdown file of the repository. See store.Sources.
func (s *Store) SourceDocument(name string) (d resources.Document) {
	text, exists := s.root.SourceText(name)
	if text == nil {
		return resources.Document{Exists: exists}
	}
	return source.ReadDocument(name, text)
}

// SourceStack returns the technologies that the code map last found. See
// store.Sources.
func (s *Store) SourceStack() (stack resources.Stack) {
	data, _, err := s.root.Read(store.StackFile, layout.MaxStack)
	if err != nil || json.Unmarshal(data, &stack) != nil {
		return resources.Stack{}
	}
	return stack
}

// Limits for finding moved files.
const (
	moveTimeout = 3 * time.Second
	maxHops     = 8  // consecutive renames of one file
	maxSearches = 30 // searches for missing parts per state of git
	maxLookedAt = 60 // candidate files for a part, files in the same directory first
)

// moves caches git's knowledge about moved files for one state of HEAD and the
// index.
type moves struct {
	mu       sync.Mutex
	state    string
	renamed  map[string]string
	searches int
}

// SourceMoved finds the new location of a missing file or part. See store.Sources.
func (s *Store) SourceMoved(name, section, sum string) string {
	ctx, end := context.WithTimeout(context.Background(), moveTimeout)
	defer end()
	s.moves.mu.Lock()
	defer s.moves.mu.Unlock()
	if state := githistory.StateID(s.root); state != s.moves.state || s.moves.renamed == nil {
		s.moves.state, s.moves.renamed, s.moves.searches = state, githistory.Renamed(ctx, s.root), 0
	}
	if to := s.renamed(name); to != "" && (section == "" || s.SourceSection(to, section).Exists) {
		return to
	}
	if sum == "" || s.moves.searches >= maxSearches {
		return ""
	}
	s.moves.searches++
	return s.search(ctx, name, section, sum)
}

// renamed follows renames from a file to an existing one. It returns "" if
// there is none.
func (s *Store) renamed(name string) string {
	for range maxHops {
		if _, exists := s.root.SourceText(name); exists {
			return name
		}
		if name = s.moves.renamed[name]; name == "" {
			break
		}
	}
	return ""
}

// search finds the only file of the same type that contains the cited text with
// that hash. If there are several, it prefers the only one in the same
// directory.
func (s *Store) search(ctx context.Context, name, section, sum string) string {
	var files []string
	if section == "" {
		files = githistory.Untracked(ctx, s.root)
	} else {
		files = githistory.Mentioning(ctx, s.root, source.Word(name, section), path.Ext(name))
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(distance(a, name), distance(b, name)) })
	var near, all []string
	for _, file := range files[:min(len(files), maxLookedAt)] {
		if file == name || path.Ext(file) != path.Ext(name) || !s.holds(file, section, sum) {
			continue
		}
		if all = append(all, file); distance(file, name) == 0 {
			near = append(near, file)
		}
	}
	return cmp.Or(only(near), only(all))
}

// distance returns 0 for two files in one directory, and 1 otherwise.
func distance(a, b string) int {
	if path.Dir(a) == path.Dir(b) {
		return 0
	}
	return 1
}

// holds reports whether a repository file, or a section of it, has the content
// with a SHA-256.
func (s *Store) holds(file, section, sum string) bool {
	if section != "" {
		return strings.EqualFold(s.SourceSection(file, section).SHA256, sum)
	}
	_, hash, _ := s.root.SourceFile(file)
	return strings.EqualFold(hash, sum)
}

// only returns the element of a list with one element, or "".
func only(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return ""
}
