package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/idumb-dev/idumb/hack/drive"
)

// agent is an agent in a command-hook host, as simulated by the host's client.
type agent struct {
	*scene
	host, session, id, kind string // id and kind are set for a subagent
	calls                   int
	last                    map[string]any  // the last call sent to the gate
	client                  *drive.Client   // process of the host
	tools                   *drive.Dialogue // MCP server of the session
}

// claude returns the main agent of a session in Claude Code.
func (s *scene) claude(session string) *agent {
	client, err := s.NewClient()
	s.must(err)
	s.closers = append(s.closers, func() { _ = client.Close() })
	return &agent{scene: s, host: "claude", session: session, client: client}
}

// sub returns a subagent of a kind, in the same session.
func (a *agent) sub(id, kind string) *agent {
	return &agent{scene: a.scene, host: a.host, session: a.session, id: id, kind: kind, client: a.client}
}

// event sends an event with the given fields.
func (a *agent) event(name string, fields map[string]any) drive.Answer {
	all := map[string]any{"session_id": a.session, "hook_event_name": name, "cwd": a.Dir, "transcript_path": filepath.Join(a.Dir, "log", a.session+".jsonl")}
	if a.id != "" {
		all["agent_id"], all["agent_type"] = a.id, a.kind
	}
	maps.Copy(all, fields)
	answer, err := a.client.Hook(a.host, all)
	fmt.Fprintf(a.trace, "%s %s %s: %v\n%s\n", a.host, a.session, name, fields, answer.Printed)
	a.must(err)
	return answer
}

// wants sends a call to the gate.
func (a *agent) wants(tool string, input map[string]any) drive.Answer {
	a.calls++
	a.last = map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": fmt.Sprintf("toolu_%s_%s_%d", a.session, a.id, a.calls)}
	return a.event("PreToolUse", a.last)
}

// reports reports the end of the last call. said is its error, empty for a success.
func (a *agent) reports(said string) drive.Answer {
	if said == "" {
		return a.event("PostToolUse", a.last)
	}
	failed := maps.Clone(a.last)
	failed["error"] = said
	return a.event("PostToolUseFailure", failed)
}

// write sends a write of a file to the gate.
func (a *agent) write(file string) drive.Answer {
	return a.wants("Write", map[string]any{"file_path": filepath.Join(a.Dir, file), "content": "x"})
}

// bash sends a command to the gate.
func (a *agent) bash(command string) drive.Answer {
	return a.wants("Bash", map[string]any{"command": command})
}

// writeAllowed writes a file, which must be allowed, and reports it like the client.
func (a *agent) writeAllowed(file string) drive.Answer {
	a.allowed(a.write(file))
	a.file(file, fmt.Sprintf("package x // %s %d\n", a.session, a.calls))
	return a.reports("")
}

// types runs a command in the agent's shell, with the hooks before and after it. It returns the
// output or the denial, and whether the command succeeded.
func (a *agent) types(command string) (string, bool) {
	if asked := a.bash(command); asked.Decision != "" {
		return asked.Reason, false
	}
	out, ok := a.client.Shell(command)
	fmt.Fprintf(a.trace, "%s $ %s\n%s\n", a.session, command, out)
	if ok {
		a.reports("")
	} else {
		a.reports(cmp.Or(out, "Exit code 1"))
	}
	return out, ok
}

// ran reports a successful command, which must be allowed.
func (a *agent) ran(command string) drive.Answer {
	a.allowed(a.bash(command))
	return a.reports("")
}

// printed reports a successful command with its output.
func (a *agent) printed(command, text string) drive.Answer {
	a.allowed(a.bash(command))
	a.last["tool_response"] = map[string]any{"stdout": text}
	return a.reports("")
}

// broke reports a command that failed with an error.
func (a *agent) broke(command, said string) drive.Answer {
	a.allowed(a.bash(command))
	return a.reports(said)
}

// prompt sends a prompt of the user.
func (a *agent) prompt(text string) drive.Answer {
	return a.event("UserPromptSubmit", map[string]any{"prompt": text})
}

// turn sends a prompt and the end of its turn.
func (a *agent) turn(text string) drive.Answer {
	told := a.prompt(text)
	a.event("Stop", nil)
	return told
}

