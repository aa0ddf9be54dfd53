package memory

import (
	"cmp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Sources describes files of the repository. See status.WideView.
type Sources interface {
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
	SourceSection(path, section string) resources.Part
	SourceMoved(path, section, sha256 string) string
}

// EvidenceState is the current state of cited evidence.
type EvidenceState struct {
	Now     resources.MemEvidence // the evidence with its current path and, if available, checksum
	Part    resources.Part        // state of the cited section or file
	Exists  bool                  // at the recorded path or at a new one
	Changed bool                  // differs from the recorded checksum
	Moved   bool                  // is in another file
}

// Look returns the current state of evidence. If it is missing, Look searches for it in
// other files.
func Look(e resources.MemEvidence, v Sources) EvidenceState {
	seen := stateAt(e, e.Path, v)
	if seen.Exists {
		return seen
	}
	if to := v.SourceMoved(e.Path, e.Section, e.SHA256); to != "" && to != e.Path {
		if there := stateAt(e, to, v); there.Exists {
			there.Moved = true
			return there
		}
	}
	return seen
}

// stateAt returns the state of the evidence in a file.
func stateAt(e resources.MemEvidence, path string, v Sources) (seen EvidenceState) {
	if e.Section == "" {
		_, seen.Part.SHA256, seen.Part.Exists = v.SourceFile(path)
	} else {
		seen.Part = v.SourceSection(path, e.Section)
	}
	same := seen.Part.Is(e.SHA256)                           // matches a checksum of this or an older release
	several := e.SHA256 == "" && strings.Contains(path, "*") // a pattern, whose files may come and go
	seen.Exists = seen.Part.Exists || same || several
	seen.Changed = seen.Exists && !same && e.SHA256 != "" && seen.Part.SHA256 != ""
	seen.Now = e
	seen.Now.Path, seen.Now.SHA256 = path, cmp.Or(seen.Part.SHA256, e.SHA256)
	return seen
}

// Describe describes the change of evidence that Look found.
func (s EvidenceState) Describe(e resources.MemEvidence) string {
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
