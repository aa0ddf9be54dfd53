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

// settings is a JSON document of a person's into which entries of ours are merged.
type settings struct {
	comments bool     // the host allows comments in it
	hooks    []hook   // entries of lists below "hooks"
	hookArgs []string // how our hook is called, after the name of idumb-hook
	command  Command
	members  []entry
	schema   string // "$schema" of a file that we make; "" for none
}

// hook is one event that our hook stands in.
type hook struct {
	event   string
	matcher string // "" for none
	timeout int    // seconds; 0 for timeoutSeconds
	watch   watch  // what is said where our hook cannot answer; the zero watch says nothing
}

// entry is a value of ours under a key of ours.
type entry struct {
	path    []string
	value   any
	program string // a server that this program runs is ours, whatever else the entry says
}

func (e entry) name() string { return strings.Join(e.path, ".") }

// group is one entry of an event: a matcher and what it starts.
type group struct {
	Matcher string   `json:"matcher,omitempty"`
	Hooks   []action `json:"hooks"`
}

type action struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"` // of earlier versions; groupFor sets none
	Timeout int      `json:"timeout,omitempty"`
}

// isProgram reports whether a path names one of our programs, wherever it is installed.
func isProgram(path, name string) bool {
	return strings.TrimSuffix(filepath.Base(filepath.ToSlash(path)), ".exe") == name
}

// startsHook reports whether words start our hook with the given arguments.
func startsHook(words []string, args []string) bool {
	if len(words) == 0 {
		return false
	}
	return isProgram(words[0], "idumb-hook") && slices.Equal(words[1:], args) ||
		isProgram(words[0], "idumb") && slices.Equal(words[1:], append([]string{"hook"}, args...))
}

// isOurs reports whether an action starts our hook, however it was written.
func (s settings) isOurs(a action) bool { return startsHook(a.words(), s.hookArgs) }

// words are the program and its arguments; without arguments the command is a line
// for a shell.
func (a action) words() []string {
	if line, watched := watchedLine(strings.Join(append([]string{a.Command}, a.Args...), " ")); watched {
		return splitLine(line)
	}
	if len(a.Args) > 0 {
		return append([]string{a.Command}, a.Args...)
	}
	return splitLine(a.Command)
}

