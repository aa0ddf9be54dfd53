//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

const companyPlan = `{"spec":{"title":"P","acceptance":["it works"],"state":"active"}}`

// Two agents on one plan: the second start is refused, the task is not the second one's to
// write for or to complete, and it is free again once it is done.
func TestATaskHasOneOwner(t *testing.T) {
	for name, controlled := range map[string]bool{"from the files": false, "with a controller": true} {
		t.Run(name, func(t *testing.T) { oneOwner(t, controlled) })
	}
}

func oneOwner(t *testing.T, controlled bool) {
	c := newCompany(t, "a", "b")
	if controlled {
		c.control()
	}
	claude, codex := c.join("claude", "s-claude", c.root), c.join("codex", "s-codex", c.root)
	started := claude.types("start", "a")
	require.Zero(t, started.Code, started.Err)
	assert.Equal(t, "s-claude", c.holder("a"))
	assert.Regexp(t, `^[^/]+/claude$`, c.idumb(c.root, "get", "task", "a", "-o", "jsonpath={.spec.assignedTo}").Out, "it is entered as assignee")
	assert.Empty(t, claude.writes("src/a.go"))
	assert.Contains(t, claude.types("context").Out, "<active_task")
	assert.NotContains(t, codex.types("context").Out, "<active_task")

	refused := codex.types("start", "a")
	assert.NotZero(t, refused.Code)
	assert.Contains(t, refused.Err, `claude's session "s-claude" since`)
	assert.Contains(t, refused.Err, "idumb next")
	denied := codex.tool("Bash", map[string]any{"command": "idumb start a"})
	assert.Contains(t, denied, "is not yours")
	assert.Contains(t, denied, `\"action\":\"start\",\"task\":\"b\"`)
	for _, verb := range []string{"complete", "review", "fail", "abandon"} {
		assert.Contains(t, codex.tool("Bash", map[string]any{"command": "idumb " + verb + " a --evidence x --reason y"}), "is not yours", verb)
		args := map[string][]string{"complete": {"--evidence", "x"}, "fail": {"--reason", "x"}, "abandon": {"--reason", "x"}}[verb]
		assert.Contains(t, codex.types(append([]string{verb, "a"}, args...)...).Err, "held by", verb)
	}
	assert.Contains(t, codex.types("patch", "task", "a", "-p", `{"spec":{"state":"completed","result":{"evidence":"x"}}}`).Err, "held by")
	assert.Contains(t, codex.writes("src/b.go"), `held by claude`)

	assert.Equal(t, "task.idumb.dev/b\n", codex.types("next", "-o", "name").Out)
	b := codex.types("start", "b")
	require.Zero(t, b.Code, b.Err)
	next := codex.types("next")
	assert.Empty(t, next.Out)
	assert.Contains(t, next.Err, "  yours, active until you complete it: b\n  being worked on: a (held by claude/s-claude)\n")
	overview := c.idumb(c.root, "status", "-o", "json").Out
	assert.Regexp(t, `"taken": \{\s+"a": "held by claude/s-claude",\s+"b": "held by codex/s-codex"`, overview)
	assert.Empty(t, codex.writes("src/b.go"))
	assert.Contains(t, claude.types("start", "b").Err, "s-codex")
	assert.Empty(t, claude.writes("src/a.go"), "it stays on its own task")

	assert.Regexp(t, `(?m)^NAME +PLAN +PHASE +PRIORITY +AGE +HOLDER\n^a +p +active +normal +\S+ +claude/s-claude\n^b +p +active +normal +\S+ +codex/s-codex$`, c.idumb(c.root, "get", "tasks").Out)
	assert.Regexp(t, `(?m)^a .* claude/s-claude +`, c.idumb(c.root, "get", "tasks", "-o", "wide").Out)
	assert.Contains(t, c.idumb(c.root, "tree").Out, "held by claude/s-claude")
	assert.Contains(t, c.idumb(c.root, "describe", "task", "a").Out, `claude's session "s-claude", since`)
	assert.Regexp(t, `(?m)^s-codex .* b +codex `, c.idumb(c.root, "top", "sessions", "-o", "wide").Out)

	done := claude.types("complete", "a", "--evidence", "seen")
	require.Zero(t, done.Code, done.Err)
	assert.Equal(t, "nobody", c.holder("a"))
	assert.Equal(t, "s-codex", c.holder("b"))
}

