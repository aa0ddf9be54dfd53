package status

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

const (
	// LastCheckpoints is the number of checkpoints in a status and in Evidence.
	LastCheckpoints = 5
	// maxLogProblems limits the problems that ReadEvidence reports for one log.
	maxLogProblems = 20
)

// ReadEvidence parses a task's checkpoint log, a file of JSON lines. It skips truncated and
// invalid lines and reports them with their line numbers. The caller sets Key and File of
// the problems. The result is never nil. nil data is an empty log.
func ReadEvidence(data []byte) (*Evidence, []resources.Problem) { return new(Evidence).Then(data) }

// Then returns the evidence of a log to which data was appended. s must end at the end of a
// line, and is not modified. Line numbers count from the start of data.
func (s *Evidence) Then(data []byte) (*Evidence, []resources.Problem) {
	r := &logReader{evidence: *s}
	r.evidence.Last, r.evidence.Files, r.evidence.Commands = slices.Clone(s.Last), slices.Clone(s.Files), slices.Clone(s.Commands)
	r.evidence.Comment.Deliveries = slices.Clone(s.Comment.Deliveries)
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			r.parseLine(line, raw)
		}
	}
	r.evidence.Last = slices.Clone(r.evidence.Last)
	return &r.evidence, r.problems
}

// logReader collects the evidence and the invalid lines of a checkpoint log.
type logReader struct {
	evidence Evidence
	problems []resources.Problem
}

// parseLine adds one line of the log to the evidence, or reports it as a problem if it is not a
// checkpoint.
func (r *logReader) parseLine(line int, raw []byte) {
	var c resources.Checkpoint
	if err := json.Unmarshal(raw, &c); err != nil {
		r.damaged(line, "no checkpoint: "+err.Error())
		return
	}
	if c.Tool == "" && c.Command == "" && len(c.FilesModified) == 0 {
		r.damaged(line, "no checkpoint: it names neither a tool nor a command nor a file")
		return
	}
	r.evidence.add(c)
}

// add adds a checkpoint to the summary of the log.
func (s *Evidence) add(c resources.Checkpoint) {
	if s.Comment.add(c) {
		return
	}
	s.Last = append(s.Last, c)
	s.Last = s.Last[max(0, len(s.Last)-LastCheckpoints):]
	if c.Tool != resources.ToolHalt {
		s.Count++
		if len(c.FilesModified) == 0 && c.Succeeded != nil && !*c.Succeeded {
			s.Failed++
		}
		s.Oldest = resources.Earliest(s.Oldest, c.Time.Time)
		if c.Time.After(s.Newest) {
			s.Newest = c.Time.Time
		}
	}
	for _, file := range c.FilesModified {
		if i, known := slices.BinarySearch(s.Files, file); !known {
			s.Files = slices.Insert(s.Files, i, file)
		}
	}
	command := Command{Line: CommandWords(c.Command)}
	if c.Succeeded != nil {
		command.Succeeded, command.Failed, command.Time = *c.Succeeded, !*c.Succeeded, c.Time.Time
	}
	i, known := slices.BinarySearchFunc(s.Commands, command.Line, func(c Command, line string) int { return strings.Compare(c.Line, line) })
	switch {
	case command.Line == "" || known && c.Succeeded == nil:
	case known:
		s.Commands[i] = command
	default:
		s.Commands = slices.Insert(s.Commands, i, command)
	}
}

// CommandWords returns a command line without quotes and with single spaces, so that two
// spellings of the same words are equal.
func CommandWords(line string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(line)), " ")
}

// command returns the entry that decides about a required command: that of exactly this line, or
// else the newest one that starts with these words.
func (s *Evidence) command(required string) (newest Command, found bool) {
	line := CommandWords(required)
	if s == nil || line == "" {
		return Command{}, false
	}
	for _, c := range s.Commands {
		if c.Line == line {
			return c, true
		}
		if strings.HasPrefix(c.Line, line+" ") && (!found || c.Time.After(newest.Time)) {
			newest, found = c, true
		}
	}
	return newest, found
}

// damaged reports a line that is not a checkpoint, up to maxLogProblems lines.
func (r *logReader) damaged(line int, reason string) {
	if len(r.problems) == maxLogProblems {
		return
	}
	r.problems = append(r.problems, resources.Problem{
		Line: line, Column: 1, Reason: reason,
		Remedy: "nothing has to be done, the line is left out; remove it to be rid of this message",
	})
}

// EvidenceSeen reports whether a checkpoint log contains an evidence item. A file item
// needs a written file that matches its pattern (MatchGlob). A command item needs a
// command line that starts with its words. With succeeds, the newest such run with a known exit
// code must have ended with 0. If exactly this line was run, only its runs count.
func EvidenceSeen(item resources.EvidenceItem, s *Evidence) bool {
	if item.File != "" {
		return s != nil && slices.ContainsFunc(s.Files, func(file string) bool { return resources.MatchGlob(item.File, file) })
	}
	c, found := s.command(item.Command)
	return found && (c.Succeeded || !item.Succeeds)
}

// MissingEvidence returns the items of spec.evidence that are neither in the checkpoint log
// nor in spec.result.verified, which the complete command writes. The items keep their
// order. It returns nil if all items are present.
func MissingEvidence(t *resources.Task, s *Evidence) []resources.EvidenceItem {
	var verified, missing []resources.EvidenceItem
	if t.Spec.Result != nil {
		verified = t.Spec.Result.Verified
	}
	if t.Spec.State != resources.TaskCompleted { // a later failure does not reopen a completed task
		verified = NotFailed(verified, s)
	}
	for _, item := range t.Spec.Evidence {
		if !slices.Contains(verified, item) && !EvidenceSeen(item, s) {
			missing = append(missing, item)
		}
	}
	return missing
}

// NotFailed returns the verified items, except each command that must succeed
// and whose newest run in the log failed.
func NotFailed(verified []resources.EvidenceItem, s *Evidence) []resources.EvidenceItem {
	return slices.DeleteFunc(slices.Clone(verified), func(item resources.EvidenceItem) bool {
		c, _ := s.command(item.Command)
		return item.Succeeds && c.Failed
	})
}
