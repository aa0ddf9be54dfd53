package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// plansIn are files that commands of idumb may be given.
var plansIn = map[string]string{
	"escaped.json":           `{"\u006bind": "Chain\u0052ule", "metadata": {"name": "r"}, "spec": {}}`,
	"upper.json":             `{"KIND": "ChainRule"}`,
	"twice.json":             `{"kind": "TaskNode", "Kind": "ChainRule"}`,
	"list.json":              `{"kind": "List", "items": [{"kind": "TaskNode"}, {"\u006bind": "ChainRule"}]}`,
	"second.json":            `{"kind": "TaskNode"} {"\u006bind": "ChainRule"}`,
	"escaped.yaml":           "\"\\u006bind\": ChainRule\nmetadata: {name: r}\n",
	"alias.yaml":             "metadata: {name: &k ChainRule}\nkind: *k\n",
	"merged.yaml":            "x: &a\n  kind: ChainRule\n<<: *a\n",
	"asked.yaml":             "? kind\n: ChainRule\n",
	"inline.yaml":            "kind: List\nitems: [{\"\\u006bind\": ChainRule}]\n",
	"later.yaml":             "kind: Task\nmetadata: {name: a}\n---\n\"kind\" : 'ChainRule'\n",
	"folded.yaml":            "kind: >-\n  ChainRule\n",
	"tab.yaml":               "kind:\tChainRule\n",
	"ends.yaml":              "x: a\u2028kind: ChainRule\n",
	"wide.yaml":              "\xff\xfek\x00i\x00n\x00d\x00",
	"flow.yaml":              "---\n{\"\\u006bind\": \"ChainRule\"}\n",
	"nested.yaml":            "kind: List\nitems:\n- kind: Task\n- metadata: {name: x}\n  kind: ChainRule\n",
	"bare/chainrules/r.json": `{"spec": {}}`,
	"mixed/plan.json":        `{"kind": "WorkPlan", "metadata": {"name": "p"}}`,
	"mixed/rule.json":        `{"\u006bind": "ChainRule"}`,
	"mixed/notes.txt":        `{"kind": "ChainRule"}`,

	"plan.json":      `{"kind": "WorkPlan", "metadata": {"name": "site"}, "spec": {"title": "it says \"kind\": none", "state": "active"}}`,
	"good/tasks.yml": "# the plan\nkind: WorkPlan\nmetadata:\n  name: site\nspec:\n  title: 'A: b'\n  description: |\n    * a list, {braces}\n    \"\\u006bind\": nothing\n  acceptance: [one, two]\n---\nkind: TaskNode\nmetadata: {name: form, labels: {a: b}}\nspec:\n  workPlan: p\n  evidence:\n  - type: file\n    path: \"a\\\\b\"\n  - two\n  state: completed\n",
}

