package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/drive"
)

var updateTexts = flag.Bool("update", false, "write testdata/texts.golden")

// A reading collects texts as an agent reads them, in one repository.
type reading struct {
	*testing.T
	repo     *drive.Repo
	client   *drive.Client
	dialogue *drive.Dialogue
	calls    int
	texts    *strings.Builder
	count    *int
}

// TestTexts compares texts that agents read with testdata/texts.golden. The golden file states for each text the next
// action of a reader who obeys it. On 2026-11-29 two readers without context did the stated or an equal thing in 41 and 39 of 43;
// the texts that misled the second were changed after it.
func TestTexts(t *testing.T) {
	bin, err := drive.Build("idumb", "idumb-hook", "idumb-mcp")
	require.NoError(t, err)
	t.Cleanup(func() { _ = bin.Remove() })
	var texts strings.Builder
	count := 0
	open := func(script string) *reading {
		dir := t.TempDir()
		for _, folder := range []string{"home", "work/src", "work/docs"} {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
		}
		vars := []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "settings"), "HOME=" + filepath.Join(dir, "home"), "IDUMB_AUTOSTART=off", "GIT_CONFIG_NOSYSTEM=1", "LANG=C", "USER=ann"}
		r := &reading{T: t, repo: &drive.Repo{Dir: filepath.Join(dir, "work"), Bin: bin, Vars: vars}, texts: &texts, count: &count}
		r.user(`git init -q -b trunk; git config user.name Ann; git config user.email ann@example.com; echo text >src/api.go; echo text >docs/guide.md; idumb init --agent none; ` + script)
		r.client, err = r.repo.NewClient()
		require.NoError(t, err)
		t.Cleanup(func() { _ = r.client.Close() })
		return r
	}
	readPlanned(open(planned))
	readDelegated(open(planned))
	readUntrusted(open(`idumb trust --revoke`))
	readPlanless(open(`:`))

	golden := filepath.Join("testdata", "texts.golden")
	if *updateTexts {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(texts.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, count, 40)
	assert.Equal(t, string(want), texts.String(), "the texts changed: read each change as an agent would, then run the test with -update")
}

// planned makes a plan, tasks, a decision and comments as a user does.
const planned = `
idumb create workplan shop --title "Open the shop" --accept "A user can buy" --state active
idumb create workplan blog --title "Start a blog" --accept "A post is shown" --state active
idumb create task api --plan shop --title "Write the API" --expect "src/api.go serves /buy" --paths 'src/**' --evidence-command "make test"
idumb create task form --plan shop --title "Build the form" --expect "web/form.html" --paths 'web/**' --depends-on api
idumb create task guide --plan shop --title "Write the guide" --expect "docs/guide.md" --paths 'docs/**'
idumb create task post --plan blog --title "Write a post" --expect "blog/post.md" --paths 'blog/**'
idumb create mem no-cents --type false_path --content "AVOID floats for money BECAUSE sums are wrong INSTEAD integers of cents"
idumb decide "Dates by Temporal" --avoid moment --uses temporal --on-violation deny
idumb decide accept dates-by-temporal
idumb focus shop
idumb trust
printf 'test:\n\t@true\n' >Makefile
git add -A; git commit -qm start`

