package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// hookCalls lists the measured calls. Each round makes a different call, because the shipped
// triggers halt an agent that repeats a call.
var hookCalls = []struct {
	does, event, tool string
	input             func(repo string, round int) map[string]any
	denied            bool
}{
	{"allows a write", "PreToolUse", "Write", writeOf("src/f%d.go"), false},
	{"denies a write", "PreToolUse", "Write", writeOf(".idumb/roles/f%d.json"), true},
	{"allows a read", "PreToolUse", "Read", readOf, false},
	{"allows go test", "PreToolUse", "Bash", commandOf("go test ./... -run Test%d"), false},
	{"allows grep | head", "PreToolUse", "Bash", commandOf("grep -rn word%d . | head -20"), false},
	{"after a write", "PostToolUse", "Write", writeOf("src/f%d.go"), false},
	{"after go test", "PostToolUse", "Bash", commandOf("go test ./... -run Test%d"), false},
}

func readOf(repo string, round int) map[string]any {
	return map[string]any{"file_path": fmt.Sprintf("%s/src/f%d.go", repo, round)}
}

func writeOf(name string) func(string, int) map[string]any {
	return func(repo string, round int) map[string]any {
		return map[string]any{"file_path": repo + "/" + fmt.Sprintf(name, round), "content": "package a\n"}
	}
}

func commandOf(line string) func(string, int) map[string]any {
	return func(_ string, round int) map[string]any { return map[string]any{"command": fmt.Sprintf(line, round)} }
}

// measureHook measures full tool calls, from the start of the process to its end, and the CPU time
// of both processes. Comparisons with the same empty program: a program that only queries a socket,
// and this hook with a canned answer.
func measureHook(b *bench) ([]Result, error) {
	small, err := newKitchen(b, 10, 10)
	if err != nil {
		return nil, err
	}
	defer small.end()
	large, err := b.large()
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, k := range []*backend{small, large} {
		r, err := hookAt(b, k)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

func hookAt(b *bench, k *backend) ([]Result, error) {
	can, err := k.can()
	if err != nil {
		return nil, err
	}
	defer can.end()
	canned := k.toolCall(0)
	canned.serves, canned.dir, canned.env = 0, can.dir, append(k.repo.Env(), "CLAUDE_PROJECT_DIR="+can.dir)
	processes := []process{
		{path: b.bin.Path("empty"), before: k.touch}, // ignored: absorbs the after-effects of a change
		{path: b.bin.Path("empty")},
		{path: b.bin.Path("socket"), args: []string{"./" + layout.HookSocket}, dir: can.dir, env: canned.env, feed: canned.feed},
		canned,
	}
	for i := range hookCalls {
		processes = append(processes, k.toolCall(i))
	}
	all, err := repeat(b.size(60, 10), processes...)
	if err != nil {
		return nil, err
	}
	all = all[1:]
	names := []string{"a bare socket", "the hook, a canned answer"}
	for _, call := range hookCalls {
		names = append(names, "hook "+call.does)
	}
	var results []Result
	for i, name := range names {
		what, goal := name+", "+k.String(), [2]string{"1.75x an empty program", "1.6x an empty program"}
		if i < 2 {
			goal = [2]string{"for comparison", "for comparison"}
		}
		results = append(results,
			Result{What: what + ", wall", Unit: "ms", Floor: all[0].percentileMs(50, wall), Ours: all[i+1].percentileMs(50, wall), Goal: goal[0]},
			Result{What: what + ", CPU of both", Unit: "ms", Floor: all[0].percentileMs(50, busy), Ours: all[i+1].percentileMs(50, busy), Goal: goal[1]})
		if i >= 2 {
			results = append(results, Result{What: what + ", controller's CPU", Unit: "ms", Ours: all[i+1].percentileMs(50, served), Goal: "1 ms"})
		}
	}
	return results, nil
}

// toolCall is a hook of Claude Code before or after a call, in one session with a task. The hook
// before the call also runs for a hook after it, without timing.
func (k *backend) toolCall(kind int) process {
	call := hookCalls[kind]
	p := k.event(kind, call.event)
	if call.event == "PostToolUse" {
		first := k.event(kind, "PreToolUse")
		p.before = func(round int) error {
			_, err := first.run(round)
			return err
		}
	}
	if call.denied {
		p.wants = denial
	} else {
		p.forbidden = denial
	}
	return p
}

// event returns the hook event of a call at one moment.
func (k *backend) event(kind int, moment string) process {
	call := hookCalls[kind]
	return k.hook("", func(round int) map[string]any {
		event := map[string]any{
			"session_id": "3b0f7d3e-2f3b-4c9e-9f2c-6a8f7d1f0a01", "hook_event_name": moment,
			"tool_name": call.tool, "tool_use_id": fmt.Sprintf("toolu_%d_%d", kind, round), "tool_input": call.input(k.repo.Dir, round),
		}
		if moment == "PostToolUse" {
			event["tool_response"] = map[string]any{"stdout": "ok", "stderr": "", "success": true}
		}
		return event
	})
}

// denial is contained in an answer that denies a call.
const denial = `"deny"`

// hook returns a process that runs the hook like Claude Code, with the event of each round.
func (k *backend) hook(wants string, event func(round int) map[string]any) process {
	feed := func(round int) []byte {
		e := event(round)
		e["transcript_path"], e["cwd"] = "", k.repo.Dir
		data, _ := json.Marshal(e) // strings only: it cannot fail
		return data
	}
	env := append(k.repo.Env(), "CLAUDE_PROJECT_DIR="+k.repo.Dir, "IDUMB_AUTOSTART=off")
	p := process{path: k.repo.Bin.Path("idumb-hook"), args: []string{"claude"}, dir: k.repo.Dir, env: env, feed: feed, wants: wants}
	if k.controller != nil {
		p.serves = k.controller.PID()
	}
	return p
}

// answers checks that the controller answers hooks, so that no hook computes its answer itself.
func (k *backend) answers() error {
	p := k.toolCall(0)
	q := frame.Question{Host: "claude", Version: "bench", Cwd: k.repo.Dir, Env: p.env, Event: p.feed(-1)}
	q.Env = frame.RelevantEnv(append(os.Environ(), p.env...))
	data, err := q.AppendHead(nil)
	if err != nil {
		return err
	}
	conn, err := net.Dial("unix", filepath.Join(k.repo.Dir, layout.HookSocket))
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write(append(data, q.Event...))
	if err = errors.Join(err, conn.(*net.UnixConn).CloseWrite()); err != nil {
		return err
	}
	answer, err := io.ReadAll(conn)
	if err == nil {
		_, err = frame.ParseAnswer(answer)
	}
	return err
}

// can is a directory with a server that gives every hook the same answer immediately.
type can struct {
	dir    string
	listen net.Listener
}

func (k *backend) can() (*can, error) {
	dir, err := os.MkdirTemp("", "idumb-can-")
	if err != nil {
		return nil, err
	}
	c := &can{dir: dir}
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(layout.HookSocket)), 0o700); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if c.listen, err = net.Listen("unix", filepath.Join(dir, layout.HookSocket)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	go c.serve()
	return c, nil
}

func (c *can) serve() {
	for {
		conn, err := c.listen.Accept()
		if err != nil {
			return
		}
		if _, err = io.Copy(io.Discard, conn); err == nil {
			_, _ = io.WriteString(conn, "OK 0 0 0\n") // the answer to an allowed call
		}
		conn.Close()
	}
}

func (c *can) end() {
	c.listen.Close()
	os.RemoveAll(c.dir)
}