// A person ends what an agent holds, and takes it over only if they say so.
func TestAPersonAndAnAgent(t *testing.T) {
	c := newCompany(t, "a")
	claude := c.join("claude", "s-claude", c.root)
	require.Zero(t, claude.types("start", "a").Code)
	refused := c.idumb(c.root, "start", "a")
	assert.NotZero(t, refused.Code)
	assert.Contains(t, refused.Err, "idumb start a --take-over")
	taken := c.idumb(c.root, "start", "a", "--take-over")
	require.Zero(t, taken.Code, taken.Err)
	assert.Contains(t, taken.Err, "s-claude")
	assert.Empty(t, c.holder("a"), "a user")
	assert.NotRegexp(t, `a \[active\] +\S*claude`, c.idumb(c.root, "status").Out, "no agent works on it any more")
	assert.Contains(t, c.idumb(c.root, "events").Out, "TakenOver")
	completed := c.idumb(c.root, "complete", "a", "--evidence", "x")
	require.Zero(t, completed.Code, completed.Err)
}

// What a person starts is done by their agent in the same working tree: by one of them.
func TestAnAgentWorksOnWhatAPersonStarted(t *testing.T) {
	c := newCompany(t, "a")
	require.Zero(t, c.idumb(c.root, "start", "a").Code)
	claude, codex := c.join("claude", "s-claude", c.root), c.join("codex", "s-codex", c.root)
	assert.Empty(t, claude.writes("src/a.go"))
	assert.Equal(t, "s-claude", c.holder("a"))
	assert.Contains(t, codex.writes("src/b.go"), "s-claude")
}

// A client that was killed or ended does not lock its person out.
func TestARestartedClientGoesOn(t *testing.T) {
	for name, end := range map[string]func(*client){
		"killed": (*client).kill,
		"ended":  func(a *client) { a.event("SessionEnd", map[string]any{"reason": "exit"}) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCompany(t, "a")
			first := c.join("claude", "s-1", c.root)
			require.Zero(t, first.types("start", "a").Code)
			end(first)
			second := c.join("claude", "s-2", c.root)
			assert.Empty(t, second.writes("src/a.go"), "it inherits the task")
			assert.Equal(t, "s-2", c.holder("a"))
			assert.Equal(t, 1, c.leases()["a"].Spec.Transitions)
			third := c.join("codex", "s-3", c.root)
			assert.Contains(t, third.types("start", "a").Err, "s-2")
			end(second)
			again := third.types("start", "a")
			require.Zero(t, again.Code, again.Err)
			assert.NotContains(t, again.Err, "s-2", "silently")
			assert.Equal(t, "s-3", c.holder("a"))
		})
	}
}

// Nobody works on the task of a client that was killed: lists say so, and how to continue it.
func TestAKilledClientWorksOnNothing(t *testing.T) {
	c := newCompany(t, "a")
	claude := c.join("claude", "s-claude", c.root)
	require.Zero(t, claude.types("start", "a").Code)
	require.Empty(t, claude.writes("src/a.go"))
	assert.Contains(t, c.idumb(c.root, "status").Out, "\nWorking\n  a [active]  claude/s-claude")
	claude.kill()
	overview := c.idumb(c.root, "status").Out
	assert.Contains(t, overview, "\nActive without an agent\n  a [active]  continue: idumb start a")
	assert.NotContains(t, overview, "Working")
	next := c.join("codex", "s-codex", c.root).types("next").Err
	assert.Contains(t, next, "active, and no session works on them: a\n  continue one with: idumb start a")
	assert.NotContains(t, next, "being worked on")
}

