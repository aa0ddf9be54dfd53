package memory

import (
	"cmp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Sources tells of files of the repository, as status.WideView does.
type Sources interface {
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
	SourceSection(path, section string) resources.Part
	SourceMoved(path, section, sha256 string) string
}

// Seen is what there is of what a piece of evidence cites.
type Seen struct {
	Now     resources.MemEvidence // the evidence with the place that it has now, and the sum where one can be taken
	Part    resources.Part        // what is known of it, for a section
	Exists  bool                  // there, or where it moved to
	Changed bool                  // it is not what was recorded
	Moved   bool                  // it stands in another file
}

// Look looks at what a piece of evidence cites, and follows it to another file where it is
// not in its own any more.
func Look(e resources.MemEvidence, v Sources) Seen {
	seen := at(e, e.Path, v)
	if seen.Exists {
		return seen
	}
	if to := v.SourceMoved(e.Path, e.Section, e.SHA256); to != "" && to != e.Path {
		if there := at(e, to, v); there.Exists {
			there.Moved = true
			return there
		}
	}
	return seen
}

// at looks for it in a file.
func at(e resources.MemEvidence, path string, v Sources) (seen Seen) {
	if e.Section == "" {
		_, seen.Part.SHA256, seen.Part.Exists = v.SourceFile(path)
	} else {
		seen.Part = v.SourceSection(path, e.Section)
	}
	same := seen.Part.Is(e.SHA256)                           // as an older release recorded it
	several := e.SHA256 == "" && strings.Contains(path, "*") // files that come and go
	seen.Exists = seen.Part.Exists || same || several
	seen.Changed = seen.Exists && !same && e.SHA256 != "" && seen.Part.SHA256 != ""
	seen.Now = e
	seen.Now.Path, seen.Now.SHA256 = path, cmp.Or(seen.Part.SHA256, e.SHA256)
	return seen
}

// What says in words what became of what a piece of evidence cites, which Look has seen.
func (s Seen) What(e resources.MemEvidence) string {
	switch {
	case !s.Exists:
		return e.Cites() + " is gone"
	case s.Moved && s.Changed:
		return e.Cites() + " moved to " + s.Now.Path + " and has changed"
	case s.Moved:
		return e.Cites() + " moved to " + s.Now.Path
	case s.Part.Declaration:
		return "the declaration " + e.Cites() + " has changed"
	}
	return e.Cites() + " has changed"
}
