package needs

import "github.com/idumb-dev/idumb/resources"

// Sign says in one character how something stands. Colour may help, and never says more. Its text is that
// of a terminal or page that shows UTF-8; ASCII is that of one that does not.
type Sign string

// The signs: of tasks, and of what needs a person.
const (
	SignDone      Sign = "✓"
	SignActive    Sign = "●"
	SignReady     Sign = "○"
	SignWaits     Sign = "⊘"
	SignReview    Sign = "◐"
	SignFailed    Sign = "✕"
	SignAbandoned Sign = "–"
	SignAsks      Sign = "?"
	SignCircles   Sign = "↻"
	SignSuspect   Sign = "≠"
)

// signs is the one table of them, in the order in which a legend shows them.
var signs = [...]struct {
	sign        Sign
	ascii, word string
}{
	{SignDone, "x", "done"},
	{SignActive, "*", "active"},
	{SignReady, "o", "ready"},
	{SignWaits, "#", "waits"},
	{SignReview, "r", "review"},
	{SignFailed, "!", "failed"},
	{SignAbandoned, "-", "abandoned"},
	{SignAsks, "?", "asks"},
	{SignCircles, "@", "circles"},
	{SignSuspect, "~", "suspect"},
}

// Signs returns all signs, in the order in which a legend shows them.
func Signs() []Sign {
	all := make([]Sign, len(signs))
	for i, row := range signs {
		all[i] = row.sign
	}
	return all
}

// Draw returns the sign as it is drawn: its ASCII character where unicode is false. "" for what is no sign.
func (s Sign) Draw(unicode bool) string {
	for _, row := range signs {
		if row.sign == s && unicode {
			return string(s)
		} else if row.sign == s {
			return row.ascii
		}
	}
	return ""
}

// Word says in one word what the sign means: for legends, and for who does not see it. "" for what is no sign.
func (s Sign) Word() string {
	for _, row := range signs {
		if row.sign == s {
			return row.word
		}
	}
	return ""
}

// SignOf is the sign of a task in a phase (resources.TaskPlanned, ...), which may be ready to be started.
func SignOf(phase string, ready bool) Sign {
	switch phase {
	case resources.TaskCompleted:
		return SignDone
	case resources.TaskActive:
		return SignActive
	case resources.TaskReview:
		return SignReview
	case resources.TaskFailed, resources.PhaseInvalid:
		return SignFailed
	case resources.TaskAbandoned:
		return SignAbandoned
	}
	if ready {
		return SignReady
	}
	return SignWaits
}