// At the end of a turn an agent is told only what it can do: it cannot complete a task that is blocked, and a comment
// that holds the task is answered first.
func TestTheStopGateNamesWhatCanBeDone(t *testing.T) {
	stop := map[string]any{"stop_hook_active": false, "last_assistant_message": "done"}
	for name, tc := range map[string]struct {
		does []string // what the user does while the agent works
		says string   // "" if the turn ends
	}{
		"nothing":            {[]string{"get", "tasks"}, "If the expected output exists"},
		"a dependency":       {[]string{"patch", "task", "a", "-p", `{"spec":{"dependsOn":["b"]}}`}, ""},
		"a decision":         {[]string{"decide", "Which database", "--task", "a"}, ""},
		"the plan abandoned": {[]string{"abandon", "workplan/p", "--reason", "x"}, ""},
		"a comment":          {[]string{"comment", "task/a", "wait", "--hold"}, "Answer the comment that holds it: `mcp__idumb__govern_task"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCompany(t, "a", "b")
			claude := c.join("claude", "s-claude", c.root)
			require.Zero(t, claude.types("start", "a").Code)
			require.Empty(t, claude.writes("src/a.go"))
			done := c.idumb(c.root, tc.does...)
			require.Zero(t, done.Code, done.Err)
			claude.event("UserPromptSubmit", map[string]any{"prompt": "go on"}) // the comment is told
			claude.writes("src/a.go")
			claude.tool("Bash", map[string]any{"command": "idumb get tasks"})
			said := claude.event("Stop", stop)
			if tc.says == "" {
				assert.NotContains(t, said, "GOVERNANCE")
			} else {
				assert.Contains(t, said, tc.says)
			}
		})
	}
}

// A plan that the user abandoned is not started by an agent, and nothing tells it to.
func TestAnAbandonedPlanIsNotStarted(t *testing.T) {
	c := newCompany(t, "a")
	c.idumb(c.root, "init", "--agent", "none")
	require.Zero(t, c.idumb(c.root, "abandon", "workplan/p", "--reason", "x").Code)
	claude := c.join("claude", "s-claude", c.root)
	denied := claude.tool("Bash", map[string]any{"command": "idumb start a"})
	assert.Contains(t, denied, `Plan \"p\" is abandoned, and only a user reopens it. Plan the work: `)
	assert.NotContains(t, denied, "workplan/p\\\"}")
	assert.Contains(t, claude.types("start", "workplan/p").Err, "plan the remaining work as another task, or tell the user")
	assert.Contains(t, claude.types("start", "a").Err, "plan the remaining work as another task, or tell the user")
	assert.Contains(t, c.idumb(c.root, "start", "workplan/p").Err, "take it up again: idumb patch workplan p", "a user may")
}

// A task that no rule but the agent's role keeps from it is not called ready, and the reason is named.
func TestARoleThatStartsNothing(t *testing.T) {
	c := newCompany(t, "a")
	c.write(".idumb/roles/painter.json", `{"spec":{"shell":{"allow":["ls","idumb next"]}}}`)
	c.write(".idumb/config.json", `{"spec":{"defaultRole":"painter"}}`)
	claude := c.join("claude", "s-claude", c.root)
	denied := claude.writes("src/a.go")
	assert.Contains(t, denied, "No task is ready for you")
	assert.NotContains(t, denied, "ready\\n")
	assert.Contains(t, claude.types("next").Err, "not yours: a (your role may not start it)")
}

// The working trees of one repository meet in git's common folder.
func TestTwoWorkingTreesHaveOneOwner(t *testing.T) {
	c := newCompany(t, "a", "b")
	c.git("add", "-A")
	c.git("commit", "-qm", "plan")
	other := filepath.Join(filepath.Dir(c.root), "other")
	c.git("worktree", "add", "-q", other, "-b", "other")
	c.env = append(c.env, "IDUMB_TRUST="+c.root+string(os.PathListSeparator)+other)
	here, there := c.join("claude", "s-here", c.root), c.join("claude", "s-there", other)
	require.Zero(t, here.types("start", "a").Code)
	assert.Contains(t, there.types("start", "a").Err, "s-here")
	assert.Contains(t, c.idumb(other, "start", "a").Err, "s-here")
	assert.Contains(t, c.idumb(other, "tree").Out, "held by claude/s-here in main")
	assert.Equal(t, "task.idumb.dev/b\n", c.idumb(other, "next", "-o", "name").Out, "what is held is not proposed")
	require.Zero(t, there.types("start", "b").Code)
	assert.Contains(t, here.types("start", "b").Err, "s-there")
	here.kill()
	require.Zero(t, there.types("start", "a").Code)
}

