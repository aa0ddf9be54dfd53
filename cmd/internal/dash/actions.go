package dash

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// runVerb runs a verb that changes something and shows its output in the last line. Names and texts
// follow "--", so that none is parsed as an option.
func (m *model) runVerb(args ...string) []effect { return m.verb(false, args) }

// showVerb runs a verb for its output, which opens a window if it is longer than a line.
func (m *model) showVerb(args ...string) []effect { return m.verb(true, args) }

// verb runs a verb and shows its output. A verb that needs the terminal runs in place of the
// screen. read is true for a verb that is run for its output.
func (m *model) verb(read bool, args []string) []effect {
	name := args[0]
	if m.Host.Takes(args...) {
		m.shell = func() {
			if err := m.Host.Shell(args...); err != nil {
				m.say(err.Error(), true)
			}
		}
		return nil
	}
	m.say(name+" ...", false)
	return []effect{func() any {
		said, err := m.Host.Do(m.ctx, args...)
		return done{name, said, err, read}
	}}
}

// prompt prompts for a text and runs a verb with it.
func (m *model) prompt(d asking, args func(text string) []string) []effect {
	d.then = func(text string) []effect { return m.runVerb(args(text)...) }
	m.dialog = &d
	return nil
}

// answer performs the first proposed action of a need. It prompts for a text if the action needs
// one.
func answer(m *model) []effect {
	a := m.need().Do[0]
	if a.Verb == "allow" {
		return allow(m)
	}
	args := append(strings.Fields(a.Verb), a.Args...)
	if !a.Text {
		return m.showVerb(args...)
	}
	return m.prompt(asking{title: a.Command, consequences: m.need().Text}, func(text string) []string {
		filled := make([]string, len(args))
		for i, arg := range args {
			filled[i] = strings.ReplaceAll(arg, "...", text)
		}
		return filled
	})
}

// allowCommand returns the command that allows the selected denied call once, or, with fine, confirms
// the denial. It returns nil if no denied call is selected.
func allowCommand(m *model, fine bool) []string {
	if n := m.need(); n != nil {
		for _, a := range n.Do {
			words := append(strings.Fields(a.Verb), a.Args...)
			if words[0] == "allow" && slices.Contains(words, "--fine") == fine {
				return words
			}
		}
	}
	r := m.lists[m.focus].current()
	if r == nil || r.event == 0 || r.event > len(m.state.Denied) || m.state.Denied[r.event-1].Reason != resources.ReasonDenied {
		return nil
	}
	switch id := m.state.Denied[r.event-1].Violation.ID(); {
	case id == "":
		return nil
	case fine:
		return []string{"allow", "--fine", "--", id}
	default:
		return []string{"allow", "--", id}
	}
}

// allow shows the full call before it is allowed, because a row shows only its beginning.
func allow(m *model) []effect {
	words := allowCommand(m, false)
	dry := append([]string{"allow", "--dry-run"}, words[1:]...)
	return []effect{func() any {
		said, err := m.Host.Do(m.ctx, dry...)
		if err != nil {
			return done{"allow", said, err, false}
		}
		return proposed{words, said}
	}}
}

// hasTodos reports whether the selection is a session with a to-do list.
func (m *model) hasTodos() bool {
	return m.state != nil && slices.ContainsFunc(m.state.Todos, func(t queries.TodoRecord) bool {
		return t.Status.Worktree == "" && "session/"+t.Metadata.Name == m.subject()
	})
}

// adopt shows the plan and tasks that a to-do list would become, before they are written.
func adopt(m *model) []effect {
	words := []string{"create", "workplan", "--from-session=" + strings.TrimPrefix(m.subject(), "session/"), "--state=" + resources.PlanActive}
	return []effect{func() any {
		said, err := m.Host.Do(m.ctx, append(slices.Clone(words), "--dry-run")...)
		if err != nil {
			return done{"create", said, err, false}
		}
		return proposed{words, said}
	}}
}

// proposed is the output of a dry run.
type proposed struct {
	args   []string
	output string
}

