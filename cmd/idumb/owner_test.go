//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// order is what an agent's host is told to run.
type order struct {
	Args  []string
	Stdin string
}

// outcome is what came of it.
type outcome struct {
	Out, Err string
	Code     int
}

// agentHost is a program that runs hooks and commands, as a client does: a process of its own,
// above them, that lives as long as its input.
func agentHost() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var o order
		if in.Decode(&o) != nil {
			return
		}
		c := exec.Command(o.Args[0], o.Args[1:]...)
		var stdout, stderr bytes.Buffer
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(o.Stdin), &stdout, &stderr
		_ = c.Run()
		_ = out.Encode(outcome{stdout.String(), stderr.String(), c.ProcessState.ExitCode()})
	}
}

// company is a repository in which several work.
type company struct {
	t    *testing.T
	root string
	env  []string
}

const companyPlan = `{"spec":{"title":"P","acceptance":["it works"],"state":"active"}}`

func newCompany(t *testing.T, tasks ...string) *company {
	t.Helper()
	c := &company{t: t, root: filepath.Join(t.TempDir(), "main")}
	require.NoError(t, os.Mkdir(c.root, 0o755))
	c.env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "IDUMB_TRUST="+c.root, "IDUMB_ENFORCE=", "IDUMB_AUTOSTART=off", "GORACE=atexit_sleep_ms=0",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_NOSYSTEM=1")
	c.git("init", "-q", "-b", "main")
	c.write(".idumb/workplans/p.json", companyPlan)
	for _, task := range tasks {
		c.write(".idumb/tasks/"+task+".json", `{"metadata":{"uid":"uid-`+task+`"},"spec":{"workPlan":"p","expectedOutput":"x"}}`)
	}
	return c
}

func (c *company) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.root, name)
	require.NoError(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(c.t, os.WriteFile(path, []byte(text), 0o644))
}

func (c *company) git(args ...string) {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = c.root, c.env
	out, err := cmd.CombinedOutput()
	require.NoError(c.t, err, "%s", out)
}

