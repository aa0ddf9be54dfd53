package status

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

const (
	// LastCheckpoints is how many checkpoints a status and Sightings keep.
	LastCheckpoints = 5
	// maxLogProblems bounds what ReadSightings reports of one damaged log.
	maxLogProblems = 20
)

// ReadSightings reads a task's checkpoint log: JSON lines, as the hook appends
// them. A line that is torn or is no checkpoint is left out and reported, with its
// line number; Key and File of the problems are the caller's to fill in. The
// result is never nil. Empty data, or nil, is a log without checkpoints.
func ReadSightings(data []byte) (*Sightings, []resources.Problem) {
	r := &logReader{files: map[string]bool{}, commands: map[string]bool{}}
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			r.read(line, raw)
		}
	}
	return r.result(), r.problems
}

type logReader struct {
	seen     Sightings
	files    map[string]bool
	commands map[string]bool // whether it ever succeeded
	problems []resources.Problem
}

func (r *logReader) read(line int, raw []byte) {
	var c resources.Checkpoint
	if err := json.Unmarshal(raw, &c); err != nil {
		r.damaged(line, "no checkpoint: "+err.Error())
		return
	}
	if c.Tool == "" && c.Command == "" && len(c.FilesModified) == 0 {
		r.damaged(line, "no checkpoint: it names neither a tool nor a command nor a file")
		return
	}
	if c.Tool != resources.ToolHalt {
		r.seen.Count++
	}
	r.seen.Last = append(r.seen.Last, c)
	if len(r.seen.Last) > LastCheckpoints {
		r.seen.Last = r.seen.Last[1:]
	}
	if c.Tool != resources.ToolHalt && c.Time.After(r.seen.Newest) {
		r.seen.Newest = c.Time.Time
	}
	for _, file := range c.FilesModified {
		r.files[file] = true
	}
	if command := strings.Join(strings.Fields(c.Command), " "); command != "" {
		r.commands[command] = r.commands[command] || c.Succeeded != nil && *c.Succeeded
	}
}

func (r *logReader) damaged(line int, reason string) {
	if len(r.problems) == maxLogProblems {
		return
	}
	r.problems = append(r.problems, resources.Problem{
		Line: line, Column: 1, Reason: reason,
		Remedy: "nothing has to be done, the line is left out; remove it to be rid of this message",
	})
}

func (r *logReader) result() *Sightings {
	s := r.seen
	s.Last = slices.Clone(s.Last)
	s.Files = slices.Sorted(maps.Keys(r.files))
	for _, line := range slices.Sorted(maps.Keys(r.commands)) {
		s.Commands = append(s.Commands, Command{Line: line, Succeeded: r.commands[line]})
	}
	return &s
}

// EvidenceSeen reports whether a checkpoint log shows an evidence item: a file was
// written that matches its pattern (MatchGlob), or a command line was run that
// equals its words or starts with them, blanks aside, and, with succeeds, ended
// with exit code 0 at least once.
func EvidenceSeen(item resources.EvidenceItem, s *Sightings) bool {
	if s == nil {
		return false
	}
	if item.File != "" {
		return slices.ContainsFunc(s.Files, func(file string) bool { return resources.MatchGlob(item.File, file) })
	}
	words := strings.Join(strings.Fields(item.Command), " ")
	return words != "" && slices.ContainsFunc(s.Commands, func(c Command) bool {
		rest, starts := strings.CutPrefix(c.Line, words)
		return starts && (rest == "" || rest[0] == ' ') && (c.Succeeded || !item.Succeeds)
	})
}

// MissingEvidence returns the items of spec.evidence that were not seen: neither in
// the checkpoint log nor, as recorded by the complete command, in
// spec.result.verified. In their order; nil if nothing is missing.
func MissingEvidence(t *resources.Task, s *Sightings) []resources.EvidenceItem {
	var missing []resources.EvidenceItem
	for _, item := range t.Spec.Evidence {
		verified := t.Spec.Result != nil && slices.Contains(t.Spec.Result.Verified, item)
		if !verified && !EvidenceSeen(item, s) {
			missing = append(missing, item)
		}
	}
	return missing
}
