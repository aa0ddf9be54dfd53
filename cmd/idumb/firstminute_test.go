//go:build linux

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateFirstMinute = flag.Bool("update", false, "write hack/docs/first-minute.md")

// garden is the to-do list of the agent in the first minute.
var garden = []string{"Dig the bed", "Buy seeds", "Sow the rows", "Water the rows", "Write the label"}

// todoEvents returns the events of a host in which its agent makes the list, and marks the first items as done.
func todoEvents(host string, done int) (events []map[string]any) {
	list := func(key string) (all []map[string]any) {
		for i, item := range garden {
			status := "pending"
			if i < done {
				status = "completed"
			}
			all = append(all, map[string]any{key: item, "status": status})
		}
		return all
	}
	after := func(tool string, input, response any) map[string]any {
		return map[string]any{"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": input, "tool_response": response}
	}
	switch host {
	case "opencode":
		events = append(events, map[string]any{"hook": "tool.after", "tool": "todowrite", "call": "c", "args": map[string]any{}, "todos": list("content")})
	case "codex":
		events = append(events, after("update_plan", map[string]any{"plan": list("step")}, "Plan updated"))
	case "copilot":
		var rows []string
		for i, item := range garden {
			status := "pending"
			if i < done {
				status = "done"
			}
			rows = append(rows, fmt.Sprintf("('item-%d', '%s', '%s')", i+1, item, status))
		}
		e := after("sql", map[string]any{"query": "INSERT OR REPLACE INTO todos (id, title, status) VALUES " + strings.Join(rows, ", ")}, nil)
		e["tool_result"] = map[string]any{"result_type": "success", "text_result_for_llm": "ok"}
		events = append(events, e)
	case "gemini":
		e := after("write_todos", map[string]any{"todos": list("description")}, map[string]any{"llmContent": "ok"})
		e["hook_event_name"] = "AfterTool"
		events = append(events, e)
	default:
		for i, item := range garden {
			id := fmt.Sprint(i + 1)
			events = append(events, after("TaskCreate", map[string]any{"subject": item}, map[string]any{"task": map[string]any{"id": id}}))
			if i < done {
				events = append(events, after("TaskUpdate", map[string]any{"taskId": id, "status": "completed"}, map[string]any{"success": true}))
			}
		}
	}
	return events
}

// startEvents returns the events with which a session of a host begins.
func startEvents(host string) []map[string]any {
	if host == "opencode" {
		return []map[string]any{{"hook": "session"}, {"hook": "message", "text": "go on"}, {"hook": "system"}, {"hook": "tail"}}
	}
	return []map[string]any{{"hook_event_name": "SessionStart", "source": "startup"}}
}

// hook sends events of a host to its hook, one by one, and returns the answers.
func (a *client) hook(events ...map[string]any) (answers string) {
	command := "idumb hook " + a.host
	if a.host == "opencode" {
		command += " --stdio"
	}
	for _, e := range events {
		e["cwd"], e["session_id"], e["transcript_path"] = a.dir, a.session, ""
		switch a.host {
		case "opencode":
			e["id"], e["session"], e["directory"] = 1, a.session, a.dir
		case "copilot":
			e["timestamp"] = 1795995744241
		}
		data, _ := json.Marshal(e)
		o := a.run(string(data)+"\n", "sh", "-c", command)
		answers += o.Out + o.Err
	}
	return answers
}

