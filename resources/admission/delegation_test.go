package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// delegated is a world in which session s1 works under delegation d1: write-docs,
// which is active, in the role executor.
func delegated(w *world) *resources.Delegation {
	w.role("executor", resources.RoleSpec{Agents: []string{"general-*"}})
	w.state("write-docs", resources.TaskActive)
	w.session("main", resources.SessionSpec{})
	w.session("s1", resources.SessionSpec{Parent: "main", Delegation: "d1"})
	return w.hand("d1", "write-docs", "executor")
}

// handedOn adds session s2, which s1 started, under delegation d2 of db-schema.
func handedOn(w *world) (d1, d2 *resources.Delegation) {
	d1 = delegated(w)
	w.state("db-schema", resources.TaskActive)
	w.session("s2", resources.SessionSpec{Parent: "s1", Delegation: "d2"})
	d2 = w.hand("d2", "db-schema", "executor")
	d2.Spec.From = "executor"
	return d1, d2
}

// in makes a call another session's.
func (c Call) in(session string) Call {
	c.Session = session
	return c
}

func TestDelegates(t *testing.T) {
	for _, tc := range []struct {
		name  string
		given func(*world)
		call  Call
		want  Outcome
		rule  string // of a denial
		task  string // under which a call that passes was judged
	}{
		{"its task, whatever the session was on", func(w *world) {
			delegated(w)
			w.state("db-schema", resources.TaskActive)
			w.sessions["s1"].Spec.ActiveTask = "db-schema"
		}, write("a"), NoOpinion, "", "write-docs"},
		{"no other task, if its own is blocked", func(w *world) {
			delegated(w).Spec.Task = "build-login-form"
			w.state("build-login-form", resources.TaskActive)
		}, write("a"), Deny, "task-phase", ""},
		{"no other task, if its own is not there", func(w *world) { delegated(w).Spec.Task = "gone" }, write("a"), Deny, "write-gate", ""},
		{"it needs its task though nobody plans anything", func(w *world) {
			delegated(w)
			w.plans["user-auth"].Spec.State = resources.PlanDraft
			w.state("write-docs", "")
		}, write("a"), Deny, "task-phase", ""},
		{"a subagent of nobody's works on its parent's task", func(w *world) {
			delegated(w)
			w.state("db-schema", resources.TaskActive)
			w.session("s2", resources.SessionSpec{Parent: "main", ActiveTask: "db-schema"})
		}, write("a").in("s2"), NoOpinion, "", "db-schema"},
		{"a subagent of a delegate works on the same", delegatedSub, write("a").in("s2"), NoOpinion, "", "write-docs"},
		{"a subagent without a record is its parent's", func(w *world) { delegated(w) }, Call{Tool: "write", Action: Write, Paths: write("a").Paths, Session: "new", Parent: "s1"}, NoOpinion, "", "write-docs"},
		{"it acts in the role that it was handed to", func(w *world) {
			delegated(w)
			w.roles["executor"].Spec.Paths.Write = []string{"src/**"}
		}, write("docs/a.md"), Deny, "role-paths", ""},
		{"or that the agent which it was handed to acts in", func(w *world) {
			delegated(w).Spec.To = "general-purpose"
			w.roles["executor"].Spec.Paths.Write = []string{"src/**"}
		}, write("docs/a.md"), Deny, "role-paths", ""},
		{"handed to an agent of no role, its own counts", func(w *world) {
			delegated(w).Spec.To = "somebody"
			w.roles["executor"].Spec.Paths.Write = []string{"src/**"}
		}, write("docs/a.md").as("general-purpose"), Deny, "role-paths", ""},

		{"recalled", func(w *world) { delegated(w).Spec.State = "recalled" }, write("a"), Deny, "recalled", ""},
		{"recalled, and a shell", func(w *world) { delegated(w).Spec.State = "recalled" }, tool("bash", Shell), Deny, "recalled", ""},
		{"recalled, and planning by file", func(w *world) { delegated(w).Spec.State = "recalled" }, write(".idumb/tasks/a.json"), Deny, "recalled", ""},
		{"recalled, and another subagent", func(w *world) { delegated(w).Spec.State = "recalled" }, tool("Agent", Delegate), Deny, "recalled", ""},
		{"recalled, and looking", func(w *world) { delegated(w).Spec.State = "recalled" }, tool("Read", Read), NoOpinion, "", "write-docs"},
		{"recalled, and asking", func(w *world) { delegated(w).Spec.State = "recalled" }, tool("AskUserQuestion", Ask), NoOpinion, "", ""},
		{"recalled, and governance", func(w *world) { delegated(w).Spec.State = "recalled" }, tool("bash", Governance), NoOpinion, "", ""},
		{"said to be done", func(w *world) { delegated(w).Spec.State = "done" }, write("a"), Deny, "recalled", ""},
		{"its task is completed", func(w *world) { delegated(w); w.state("write-docs", resources.TaskCompleted) }, write("a"), Deny, "recalled", ""},
		{"its task is failed", func(w *world) { delegated(w); w.state("write-docs", resources.TaskFailed) }, tool("bash", Shell), Deny, "recalled", ""},
		{"its file is gone", func(w *world) { delegated(w); delete(w.handed, "d1") }, write("a"), Deny, "recalled", ""},
		{"its file is broken", func(w *world) {
			delegated(w)
			delete(w.handed, "d1")
			w.broken[resources.Key{Kind: resources.Delegations, Name: "d1"}] = true
		}, write("a"), Deny, "recalled", ""},
		{"accepted", func(w *world) { delegated(w).Spec.State = "accepted" }, write("a"), NoOpinion, "", "write-docs"},
		{"recalled from whoever handed on", func(w *world) { d1, _ := handedOn(w); d1.Spec.State = "recalled" }, write("a").in("s2"), Deny, "recalled", ""},
		{"recalled further down", func(w *world) { _, d2 := handedOn(w); d2.Spec.State = "recalled" }, write("a"), NoOpinion, "", "write-docs"},
		{"recalled, and a subagent without one of its own", func(w *world) { delegatedSub(w); w.handed["d1"].Spec.State = "recalled" }, write("a").in("s2"), Deny, "recalled", ""},

		{"a tool that it was not given", func(w *world) { delegated(w).Spec.AllowedTools = []string{"read"} }, write("a"), Deny, "delegated-tools", ""},
		{"a tool that it was given", func(w *world) { delegated(w).Spec.AllowedTools = []string{"write"} }, write("a"), NoOpinion, "", "write-docs"},
		{"a tool of the same family", func(w *world) { delegated(w).Spec.AllowedTools = []string{"edit"} }, tool("MultiEdit", Other), NoOpinion, "", "write-docs"},
		{"reading is a tool as well", func(w *world) { delegated(w).Spec.AllowedTools = []string{"write"} }, tool("Read", Read), Deny, "delegated-tools", ""},
		{"governance is outside of it", func(w *world) { delegated(w).Spec.AllowedTools = []string{"read"} }, tool("bash", Governance), NoOpinion, "", ""},
		{"and so is asking", func(w *world) { delegated(w).Spec.AllowedTools = []string{"read"} }, tool("TodoWrite", Ask), NoOpinion, "", ""},
		{"nothing that the task does not allow", func(w *world) {
			delegated(w).Spec.AllowedTools = []string{"write", "read"}
			w.tasks["write-docs"].Spec.AllowedTools = []string{"read"}
		}, write("a"), Deny, "allowed-tools", ""},
		{"nothing that the role does not have", func(w *world) {
			delegated(w).Spec.AllowedTools = []string{"write", "read"}
			w.roles["executor"].Spec.Tools.Deny = []string{"write"}
		}, write("a"), Deny, "role-tools", ""},
		{"handed on, nothing that the giver was not given", func(w *world) { d1, _ := handedOn(w); d1.Spec.AllowedTools = []string{"read"} }, write("a").in("s2"), Deny, "delegated-tools", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld()
			tc.given(w)
			got := Decide(tc.call, w)
			assert.Equal(t, tc.want.String(), got.Outcome.String(), got.Reason.Text())
			assert.Equal(t, tc.rule, got.Reason.Rule)
			if got.Outcome == Deny {
				assert.NotEmpty(t, got.Reason.UseInstead)
				assert.NotEmpty(t, got.Reason.Why)
				assert.NotEmpty(t, got.Reason.Evidence)
				return
			}
			assert.Equal(t, tc.task, got.Task)
		})
	}
}

// delegatedSub adds session s2, which s1 started without a delegation.
func delegatedSub(w *world) {
	delegated(w)
	w.session("s2", resources.SessionSpec{Parent: "s1"})
}
