package main

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"

	"github.com/idumb-dev/idumb/hack/drive"
)

// agent is one agent in a command-hook host, as the host's client plays it.
type agent struct {
	*scene
	host, session, id, kind string // id and kind are of a subagent
	calls                   int
	last                    map[string]any  // the call that the gate was asked about last
	client                  *drive.Client   // the process of the host
	tools                   *drive.Dialogue // the session's MCP server
}

// claude is the main agent of a session in Claude Code.
func (s *scene) claude(session string) *agent {
	client, err := s.NewClient()
	s.must(err)
	s.closers = append(s.closers, func() { _ = client.Close() })
	return &agent{scene: s, host: "claude", session: session, client: client}
}

// sub is a subagent of that kind, in the same session.
func (a *agent) sub(id, kind string) *agent {
	return &agent{scene: a.scene, host: a.host, session: a.session, id: id, kind: kind, client: a.client}
}

// event sends an event with these fields.
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

// wants asks the gate about a call.
func (a *agent) wants(tool string, input map[string]any) drive.Answer {
	a.calls++
	a.last = map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": fmt.Sprintf("toolu_%s_%s_%d", a.session, a.id, a.calls)}
	return a.event("PreToolUse", a.last)
}

// reports says how the call that the gate was asked about last ended; said is its error, "" for
// a success.
func (a *agent) reports(said string) drive.Answer {
	if said == "" {
		return a.event("PostToolUse", a.last)
	}
	failed := maps.Clone(a.last)
	failed["error"] = said
	return a.event("PostToolUseFailure", failed)
}

// write asks the gate about writing a file.
func (a *agent) write(file string) drive.Answer {
	return a.wants("Write", map[string]any{"file_path": filepath.Join(a.Dir, file), "content": "x"})
}

// bash asks the gate about a command.
func (a *agent) bash(command string) drive.Answer {
	return a.wants("Bash", map[string]any{"command": command})
}

// wrote writes a file, which has to be allowed, and reports it as the client does.
func (a *agent) wrote(file string) drive.Answer {
	a.allowed(a.write(file))
	a.file(file, fmt.Sprintf("package x // %s %d\n", a.session, a.calls))
	return a.reports("")
}

// types runs a command in the agent's shell, with the hook before and after it, and returns what it
// printed, or why it was denied, and whether it worked.
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

// ran reports a command that succeeded, which had to be allowed.
func (a *agent) ran(command string) drive.Answer {
	a.allowed(a.bash(command))
	return a.reports("")
}

// printed reports a command that succeeded and printed this.
func (a *agent) printed(command, text string) drive.Answer {
	a.allowed(a.bash(command))
	a.last["tool_response"] = map[string]any{"stdout": text}
	return a.reports("")
}

// broke reports a command that failed with that error.
func (a *agent) broke(command, said string) drive.Answer {
	a.allowed(a.bash(command))
	return a.reports(said)
}

// prompt sends what the person says.
func (a *agent) prompt(text string) drive.Answer {
	return a.event("UserPromptSubmit", map[string]any{"prompt": text})
}

// turn is a prompt and the end of the turn that it begins.
func (a *agent) turn(text string) drive.Answer {
	told := a.prompt(text)
	a.event("Stop", nil)
	return told
}

// spawn asks the gate about starting a subagent; where it is allowed the client's notes about
// it are written, and it is told.
func (a *agent) spawn(id, kind, prompt string) (*agent, drive.Answer) {
	asked := a.wants("Agent", map[string]any{"subagent_type": kind, "prompt": prompt, "description": "d"})
	child := a.sub(id, kind)
	if asked.Decision == "deny" {
		return child, asked
	}
	a.file("log/"+a.session+"/subagents/agent-"+id+".meta.json", fmt.Sprintf(`{"agentType": %q, "toolUseId": %q, "parentAgentId": %q}`, kind, a.last["tool_use_id"], a.id))
	return child, child.event("SubagentStart", nil)
}

// denied ends the probe where the gate does not deny with these words, and returns the reason.
func (a *agent) denied(answer drive.Answer, words ...string) string {
	if answer.Decision != "deny" {
		a.failed("the gate denies the call; it answered %q", answer.Printed)
	}
	a.want(answer.Reason, words...)
	return answer.Reason
}

// allowed ends the probe where the gate has an objection.
func (a *agent) allowed(answer drive.Answer) {
	if answer.Decision != "" {
		a.failed("the gate is open; it answered %q", answer.Reason)
	}
}

// call calls a tool of idumb-mcp as the client does, with its hook before and after it, and returns
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

// does is call for what has to work.
func (a *agent) does(tool string, arguments map[string]any) string {
	said, ok := a.call(tool, arguments)
	if !ok {
		a.failed("%s %s works; it answered %q", tool, text(arguments), said)
	}
	return said
}

// doesNot is call for what has to be refused with these words.
func (a *agent) doesNot(tool string, arguments map[string]any, words ...string) string {
	said, ok := a.call(tool, arguments)
	if ok {
		a.failed("%s %s is refused; it answered %q", tool, text(arguments), said)
	}
	a.want(said, words...)
	return said
}

// ask sends a request to the session's MCP server, which is started with the first one.
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

// talk starts a program for a dialogue that lasts as long as the scene.
func (s *scene) talk(program string, args ...string) *drive.Dialogue {
	d, err := s.Talk(program, args...)
	s.must(err)
	s.closers = append(s.closers, func() { _ = d.Close() })
	return d
}

// opencode is the plugin in OpenCode, which asks one lasting idumb-hook.
type opencode struct {
	*scene
	hook *drive.Dialogue
}

func (s *scene) opencode() *opencode {
	return &opencode{s, s.talk("idumb-hook", "opencode", "--stdio")}
}

// ask asks as the plugin does for the session ses_1; fields come on top of what it always sends.
func (o *opencode) ask(hook string, fields map[string]any) map[string]any {
	line := map[string]any{"hook": hook, "session": "ses_1", "parent": "", "agent": "build", "directory": o.Dir}
	maps.Copy(line, fields)
	answer, err := o.hook.Ask(line)
	o.must(err)
	fmt.Fprintf(o.trace, "opencode %s\n%s\n", text(line), text(answer))
	return answer
}