// hardWrap breaks long lines at any character, so that the full command is visible.
func hardWrap(text string, columns int) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = terminal.EscapeLine(line)
		most := columns
		if !isASCII(line) {
			most = max(columns/2, 1) // each character may be two columns wide
		}
		runes := []rune(line)
		for ; len(runes) > most; runes = runes[most:] {
			lines = append(lines, string(runes[:most]))
		}
		lines = append(lines, string(runes))
	}
	return lines
}

// dismiss confirms a denial. Any other need is hidden in this dashboard until its text changes.
func dismiss(m *model) []effect {
	if words := allowCommand(m, true); words != nil && m.Host.Has("allow") {
		return m.runVerb(words...)
	}
	n := m.need()
	if n == nil {
		return nil
	}
	m.dismissed[n.Name+"\x00"+n.Text] = true
	m.say("left out here until it changes: "+n.Text, false)
	m.build()
	return m.moved()
}

// target returns the object of an act: the task of the selection, otherwise the selection. It is
// empty if the act does not apply to its kind.
func (m *model) target(a acts.Act) string {
	if t := m.taskOf(m.subject()); t != "" && slices.Contains(a.Kinds, resources.Tasks) {
		return "task/" + t
	}
	word, _, _ := strings.Cut(m.subject(), "/")
	if kind, known := resources.LookupKind(word); known && slices.Contains(a.Kinds, kind.Plural) {
		return m.subject()
	}
	return ""
}

// perform prompts for the first argument of an act and runs its verb. Other arguments need the command
// line.
func (m *model) perform(a acts.Act) []effect {
	object := m.target(a)
	if len(a.PromptedArgs()) == 0 {
		return m.runVerb(a.Command(object, "")...)
	}
	first := a.Args[0]
	if !first.Required && strings.HasSuffix(first.Label, "?") {
		first.Label += " (may be empty)"
	}
	return m.prompt(asking{title: a.Label + ": " + object, label: first.Label, consequences: m.consequences(a, object), choices: first.Choices, optional: !first.Required}, func(text string) []string {
		return a.Command(object, text)
	})
}

// consequences describes the consequences of an act for other objects, empty if none exists.
func (m *model) consequences(a acts.Act, object string) string {
	switch a.Name {
	case "abandon":
		switch n := len(m.state.openDependents(strings.TrimPrefix(object, "task/"))); n {
		case 0:
			return "No open task waits for it."
		case 1:
			return "1 task will be broken from its chain."
		default:
			return strings.TrimSuffix(tasksText(n), " wait") + " will be broken from their chain."
		}
	case "recall":
		return "The agent that works under it is stopped."
	}
	return ""
}

// holding returns the flags that resolve the comments that hold the target of an act, as far as its details are loaded.
func (m *model) holding(a acts.Act) (flags []string) {
	if m.detail == nil || m.paneObject != m.target(a) {
		return nil
	}
	for i := range m.detail.Remarks {
		if r := &m.detail.Remarks[i]; strings.HasSuffix(r.Type, ", holds") && !strings.HasPrefix(r.State, "resolved") {
			flags = append(flags, "--resolve", r.Name)
		}
	}
	return flags
}

// hold holds a task by a comment.
func (m *model) hold(a acts.Act) []effect {
	object := m.target(a)
	return m.prompt(asking{title: "Hold " + object + ": files for it are not written until this is answered.", consequences: "Which question must be answered first?"}, func(text string) []string {
		return a.Command(object, text)
	})
}

// edit opens the selection in $EDITOR.
func edit(m *model) []effect {
	about := m.subject()
	if t := m.taskOf(about); t != "" {
		about = "task/" + t
	}
	return m.runVerb("edit", "--", about)
}

// raw shows the selection's file and status as JSON.
func raw(m *model) []effect { return m.showVerb("get", "-o", "json", "--", m.subject()) }

// undo reverts the last change that the dashboard made.
func undo(m *model) []effect {
	return []effect{func() any {
		said, err := m.Host.Undo(m.ctx)
		return done{"undo", said, err, false}
	}}
}

// startController starts a controller in the background.
func startController(m *model) []effect { return m.runVerb("controller", "start") }