// What a file holds that a command of idumb is given is told by decoding it, however it is
// spelt; what cannot be told is not let through.
func TestWhatIdumbIsGivenIsDecoded(t *testing.T) {
	root, home := shellRepo(t)
	for name, text := range plansIn {
		file := filepath.Join(root, "in", filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("escaped.json", filepath.Join(root, "in", "linked.json")))
	deny := []string{
		"cat in/escaped.json | idumb apply -f -", "idumb apply -f - < in/escaped.json", "idumb apply -f in/plan.json,in/escaped.json", "idumb apply -Rf in/mixed", "idumb apply -f in/mixed",
		"idumb -C in apply -f escaped.json", "cd in && idumb create -f escaped.json", "idumb apply -f in/linked.json", "idumb apply -R -f in/bare", "idumb apply -f in/bare/chainrules",
		`printf '{"\\u006bind": "ChainRule"}' | idumb apply -f -`, "idumb apply -f - <<'X'\n{\"\\u006bind\": \"ChainRule\"}\nX",
		"cat <<'X' > /tmp/new.json && idumb apply -f /tmp/new.json\n{\"\\u006bind\": \"ChainRule\"}\nX",
		"python3 gen.py | idumb apply -f -", "python3 gen.py > new.json && idumb apply -f new.json", "curl -s http://x/p.json | idumb apply -f -", "{ python3 gen.py; cat in/plan.json; } | idumb apply -f -",
		"idumb apply -f \"$PLAN\"", "idumb apply -f <(python3 gen.py)", "sed s/Task/ChainRule/ in/plan.json | idumb apply -f -", "idumb create -f $(ls in/*.json)", "idumb delete -f in/escaped.json",
		"python3 gen.py && idumb apply -f in/plan.json", "python3 gen.py; idumb apply -f new.json",
		"cat in/plan.json - | idumb apply -f -",
	}
	for name := range plansIn {
		if !strings.HasPrefix(name, "good/") && !strings.HasPrefix(name, "mixed/") && name != "plan.json" {
			deny = append(deny, "idumb apply -f in/"+name)
		}
	}
	for _, command := range deny {
		t.Run(command, func(t *testing.T) {
			call, verdict, err := judge(root, home, command)
			require.NoError(t, err)
			require.Equal(t, admission.Deny, verdict.Outcome, "%v", call.Amounts)
			assert.Equal(t, "governed-shell", verdict.Reason.Rule)
			assert.Regexp(t, "which only users change|are unknown", strings.Join(verdict.Reason.Why, " "))
			assert.NotEmpty(t, verdict.Reason.UseInstead)
		})
	}
	plan := []string{"idumb create workplan site", "idumb start workplan/site"}
	for command, amounts := range map[string][]string{
		"idumb apply -f in/plan.json":                                                   plan,
		"cat in/plan.json | idumb apply -f -":                                           plan,
		"cd in; idumb apply --filename=plan.json":                                       plan,
		"idumb apply -f in/good":                                                        {"idumb create workplan site", "idumb create task form", "idumb complete task/form"},
		"f=in/plan.json; idumb apply -f $f":                                             plan,
		"idumb apply -f - <<'X'\nkind: Task\nmetadata: {name: form}\nX":                 {"idumb create task form"},
		"echo '{\"kind\": \"Mem\"}' | idumb create -f -":                                {"idumb create mem"},
		"idumb delete -f in/plan.json":                                                  {"idumb delete workplan/site"},
		"mkdir -p x && git add . && git commit -m 'a b' && idumb apply -f in/plan.json": plan,
		"idumb apply -f in/nothing.json":                                                nil,
		`idumb patch workplan site -p '{"spec": {"state": "completed"}}'`:               {"idumb complete workplan site"},
		`idumb patch task/a task/b --type=json -p='[{"op": "add", "path": "/spec/st\u0061te", "value": "c\u006fmpleted"}]'`: {"idumb complete task/a task/b"},
		`idumb patch workplan/site --patch 'spec: {met: []}'`:                                                               {"idumb complete workplan/site"},
		`idumb patch workplan/site -p "$P"`:                                                                                 {"idumb complete workplan/site"},
		`idumb patch task/a -p '{"spec": {"title": "x"}}'`:                                                                  nil,
		"idumb apply -f - <<'X'\nkind: WorkPlan\nmetadata: {name: site}\nspec:\n  met:\n  - criterion: x\nX":                {"idumb create workplan site", "idumb complete workplan/site"},
		"idumb apply -f in/good/tasks.yml -o json | jq .metadata.uid":                                                       {"idumb create workplan site", "idumb create task form", "idumb complete task/form"},
	} {
		t.Run(command, func(t *testing.T) {
			call, verdict, err := judge(root, home, command)
			require.NoError(t, err)
			assert.NotEqual(t, admission.Deny, verdict.Outcome, verdict.Reason.Text())
			assert.Equal(t, amounts, shownRuns(call.Amounts))
		})
	}
}

// A tool that writes a planning file does what a command would do, and is judged as that.
func TestAPlanningFileIsJudgedAsTheCommand(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/mine", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("sessions/s", `{"spec": {"activeTask": "mine"}}`)
	h.file("chainrules/seen", `{"spec": {"level": "HARD_BLOCK", "when": {"commands": ["idumb complete"]}, "requires": [{"files": ["seen.txt"]}], "because": "Somebody has to see it."}}`)
	h.file("roles/planner", `{"spec": {"agents": ["plan"], "shell": {"deny": ["idumb create workplan"]}}}`)
	write := func(agent, tool, file string, args string) string {
		o, err := hosts.ReadObject([]byte(args))
		require.NoError(t, err)
		e := hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: agent, Tool: tool, Action: admission.Write, Paths: []string{file}, Args: o}
		return h.run(e).Deny
	}
	const task = ".idumb/tasks/mine.json"
	done := `{"content": "{\"spec\": {\"workPlan\": \"p\", \"expectedOutput\": \"o\", \"\\u0073tate\": \"completed\"}}"}`
	assert.Contains(t, write("", "Write", task, done), `You tried to run "idumb complete task/mine" but rule "seen"`)
	assert.Contains(t, write("", "Edit", task, `{"old_string": "active", "new_string": "completed"}`), `rule "seen"`)
	assert.Empty(t, write("", "Edit", task, `{"old_string": "\"o\"", "new_string": "\"more\""}`))
	assert.Empty(t, write("plan", "Write", ".idumb/tasks/new.json", `{"content": "{}"}`))
	assert.Contains(t, write("plan", "Write", ".idumb/workplans/new.json", `{"content": "{}"}`), `"idumb create workplan new" in the role "planner", which does not allow it`)
	require.NoError(t, os.WriteFile(h.root.Abs("seen.txt"), nil, 0o644))
	assert.Empty(t, write("", "Write", task, done))
}