// spawn sends the start of a subagent to the gate. If it is allowed, spawn writes the client's
// notes about the subagent and sends its start event.
func (a *agent) spawn(id, kind, prompt string) (*agent, drive.Answer) {
	asked := a.wants("Agent", map[string]any{"subagent_type": kind, "prompt": prompt, "description": "d"})
	child := a.sub(id, kind)
	if asked.Decision == "deny" {
		return child, asked
	}
	a.file("log/"+a.session+"/subagents/agent-"+id+".meta.json", fmt.Sprintf(`{"agentType": %q, "toolUseId": %q, "parentAgentId": %q}`, kind, a.last["tool_use_id"], a.id))
	return child, child.event("SubagentStart", nil)
}

// denied ends the probe unless the gate denies with the words, and returns the reason.
func (a *agent) denied(answer drive.Answer, words ...string) string {
	if answer.Decision != "deny" {
		a.failed("the gate denies the call; it answered %q", answer.Printed)
	}
	a.want(answer.Reason, words...)
	return answer.Reason
}

// allowed ends the probe if the gate objects.
func (a *agent) allowed(answer drive.Answer) {
	if answer.Decision != "" {
		a.failed("the gate is open; it answered %q", answer.Reason)
	}
}

// call calls a tool of idumb-mcp like the client, with the hooks before and after it. It returns
// the answer and whether it is a success.
func (a *agent) call(tool string, arguments map[string]any) (string, bool) {
	if asked := a.wants("mcp__idumb__"+tool, arguments); asked.Decision == "deny" {
		return asked.Reason, false
	}
	result := a.ask("tools/call", map[string]any{"name": tool, "arguments": arguments, "_meta": map[string]any{"claudecode/toolUseId": a.last["tool_use_id"]}})
	content, _ := result["content"].([]any)
	if len(content) != 1 {
		a.failed("%s answers with one text; it answered %s", tool, text(result))
	}
	said := text(content[0].(map[string]any)["text"])
	if result["isError"] == true {
		a.reports(said)
		return said, false
	}
	a.reports("")
	return said, true
}

// does is call for a call that must succeed.
func (a *agent) does(tool string, arguments map[string]any) string {
	said, ok := a.call(tool, arguments)
	if !ok {
		a.failed("%s %s works; it answered %q", tool, text(arguments), said)
	}
	return said
}

// doesNot is call for a call that must be refused with the words.
func (a *agent) doesNot(tool string, arguments map[string]any, words ...string) string {
	said, ok := a.call(tool, arguments)
	if ok {
		a.failed("%s %s is refused; it answered %q", tool, text(arguments), said)
	}
	a.want(said, words...)
	return said
}

// ask sends a request to the session's MCP server, which the first request starts.
func (a *agent) ask(method string, params map[string]any) map[string]any {
	if a.tools == nil {
		a.tools = a.talk("idumb-mcp")
		a.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "claude-code", "version": "1"}})
		a.must(a.tools.Tell(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}))
	}
	answer, err := a.tools.Ask(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	a.must(err)
	fmt.Fprintf(a.trace, "mcp %s %s\n%s\n", method, text(params), text(answer))
	result, ok := answer["result"].(map[string]any)
	if !ok {
		a.failed("%s is answered; %s", method, text(answer["error"]))
	}
	return result
}

// talk starts a program for a dialogue that lasts until the end of the scene.
func (s *scene) talk(program string, args ...string) *drive.Dialogue {
	d, err := s.Talk(program, args...)
	s.must(err)
	s.closers = append(s.closers, func() { _ = d.Close() })
	return d
}

// opencode simulates the plugin in OpenCode, which queries one lasting idumb-hook.
type opencode struct {
	*scene
	hook *drive.Dialogue
}

func (s *scene) opencode() *opencode {
	return &opencode{s, s.talk("idumb-hook", "opencode", "--stdio")}
}

// ask sends a query like the plugin for the session ses_1, with additional fields.
func (o *opencode) ask(hook string, fields map[string]any) map[string]any {
	line := map[string]any{"hook": hook, "session": "ses_1", "parent": "", "agent": "build", "directory": o.Dir}
	maps.Copy(line, fields)
	answer, err := o.hook.Ask(line)
	o.must(err)
	fmt.Fprintf(o.trace, "opencode %s\n%s\n", text(line), text(answer))
	return answer
}