// TestFirstMinute records what a user sees in the first minute with each host, in hack/docs/first-minute.md: they install
// iDumb, start the agent as usual and type a request that does not mention iDumb. The events have the form that the
// clients send. The agent is killed; the next session, in the same host and in another one, is told of the rest.
func TestFirstMinute(t *testing.T) {
	text := "# The first minute with each host\n\n" +
		"`go test ./cmd/idumb -run TestFirstMinute -update` writes this file. The test sends the events that each\n" +
		"client sends. The agent gets the request `make a garden`, makes a list of five items and finishes two.\n" +
		"Then the client is killed.\n"
	names := []string{"claude", "opencode", "codex", "copilot", "gemini"}
	titles := []string{"Claude Code", "OpenCode", "Codex", "Copilot CLI", "Gemini CLI"}
	for i, host := range names {
		c := &company{t: t, root: filepath.Join(t.TempDir(), "garden")}
		require.NoError(t, os.Mkdir(c.root, 0o755))
		c.env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "IDUMB_TRUST="+c.root, "IDUMB_ENFORCE=", "IDUMB_AUTOSTART=off", "GORACE=atexit_sleep_ms=0", "GIT_CONFIG_NOSYSTEM=1")
		c.git("init", "-q", "-b", "main")
		text += "\n## " + titles[i] + "\n\n```console\n"
		types := func(note string, args ...string) string {
			o := c.idumb(c.root, args...)
			out := strings.ReplaceAll(o.Out+o.Err, c.root, "/home/me/garden")
			text += strings.TrimSuffix(fmt.Sprintf("$ idumb %s%s\n%s", strings.Join(args, " "), note, out), "\n") + "\n"
			return out
		}
		types("", "init", "--agent", host)
		agent := c.join(host, "b2e5", c.root)
		silent := agent.hook(append(startEvents(host), append(todoEvents(host, 0), todoEvents(host, 2)...)...)...)
		assert.NotContains(t, silent, "Left open", host)
		text += fmt.Sprintf("$ %s    # make a garden\n", host)
		shown := types("", "status")
		assert.Contains(t, shown, host+"/b2e5", host)
		assert.Contains(t, shown, "2/5 done, in use", host)
		agent.kill()
		shown = types("    # the client was killed", "status")
		assert.Contains(t, shown, "2/5 done, left open", host)
		for _, item := range garden[2:] {
			assert.Contains(t, shown, "- "+item, host)
		}
		for n, next := range []string{host, names[(i+1)%len(names)]} {
			other := c.join("", fmt.Sprint("next-", n), c.root)
			other.host = next
			answers := other.hook(startEvents(next)...)
			assert.Equal(t, 1, strings.Count(answers, "Left open"), "%s -> %s", host, next)
			told := regexp.MustCompile(`Left open by [^\\]*\.`).FindString(answers)
			assert.Regexp(t, `^Left open by `+host+`/b2e5 at .* \(2 of 5 done\): Sow the rows; Water the rows; Write the label\.$`, told, "%s -> %s", host, next)
			text += fmt.Sprintf("$ %s    # told to the agent:\n%s\n", next, told)
			other.kill()
		}
		text += "```\n"
	}
	text = regexp.MustCompile(`\d\d:\d\d on \d{4}-\d\d-\d\d`).ReplaceAllString(text, "14:02 on 2026-11-30")
	file := filepath.Join("..", "..", "hack", "docs", "first-minute.md")
	if *updateFirstMinute {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), text, "the texts changed: read them as a new user would, then run the test with -update")
}

// Five agents of different kinds work in one repository. The user sees the list of each, and none is told of another's.
func TestListsOfFiveKindsOfAgents(t *testing.T) {
	c := newCompany(t)
	agents := map[string]*client{}
	for _, host := range []string{"claude", "opencode", "codex", "copilot", "gemini"} {
		agents[host] = c.join(host, "of-"+host, c.root)
		assert.NotContains(t, agents[host].hook(append(startEvents(host), todoEvents(host, 0)...)...), "Left open", host)
	}
	for host, agent := range agents {
		assert.NotContains(t, agent.hook(todoEvents(host, 2)...), "Left open", host)
	}
	shown := c.idumb(c.root, "status").Out
	for host := range agents {
		assert.Regexp(t, `(?m)^  `+host+`/of-`+host+` +2/5 done, in use$`, shown)
	}
}
