package dash

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/resources"
)

// runs runs a verb that changes something; what it says is told in the last line. What was not typed as an
// option stands behind "--", so that no name and no text is taken for one.
func (m *model) runs(args ...string) []effect { return m.verb(false, args) }

// reads runs a verb for what it says, which has a window where it is more than a line.
func (m *model) reads(args ...string) []effect { return m.verb(true, args) }

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

// asks asks for a text, with which it runs a verb.
func (m *model) asks(d asking, args func(text string) []string) []effect {
	d.then = func(text string) []effect { return m.runs(args(text)...) }
	m.dialog = &d
	return nil
}

// answer does what is proposed first about a need; where that wants a text, it is asked for.
func answer(m *model) []effect {
	a := m.need().Do[0]
	if a.Verb == "allow" {
		return allow(m)
	}
	args := append(strings.Fields(a.Verb), a.Args...)
	if !a.Text {
		return m.reads(args...)
	}
	return m.asks(asking{title: a.Command, follows: m.need().What}, func(text string) []string {
		filled := make([]string, len(args))
		for i, arg := range args {
			filled[i] = strings.ReplaceAll(arg, "...", text)
		}
		return filled
	})
}

// commented is what a comment would be about: the task that is meant, or else the object; "" for none.
func commented(m *model) string {
	if t := m.taskOf(m.subject()); t != "" {
		return "task/" + t
	}
	switch kind, _, _ := strings.Cut(m.subject(), "/"); kind {
	case "workplan", "mem", "anchor", "delegation", "session":
		return m.subject()
	}
	return ""
}

func comment(m *model) []effect {
	about := commented(m)
	return m.asks(asking{title: "Comment on " + about + ":"}, func(text string) []string { return []string{"comment", "--", about, text} })
}

// allowing is the verb that lets the denied call that is selected pass once, or, fine, that says that it was
// rightly denied; nil where nothing was denied.
func allowing(m *model, fine bool) []string {
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

// allow shows the call, all of it, before it lets it pass: a row shows how it begins.
func allow(m *model) []effect {
	words := allowing(m, false)
	dry := append([]string{"allow", "--dry-run"}, words[1:]...)
	return []effect{func() any {
		said, err := m.Host.Do(m.ctx, dry...)
		if err != nil {
			return done{"allow", said, err, false}
		}
		return proposed{words, said}
	}}
}

// proposed is what a verb would do.
type proposed struct {
	args []string
	said string
}

// propose asks whether it is to be done.
func (m *model) propose(v proposed) {
	p := newPager("idumb "+strings.Join(v.args, " "), hardWrap(strings.TrimSpace(v.said), max(m.width-10, 20)))
	p.foot = "Enter does it   Esc does nothing"
	m.dialog = &confirming{*p, func() []effect { return m.runs(v.args...) }}
}

// hardWrap breaks lines where they are too long, wherever that is: nothing of a command may be out of sight.
func hardWrap(text string, columns int) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = terminal.EscapeLine(line)
		most := columns
		if !isASCII(line) {
			most = max(columns/2, 1) // each may be wide
		}
		runes := []rune(line)
		for ; len(runes) > most; runes = runes[most:] {
			lines = append(lines, string(runes[:most]))
		}
		lines = append(lines, string(runes))
	}
	return lines
}

// fineAsItIs says that a call was rightly denied; any other need is left out of sight, here, until its words
// change.
func fineAsItIs(m *model) []effect {
	if words := allowing(m, true); words != nil && m.Host.Has("allow") {
		return m.runs(words...)
	}
	n := m.need()
	if n == nil {
		return nil
	}
	m.fine[n.Name+"\x00"+n.What] = true
	m.say("left out here until it changes: "+n.What, false)
	m.build()
	return m.moved()
}

func start(m *model) []effect { return m.runs("start", "--", m.taskOf(m.subject())) }

func handIn(m *model) []effect {
	t := m.taskOf(m.subject())
	return m.asks(asking{title: "Hand in " + t + " for review. What shows that it is done? (empty: what was recorded)", may: true}, func(text string) []string {
		if text == "" {
			return []string{"submit", "--", t}
		}
		return []string{"submit", "--evidence", text, "--", t}
	})
}

func complete(m *model) []effect {
	t := m.taskOf(m.subject())
	return m.asks(asking{title: "Complete " + t + ". What shows that it is done?"}, func(text string) []string {
		return []string{"complete", "--evidence", text, "--", t}
	})
}