// An expired lease that nobody took is renewed; somebody else may take it, and both are told.
func TestAnExpiredLease(t *testing.T) {
	c := newCompany(t, "a")
	claude, codex := c.join("claude", "s-claude", c.root), c.join("codex", "s-codex", c.root)
	require.Zero(t, claude.types("start", "a").Code)
	age := func() {
		l := c.leases()["a"]
		l.Spec.AcquireTime, l.Spec.RenewTime = resources.NewTime(time.Now().Add(-time.Hour)), resources.NewTime(time.Now().Add(-45*time.Minute))
		data, err := resources.EncodeLease(l)
		require.NoError(t, err)
		files, _ := filepath.Glob(filepath.Join(c.root, ".git/idumb/leases/a*.json"))
		require.NoError(t, os.WriteFile(files[0], data, 0o644))
	}
	age()
	assert.Empty(t, claude.writes("src/a.go"), "no denial")
	assert.WithinDuration(t, time.Now(), c.leases()["a"].Spec.RenewTime.Time, time.Minute)
	assert.Contains(t, codex.types("start", "a").Err, "s-claude")

	age()
	taken := codex.types("start", "a")
	require.Zero(t, taken.Code, taken.Err)
	assert.Contains(t, taken.Err, "s-claude")
	assert.Contains(t, c.idumb(c.root, "events").Out, "TakenOver")
	assert.Contains(t, claude.writes("src/a.go"), "s-codex")
	assert.Contains(t, claude.event("UserPromptSubmit", map[string]any{"prompt": "go on"}), "s-codex", "whose it was is told")
}

// Of many that start one task at once, one wins.
func TestARaceForOneTask(t *testing.T) {
	const runners = 8
	for round := range 3 {
		task := fmt.Sprintf("t%d", round)
		c := newCompany(t, task)
		c.git("add", "-A")
		c.git("commit", "-qm", "plan")
		other := filepath.Join(filepath.Dir(c.root), "other")
		c.git("worktree", "add", "-q", other, "-b", "other")
		all := make([]*client, runners)
		for n := range all {
			all[n] = c.join("claude", fmt.Sprintf("s-%d", n), []string{c.root, other}[n%2])
		}
		var ready sync.WaitGroup
		outcomes := make([]outcome, runners)
		for n, a := range all {
			ready.Go(func() { outcomes[n] = a.types("start", task) })
		}
		ready.Wait()
		won := 0
		for n, o := range outcomes {
			if o.Code == 0 {
				won++
				assert.Equal(t, all[n].session, c.holder(task))
			} else {
				assert.Contains(t, o.Err, "held by")
			}
		}
		assert.Equal(t, 1, won)
	}
}

// readOnlyGit runs a command of idumb below a host, in a sandbox in which git's folder may not be written.
func (a *client) readOnlyGit(args ...string) outcome {
	const box = "mount --bind .git .git && mount -o remount,bind,ro .git"
	if o := a.run("", "unshare", "-rm", "sh", "-c", box); o.Code != 0 {
		a.t.Skipf("no sandbox can be made here: %s", o.Err)
	}
	return a.run("", "unshare", "-rm", "sh", "-c", box+" && exec idumb "+strings.Join(args, " "))
}

// Where a sandbox lets nobody write git's folder, the start waits in the queue, and is the session's
// when the controller carries it out.
func TestASandboxedStart(t *testing.T) {
	c := newCompany(t, "a", "b")
	c.control()
	claude, codex := c.join("claude", "s-claude", c.root), c.join("codex", "s-codex", c.root)
	queued := claude.readOnlyGit("start a")
	assert.Contains(t, queued.Out, "task.idumb.dev/a queued", queued.Err)
	require.Eventually(t, func() bool { return c.holder("a") == "s-claude" }, 10*time.Second, 10*time.Millisecond)
	refused := codex.readOnlyGit("start a")
	assert.NotZero(t, refused.Code)
	assert.Contains(t, refused.Err, "s-claude", "what is known is refused at once")
}
