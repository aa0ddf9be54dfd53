package main

import (
	"fmt"
	"slices"
	"strings"
)

// documentedActions maps the tools of the documents to their actions.
var documentedActions = map[string]string{
	"govern_plan": "create plan_tasks status archive abandon", "govern_task": "start complete fail review status",
	"govern_delegate": "assign recall status", "anchor": "create list",
}

func toolSurface(s *scene) {
	a := s.claude("s1")
	actions := map[string][]any{}
	for _, t := range a.announced() {
		schema := t["inputSchema"].(map[string]any)["properties"].(map[string]any)
		action, _ := schema["action"].(map[string]any)
		actions[t["name"].(string)], _ = action["enum"].([]any)
	}
	for tool, names := range documentedActions {
		for _, name := range strings.Fields(names) {
			if !slices.Contains(actions[tool], any(name)) {
				s.failed("%s has the action %s; it has %v", tool, name, actions[tool])
			}
		}
	}
	if _, there := actions["govern_shell"]; !there {
		s.failed("there is a tool govern_shell; there are %v", actions)
	}
	for _, dead := range []string{"scan", "codemap", "read", "webfetch", "write"} {
		if _, there := actions["idumb_"+dead]; there {
			s.failed("%s stays dead", dead)
		}
	}
	toolRound(a)
	s.saw("%d tools, each documented action there and at work, none of the dead ones; govern_init is idumb init", len(actions))
}

// toolRound calls each of the actions.
func toolRound(a *agent) {
	do := func(tool, action string, more ...any) string {
		arguments := map[string]any{"action": action}
		for i := 0; i < len(more); i += 2 {
			arguments[fmt.Sprint(more[i])] = more[i+1]
		}
		return a.does(tool, arguments)
	}
	do("govern_plan", "create", "name", "p", "title", "P", "acceptance", []string{"x"})
	var tasks []map[string]any
	for _, name := range []string{"one", "two", "three", "four"} {
		tasks = append(tasks, map[string]any{"name": name, "expectedOutput": "x"})
	}
	do("govern_plan", "plan_tasks", "plan", "p", "tasks", tasks)
	a.want(do("govern_plan", "status", "plan", "p"), `"one"`, `"four"`)
	do("govern_task", "start", "task", "one")
	a.want(do("govern_task", "status"), `"one"`, "active")
	do("govern_task", "review", "task", "one")
	a.want(a.does("govern_shell", map[string]any{"command": "echo seen"}), "seen", `"exitCode":0`)
	do("govern_task", "complete", "task", "one", "evidence", "seen")
	do("govern_task", "start", "task", "two")
	do("govern_task", "fail", "task", "two", "reason", "no way")
	do("govern_delegate", "assign", "task", "three", "to", "executor", "name", "d")
	a.want(do("govern_delegate", "status"), `"d"`, `"executor"`)
	do("govern_delegate", "revoke", "name", "d")
	do("anchor", "create", "name", "opaque", "content", "Tokens are opaque")
	a.want(do("anchor", "list"), "Tokens are opaque")
	do("govern_plan", "create", "name", "q", "title", "Q", "acceptance", []string{"x"})
	do("govern_plan", "abandon", "plan", "q", "reason", "not wanted")
	do("govern_plan", "archive", "plan", "q")
	if !a.exists(".idumb/archive/workplans/q.json") {
		a.failed("the archived plan is on disk")
	}
}

// announced returns the tools that the MCP server lists.
func (a *agent) announced() (all []map[string]any) {
	list, _ := a.ask("tools/list", map[string]any{})["tools"].([]any)
	for _, t := range list {
		all = append(all, t.(map[string]any))
	}
	return all
}

// shadows contains for each tool the reason why the host's equivalent does not suffice.
var shadows = map[string]string{
	"govern_task": "the host's todo list does not unlock writing", "govern_shell": "how it ends counts as evidence", "govern_plan": "files are written for its tasks",
	"govern_delegate": "put the tag that assign answers into the prompt", "anchor": "must survive compaction", "mem": "recall before you search",
}

func shadowDescriptions(s *scene) {
	seen := 0
	for _, t := range s.claude("s1").announced() {
		said := t["description"].(string)
		s.want(said, shadows[t["name"].(string)])
		if seen++; len(said) > 600 {
			s.failed("a description is short; %q", said)
		}
	}
	s.wantSame("how many tools say it", fmt.Sprint(seen), fmt.Sprint(len(shadows)))
	s.saw("each of %d tools describes why the host's tool does not suffice: %q", seen, shadows["govern_task"])
}
