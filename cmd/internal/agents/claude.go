package agents

import (
	"bytes"
	"encoding/json"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// claudeSettings is where Claude Code reads a project's settings, from its root.
const claudeSettings = ".claude/settings.json"

// timeoutSeconds is what the host waits for our hook at most. The hook's own
// deadline is far below it; a host whose patience ends goes on without an answer.
const timeoutSeconds = 10

// claudeEvents is the table of what we hook, in the order in which it is written.
// The gate sees every tool, because a task's allowedTools may name any. A
// matcher of letters and bars is an exact list of tools.
var claudeEvents = []struct{ event, matcher string }{
	{"PreToolUse", "*"},
	{"PostToolUse", "Write|Edit|MultiEdit|NotebookEdit|Bash"},
	{"PostToolUseFailure", "Bash"},
	{"UserPromptSubmit", ""},
	{"SessionStart", ""},
	{"PreCompact", ""},
	{"Stop", ""},
	{"SessionEnd", ""},
}

// claudeGroup is one entry of an event: a matcher and what it starts.
type claudeGroup struct {
	Matcher string         `json:"matcher,omitempty"`
	Hooks   []claudeAction `json:"hooks"`
}

type claudeAction struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"`
}

// isOurs reports whether an action starts our hook, wherever it is installed and
// however it was written (also as one line for a shell).
func (a claudeAction) isOurs() bool {
	words := append(strings.Fields(a.Command), a.Args...)
	if len(words) == 0 {
		return false
	}
	program := strings.TrimSuffix(filepath.Base(filepath.ToSlash(strings.Trim(words[0], `"'`))), ".exe")
	return program == "idumb-hook" && slices.Equal(words[1:], []string{"claude"}) ||
		program == "idumb" && slices.Equal(words[1:], []string{"hook", "claude"})
}

// addClaude puts our entries into settings, at the end of each event's list.
func addClaude(settings []byte, c Command) ([]byte, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	if err := checkShape(d); err != nil {
		return nil, err
	}
	for _, row := range claudeEvents {
		d = d.appendTo([]string{"hooks", row.event}, groupFor(row.event, c))
	}
	return endLinesAs(settings, d.text), nil
}

// endLinesAs ends the lines of text with CRLF if all lines of the model end so.
func endLinesAs(model, text []byte) []byte {
	lf, crlf := []byte("\n"), []byte("\r\n")
	if n := bytes.Count(model, crlf); n == 0 || n != bytes.Count(model, lf) {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), lf, crlf)
}

// removeClaude takes our entries out, and with them the lists and the object that
// are empty then.
func removeClaude(settings []byte) ([]byte, error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	for {
		path, found := findOurs(d)
		if !found {
			return d.text, nil
		}
		if len(d.at(path[:4]).items) == 1 {
			path = path[:3] // the whole entry: without an action it says nothing
		}
		d = d.remove(path)
		for len(path) > 1 && d.at(path[:len(path)-1]).empty() {
			path = path[:len(path)-1]
			d = d.remove(path)
		}
	}
}

// findOurs returns the path of one of our actions.
func findOurs(d document) (path []any, found bool) {
	for path := range d.ours() {
		return path, true
	}
	return nil, false
}

// ours goes through our actions, with the path of each.
func (d document) ours() iter.Seq2[[]any, claudeAction] {
	return func(yield func([]any, claudeAction) bool) {
		for _, event := range d.at([]any{"hooks"}).members {
			for g, group := range event.value.items {
				for a, item := range group.member("hooks").items {
					var action claudeAction
					ours := json.Unmarshal(d.raw(item), &action) == nil && action.isOurs()
					if ours && !yield([]any{"hooks", event.key, g, "hooks", a}, action) {
						return
					}
				}
			}
		}
	}
}

// claudeEventsOf lists the events in which our hook stands.
func claudeEventsOf(settings []byte) (events []string, err error) {
	d, err := parse(settings)
	if err != nil {
		return nil, err
	}
	for path := range d.ours() {
		if event := path[1].(string); !slices.Contains(events, event) {
			events = append(events, event)
		}
	}
	return events, nil
}

// commandIn returns how our hook is started in settings, if it is.
func commandIn(settings []byte) (Command, bool) {
	d, err := parse(settings)
	if err != nil {
		return Command{}, false
	}
	for _, action := range d.ours() {
		return Command{Program: action.Command, Args: action.Args}, true
	}
	return Command{}, false
}

// upToDate reports whether settings hold exactly the entries that addClaude adds.
func upToDate(settings []byte, c Command) bool {
	d, err := parse(settings)
	if err != nil {
		return false
	}
	var found []string
	for path := range d.ours() {
		event := path[1].(string)
		var group claudeGroup
		if json.Unmarshal(d.raw(d.at(path[:3])), &group) != nil || !reflect.DeepEqual(group, groupFor(event, c)) {
			return false
		}
		found = append(found, event)
	}
	return len(found) == len(claudeEvents)
}

// groupFor is the entry that an event gets.
func groupFor(event string, c Command) claudeGroup {
	g := claudeGroup{Hooks: []claudeAction{{Type: "command", Command: c.Program, Args: c.Args, Timeout: timeoutSeconds}}}
	for _, row := range claudeEvents {
		if row.event == event {
			g.Matcher = row.matcher
		}
	}
	return g
}

// emptyObject reports whether settings say nothing.
func emptyObject(settings []byte) bool {
	d, err := parse(settings)
	return err == nil && d.root.empty()
}