func readPlanned(r *reading) {
	r.text("context at the start of a session", "run `idumb next` or `idumb context` to read the plan", r.event("one", "SessionStart", map[string]any{"source": "startup"}).Context)
	r.text("denial of a write without a task", "run `idumb start api`, then write src/api.go", r.write("one", "src/api.go"))
	r.text("denial of a write for a blocked task", "work on api first; not write web/form.html", r.write("one", "web/form.html"))
	r.text("refused start of a blocked task", "run `idumb start api`", r.shell("one", "idumb start form"))
	r.text("refused tool call that starts a blocked task", "start api instead of form", r.tool("one", "govern_task", map[string]any{"action": "start", "task": "form"}))
	r.shell("one", "idumb start api")
	r.text("context with a plan and an active task", "work on api: write files of src/**, and prove it by make test", r.shell("one", "idumb context"))
	r.text("denial of a write outside of the task's paths", "start task guide, then write docs/guide.md; or write only src/** for api", r.write("one", "docs/guide.md"))
	r.text("denial of a write to settings", "leave the file; ask the user to change the settings", r.write("one", ".idumb/config.json"))
	r.text("denial of a command that governs", "ask the user to run it", r.denied("one", "Bash", map[string]any{"command": "idumb trust"}))
	r.text("denial of a destructive command", "delete single files by name instead", r.denied("one", "Bash", map[string]any{"command": "rm -rf src"}))
	r.text("question about a command that skips checks", "run the commit without --no-verify and fix what the checks report", r.denied("one", "Bash", map[string]any{"command": "git commit --no-verify -m x"}))
	r.text("denial of a package that a decision avoids", "use temporal instead of moment", r.denied("one", "Bash", map[string]any{"command": "npm install moment"}))
	r.text("refused change of a task of the user's plan", "leave the task, and tell the user what should change", r.shell("one", `idumb patch task guide -p '{"spec":{"state":"abandoned"}}'`))
	r.event("two", "SessionStart", map[string]any{"source": "startup"})
	r.text("denial of a start of a task that another session holds", "take another task", r.denied("two", "Bash", map[string]any{"command": "idumb start api"}))
	r.text("refused completion without evidence", "run `idumb run --task api -- make test`, then complete api", r.shell("one", "idumb complete api"))
	r.text("refused completion by a tool", "run `make test` by govern_shell, then complete api", r.tool("one", "govern_task", map[string]any{"action": "complete", "task": "api", "evidence": "it works"}))
	r.write("one", "src/api.go")
	r.text("held back at the end of a turn", "run `idumb run --complete api -- make test`", r.event("one", "Stop", nil).Reason)
	r.user(`idumb comment task/api "Serve JSON only." ; idumb comment task/api --type question --hold "Which port?"`)
	r.text("comments with the next prompt", "answer the question c-1 about the port by govern_task, then continue; serve JSON only", r.event("one", "UserPromptSubmit", map[string]any{"prompt": "go on"}).Context)
	r.text("denial of a write for a held task", "answer the comment, then write", r.write("one", "src/api.go"))
	r.text("refused completion of a held task", "answer the comment, then repeat the command", r.shell("one", "idumb run --complete api -- make test"))
	r.shell("one", "idumb comment --answer "+commentName.FindString(r.write("one", "src/api.go"))+" 8080")
	r.text("refused instruction by an agent", "write a question instead", r.shell("one", `idumb comment task/guide --type instruction "Write it."`))
	r.text("refused purge of a false path", "replace the mem with idumb supersede, with a reason", r.shell("one", `idumb mem purge no-cents --reason old`))
	r.text("refused tool call with an unknown action", "repeat the call with one of the listed actions", r.tool("one", "govern_task", map[string]any{"action": "finish", "task": "api"}))
	r.text("refused evidence that names no file", "write the file, or describe the evidence in words", r.shell("two", `idumb start guide && idumb complete guide --evidence notes.md`))
	r.text("completion by a command", "continue with form, which is unblocked, or report that api is completed", r.shell("one", "idumb run --complete api -- make test"))
	update, err := os.ReadFile(filepath.Join("..", "..", "packer", "testdata", "update.xml"))
	require.NoError(r, err)
	r.text("update of the context", "start write-auth-tests, which is unblocked, before writing", string(update))
	r.text("refused start of a completed task", "plan the rest as another task, or ask the user to reopen it", r.shell("one", "idumb start api"))
	r.text("refused deletion of a user's task", "tell the user what should change", r.shell("one", "idumb delete task form"))
	r.user("idumb focus blog")
	r.text("the plan in focus was changed", "start a task of plan blog", r.event("two", "UserPromptSubmit", map[string]any{"prompt": "go on"}).Context)
	r.user("idumb focus shop; idumb start form")
	r.text("list of the next tasks", "start guide or another ready task", r.shell("two", "idumb next"))
	r.user(`printf '{"spec":{"level":"SOFT_BLOCK","when":{"commands":["idumb start"]},"requires":[{"files":["ROADMAP.md"]}]}}' >.idumb/chainrules/roadmap.json; idumb trust`)
	r.text("denial by a chain rule", "write ROADMAP.md, or repeat the command with --force", r.denied("two", "Bash", map[string]any{"command": "idumb start guide"}))
	purposes := map[string]string{"govern_task": "call it to start a task before writing, and to complete it with evidence", "mem": "call it to search earlier findings, and to save new findings", "govern_delegate": "call assign, and put its tag into the prompt of the subagent"}
	for _, tool := range slices.Sorted(maps.Keys(purposes)) {
		r.text("description of the tool "+tool, purposes[tool], r.description(tool))
	}
}

