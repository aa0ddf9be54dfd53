package agents

import (
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// settings is a user's JSON document with entries of iDumb.
type settings struct {
	comments bool     // whether the host allows comments
	hooks    []hook   // entries of lists below "hooks"
	hookArgs []string // arguments of idumb-hook
	command  Command
	members  []entry
	schema   string // "$schema" of a created file; empty for no schema
	form     form
}

// form is how a host's entries of hooks differ from Claude Code's.
type form struct {
	flat        bool // the list of an event has actions in place of groups, with Copilot's names of the members
	millis      bool // timeouts are in milliseconds
	failsClosed bool // the host denies a call if the hook is missing
}

// hook is an event with iDumb's hook.
type hook struct {
	event   string
	matcher string // empty for no matcher
	timeout int    // in seconds; 0 means timeoutSeconds
	watch   watch  // message if the hook cannot answer; empty for no message
}

// entry is a member of an object with a key of iDumb.
type entry struct {
	path    []string
	value   any
	program string // a server with this program belongs to iDumb, whatever its other fields
}

// name returns the path of the entry, joined with dots.
func (e entry) name() string { return strings.Join(e.path, ".") }

// group is one entry of an event: a matcher and its actions.
type group struct {
	Matcher string   `json:"matcher,omitempty"`
	Hooks   []action `json:"hooks"`
}

// action is the command of a hook in the settings.
type action struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"` // of earlier versions; entryFor sets none
	Timeout int      `json:"timeout,omitempty"`
}

// flatAction is an action in Copilot's form.
type flatAction struct {
	Type    string `json:"type"`
	Command string `json:"bash"`
	Timeout int    `json:"timeoutSec"`
}

// isProgram reports whether a path names one of iDumb's programs in any directory.
func isProgram(path, name string) bool {
	return strings.TrimSuffix(filepath.Base(filepath.ToSlash(path)), ".exe") == name
}

// startsHook reports whether words start the hook with the given arguments.
func startsHook(words []string, args []string) bool {
	if len(words) == 0 {
		return false
	}
	return isProgram(words[0], "idumb-hook") && slices.Equal(words[1:], args) ||
		isProgram(words[0], "idumb") && slices.Equal(words[1:], append([]string{"hook"}, args...))
}

// words returns the program and its arguments. Without separate arguments the command is a line for
// a shell.
func (a action) words() []string {
	if line, watched := watchedLine(strings.Join(append([]string{a.Command}, a.Args...), " ")); watched {
		return splitLine(line)
	}
	if len(a.Args) > 0 {
		return append([]string{a.Command}, a.Args...)
	}
	return splitLine(a.Command)
}

// splitLine splits a line for a shell in the form of Command.Line. Only the program may be quoted. It
// drops passesIfMissing, and a message that earlier versions appended for the case that the hook
// fails: || echo '...'.
func splitLine(line string) []string {
	line = strings.TrimSuffix(line, passesIfMissing)
	command, message, _ := strings.Cut(line, "||")
	if words := strings.Fields(message); len(words) > 0 && words[0] == "echo" {
		line = command
	}
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '\'' && line[0] != '"' {
		return strings.Fields(line)
	}
	program, rest, closed := strings.Cut(line[1:], line[:1])
	if !closed {
		return strings.Fields(line)
	}
	return append([]string{program}, strings.Fields(rest)...)
}

// insert implements content. It appends the hooks and sets the members that do not exist.
func (s settings) insert(text []byte, renew bool) (after []byte, kept []string, err error) {
	made := text == nil
	d, err := s.parse(text)
	if err != nil {
		return nil, nil, err
	}
	if made && s.schema != "" {
		d.set([]string{"$schema"}, s.schema)
	}
	for _, h := range s.hooks {
		d.appendTo([]string{"hooks", h.event}, s.entryFor(h))
	}
	for _, e := range s.members {
		if d.valueAt(pathOf(e.path)) != nil && !renew {
			kept = append(kept, e.name())
			continue
		}
		d.set(e.path, e.value)
	}
	return endLinesAs(text, d.text()), kept, nil
}

// parse parses a document. It returns an error if the entries cannot be added without changing
// other entries.
func (s settings) parse(text []byte) (*document, error) {
	d, err := parse(text, s.comments)
	if err != nil {
		return nil, err
	}
	return d, s.checkShape(d)
}

