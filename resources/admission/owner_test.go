package admission

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// holds makes a session the holder of a task, an hour ago.
func (w *world) holds(session, task string) {
	if w.held == nil {
		w.held = map[string]*resources.Lease{}
	}
	holder := resources.Holder{Session: session, Host: "codex", Person: "ann", Worktree: "/src"}
	w.held[task] = resources.NewLease(w.tasks[task], holder, w.Now().Add(-time.Hour), resources.DefaultLeaseDuration)
}

func by(session string, c Call) Call {
	c.Session = session
	return c
}

// A task that another session holds is neither started nor ended nor written for; its holder, and
// whoever works for that, does all of it.
func TestOwner(t *testing.T) {
	for name, tc := range map[string]struct {
		call Call
		rule string
	}{
		"start":                   {by("s1", govern("idumb start db-schema")), "owner"},
		"start, of several":       {by("s1", govern("idumb start write-docs db-schema")), "owner"},
		"complete":                {by("s1", govern("idumb complete task/db-schema --evidence x")), "owner"},
		"fail":                    {by("s1", govern("idumb fail db-schema --reason x")), "owner"},
		"as a file":               {by("s1", write(".idumb/tasks/db-schema.json")), "owner"},
		"a write for it":          {by("s1", write("src/a.go")), "write-gate"},
		"nobody knows who writes": {by("", write("src/a.go")), "write-gate"},
		"a look":                  {by("s1", govern("idumb describe task db-schema")), ""},
		"a dry run":               {by("s1", govern("idumb start db-schema --dry-run")), ""},
		"another task":            {by("s1", govern("idumb start write-docs")), ""},
		"its holder":              {by("s2", govern("idumb complete db-schema --evidence x")), ""},
		"its holder's write":      {by("s2", write("src/a.go")), ""},
		"its holder's subagent":   {by("s2.sub", write("src/a.go")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.tasks["db-schema"].Spec.State = resources.TaskActive
			for session, parent := range map[string]string{"s1": "", "s2": "", "s2.sub": "s2"} {
				w.sessions[session] = &resources.Session{Spec: resources.SessionSpec{ActiveTask: "db-schema", Parent: parent}}
				w.sessions[session].Metadata.Name = session
			}
			w.holds("s2", "db-schema")
			v := Decide(tc.call, w)
			assert.Equal(t, tc.rule, v.Reason.Rule, v.Reason.Text())
			if tc.rule != "" {
				assert.Contains(t, v.Reason.Text(), `codex's session "s2" since`)
				assert.Contains(t, v.Reason.Text(), "(60 min)")
				assert.Contains(t, v.Reason.UseInstead, "idumb start write-docs")
			}
		})
	}
}

// A task that was handed over is started by whoever it was handed to and by its giver; others are told so, and
// it is proposed to nobody else. A delegate works for its giver, and not for whoever took the task over.
func TestHandedOver(t *testing.T) {
	hand := func(state string) *world {
		w := newWorld()
		w.role("executor", resources.RoleSpec{})
		w.state("db-schema", state)
		for session, spec := range map[string]resources.SessionSpec{"a": {}, "a.sub": {Parent: "a", Delegation: "d"}, "b": {}, "c": {Delegation: "d"}} {
			w.session(session, spec)
		}
		w.hand("d", "db-schema", "executor").Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "a"}
		return w
	}
	start := govern("idumb start db-schema")
	for session, denied := range map[string]bool{"a": false, "a.sub": false, "b": true} {
		w := hand(resources.TaskPlanned)
		delete(w.sessions, "c")
		v := Decide(by(session, start), w)
		assert.Equal(t, denied, v.Reason.Rule == "assignee", "%s: %s", session, v.Reason.Text())
		assert.Equal(t, !denied, slices.Contains(NextFor(by(session, Call{}), w, 9), "db-schema"), session)
		if denied {
			assert.Contains(t, v.Reason.Text(), `"executor" has it, by delegation "d"`)
			assert.Contains(t, v.Reason.UseInstead, "idumb start write-docs")
		}
	}
	assert.NotContains(t, NextFor(Call{Person: true}, hand(resources.TaskPlanned), 9), "db-schema")

	for holder, denied := range map[string]bool{"a": false, "b": true} {
		w := hand(resources.TaskActive)
		w.holds(holder, "db-schema")
		for _, session := range []string{"a.sub", "c"} {
			v := Decide(by(session, write("src/a.go")), w)
			assert.Equal(t, denied, v.Outcome == Deny, "%s, held by %s: %s", session, holder, v.Reason.Text())
			if denied {
				assert.Equal(t, HandBack, v.Reason.UseInstead)
			}
		}
	}
}

// Whose task ended in another clone is told who did it; whose ended here, why.
func TestDenialNamesWhoEndedTheTask(t *testing.T) {
	w := newWorld()
	w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
	task := w.tasks["write-docs"]
	task.Spec.State, task.Spec.Reason = resources.TaskAbandoned, "not wanted"
	why := func() string { return strings.Join(Decide(by("s1", write("src/a.go")), w).Reason.Why, " ") }
	assert.Contains(t, why(), `Your task "write-docs" is abandoned, with the reason "not wanted".`)
	w.holds("", "write-docs")
	l := w.held["write-docs"]
	l.Spec.Holder.Machine, l.Spec.Team = "desk", &resources.LeaseTeam{Elsewhere: true, Ended: resources.TaskAbandoned}
	assert.Contains(t, why(), `Your task "write-docs" was abandoned by the user "ann" on "desk" (60 min).`)
}
