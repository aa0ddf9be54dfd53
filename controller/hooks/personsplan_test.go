package hooks

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

const (
	personsTask = `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "dependsOn": ["first"], "paths": ["src/**"], "evidence": [{"file": "src/**"}]}}`
	agentsTask  = `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["first"]}}`
)

// What an agent may not do to a person's plan by a command it does not do by editing the file
// either: the person is asked, or, where the host cannot ask, it is denied.
func TestAPersonsPlanIsNotLoosenedByItsFile(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/first", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	h.file("tasks/mine", personsTask)
	h.file("tasks/own", agentsTask)
	write := func(host, tool, file string, args string) hosts.Answer {
		o, err := hosts.ReadObject([]byte(args))
		require.NoError(t, err)
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: host, Session: "s", Tool: tool, Action: admission.Write, Paths: []string{file}, Args: o})
	}
	h.file("tasks/given", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "abandoned", "reason": "r"}}`)
	const mine, own = ".idumb/tasks/mine.json", ".idumb/tasks/own.json"
	for name, tc := range map[string]struct{ file, args, want string }{
		"a dependency dropped":  {mine, `{"old_string": "\"first\"", "new_string": ""}`, "drop a dependency of task/mine"},
		"paths taken away":      {mine, `{"old_string": "\"paths\": [\"src/**\"], ", "new_string": ""}`, "widen the paths of task/mine"},
		"paths set":             {".idumb/tasks/first.json", `{"old_string": "\"o\"", "new_string": "\"o\", \"paths\": [\"src/**\"]"}`, "set the paths of task/first"},
		"evidence taken away":   {mine, `{"old_string": ", \"evidence\": [{\"file\": \"src/**\"}]", "new_string": ""}`, "drop evidence of task/mine"},
		"abandoned":             {mine, `{"old_string": "active", "new_string": "abandoned"}`, "abandon task/mine"},
		"opened again":          {".idumb/tasks/given.json", `{"old_string": "abandoned", "new_string": "planned"}`, "reopen task/given"},
		"completed":             {mine, `{"old_string": "active", "new_string": "completed"}`, "complete task/mine"},
		"claimed as one's own":  {mine, `{"old_string": "{\"spec\"", "new_string": "{\"metadata\": {\"annotations\": {\"idumb.dev/made-by\": \"s\"}}, \"spec\""}`, "change the maker of task/mine"},
		"the plan set aside":    {".idumb/workplans/p.json", `{"old_string": "active", "new_string": "draft"}`, "set aside workplan/p"},
		"an agent's, completed": {own, `{"old_string": "\"spec\": {", "new_string": "\"spec\": {\"state\": \"completed\", "}`, "complete task/own"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, write("claude", "Edit", tc.file, tc.args).Ask, tc.want)
			assert.Contains(t, write("codex", "Edit", tc.file, tc.args).Deny, tc.want)
		})
	}
	for name, tc := range map[string]struct{ file, args string }{
		"more is said":             {mine, `{"old_string": "\"o\"", "new_string": "\"more\""}`},
		"an agent's own dependson": {own, `{"old_string": "\"first\"", "new_string": ""}`},
		"a new one":                {".idumb/tasks/new.json", `{"content": "{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"o\"}}"}`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Empty(t, write("codex", "Edit", tc.file, tc.args).Deny)
			assert.Empty(t, write("claude", "Edit", tc.file, tc.args).Ask)
		})
	}
	const demand = `"chain rule review-first: it is looked at. Required: a review."`
	h.file("workplans/agents", `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"title": "P", "state": "active", "acceptance": ["a", `+demand+`]}}`)
	drop := write("claude", "Edit", ".idumb/workplans/agents.json", `{"old_string": ", `+strings.ReplaceAll(demand, `"`, `\"`)+`", "new_string": ""}`)
	assert.Empty(t, drop.Ask, "nobody is asked")
	assert.Contains(t, drop.Deny, "cannot drop a criterion of workplan/agents: a rule requires it")
	assert.Contains(t, drop.Deny, "idumb complete workplan/agents --met 2 --evidence")
	edited := write("claude", "Edit", ".idumb/workplans/agents.json", `{"old_string": "\"a\"", "new_string": "\"b\""}`)
	assert.Empty(t, edited.Ask+edited.Deny, "its own")
	patch := "*** Begin Patch\\n*** Update File: " + mine + "\\n@@\\n-" + `{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"o\", \"state\": \"active\", \"dependsOn\": [\"first\"], \"paths\": [\"src/**\"], \"evidence\": [{\"file\": \"src/**\"}]}}` +
		"\\n+" + `{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"o\", \"state\": \"active\"}}` + "\\n*** End Patch"
	apply := func(text string) hosts.Answer { // as the client sends it
		e, err := host("codex").Parse([]byte(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"apply_patch","tool_input":{"command":"` + text + `"}}`))
		require.NoError(t, err)
		return h.run(e)
	}
	assert.Contains(t, apply(patch).Deny, "drop a dependency of task/mine")
	assert.Contains(t, apply(`*** Begin Patch\n*** Delete File: `+mine+`\n*** End Patch`).Deny, "remove task/mine")
	assert.Contains(t, apply(`*** Begin Patch\n*** Add File: .idumb/workplans/p.json\n+{\"spec\": {\"title\": \"P\", \"state\": \"draft\"}}\n*** End Patch`).Deny, "set aside workplan/p")
}

// An archived object does not come back as a file: the person is asked.
func TestAnArchivedObjectDoesNotComeBackByAFile(t *testing.T) {
	h := newHouse(t)
	const text = `{"spec": {"content": "c", "type": "insight"}}`
	h.file("archive/mems/gone", text)
	write := hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{".idumb/mems/gone.json"}}
	write.Args, _ = hosts.ReadObject([]byte(`{"content": ` + strconv.Quote(text) + `}`))
	assert.Contains(t, h.run(write).Ask, "only a user can restore mem/gone")
	write.Paths = []string{".idumb/mems/new.json"}
	assert.Empty(t, h.run(write).Ask)
}

// A command line writes a plan's files where it says what they will hold, and else not at all.
func TestAPersonsPlanIsNotLoosenedByAShell(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/mine", `{"spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["first"]}}`)
	h.file("tasks/first", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	run := func(line string) string {
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Tool: "Bash", Action: admission.Shell, Command: line}).Deny
	}
	for _, line := range []string{
		"rm .idumb/tasks/*.json", "rm -f .idumb/tasks/mine.json", "sed -i s/first// .idumb/tasks/mine.json", "jq '.spec.dependsOn=[]' .idumb/tasks/mine.json > t && mv t .idumb/tasks/mine.json",
		"mv .idumb/tasks/mine.json /tmp/x", "cp /tmp/x .idumb/tasks/mine.json", "truncate -s 0 .idumb/tasks/mine.json", "git rm .idumb/tasks/mine.json", "cd .idumb && cd tasks && rm mine.json",
	} {
		assert.Contains(t, run(line), "its new content is unknown before it runs", line)
	}
	assert.Contains(t, run(`echo '{"spec": {"workPlan": "p", "expectedOutput": "o"}}' > .idumb/tasks/mine.json`), "drop a dependency of task/mine")
	assert.Contains(t, run("cat > .idumb/tasks/mine.json <<'X'\n{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"o\"}}\nX"), "drop a dependency of task/mine")
	assert.Empty(t, run(`echo '{"spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["first"], "priority": "high"}}' > .idumb/tasks/mine.json`))
	assert.Empty(t, run(`echo '{"spec": {"workPlan": "p", "expectedOutput": "o"}}' > .idumb/tasks/new.json`))
	assert.Empty(t, run("cat .idumb/tasks/mine.json"))
	_, err := os.Stat(h.root.Abs(".idumb/tasks/mine.json"))
	require.NoError(t, err)
}
