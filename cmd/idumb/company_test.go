//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
	maps.Copy(e, more)
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
