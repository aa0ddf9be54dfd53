package admission

import (
	"testing"
	"time"

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

// at makes a call another host's.
func (c Call) at(host string) Call {
	c.Host = host
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
		{"recalled, and giving its task to another agent", func(w *world) { delegated(w).Spec.State = "recalled" },
			Call{Tool: "bash", Action: Governance, Runs: runs("idumb recall d1 --to executor"), Session: "s1"}, Deny, "recalled", ""},
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

		{"its own terms, by file", delegated1, write(".idumb/delegations/d1.json"), Deny, "own-terms", ""},
		{"its own terms, by command", delegated1, govern("idumb patch delegation d1 -p {}"), Deny, "own-terms", ""},
		{"its own terms, in other words", delegated1, govern("/usr/bin/idumb -C . edit del/d1"), Deny, "own-terms", ""},
		{"its own terms, amid a longer line", delegated1, Call{Tool: "bash", Action: Shell, Runs: runs("make", "idumb delete delegations d1"), Session: "s1"}, Deny, "own-terms", ""},
		{"its own terms, whichever they are", delegated1, govern("idumb delete delegations --all"), Deny, "own-terms", ""},
		{"its own terms, after the recall", func(w *world) { delegated(w).Spec.State = "recalled" }, govern("idumb patch delegation d1 -p {}"), Deny, "recalled", ""},
		{"those that it works under further up", func(w *world) { handedOn(w) }, govern("idumb patch delegation d1 -p {}").in("s2"), Deny, "own-terms", ""},
		{"its own terms, given by one of its role", func(w *world) { handedOn(w) }, govern("idumb patch delegation d2 -p {}").in("s2"), Deny, "own-terms", ""},
		{"those that it gave", func(w *world) { handedOn(w) }, govern("idumb patch delegation d2 -p {}"), NoOpinion, "", ""},
		{"the giver recalls", func(w *world) { delegated(w) }, govern("idumb patch delegation d1 -p {}").in("main"), NoOpinion, "", ""},
		{"the giver recalls by file", func(w *world) { delegated(w) }, write(".idumb/delegations/d1.json").in("main"), NoOpinion, "", ""},
		{"a user's agent stands in for the giver", func(w *world) { delegated(w).Spec.From = "coordinator" }, govern("idumb patch delegation d1 -p {}").in("main"), NoOpinion, "", ""},
		{"but not if it is the taker", func(w *world) { delegated(w).Spec.From = "coordinator" }, govern("idumb patch delegation d1 -p {}").in("main").as("executor"), Deny, "own-terms", ""},
		{"nor does another subagent", func(w *world) {
			delegated(w).Spec.From = "coordinator"
			w.session("s3", resources.SessionSpec{Parent: "main"})
		}, govern("idumb patch delegation d1 -p {}").in("s3"), Deny, "own-terms", ""},
		{"looking at its terms", delegated1, govern("idumb describe delegation d1"), NoOpinion, "", ""},
		{"its own task by file", delegated1, write(".idumb/tasks/write-docs.json"), Deny, "own-terms", ""},
		{"its plan by file", delegated1, write(".idumb/workplans/user-auth.json"), Deny, "own-terms", ""},
		{"where its plan stands, by file", delegated1, write(".idumb/trajectory.json"), Deny, "own-terms", ""},
		{"what it found out, by file", delegated1, write(".idumb/mems/m.json"), NoOpinion, "", ""},
		{"a planner's files", delegated1, write(".idumb/tasks/write-docs.json").in("main"), NoOpinion, "", ""},
		{"starting its task", delegated1, govern("idumb start write-docs"), NoOpinion, "", ""},
		{"completing its task", delegated1, govern("idumb complete task/write-docs --evidence seen"), NoOpinion, "", ""},
		{"failing its task", delegated1, govern("idumb fail write-docs --reason r"), NoOpinion, "", ""},
		{"failing is open to everyone", delegated1, govern("idumb fail db-schema --reason r"), NoOpinion, "", ""},
		{"starting another task", delegated1, govern("idumb start db-schema"), Deny, "own-terms", ""},
		{"completing another task", delegated1, govern("idumb complete db-schema"), Deny, "own-terms", ""},
		{"completing a part of its task", func(w *world) {
			delegated(w)
			w.tasks["db-schema"].Spec.Parent = "write-docs"
		}, govern("idumb complete db-schema"), NoOpinion, "", ""},
		{"changing its task", delegated1, govern("idumb patch task write-docs -p {}"), Deny, "own-terms", ""},
		{"changing its task behind something of its own", delegated1, govern("idumb patch mem/m task/write-docs -p {}"), Deny, "own-terms", ""},
		{"changing what it found out", delegated1, govern("idumb patch mem/m -p {}"), NoOpinion, "", ""},
		{"changing the plan in two words", delegated1, govern("idumb abandon workplan user-auth"), Deny, "own-terms", ""},
		{"saying that it is done", delegated1, govern("idumb complete delegation/d1"), NoOpinion, "", ""},
		{"taking it on", delegated1, govern("idumb accept d1"), NoOpinion, "", ""},
		{"taking it on from somebody else", func(w *world) { handedOn(w); w.session("s3", resources.SessionSpec{Parent: "main"}) }, govern("idumb accept d2").in("s3"), Deny, "own-terms", ""},
		{"recalling its own", delegated1, govern("idumb recall d1"), Deny, "own-terms", ""},
		{"recalling what it gave", func(w *world) { handedOn(w) }, govern("idumb recall d2"), NoOpinion, "", ""},
		{"changing the plan", delegated1, govern("idumb patch wp user-auth -p {}"), Deny, "own-terms", ""},
		{"abandoning the plan", delegated1, govern("idumb abandon workplan/user-auth"), Deny, "own-terms", ""},
		{"whatever a file says", delegated1, govern("idumb apply -f x.json"), Deny, "own-terms", ""},
		{"planning a part", delegated1, govern("idumb create task part --parent write-docs"), NoOpinion, "", ""},
		{"remembering", delegated1, govern("idumb create mem m --content c"), NoOpinion, "", ""},

		{"handing on, two deep", func(w *world) { tower(w, 2) }, tool("Agent", Delegate).in("t2"), NoOpinion, "", ""},
		{"handing on, three deep", func(w *world) { tower(w, 3) }, tool("Agent", Delegate).in("t3"), Deny, "depth", ""},
		{"assigning, three deep", func(w *world) { tower(w, 3) }, govern("idumb create delegation d --task t").in("t3"), Deny, "depth", ""},
		{"assigning by our own tool, three deep", func(w *world) { tower(w, 3) }, Call{Tool: "mcp__idumb__govern_delegate", Action: Governance, Own: true, Runs: runs("idumb create delegation"), Session: "t3"}, Deny, "depth", ""},
		{"assigning by recall, three deep", func(w *world) { tower(w, 3) }, govern("idumb recall d --to executor").in("t3"), Deny, "depth", ""},
		{"assigning by file, three deep", func(w *world) { tower(w, 3) }, write(".idumb/delegations/new.json").in("t3"), Deny, "depth", ""},
		{"a record of none, three deep", func(w *world) { tower(w, 2) }, Call{Tool: "Agent", Action: Delegate, Session: "t3", Parent: "t2"}, Deny, "depth", ""},
		{"delegations count as well", func(w *world) {
			delegated(w)
			for i, pair := range [][2]string{{"a", "b"}, {"b", "solo"}} {
				w.hand("e"+string(rune('1'+i)), "write-docs", pair[1]).Spec.From = pair[0]
			}
		}, tool("Agent", Delegate), Deny, "depth", ""},
		{"sessions that started each other", func(w *world) {
			w.session("s1", resources.SessionSpec{Parent: "s2"})
			w.session("s2", resources.SessionSpec{Parent: "s1"})
		}, tool("Agent", Delegate), NoOpinion, "", ""},
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

// TestATaskThatCameBack: an active task whose delegate is gone for longer than the grace is
// nobody's until it is started again; before that, and while somebody has it, it is as ever.
func TestATaskThatCameBack(t *testing.T) {
	for name, tc := range map[string]struct {
		ago   time.Duration
		given func(*world)
		rule  string
	}{
		"within the grace":        {10 * time.Minute, nil, ""},
		"after it":                {3 * time.Hour, nil, "write-gate"},
		"recalled":                {3 * time.Hour, func(w *world) { w.handed["d1"].Spec.State = "recalled" }, ""},
		"handed to somebody else": {3 * time.Hour, func(w *world) { w.hand("d2", "write-docs", "executor") }, ""},
		"the caller is on it":     {3 * time.Hour, func(w *world) { w.session("me", resources.SessionSpec{ActiveTask: "write-docs"}) }, ""},
		"another task is active":  {3 * time.Hour, func(w *world) { w.state("db-schema", resources.TaskActive) }, ""},
		"nobody worked under it":  {3 * time.Hour, func(w *world) { delete(w.sessions, "s1") }, ""},
		"another delegate goes on": {3 * time.Hour, func(w *world) {
			w.session("s9", resources.SessionSpec{Delegation: "d1", LastSeenAt: resources.NewTime(w.Now())})
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			delegated(w)
			w.sessions["s1"].Spec.EndedAt = resources.NewTime(w.Now().Add(-tc.ago))
			if tc.given != nil {
				tc.given(w)
			}
			got := Decide(write("a").in("me").as("executor"), w)
			assert.Equal(t, tc.rule, got.Reason.Rule, got.Reason.Text())
			if tc.rule != "" {
				assert.Contains(t, got.Reason.Text(), "USE INSTEAD: Run `idumb start write-docs`, then write")
				assert.Contains(t, got.Reason.Text()+"\n", "\n  write-docs [planned]  <- ready\n", "what is shown agrees with the verdict")
			}
		})
	}
}

func delegated1(w *world) { delegated(w) }

// tower is sessions that started one another, the lowest of them t1.
func tower(w *world, height int) {
	parent := "main"
	for i := 1; i <= height; i++ {
		name := "t" + string(rune('0'+i))
		w.session(name, resources.SessionSpec{Parent: parent})
		parent = name
	}
}

// govern is a command of idumb's.
func govern(command string) Call {
	return Call{Tool: "bash", Action: Governance, Runs: runs(command), Session: "s1"}
}

// delegatedSub adds session s2, which s1 started without a delegation.
func delegatedSub(w *world) {
	delegated(w)
	w.session("s2", resources.SessionSpec{Parent: "s1"})
}