// remove implements content. It keeps members that a user changed, unless renew is true.
func (s settings) remove(text []byte, was *recorded, renew bool) (after []byte, kept []string, err error) {
	d, err := parse(text, s.comments)
	if err != nil {
		return nil, nil, err
	}
	before := s.documentBefore(was)
	for path, found := s.ourAction(d); found; path, found = s.ourAction(d) {
		if !s.form.flat && d.items(path[:4]...) == 1 {
			path = path[:3] // the full group: without an action it has no meaning
		}
		d.prune(path, before)
	}
	for _, e := range s.members {
		switch {
		case d.valueAt(pathOf(e.path)) == nil:
		case renew || s.unchanged(d, e, was) || e.runsOurs(d):
			d.prune(pathOf(e.path), before)
		default:
			kept = append(kept, e.name())
		}
	}
	return d.text(), kept, nil
}

// documentBefore returns the document before Install, empty without a record.
func (s settings) documentBefore(was *recorded) *document {
	if was != nil {
		if d, err := parse(was.backup, s.comments); err == nil {
			return d
		}
	}
	return &document{}
}

// ourAction returns the path of the first of iDumb's actions; found is false
// if the document has none.
func (s settings) ourAction(d *document) (path []any, found bool) {
	for path := range s.actions(d) {
		return path, true
	}
	return nil, false
}

// actions iterates over iDumb's actions with their paths.
func (s settings) actions(d *document) iter.Seq2[[]any, action] {
	return func(yield func([]any, action) bool) {
		if len(s.hooks) == 0 {
			return
		}
		for _, event := range d.members("hooks") {
			for g := range d.items("hooks", key(event)) {
				path := []any{"hooks", key(event), g}
				var flat flatAction
				if s.form.flat && d.decode(path, &flat) {
					if a := (action{Type: flat.Type, Command: flat.Command}); startsHook(a.words(), s.hookArgs) && !yield(path, a) {
						return
					}
				}
				for a := range d.items("hooks", key(event), g, "hooks") {
					path := []any{"hooks", key(event), g, "hooks", a}
					var action action
					if d.decode(path, &action) && startsHook(action.words(), s.hookArgs) && !yield(path, action) {
						return
					}
				}
			}
		}
	}
}

// unchanged reports whether an entry has the value of this version or of Install.
func (s settings) unchanged(d *document, e entry, was *recorded) bool {
	here := decoded(d, e.path)
	if here == nil || reflect.DeepEqual(here, plain(e.value)) {
		return here != nil
	}
	if was == nil {
		return false
	}
	after, err := parse(was.Installed, s.comments)
	return err == nil && reflect.DeepEqual(here, decoded(after, e.path)) &&
		!reflect.DeepEqual(here, decoded(s.documentBefore(was), e.path)) // otherwise the entry existed before Install
}

// runsOurs reports whether an entry is a server that runs iDumb's program.
func (e entry) runsOurs(d *document) bool {
	return e.program != "" && isProgram(serverCommand(d, pathOf(e.path)).Program, e.program)
}

// decoded returns the value at a path, or nil.
func decoded(d *document, path []string) (v any) {
	d.decode(pathOf(path), &v)
	return v
}

// plain returns the JSON form of a value.
func plain(value any) any {
	text, _ := json.Marshal(value) // cannot fail
	var v any
	_ = json.Unmarshal(text, &v)
	return v
}

// missing implements content: it names the hooks and members that are absent or of another
// version, and the members that a user edited.
func (s settings) missing(text []byte, was *recorded) (missing, edited []string, err error) {
	d, err := s.parse(text)
	if err != nil {
		return nil, nil, err
	}
	missing = s.missingHooks(d)
	for _, e := range s.members {
		here := decoded(d, e.path)
		switch {
		case here == nil:
			missing = append(missing, e.name())
		case reflect.DeepEqual(here, plain(e.value)):
		case s.unchanged(d, e, was):
			missing = append(missing, e.name()+inOtherForm)
		default:
			edited = append(edited, e.name())
		}
	}
	return missing, edited, nil
}