// splitLine splits a line for a shell, as Command.Line and people write it: only the
// program may stand in quotes.
func splitLine(line string) []string {
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

func (s settings) put(text []byte, renew bool) (after []byte, kept []string, err error) {
	made := text == nil
	d, err := s.parse(text)
	if err != nil {
		return nil, nil, err
	}
	if made && s.schema != "" {
		d.put([]string{"$schema"}, s.schema)
	}
	for _, h := range s.hooks {
		d.appendTo([]string{"hooks", h.event}, s.groupFor(h))
	}
	for _, e := range s.members {
		if d.at(steps(e.path)) != nil && !renew {
			kept = append(kept, e.name())
			continue
		}
		d.put(e.path, e.value)
	}
	return endLinesAs(text, d.text()), kept, nil
}

// parse reads a document and looks whether our entries can be put in without
// changing what something else means.
func (s settings) parse(text []byte) (*document, error) {
	d, err := parse(text, s.comments)
	if err != nil {
		return nil, err
	}
	return d, s.checkShape(d)
}

func (s settings) take(text []byte, was *recorded, renew bool) (after []byte, kept []string, err error) {
	d, err := parse(text, s.comments)
	if err != nil {
		return nil, nil, err
	}
	before := s.before(was)
	for path, found := s.ourAction(d); found; path, found = s.ourAction(d) {
		if d.items(path[:4]...) == 1 {
			path = path[:3] // the whole entry: without an action it says nothing
		}
		d.prune(path, before)
	}
	for _, e := range s.members {
		switch {
		case d.at(steps(e.path)) == nil:
		case renew || s.unchanged(d, e, was) || e.runsOurs(d):
			d.prune(steps(e.path), before)
		default:
			kept = append(kept, e.name())
		}
	}
	return d.text(), kept, nil
}

// before is the document before Install; an empty one if nobody remembers it.
func (s settings) before(was *recorded) *document {
	if was != nil {
		if d, err := parse(was.before, s.comments); err == nil {
			return d
		}
	}
	return &document{}
}

// ourAction returns the path of one of our actions.
func (s settings) ourAction(d *document) (path []any, found bool) {
	for path := range s.actions(d) {
		return path, true
	}
	return nil, false
}

// actions goes through our actions, with the path of each.
func (s settings) actions(d *document) iter.Seq2[[]any, action] {
	return func(yield func([]any, action) bool) {
		if len(s.hooks) == 0 {
			return
		}
		for _, event := range d.members("hooks") {
			for g := range d.items("hooks", key(event)) {
				for a := range d.items("hooks", key(event), g, "hooks") {
					path := []any{"hooks", key(event), g, "hooks", a}
					var action action
					if d.decode(path, &action) && s.isOurs(action) && !yield(path, action) {
						return
					}
				}
			}
		}
	}
}

// unchanged reports whether an entry says what this version writes, or what Install
// wrote.
func (s settings) unchanged(d *document, e entry, was *recorded) bool {
	here := decoded(d, e.path)
	if here == nil || reflect.DeepEqual(here, plain(e.value)) {
		return here != nil
	}
	if was == nil {
		return false
	}
	after, err := parse(was.After, s.comments)
	return err == nil && reflect.DeepEqual(here, decoded(after, e.path)) &&
		!reflect.DeepEqual(here, decoded(s.before(was), e.path)) // else Install found it, and left it
}

// runsOurs reports whether an entry is a server that our program runs.
func (e entry) runsOurs(d *document) bool {
	return e.program != "" && isProgram(serverCommand(d, steps(e.path)).Program, e.program)
}

// decoded is the value at a path; nil if there is none.
func decoded(d *document, path []string) (v any) {
	d.decode(steps(path), &v)
	return v
}

// plain is a value as it is read back from JSON.
func plain(value any) any {
	text, _ := json.Marshal(value) // our own
	var v any
	_ = json.Unmarshal(text, &v)
	return v
}

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

// missingHooks names the events in which our hook does not stand as it should.
func (s settings) missingHooks(d *document) (missing []string) {
	found := map[string]int{}
	for path := range s.actions(d) {
		event := path[1].(string)
		var g group
		if d.decode(path[:3], &g) && slices.ContainsFunc(s.hooks, func(h hook) bool { return h.event == event && reflect.DeepEqual(g, s.groupFor(h)) }) {
			found[event]++
		} else {
			found[event] = -100 // another form, perhaps besides the right one
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
	for event := range found { // this version has none there
		missing = append(missing, event+inOtherForm)
	}
	slices.Sort(missing[len(missing)-len(found):])
	return missing
}

func (s settings) has(text []byte) bool {
	d, err := parse(text, s.comments)
	if err != nil {
		return false
	}
	_, found := s.ourAction(d)
	return found || slices.ContainsFunc(s.members, func(e entry) bool { return d.at(steps(e.path)) != nil })
}

// same compares what two documents say; what is empty where entries of ours would
// stand counts as not there.
func (s settings) same(a, b []byte) bool {
	da, errA := parse(a, s.comments)
	db, errB := parse(b, s.comments)
	if errA != nil || errB != nil {
		return false
	}
	return reflect.DeepEqual(s.meaning(da), s.meaning(db))
}

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

// dropEmpty deletes what is empty on a path, from its end.
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

func (s settings) bare(text []byte) bool {
	d, err := parse(text, s.comments)
	if err != nil || !d.root.IsStandard() {
		return false
	}
	v, _ := s.meaning(d).(map[string]any)
	if s.schema != "" && v["$schema"] == s.schema {
		delete(v, "$schema") // we put it there, or the host did
	}
	return len(v) == 0
}

// groupFor returns the entry of an event. Its command is one line for a shell, without args: a
// host that reads another host's settings may drop args, and then runs the program with the
// event, which holds the user's prompt, as its input.
func (s settings) groupFor(h hook) group {
	timeout := h.timeout
	if timeout == 0 {
		timeout = timeoutSeconds
	}
	line := s.command.Line()
	if h.watch != (watch{}) && runtime.GOOS != "windows" { // no sh to count on there
		line = h.watch.over(line)
	}
	return group{Matcher: h.matcher, Hooks: []action{{Type: "command", Command: line, Timeout: timeout}}}
}

// checkShape reports whether our entries can be put into a document: something
// else may stand where an object or a list has to be.
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

// isObject reports an error if there is something at a path that is no object.
func isObject(d *document, path []string) error {
	if v := d.at(steps(path)); v != nil && v.Value.Kind() != '{' {
		return fmt.Errorf("has %s that is no object; mend it first, it was not touched", entry{path: path}.name())
	}
	return nil
}
