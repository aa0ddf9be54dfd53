package hooks

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// ownHouse has one task for anybody, and one that nobody works on.
func ownHouse(t *testing.T) *house {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	return h
}

func (h *house) wants(session string) hosts.Answer {
	return h.run(hosts.Event{Type: hosts.BeforeTool, Session: session, Tool: "Write", Action: admission.Write, Paths: []string{"src/a.go"}})
}

// Of two sessions to which a task falls, one has it before either has written.
func TestATaskFallsToOneSession(t *testing.T) {
	h := ownHouse(t)
	assert.Empty(t, h.wants("one").Deny)
	assert.Contains(t, h.wants("two").Deny, `"a": it is held by session "one"`)
	assert.Empty(t, h.wants("one").Deny)
}

// What a user took over stays with the user until they give it back or hand it over; the agent is told once.
func TestAUserTakesOver(t *testing.T) {
	h := ownHouse(t)
	require.Empty(t, h.wants("one").Deny)
	book := leases.Open(h.root)
	task, _ := openPacking(h.root, trusting(h.root), h.now).Task("a")
	claim := func(over bool) leases.ClaimResult {
		claimed, err := book.Claim(task, book.User(), over, h.now)
		require.NoError(t, err)
		return claimed
	}
	prompt := func() string {
		return h.run(hosts.Event{Type: hosts.Prompt, Session: "one", Text: "go on"}).Context
	}

	require.True(t, claim(true).Lease.Spec.Exclusive)
	held := `it is held by the user "` + book.User().Person + `" since`
	assert.Contains(t, h.wants("one").Deny, held)
	assert.Contains(t, prompt(), `task "a" is no longer yours: `+held)
	assert.NotContains(t, prompt(), "no longer yours")
	assert.Contains(t, h.wants("two").Deny, held)
	assert.Empty(t, book.Get(task).Spec.Holder.Session)

	h.now = h.now.Add(time.Minute)
	made := h.now.UTC().Format(time.RFC3339)
	h.file("delegations/d", `{"metadata": {"creationTimestamp": "`+made+`"}, "spec": {"task": "a", "from": "ann", "to": "executor"}}`)
	h.starts("x1", "executor")
	assert.Empty(t, h.writes("x1", "executor").Deny)
	require.NoError(t, os.Remove(h.root.Abs(".idumb/delegations/d.json")))

	assert.False(t, claim(true).GivenBack)
	assert.Contains(t, h.wants("one").Deny, held)
	assert.True(t, claim(false).GivenBack)
	assert.Empty(t, h.wants("one").Deny)
	assert.Equal(t, "one", book.Get(task).Spec.Holder.Session)
}

// A session that is heard of keeps all that it holds, not only what it is on.
func TestAllThatASessionHoldsIsRenewed(t *testing.T) {
	h := ownHouse(t)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	book := leases.Open(h.root)
	for _, name := range []string{"a", "b"} {
		task, ok := openPacking(h.root, trusting(h.root), h.now).Task(name)
		require.True(t, ok)
		_, err := book.Claim(task, book.Session("one", nil), false, h.now)
		require.NoError(t, err)
	}
	h.now = h.now.Add(20 * time.Minute)
	h.run(hosts.Event{Type: hosts.Prompt, Session: "one"})
	all, _ := book.All()
	require.Len(t, all, 2)
	for _, l := range all {
		assert.Equal(t, h.now.Unix(), l.Spec.RenewTime.Unix(), l.Metadata.Name)
	}
}