// What idumb itself reads out of a text is seen, or the text is not held to be plain.
// A redirection into a planning file, and a program that writes one, do what a command would
// do as well, and are judged as that.
func TestAPlanningFileWrittenByALineIsJudgedAsTheCommand(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/mine", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("sessions/s", `{"spec": {"activeTask": "mine"}}`)
	h.file("chainrules/seen", `{"spec": {"level": "HARD_BLOCK", "when": {"commands": ["idumb complete"]}, "requires": [{"files": ["seen.txt"]}], "because": "Somebody has to see it."}}`)
	h.file("roles/reader", `{"spec": {"agents": ["reader"], "shell": {"allow": ["ls", "cat", "cp", "git log", "idumb create mem"]}}}`)
	run := func(agent, line string) string {
		return h.run(hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: agent, Tool: "Bash", Action: admission.Shell, Command: line}).Deny
	}
	for line, command := range map[string]string{
		"git log --oneline 2> .idumb/tasks/new.json": "idumb create task new",
		"cat x > .idumb/tasks/mine.json":             "idumb edit task/mine",
		"cp x .idumb/workplans/q.json":               "idumb create workplan q",
		"ls > .idumb/trajectory.json":                "idumb edit trajectory",
	} {
		assert.Contains(t, run("reader", line), `"`+command+`" in the role "reader", which does not allow it`, line)
		assert.Contains(t, run("", line), "its new content is unknown before it runs", line)
	}
	for _, line := range []string{"cat .idumb/mems/m.json", "cat .idumb/tasks/mine.json", "cat < .idumb/tasks/mine.json", "ls .idumb/tasks", "git log -- .idumb/tasks/mine.json"} {
		assert.Empty(t, run("reader", line), line)
	}
	done := `echo '{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed"}}' > .idumb/tasks/mine.json`
	assert.Contains(t, run("", done), `rule "seen"`)
	require.NoError(t, os.WriteFile(h.root.Abs("seen.txt"), nil, 0o644))
	assert.Empty(t, run("", done))
}

// There is one trajectory whether it has a file or not: writing one is a change of it, for
// which a role's rules have a name.
func TestTheTrajectoryIsEditedAndNotCreated(t *testing.T) {
	h := newHouse(t)
	h.file("roles/reader", `{"spec": {"agents": ["reader"], "shell": {"deny": ["idumb edit trajectory", "idumb apply"]}}}`)
	content, err := hosts.ReadObject([]byte(`{"content": "{}"}`))
	require.NoError(t, err)
	write := hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: "reader", Tool: "Write", Action: admission.Write, Paths: []string{".idumb/trajectory.json"}, Args: content}
	assert.Contains(t, h.run(write).Deny, `"idumb edit trajectory" in the role "reader", which does not allow it`)
	given := hosts.Event{Type: hosts.BeforeTool, Session: "s", Agent: "reader", Tool: "Bash", Action: admission.Shell, Command: `echo '{"kind": "Trajectory", "spec": {"intent": "x"}}' | idumb create -f -`}
	assert.Contains(t, h.run(given).Deny, `"idumb edit trajectory" in the role "reader", which does not allow it`)
	for _, e := range []hosts.Event{write, given} {
		e.Agent = ""
		assert.Empty(t, h.run(e).Deny)
	}
}

