package hosts

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// guessGate reports whether a text that is no event as Claude Code or Codex sends it
// may still ask for a decision: it names the event of the gate, or no event and a
// tool. Calls that only look at files or talk to the person are let through.
func guessGate(input []byte, table []toolRow) bool {
	text := string(input)
	gate := strings.Contains(text, `PreToolUse`)
	if event := roughly(text, "hook_event_name"); !gate && (event != "" || !strings.Contains(text, `"tool_`)) {
		return false
	}
	switch toolNamed(roughly(text, "tool_name"), table).action {
	case admission.Read, admission.Ask:
		return false
	}
	return true
}

// roughly finds a member that is a plain text in what need not be JSON; "" if there
// is none.
func roughly(text, key string) string {
	_, rest, found := strings.Cut(text, `"`+key+`"`)
	rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
	rest, quoted := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), `"`)
	value, _, closed := strings.Cut(rest, `"`)
	if !found || !colon || !quoted || !closed || strings.ContainsRune(value, '\\') {
		return ""
	}
	return value
}
