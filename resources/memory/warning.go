package memory

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Warning returns a short warning about a mem with a status, or "" if it is fully valid.
func Warning(m *resources.Mem, s *resources.MemStatus) string {
	switch s.Phase {
	case resources.Superseded:
		return "mem/" + cmp.Or(s.Head, s.SupersededBy) + " replaced it"
	case resources.Purged:
		return strings.TrimSuffix("purged "+day(s.InvalidatedAt)+": "+m.Spec.PurgeReason, ": ")
	case resources.Ended:
		return "it was so until " + day(s.ValidTo)
	case resources.Pending:
		return "it will be so from " + day(s.ValidFrom)
	case resources.GonePhase, resources.SuspectPhase:
		return "check it: " + Doubts(s)
	case resources.StalePhase:
		return "stale since " + day(s.StaleSince)
	}
	if Unsaved(m) {
		return "sessions reported it, and it was not saved yet"
	}
	return ""
}

// day formats the day of a time.
func day(t resources.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.Format(time.DateOnly)
}

// Doubts lists up to two reasons why a mem is suspect, and counts the rest.
func Doubts(s *resources.MemStatus) string {
	const most = 2
	text := strings.Join(s.Suspect[:min(most, len(s.Suspect))], ", ")
	if more := len(s.Suspect) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