// abandon asks why, once, and says what follows.
func abandon(m *model) []effect {
	t := m.taskOf(m.subject())
	follows := "No open task waits behind it."
	switch n := len(m.state.behind(t)); {
	case n == 1:
		follows = "1 task will be broken from its chain."
	case n > 1:
		follows = strings.TrimSuffix(tasksText(n), " wait") + " will be broken from their chain."
	}
	return m.asks(asking{title: "Abandon " + t + ". Why?", follows: follows}, func(text string) []string {
		return []string{"abandon", "--reason", text, "--", t}
	})
}

// patch changes one field of a task.
func patch(task, field, value string) []string {
	p, _ := json.Marshal(map[string]any{"spec": map[string]any{field: orNull(value)}}) // of texts it never fails
	return []string{"patch", "-p", string(p), "--", "task/" + task}
}

// orNull takes a field away where its value is empty.
func orNull(value string) any {
	if value == "" {
		return nil
	}
	return value
}

func priority(m *model) []effect {
	t := m.taskOf(m.subject())
	return m.asks(asking{title: "How much does " + t + " matter?", choices: []string{"critical", "high", "medium", "normal", "low"}}, func(text string) []string {
		return patch(t, "priority", text)
	})
}

func assign(m *model) []effect {
	t := m.taskOf(m.subject())
	return m.asks(asking{title: "Assign " + t + " to which role, agent or person? (empty: to nobody)", may: true}, func(text string) []string {
		return patch(t, "assignedTo", text)
	})
}

func intent(m *model) []effect {
	about := m.subject()
	if t := m.taskOf(about); t != "" {
		about = "task/" + t
	}
	return m.asks(asking{title: "Work on " + about + ". What do you want now, in a sentence? (may be empty)", may: true}, func(text string) []string {
		_, name, _ := strings.Cut(about, "/")
		if strings.HasPrefix(about, "task/") {
			name = about
		}
		if text == "" {
			return []string{"focus", "--", name}
		}
		return []string{"focus", "--intent", text, "--", name}
	})
}

// hold holds a task by a comment, or releases it: the comments that hold it are resolved.
func hold(m *model) []effect {
	t := m.taskOf(m.subject())
	var holding []string
	if m.detail != nil && m.about == "task/"+t {
		for i := range m.detail.Remarks {
			if r := &m.detail.Remarks[i]; strings.HasSuffix(r.Type, ", holds") && !strings.HasPrefix(r.State, "resolved") {
				holding = append(holding, "--resolve", r.Name)
			}
		}
	}
	if len(holding) > 0 {
		return m.runs(append(append([]string{"comment"}, holding...), "--", "Released.")...)
	}
	return m.asks(asking{title: "Hold " + t + ": nothing is written for it until this is answered.", follows: "What is to be settled first?"}, func(text string) []string {
		return []string{"comment", "--hold", "--", "task/" + t, text}
	})
}

func recall(m *model) []effect {
	_, name, _ := strings.Cut(m.subject(), "/")
	return m.asks(asking{title: "Recall " + name + ": whoever works under it is stopped. Hand it to whom instead? (empty: to nobody)", may: true}, func(text string) []string {
		if text == "" {
			return []string{"delegation", "revoke", "--", name}
		}
		return []string{"delegation", "revoke", "--to", text, "--", name}
	})
}

func confirm(m *model) []effect {
	_, name, _ := strings.Cut(m.subject(), "/")
	return m.runs("mem", "confirm", "--", name)
}

func supersede(m *model) []effect {
	_, name, _ := strings.Cut(m.subject(), "/")
	return m.asks(asking{title: "Supersede " + name + ". What holds in its place?"}, func(text string) []string {
		return []string{"mem", "supersede", "--content", text, "--", name}
	})
}

// edit has $EDITOR change what is selected.
func edit(m *model) []effect {
	about := m.subject()
	if t := m.taskOf(about); t != "" {
		about = "task/" + t
	}
	return m.runs("edit", "--", about)
}

// raw shows what is selected as its file and status say it.
func raw(m *model) []effect { return m.reads("get", "-o", "json", "--", m.subject()) }

func undo(m *model) []effect {
	return []effect{func() any {
		said, err := m.Host.Undo(m.ctx)
		return done{"undo", said, err, false}
	}}
}

func startController(m *model) []effect { return m.runs("controller", "start") }
