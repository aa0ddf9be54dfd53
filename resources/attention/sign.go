package attention

import "github.com/idumb-dev/idumb/resources"

// Sign is a one-character symbol for a state. Colors do not carry additional information.
// Its value is the UTF-8 symbol. Draw also provides an ASCII alternative.
type Sign string

// Signs of tasks and needs.
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

// signs is the table of signs, in the order of a legend.
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

// Signs returns all signs in the order of a legend.
func Signs() []Sign {
	all := make([]Sign, len(signs))
	for i, row := range signs {
		all[i] = row.sign
	}
	return all
}

// Draw returns the symbol, or its ASCII alternative if unicode is false. It returns "" for
// an unknown sign.
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

// Word returns the meaning of the sign in one word, for legends and screen readers. It
// returns "" for an unknown sign.
func (s Sign) Word() string {
	for _, row := range signs {
		if row.sign == s {
			return row.word
		}
	}
	return ""
}

// SignOf returns the sign of a task in a phase (resources.TaskPlanned, ...). ready means
// that the task can be started.
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