// idumb runs a command as a person does, in a process below no agent.
func (c *company) idumb(dir string, args ...string) outcome {
	cmd := exec.Command("idumb", args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, c.env, &stdout, &stderr
	_ = cmd.Run()
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// control starts a controller that answers.
func (c *company) control() {
	c.t.Helper()
	s := &stage{t: c.t, root: c.root, env: c.env}
	s.start()
}

// client is an agent at work: a host's process, and a session in it.
type client struct {
	*company
	host, session, dir string
	cmd                *exec.Cmd
	in                 *json.Encoder
	stdin              io.Closer
	out                *json.Decoder
	calls              int
}

// join starts a client of a host, whose session begins.
func (c *company) join(host, session, dir string) *client {
	c.t.Helper()
	a := &client{company: c, host: host, session: session, dir: dir, cmd: exec.Command("agent-host")}
	a.cmd.Dir, a.cmd.Env, a.cmd.Stderr = dir, c.env, os.Stderr
	in, err := a.cmd.StdinPipe()
	require.NoError(c.t, err)
	out, err := a.cmd.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, a.cmd.Start())
	a.in, a.stdin, a.out = json.NewEncoder(in), in, json.NewDecoder(out)
	c.t.Cleanup(a.kill)
	a.event("SessionStart", map[string]any{"source": "startup"})
	return a
}

// kill ends the host without a word.
func (a *client) kill() {
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait()
}

func (a *client) run(stdin string, args ...string) outcome {
	var o outcome
	if err := a.in.Encode(order{args, stdin}); err != nil {
		return outcome{Err: err.Error(), Code: -1}
	}
	if err := a.out.Decode(&o); err != nil {
		return outcome{Err: err.Error(), Code: -1}
	}
	return o
}

// event has the host's hook answer an event.
func (a *client) event(name string, more map[string]any) string {
	e := map[string]any{"hook_event_name": name, "session_id": a.session, "cwd": a.dir, "transcript_path": ""}
	for k, v := range more {
		e[k] = v
	}
	data, _ := json.Marshal(e)
	o := a.run(string(data), "sh", "-c", "idumb hook "+a.host)
	return o.Out + o.Err
}

// tool asks the gate for a call, and tells of its end if that was let pass; it returns the denial, "" for none.
func (a *client) tool(name string, input map[string]any) string {
	a.calls++
	call := map[string]any{"tool_name": name, "tool_input": input, "tool_use_id": fmt.Sprintf("%s-%d", a.session, a.calls)}
	if out := a.event("PreToolUse", call); strings.Contains(out, "deny") {
		return out
	}
	call["tool_response"] = map[string]any{}
	a.event("PostToolUse", call)
	return ""
}

// writes has the agent write a file.
func (a *client) writes(file string) string {
	if a.host == "codex" {
		return a.tool("apply_patch", map[string]any{"command": "*** Begin Patch\n*** Add File: " + file + "\n+x\n*** End Patch\n"})
	}
	return a.tool("Write", map[string]any{"file_path": filepath.Join(a.dir, file), "content": "x"})
}

// types runs a command of idumb below the host, with the gate before it as for any call of the shell's.
func (a *client) types(args ...string) outcome {
	return a.run("", append([]string{"idumb"}, args...)...)
}

func (c *company) leases() map[string]*resources.Lease {
	found := map[string]*resources.Lease{}
	files, _ := filepath.Glob(filepath.Join(c.root, ".git/idumb/leases/*.json"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(c.t, err)
		l, err := resources.DecodeLease(data)
		require.NoError(c.t, err)
		found[l.Metadata.Name] = l
	}
	return found
}

func (c *company) holder(task string) string {
	if l := c.leases()[task]; l != nil {
		return l.Spec.Holder.Session
	}
	return "nobody"
}

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

	refused := codex.types("start", "a")
	assert.NotZero(t, refused.Code)
	assert.Contains(t, refused.Err, `claude's session "s-claude" since`)
	assert.Contains(t, refused.Err, "idumb next")
	denied := codex.tool("Bash", map[string]any{"command": "idumb start a"})
	assert.Contains(t, denied, "somebody else's")
	assert.Contains(t, denied, `\"action\":\"start\",\"task\":\"b\"`)
	for _, verb := range []string{"complete", "review", "fail", "abandon"} {
		assert.Contains(t, codex.tool("Bash", map[string]any{"command": "idumb " + verb + " a --evidence x --reason y"}), "somebody else's", verb)
		args := map[string][]string{"complete": {"--evidence", "x"}, "fail": {"--reason", "x"}, "abandon": {"--reason", "x"}}[verb]
		assert.Contains(t, codex.types(append([]string{verb, "a"}, args...)...).Err, "held by", verb)
	}
	assert.Contains(t, codex.types("patch", "task", "a", "-p", `{"spec":{"state":"completed","result":{"evidence":"x"}}}`).Err, "held by")
	assert.Contains(t, codex.writes("src/b.go"), `held by claude`)

	b := codex.types("start", "b")
	require.Zero(t, b.Code, b.Err)
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
	assert.Empty(t, c.holder("a"), "a person")
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

// A file of another task's is not written past it, and what is written counts for whose it is: the
// same with and without a controller.
func TestAFileBelongsToItsTask(t *testing.T) {
	for name, controlled := range map[string]bool{"from the files": false, "with a controller": true} {
		t.Run(name, func(t *testing.T) { filesOfTasks(t, controlled) })
	}
}

func filesOfTasks(t *testing.T, controlled bool) {
	c := newCompany(t)
	for task, more := range map[string]string{
		"schema": ``, "api": `,"evidence":[{"file":"api/*.go"}]`,
		"docs":  `,"paths":["docs/**"]`,
		"login": `,"title":"Login form","paths":["src/login.tsx"],"temporalGate":{"after":"api","reason":"Built against the real endpoint."}`,
		"wide":  `,"paths":["lib/**"],"dependsOn":["api"]`,
	} {
		c.write(".idumb/tasks/"+task+".json", `{"metadata":{"uid":"uid-`+task+`"},"spec":{"workPlan":"p","expectedOutput":"x"`+more+`}}`)
	}
	for i := range 12 {
		c.write(fmt.Sprintf("lib/%d.go", i), "x")
	}
	c.git("add", "lib")
	if controlled {
		c.control()
	}
	claude, codex := c.join("claude", "s-claude", c.root), c.join("codex", "s-codex", c.root)
	assert.Contains(t, claude.writes("src/login.tsx"), `task \"login\" is blocked`, "nobody works on anything")
	require.Zero(t, claude.types("start", "schema").Code)

	denied := claude.writes("src/login.tsx")
	for _, part := range []string{`on src/login.tsx but task \"login\" is blocked`, `It depends on \"api\", which is planned.`, `Temporal gate: \"Built against the real endpoint.\"`, `Go on with other files of \"schema\"`} {
		assert.Contains(t, denied, part)
	}
	logged := func(task string) string {
		data, _ := os.ReadFile(filepath.Join(c.root, ".idumb/checkpoints", task+".jsonl"))
		return string(data)
	}
	advised := func(file string) string {
		return claude.event("PreToolUse", map[string]any{"tool_name": "Write", "tool_use_id": file, "tool_input": map[string]any{"file_path": filepath.Join(c.root, file), "content": "x"}})
	}
	assert.Contains(t, advised("api/a.go"), `this file is one of task \"api\"`)
	assert.Empty(t, advised("api/b.go"), "advice is given once")
	assert.Contains(t, advised("docs/a.md"), `this file is one of task \"docs\"`)
	assert.Empty(t, advised("api/c.go"), "advice is given once, whatever came between")
	assert.Contains(t, advised("lib/1.go"), `task \"wide\" names this file as well`, "a glob for a good part of the repository denies nothing")
	for _, file := range []string{"api/a.go", "lib/1.go", "main.go"} {
		assert.Empty(t, claude.writes(file))
	}
	assert.Contains(t, logged("api"), `"filesModified":["api/a.go"]`)
	assert.Contains(t, logged("schema"), `"filesModified":["lib/1.go"]`)
	assert.Contains(t, logged("schema"), `"filesModified":["main.go"]`)
	assert.NotContains(t, logged("schema"), "api/a.go")

	require.Zero(t, codex.types("start", "docs").Code)
	assert.Contains(t, claude.writes("docs/b.md"), `task \"docs\" is somebody else's`)
	assert.Empty(t, codex.writes("docs/b.md"))
	assert.Contains(t, logged("docs"), `"filesModified":["docs/b.md"]`)
}