func readDelegated(r *reading) {
	r.event("lead", "SessionStart", map[string]any{"source": "startup"})
	r.text("refused delegation to a higher role", "hand the task back, or delegate to a role that is not higher", r.shell("lead", "idumb create delegation up --task guide --from executor --to coordinator"))
	r.shell("lead", "idumb create delegation guide --task guide --from coordinator --to executor")
	sub := r.spawn("lead", "sub", "idumb-executor", "delegation/guide write it")
	r.text("start of a subagent under a delegation", "run `idumb next` or `idumb context`, then work on guide", sub.Context)
	r.text("denial of another task to a delegate", "work on guide, and tell the lead what else is needed", r.denied("sub", "Bash", map[string]any{"command": "idumb start api"}))
	r.text("denial of a second delegation of a task", "revoke the first delegation, or leave the task to its delegate", r.shell("lead", "idumb create delegation again --task guide --from coordinator --to executor"))
	r.user("idumb delegation revoke guide")
	r.text("denial of a write under a recalled delegation", "end the turn with a report", r.write("sub", "docs/guide.md"))
	r.spawn("lead", "eye", "idumb-investigator", "look around")
	r.text("denial of a write by a role that only reads", "end the turn with a report to the lead", r.write("eye", "src/api.go"))
}

func readUntrusted(r *reading) {
	r.text("context in a repository that is not trusted", "ask the user to run `idumb trust`, and go on", r.event("one", "SessionStart", map[string]any{"source": "startup"}).Context)
}

func readPlanless(r *reading) {
	r.event("one", "SessionStart", map[string]any{"source": "startup"})
	r.text("advice where nothing is planned", "go on; plan the work with `idumb add` if it is more than a small change", r.ask("one", "Write", map[string]any{"file_path": filepath.Join(r.repo.Dir, "src/api.go"), "content": "x"}).Context)
	r.text("list of the next tasks where none exists", "add a task with `idumb add`", r.shell("one", "idumb next"))
}

// user runs a script as the user does.
func (r *reading) user(script string) {
	r.Helper()
	out, ok := r.repo.Shell("set -e\n" + script)
	require.True(r, ok, "%s\n%s", script, out)
}

// text adds a text and the next action of its reader.
func (r *reading) text(about, next, text string) {
	r.Helper()
	assert.NotEmpty(r, strings.TrimSpace(text), about)
	*r.count++
	text = strings.ReplaceAll(text, r.repo.Dir, "/work")
	for form, same := range changing {
		text = regexp.MustCompile(form).ReplaceAllString(text, same)
	}
	fmt.Fprintf(r.texts, "== %02d %s\n== NEXT: %s\n%s\n\n", *r.count, about, next, strings.TrimSpace(text))
}

var commentName = regexp.MustCompile(`c-\d{13}-[0-9a-f]{4}`)

// changing lists the parts of texts that differ from run to run.
var changing = map[string]string{
	`\b\d\d\d\d-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?\b`: "DATE",
	`\((just now|\d+ min)\)`:                    "(AGE)",
	`since \d\d:\d\d`:                           "since TIME",
	`="[0-9a-f]{16}"`:                           `="HASH"`,
	`\b[0-9a-f]{8}-[0-9a-f-]{27}\b`:             "UID",
	commentName.String():                        "c-1",
	`assigned to \w+/`:                          "assigned to ann/",
	`person/\w+`:                                "person/ann",
	`\d+ tokens`:                                "N tokens",
}