// A session that is new here is on the task that its first write was judged under, and not
// on one that turns out to be its own once there is a record of it.
func TestAWriteIsWorkOnTheTaskItWasJudgedUnder(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/free", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	h.file("tasks/waits", `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "assignedTo": "s", "dependsOn": ["free"]}}`)
	write := hosts.Event{Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{"x.go"}}
	assert.Empty(t, h.run(write).Deny)
	assert.Equal(t, "free", h.session("s").ActiveTask)
	assert.Empty(t, h.run(write).Deny, "and the next one as well")
}

// A rule about completing plans denies what completes a plan. The end of a task by a verb of idumb is always open,
// and its plan waits (controller/mutate); an edit of the task's file is denied in favour of the verb.
func TestNoRoutePassesARuleAboutPlans(t *testing.T) {
	h := newHouse(t)
	h.file("workplans/p", `{"spec": {"title": "P", "state": "active"}}`)
	require.NoError(t, os.Remove(h.root.Abs(".idumb/tasks/c.json")))
	for _, name := range []string{"a", "b"} {
		h.file("tasks/"+name, `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`)
	}
	h.file("workplans/q", `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"title": "Q", "acceptance": ["up"], "state": "active"}}`)
	h.file("sessions/s", `{"spec": {"activeTask": "a"}}`)
	h.file("chainrules/val-01", `{"spec": {"level": "HARD_BLOCK", "when": {"commands": ["idumb complete workplan"]}, "requires": [{"files": ["VERIFICATION.md"]}], "because": "It was verified."}}`)
	done := `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"workPlan": "p", "expectedOutput": "o", "state": "completed", "result": {"evidence": "it runs"}}}`
	write := func(file, text string) string {
		o, err := json.Marshal(map[string]string{"content": text})
		require.NoError(t, err)
		args, err := hosts.ReadObject(o)
		require.NoError(t, err)
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{file}, Args: args}).Deny
	}
	shell := func(line string) string {
		return h.run(hosts.Event{Type: hosts.BeforeTool, Host: "codex", Session: "s", Tool: "Bash", Action: admission.Shell, Command: line}).Deny
	}
	assert.Empty(t, write(".idumb/tasks/a.json", done), "one is left")
	for _, line := range []string{
		`idumb patch workplan p -p '{"spec": {"state": "completed"}}'`, `idumb patch workplan q -p '{"spec": {"met": [{"criterion": "up", "evidence": "x"}]}}'`,
	} {
		assert.Contains(t, shell(line), `rule "val-01"`, line)
	}
	for _, line := range []string{"idumb complete a --evidence x && idumb complete b --evidence x", `idumb patch task/a task/b -p '{"spec": {"state": "completed"}}'`} {
		assert.Empty(t, shell(line), line)
	}
	h.file("tasks/a", done)
	denied := write(".idumb/tasks/b.json", done)
	assert.Contains(t, denied, `rule "val-01"`)
	assert.Contains(t, denied, "You tried to use \"Write\" on .idumb/tasks/b.json, which completes its plan, but rule")
	assert.Contains(t, denied, `govern_task {"action":"complete","task":"b","evidence":"..."}`+"`: the task ends, and its plan waits")
	for _, line := range []string{"idumb complete b --evidence x", "idumb abandon b --reason x", "idumb delete task/b"} {
		assert.Empty(t, shell(line), line)
	}
	assert.Contains(t, write(".idumb/workplans/q.json", `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"title": "Q", "acceptance": ["up"], "state": "active", "met": [{"criterion": "up", "evidence": "x", "by": "s"}]}}`), `rule "val-01"`)
	require.NoError(t, os.WriteFile(h.root.Abs("VERIFICATION.md"), nil, 0o644))
	assert.Empty(t, write(".idumb/tasks/b.json", done))
	assert.Contains(t, write(".idumb/workplans/q.json", `{"metadata": {"annotations": {"idumb.dev/made-by": "s"}}, "spec": {"title": "Q", "acceptance": ["up"], "state": "active", "met": [{"criterion": "up", "evidence": " "}]}}`), `there is no evidence for "up"`)
}

// shownRuns are runs as messages show them.
func shownRuns(runs []command.Run) (shown []string) {
	for _, r := range runs {
		shown = append(shown, r.Shown())
	}
	return shown
}