// missingHooks returns the events in which the hook is missing or has another form.
func (s settings) missingHooks(d *document) (missing []string) {
	found := map[string]int{}
	for path := range s.actions(d) {
		event := path[1].(string)
		var here any
		if d.decode(path[:3], &here) && slices.ContainsFunc(s.hooks, func(h hook) bool { return h.event == event && reflect.DeepEqual(here, plain(s.entryFor(h))) }) {
			found[event]++
		} else {
			found[event] = -100 // another form, perhaps in addition to the current one
		}
	}
	for _, h := range s.hooks {
		switch n := found[h.event]; {
		case n < 0:
			missing = append(missing, h.event+inOtherForm)
		case n != 1:
			missing = append(missing, h.event)
		}
		delete(found, h.event)
	}
	for event := range found { // events without a hook in this version
		missing = append(missing, event+inOtherForm)
	}
	slices.Sort(missing[len(missing)-len(found):])
	return missing
}

// contains implements content: it reports whether text has one of iDumb's hooks or members. It
// returns false for invalid JSON.
func (s settings) contains(text []byte) bool {
	d, err := parse(text, s.comments)
	if err != nil {
		return false
	}
	_, found := s.ourAction(d)
	return found || slices.ContainsFunc(s.members, func(e entry) bool { return d.valueAt(pathOf(e.path)) != nil })
}

// equivalent compares the values of two documents. An empty container on the path of an entry counts as
// missing.
func (s settings) equivalent(a, b []byte) bool {
	da, errA := parse(a, s.comments)
	db, errB := parse(b, s.comments)
	if errA != nil || errB != nil {
		return false
	}
	return reflect.DeepEqual(s.meaning(da), s.meaning(db))
}

// meaning returns the value of the document, without empty containers on the paths of iDumb's
// entries.
func (s settings) meaning(d *document) any {
	v, _ := decoded(d, nil).(map[string]any)
	for _, h := range s.hooks {
		dropEmpty(v, []string{"hooks", h.event})
	}
	for _, e := range s.members {
		dropEmpty(v, e.path)
	}
	return v
}

// dropEmpty deletes empty containers on a path, from its end.
func dropEmpty(v map[string]any, path []string) {
	inner, _ := v[path[0]].(map[string]any)
	if len(path) > 1 && inner != nil {
		dropEmpty(inner, path[1:])
	}
	list, isList := v[path[0]].([]any)
	if inner != nil && len(inner) == 0 || isList && len(list) == 0 {
		delete(v, path[0])
	}
}

// isEmpty implements content. A document with comments is not empty.
func (s settings) isEmpty(text []byte) bool {
	d, err := parse(text, s.comments)
	if err != nil || !d.root.IsStandard() {
		return false
	}
	v, _ := s.meaning(d).(map[string]any)
	if s.schema != "" && v["$schema"] == s.schema {
		delete(v, "$schema") // added by Install or by the host
	}
	return len(v) == 0
}

// entryFor returns the entry of an event. Its command is one line for a shell, without args. A host
// that reads another host's settings may drop args. Then it would run the program with the event as
// its input, which contains the user's prompt.
func (s settings) entryFor(h hook) any {
	timeout := h.timeout
	if timeout == 0 {
		timeout = timeoutSeconds
	}
	if s.form.millis {
		timeout *= 1000
	}
	line := s.command.Line()
	switch {
	case h.watch != (watch{}) && runtime.GOOS != "windows": // Windows may lack sh
		line = h.watch.wrap(line)
	case s.form.failsClosed:
		line += passesIfMissing
	}
	if s.form.flat {
		return flatAction{"command", line, timeout}
	}
	return group{Matcher: h.matcher, Hooks: []action{{Type: "command", Command: line, Timeout: timeout}}}
}

// passesIfMissing ends a line of a hook without which its host denies every call. On a machine
// without iDumb the shell ends with 127, and the line succeeds.
const passesIfMissing = " || [ $? -eq 127 ]"

// checkShape returns an error if the document has another value in place of an object or a list
// that the entries need.
func (s settings) checkShape(d *document) error {
	if len(s.hooks) > 0 {
		if err := isObject(d, []string{"hooks"}); err != nil {
			return err
		}
		for _, event := range d.members("hooks") {
			if event.Value.Value.Kind() != '[' {
				return fmt.Errorf("has hooks.%s that is no list; mend it first, it was not touched", key(event))
			}
		}
	}
	for _, e := range s.members {
		for i := 1; i < len(e.path); i++ {
			if err := isObject(d, e.path[:i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// isObject returns an error if the value at a path is not an object.
func isObject(d *document, path []string) error {
	if v := d.valueAt(pathOf(path)); v != nil && v.Value.Kind() != '{' {
		return fmt.Errorf("has %s that is no object; mend it first, it was not touched", entry{path: path}.name())
	}
	return nil
}