// event sends an event of a session, or of a subagent of lead.
func (r *reading) event(session, name string, fields map[string]any) drive.Answer {
	all := map[string]any{"session_id": session, "hook_event_name": name, "cwd": r.repo.Dir, "transcript_path": filepath.Join(r.repo.Dir, "log", session+".jsonl"), "permission_mode": "acceptEdits", "prompt_id": "p1"}
	if kind := subagents[session]; kind != "" {
		all["session_id"], all["agent_id"], all["agent_type"] = "lead", session, kind
	}
	for key, value := range fields {
		all[key] = value
	}
	answer, err := r.client.Hook("claude", all)
	require.NoError(r, err)
	return answer
}

// subagents maps the subagents of lead to their agent types.
var subagents = map[string]string{"sub": "idumb-executor", "eye": "idumb-investigator"}

// ask sends a tool call to the gate.
func (r *reading) ask(session, tool string, input map[string]any) drive.Answer {
	r.calls++
	return r.event(session, "PreToolUse", map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": fmt.Sprintf("toolu_%d", r.calls)})
}

// denied returns the reason for which a tool call is denied, or the user is asked.
func (r *reading) denied(session, tool string, input map[string]any) string {
	return r.ask(session, tool, input).Reason
}

func (r *reading) write(session, file string) string {
	return r.denied(session, "Write", map[string]any{"file_path": filepath.Join(r.repo.Dir, file), "content": "x"})
}

// shell runs a command in the agent's shell, and returns its output or the reason of the denial.
func (r *reading) shell(session, command string) string {
	input := map[string]any{"command": command}
	if denied := r.denied(session, "Bash", input); denied != "" {
		return denied
	}
	id := fmt.Sprintf("toolu_%d", r.calls)
	out, _ := r.client.Shell("cd " + r.repo.Dir + "\n" + command)
	r.event(session, "PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": input, "tool_use_id": id, "tool_response": map[string]any{"stdout": out}})
	return out
}

// spawn starts a subagent of a session and returns the answer to its start.
func (r *reading) spawn(session, name, kind, prompt string) drive.Answer {
	require.Empty(r, r.denied(session, "Agent", map[string]any{"subagent_type": kind, "prompt": prompt, "description": "d"}))
	note := filepath.Join(r.repo.Dir, "log", session, "subagents", "agent-"+name+".meta.json")
	require.NoError(r, os.MkdirAll(filepath.Dir(note), 0o755))
	require.NoError(r, os.WriteFile(note, fmt.Appendf(nil, `{"agentType": %q, "toolUseId": "toolu_%d", "parentAgentId": ""}`, kind, r.calls), 0o644))
	return r.event(name, "SubagentStart", nil)
}

// talk sends a request to the agent's idumb-mcp, which it starts.
func (r *reading) talk(method string, params map[string]any) map[string]any {
	if r.dialogue == nil {
		d, err := r.repo.Talk("idumb-mcp")
		require.NoError(r, err)
		r.Cleanup(func() { _ = d.Close() })
		r.dialogue = d
		r.talk("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "claude-code", "version": "1"}})
		require.NoError(r, d.Tell(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}))
	}
	got, err := r.dialogue.Ask(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	require.NoError(r, err)
	result, _ := got["result"].(map[string]any)
	return result
}

// tool calls a tool of idumb-mcp, and returns its answer or the reason of the denial.
func (r *reading) tool(session, name string, input map[string]any) string {
	if denied := r.denied(session, "mcp__idumb__"+name, input); denied != "" {
		return denied
	}
	result := r.talk("tools/call", map[string]any{"name": name, "arguments": input, "_meta": map[string]any{"claudecode/toolUseId": fmt.Sprintf("toolu_%d", r.calls)}})
	content, _ := result["content"].([]any)
	require.NotEmpty(r, content)
	text, _ := content[0].(map[string]any)["text"].(string)
	return text
}

// description returns the description of a tool of idumb-mcp and its arguments.
func (r *reading) description(name string) string {
	tools, _ := r.talk("tools/list", map[string]any{})["tools"].([]any)
	for _, tool := range tools {
		if of, _ := tool.(map[string]any); of["name"] == name {
			schema, err := json.MarshalIndent(of["inputSchema"], "", " ")
			require.NoError(r, err)
			return fmt.Sprint(of["description"]) + "\n" + string(schema)
		}
	}
	return ""
}