// What a shell writes counts for the task whose file it is, as what a tool writes does, and is kept
// from who must not write it.
func TestAShellsWriteCountsForTheTaskOfTheFile(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "evidence": [{"file": "src/b.go"}]}}`)
	h.file("tasks/c", `{"spec": {"workPlan": "p", "expectedOutput": "o", "paths": ["src/c.go"], "dependsOn": ["a"]}}`)
	h.file("tasks/d", `{"spec": {"workPlan": "p", "expectedOutput": "o", "paths": ["src/d.go"]}}`)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("sessions/s", `{"spec": {"activeTask": "a"}}`)
	require.NoError(t, os.MkdirAll(h.root.Abs("src"), 0o755))
	for _, file := range []string{"b", "c", "d"} {
		require.NoError(t, os.WriteFile(h.root.Abs("src/"+file+".go"), nil, 0o644))
	}
	shell := func(kind hosts.EventType, line string) hosts.Answer {
		return h.run(hosts.Event{Type: kind, Host: "codex", Session: "s", CallID: line, Tool: "Bash", Action: admission.Shell, Command: line})
	}
	checkpoints := func(task string) string {
		data, _ := os.ReadFile(h.root.Abs(layout.CheckpointPath(task)))
		return string(data)
	}
	for line, task := range map[string]string{
		"cat > src/b.go <<'X'\npackage b\nX": "b", "sed -i s/x/y/ src/d.go": "d", "echo x > src/own": "a",
	} {
		require.Empty(t, shell(hosts.BeforeTool, line).Deny, line)
		shell(hosts.AfterTool, line)
		file, _, _ := strings.Cut(line[strings.Index(line, "src/"):], " ")
		assert.Contains(t, checkpoints(task), `"`+file+`"`, line)
		if task != "a" {
			assert.NotContains(t, checkpoints("a"), file, line)
		}
	}
	for _, line := range []string{"sed -i s/x/y/ src/c.go", "cat > src/c.go <<'X'\nx\nX", "cp src/b.go src/c.go"} {
		assert.Contains(t, shell(hosts.BeforeTool, line).Deny, `src/c.go is a file of task "c"`, line)
	}
}

// A session is told whose the active tasks are that are not its own, and is offered no task of another role, nor one
// whose file is broken.
func TestOthersTasksAreNotTheReaders(t *testing.T) {
	h := ownHouse(t)
	require.Empty(t, h.wants("one").Deny) // it holds a
	h.file("roles/solo", `{"spec": {"level": 0}}`)
	h.file("roles/executor", `{"spec": {"level": 2}}`)
	h.file("config", `{"spec": {"defaultRole": "solo"}}`)
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "assignedTo": "executor"}}`)
	h.file("tasks/d", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "assignedTo": "executor"}}`)
	h.file("tasks/e", `{"spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["a"]}}`)
	h.file("tasks/f", `{"spec": {"workPlan": "p", "expec`)
	text := h.run(hosts.Event{Type: hosts.SessionStart, Session: "two"}).Context
	assert.NotContains(t, text, "<active_task")
	assert.NotContains(t, text, "the task below")
	assert.Contains(t, text, "No active task is yours: start a ready one")
	assert.Contains(t, text, "Active, and not yours: a (held by one), d (assigned to executor)")
	assert.Contains(t, text, "<next>\n- c\n</next>")
	h.file("roles/solo", `{"spec": {"level": 0, "delegatesTo": ["executor"], "shell": {"deny": ["idumb start"]}}}`)
	text = h.run(hosts.Event{Type: hosts.SessionStart, Session: "three"}).Context
	assert.Contains(t, text, "No active task is yours: your role starts none; hand a ready one over")
	assert.NotContains(t, text, "start a ready one")
	assert.Contains(t, text, "<next>\n- c (hand it to executor)\n- b (hand it to executor)\n</next>")
	h.file("roles/solo", `{"spec": {"level": 0}}`)
	for range silentPrompts {
		h.run(hosts.Event{Type: hosts.Prompt, Session: "two", Text: "go on"})
	}
	assert.Contains(t, h.run(hosts.Event{Type: hosts.Prompt, Session: "two", Text: "go on"}).Context, "FLOW: no task is yours and active; ready: c.")

	own := h.run(hosts.Event{Type: hosts.SessionStart, Session: "one"}).Context
	assert.Contains(t, own, `<active_task id="a">`)
	assert.Contains(t, own, "Active, and not yours: d (assigned to executor)")

	// What becomes free for another role, or goes to another session, is no news for this one.
	h.file("tasks/b", `{"spec": {"workPlan": "p", "expectedOutput": "o", "assignedTo": "executor", "dependsOn": ["a"]}}`)
	h.file("tasks/g", `{"spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["a"]}}`)
	h.run(hosts.Event{Type: hosts.Prompt, Session: "two"})
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed", "result": {"evidence": "seen"}}}`)
	news := h.run(hosts.Event{Type: hosts.Prompt, Session: "two"}).Context
	assert.Contains(t, news, "UNBLOCKED: g")
	assert.NotContains(t, news, "UNBLOCKED: b")
}

// The stop gate asks nobody for the evidence of another session's task, nor of another role's.
func TestNobodyIsHeldForAnothersTask(t *testing.T) {
	h := ownHouse(t)
	const spec = `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "evidence": [{"file": "src/a.go"}]`
	h.file("tasks/a", spec+`}}`)
	require.Empty(t, h.wants("one").Deny)
	h.file("sessions/two", `{"spec": {"activeTask": "a"}}`)
	stop := func(session string) string {
		return h.run(hosts.Event{Type: hosts.Stop, Session: session, Text: "All done."}).Hold
	}
	assert.Empty(t, stop("two"))
	assert.Contains(t, stop("one"), `task "a" is active and not done`)
	h.file("roles/solo", `{"spec": {"level": 0}}`)
	h.file("roles/executor", `{"spec": {"level": 2}}`)
	h.file("config", `{"spec": {"defaultRole": "solo"}}`)
	h.file("tasks/a", spec+`, "assignedTo": "executor"}}`)
	h.run(hosts.Event{Type: hosts.Prompt, Session: "one"})
	assert.Empty(t, stop("one"))
}

// A plan whose one open task cannot be read is worked on: a torn file does not open the gate.
func TestATornTaskKeepsThePlanOpen(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"a", "b", "c"} {
		h.file("tasks/"+name, `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed", "result": {"evidence": "seen"}}}`)
	}
	assert.Empty(t, h.wants("s").Deny, "the plan is done")
	h.file("tasks/torn", `{"spec": {"workPlan": "p", "sta`)
	assert.Contains(t, h.wants("s").Deny, "you have no active task")
}

// A run that asks about many tasks lists the leases once, until it wrote one.
func TestLeasesOfManyTasksAreListedOnce(t *testing.T) {
	h := ownHouse(t)
	repo := openPacking(h.root, trusting(h.root), h.now)
	task := func(name string) *resources.Task {
		found, ok := repo.Task(name)
		require.True(t, ok)
		return found
	}
	book := leases.Open(h.root)
	claim := func(name string) {
		_, err := book.Claim(task(name), book.Session("one", nil), false, h.now)
		require.NoError(t, err)
	}
	claim("a")
	assert.NotNil(t, repo.lease(task("a")))
	assert.Nil(t, repo.lease(task("b")), "lists")
	claim("c")
	assert.Nil(t, repo.lease(task("c")), "it is not in the listing")
	repo.forgetLeases()
	assert.NotNil(t, repo.lease(task("c")))
	assert.NotNil(t, repo.lease(task("a")), "it is in the listing")
}
