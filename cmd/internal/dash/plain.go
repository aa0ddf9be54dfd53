package dash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/attention"
)

// plainWidth is the line length of a dashboard without a screen.
const plainWidth = 100

// Plain prints the current state, then a line for each change. It returns nil when the reader
// closes w, and the error of ctx when ctx is cancelled.
func Plain(ctx context.Context, w io.Writer, o Options) error {
	m := newModel(ctx, o)
	m.width, m.height = plainWidth, 24
	gone := unread(w)
	var before *State
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-gone:
			return nil
		case s := <-o.States:
			m.take(s)
			lines := m.plainNow()
			if before != nil {
				lines = changes(before, m.state, o.Unicode)
			}
			if before != nil && m.state.untrusted() != nil {
				lines = nil
			}
			before = m.state
			if err := printLines(w, lines, o.Unicode); err != nil {
				return ignoreClosedPipe(err)
			}
		}
	}
}

// ignoreClosedPipe returns nil for an error that means that the reader closed the pipe.
func ignoreClosedPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

// printLines prints escaped lines.
func printLines(w io.Writer, lines []string, unicode bool) error {
	for _, line := range lines {
		line = terminal.EscapeLine(line)
		if !unicode {
			line = ascii(line)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// plainNow returns the first screen as lines.
func (m *model) plainNow() []string {
	where, _ := m.alive()
	lines := []string{"iDumb " + m.Repository + "  " + where, ""}
	for _, r := range m.rows(nowPane, plainWidth) {
		lines = append(lines, r.line(m.now()))
	}
	return lines
}

// line formats a row as text.
func (r *row) line(now time.Time) string {
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
		if pad := c.width - len([]rune(c.text)); pad > 0 {
			b.WriteString(strings.Repeat(" ", pad))
		}
	}
	text := strings.TrimRight(b.String(), " ")
	if r.right != "" {
		text += "  " + r.right
	} else if a := age(r.since, now); a != "" {
		text += "  (" + a + ")"
	}
	return text
}

// changes returns the differences between two states, a line each.
func changes(before, now *State, unicode bool) (lines []string) {
	tell := func(sign attention.Sign, format string, args ...any) {
		lines = append(lines, sign.Draw(unicode)+" "+fmt.Sprintf(format, args...))
	}
	if before.Live != now.Live {
		if now.Live {
			tell(attention.SignActive, "a controller answers")
		} else {
			tell(attention.SignFailed, "the controller no longer answers: the view is computed from the files")
		}
	}
	needsChanged(before.Needs, now.Needs, tell)
	for i := range now.Tasks {
		t := &now.Tasks[i]
		switch was := before.task(t.Name); {
		case was == nil:
			tell(now.sign(t), "task/%s is new: %s (%s)", t.Name, t.Title, t.Phase)
		case was.Phase != t.Phase:
			tell(now.sign(t), "task/%s was %s and is %s%s", t.Name, was.Phase, t.Phase, bySuffix(now.worker(t)))
		case !was.Ready && t.Ready:
			tell(now.sign(t), "task/%s is ready", t.Name)
		}
	}
	for i := range before.Tasks {
		if t := &before.Tasks[i]; now.task(t.Name) == nil {
			tell(attention.SignAbandoned, "task/%s was removed", t.Name)
		}
	}
	agentsChanged(before, now, tell)
	treesChanged(before.Trees, now.Trees, tell)
	return lines
}

// bySuffix returns " by WHO". It returns "" if who is empty.
func bySuffix(who string) string {
	if who == "" {
		return ""
	}
	return " by " + who
}

// needsChanged reports new and resolved needs.
func needsChanged(before, now []attention.Need, tell func(attention.Sign, string, ...any)) {
	in := func(all []attention.Need, n *attention.Need) bool {
		return slices.ContainsFunc(all, func(o attention.Need) bool { return o.Name == n.Name && o.Text == n.Text })
	}
	for i := range now {
		if n := &now[i]; !in(before, n) {
			tell(n.Sign, "needs you: %s: %s", n.Subject, n.Text)
		}
	}
	for i := range before {
		if n := &before[i]; !in(now, n) {
			tell(attention.SignDone, "no longer needs you: %s: %s", n.Subject, n.Text)
		}
	}
}

// treesChanged reports new and removed worktrees, and changes of their needs.
func treesChanged(before, now []serve.Tree, tell func(attention.Sign, string, ...any)) {
	find := func(all []serve.Tree, root string) (t serve.Tree) {
		if i := slices.IndexFunc(all, func(t serve.Tree) bool { return t.Root == root }); i >= 0 {
			t = all[i]
		}
		return t
	}
	in := func(name string) func(attention.Sign, string, ...any) {
		return func(sign attention.Sign, format string, args ...any) {
			tell(sign, "%s: "+format, append([]any{name}, args...)...)
		}
	}
	for i := range now {
		t, was := &now[i], find(before, now[i].Root)
		if was.Root == "" {
			tell(attention.SignActive, "a controller answers in the worktree %s: %s", t.Name, t.Summary())
		}
		needsChanged(was.Needs, t.Needs, in(t.Name))
	}
	for i := range before {
		if find(now, before[i].Root).Root == "" {
			tell(attention.SignAbandoned, "the controller of the worktree %s no longer answers", before[i].Name)
		}
	}
}

// agentsChanged reports new and ended sessions, and changes of their activity.
func agentsChanged(before, now *State, tell func(attention.Sign, string, ...any)) {
	find := func(all []queries.Top, name string) *queries.Top {
		i := slices.IndexFunc(all, func(t queries.Top) bool { return t.Name == name })
		if i < 0 {
			return nil
		}
		return &all[i]
	}
	for i := range now.Sessions {
		t := &now.Sessions[i]
		was := find(before.Sessions, t.Name)
		if was == nil || was.Task != t.Task || activity(was) != activity(t) {
			task := ""
			if t.Task != "" {
				task = " on task/" + t.Task
			}
			tell(now.agentSign(t), "%s%s: %s", agent(t), task, activity(t))
		}
	}
	for i := range before.Sessions {
		if t := &before.Sessions[i]; find(now.Sessions, t.Name) == nil {
			tell(attention.SignAbandoned, "%s is over", agent(t))
		}
	}
}
