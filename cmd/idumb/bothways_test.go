//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// readings are commands that read, for the repository of testdata/bothways.txtar.
var readings = []string{
	"get tasks", "get tasks -o wide", "get all", "get all -o wide", "get all -o name", "get all -o json", "get all -o yaml",
	"get task/login-form", "get task/login-form -o json", "get task login-form db-schema -o yaml", "get task login-form nothing", "get task nothing -o json",
	"get task nothing --ignore-not-found", "get tasks -l area=web --show-labels -L area", "get tasks -l area=none", "get tasks -l area=none -o json",
	"get tasks --field-selector status.phase=blocked", "get tasks,mems --sort-by=.spec.priority", "get tasks --sort-by=.status.startedAt",
	"get tasks -o jsonpath={.items[*].status.phase}", "get task/db-schema -o jsonpath={.status.conditions[*]}{.status.startedAt}",
	"get mems -o custom-columns=N:.metadata.name,C:.status.confidence,X:.metadata.*", "get task/torn", "get task/torn -o json", "get mems -o wide --no-headers",
	"status", "status -o json", "status -o jsonpath={.needs[*].about}", "__complete complete ''", "next", "next -o wide", "next -o json", "next -o name", "next --limit 1", "next --plan accounts", "next --plan later", "next --plan nothing", "next --plan later -o yaml",
	"context", "context --task login-form", "context --session s-1", "context --explain", "context --explain -o json", "context --task ready --session s-1 --explain", "context --task nothing", "context --session nothing",
	"describe task login-form", "describe tasks", "describe all", "describe mem tokens-2", "describe task nothing", "tree", "tree accounts", "tree --delegations", "mem tree", "mem tree tokens-2 --history", "mem tree -o json", "top sessions", "top sessions -A -o wide", "top sessions s-1 -o json", "top sessions nobody", "tree --ascii --checkpoints 5", "tree nothing", "tree task/ready", "report", "report accounts --md", "report accounts --since 7d -o json", "report nothing",
	"mem tree --history --ascii", "mem tree -o name --history", "mem tree nothing", "mem tree tokens-2 -o yaml", "mem tree --as-of 2026-01-02", "review", "review -o wide", "review -o json", "review -o name", "validate task/ready workplan/accounts mem/tokens-1 --dry-run", "mem review", "mem review -o wide", "mem review -o json", "mem review -o name", "mem stale", "mem stale -o yaml", "artifact review", "get artifacts -o wide", "get decisions", "get comments -o wide", "describe comment c-1", "comment --answer c-9 So. --dry-run", "__complete comment --answer c", "get decisions -o wide", "describe decision store", "describe decision errors", "decide accept store --dry-run", "decide One more --dry-run --name more --task ready", "__complete decide accept s",
	"auth can-i write src/a.go", "auth can-i complete db-schema", "auth can-i --list", "auth can-i --list --as executor -o json", "auth can-i bash ls --task login-form -o yaml", "auth can-i frobnicate x", "auth can-i delegate executor --as nobody",
	"__complete get task", "__complete get task log", "__complete describe task/", "__complete start l", "__complete create task --plan a", "__complete next --plan ", "__complete get mems t",
	"complete db-schema --evidence x --dry-run", "complete ready --evidence x --dry-run", "abandon db-schema --reason x --dry-run", "branch db-schema --into a,b --dry-run", "abandon workplan/accounts --reason x --dry-run", "complete workplan/accounts --dry-run",
	"delete task db-schema --dry-run", "delete task done --dry-run", "delete workplan accounts --dry-run --cascade=background", "archive workplan/accounts --dry-run", "archive task/db-schema --dry-run",
	"mem save mine --content tokens-are-refreshed/by-the-gateway --dry-run", "mem save mine --content x --topic Tokens --dry-run", "mem confirm tokens-1 --dry-run", "mem supersede tokens-1 --with tokens-3 --dry-run", "delete mem tokens-2 --dry-run",
	"session resume s-1", "session close s-1 --dry-run", "session prune --older-than 0 --dry-run", "doctor", "doctor -o json", "onboard", "onboard --dry-run", "onboard --undo --dry-run", "violations", "violations -o wide", "allow --list", "allow --list -o json", "allow nobody", "allow s-1 --dry-run", "get checkpoints -o json", "get events --no-headers -o yaml", "describe task torn",
	"get tasks --path src", "get all --path src/a.go -o name", "get config", "get config -o yaml", "get trajectory -o json", "get mems --as-of 2026-01-02", "get sessions -o wide", "get nonsense",
	"map", "map deps cmd/b.go", "map deps web/a.go --up", "map why cmd/b.go web/a.go", "map cycles", "map todos -o wide", "map check -o wide", "map check web -o json", "map check --since nothing", "map diff", "map diff --since nothing -o json", "map deps nothing", "get tech", "get docs -o json", "get src -o yaml", "get sym -o wide", "get sym A",
	"get needs", "get needs -o wide", "get needs -o json", "get needs -o name", "get needs --field-selector status.rank=6", "get needs nothing", "get graphs", "get graphs -o wide", "get graph accounts -o json", "get graphs nothing",
}

// recalls are commands that read, too, and count that they did.
var recalls = []string{
	"mem recall tokens", "mem recall who refreshes tokens -o wide", "mem recall tokens -o json --history", "mem recall tokens --type decision -o name --limit 1",
	"mem recall tokens --as-of 2026-01-02", "mem recall nothing at all", "mem recall tokens --tags auth --path src/a.go -o yaml",
}

// stage is a repository in which idumb runs.
type stage struct {
	t    *testing.T
	root string
	env  []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, root: t.TempDir()}
	archive, err := txtar.ParseFile("testdata/bothways.txtar")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(s.root, ".git"), 0o755))
	for _, f := range archive.Files {
		s.write(f.Name, f.Data)
	}
	s.env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "IDUMB_TRUST="+s.root, "IDUMB_ENFORCE=", "LANG=C.UTF-8", "LC_ALL=")
	return s
}

func (s *stage) write(name string, data []byte) {
	s.t.Helper()
	path := filepath.Join(s.root, filepath.FromSlash(name))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, data, 0o644))
	if name == ".idumb/config.json" { // its age is that of the file
		old := time.Now().AddDate(0, -1, 0)
		require.NoError(s.t, os.Chtimes(path, old, old))
	}
}

// seconds are ages of what the controller just did: they go on.
var seconds = regexp.MustCompile(`\b(\d+m)?\d+s +`)

// columns are as wide as the widest age in them.
var columns = regexp.MustCompile(` {2,}|-{3,}`)

// stopped is what doctor says where nobody answers, not the last of its notices.
var stopped = regexp.MustCompile(`(?m)^note: the controller was stopped.*\n|^ +"the controller was stopped.*,\n`)

// run runs a command line and returns all that can be seen of it, but for seconds.
func (s *stage) run(line string) string {
	c := exec.CommandContext(context.WithoutCancel(s.t.Context()), "idumb", strings.Fields(line)...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr = s.root, s.env, &stdout, &stderr
	err := c.Run()
	text := seconds.ReplaceAllString(fmt.Sprintf("%s\n== stderr\n%s== %v\n", stdout.String(), stderr.String(), err), "#s ")
	return columns.ReplaceAllString(stopped.ReplaceAllString(text, ""), "  ") // an age that takes one digit more moves what stands beside it
}

// start starts a controller that answers.
func (s *stage) start() {
	s.t.Helper()
	s.t.Log(s.run("controller start"))
	s.t.Cleanup(func() { s.run("controller stop") })
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if err = s.asked(); err == nil {
			return
		}
	}
	s.t.Fatalf("the controller never answers: %v", err)
}

// answering are the questions that the commands above ask.
var answering = []struct {
	name       string
	parameters url.Values
}{
	{queries.AskTables, url.Values{"kind": {"tasks"}}},
	{queries.AskObjects, url.Values{"key": {"tasks/ready"}}},
	{queries.AskNext, nil},
	{queries.AskRecall, url.Values{"text": {"tokens"}, "limit": {"3"}}},
	{queries.AskContext, nil},
	{queries.AskDescribe, url.Values{"kind": {"tasks"}}},
	{queries.AskRights, queries.RightsValues([]hooks.Question{{Tool: "write", Path: "src/a.go"}}, nil, true)},
	{queries.AskNames, url.Values{"kind": {"tasks"}}},
	{queries.AskRelations, url.Values{"key": {"tasks/ready"}, "plan": {"accounts"}}},
	{queries.AskReviewItems, url.Values{"all": {"true"}}},
	{queries.AskTop, url.Values{"all": {"true"}}},
	{queries.AskOverview, nil},
	{queries.AskNeeds, nil},
	{queries.AskReport, nil},
	{queries.AskWarnings, url.Values{"word": {"idumb", "start", "ready"}, "env": {""}}},
	{code.AskProject, nil},
	{queries.AskGraphs, nil},
	{queries.AskDash, nil},
	{tree.AskPlans, nil},
	{tree.AskMems, nil},
	{objectchecks.Ask, nil},
	{tools.AskGate, tools.ReadValues("govern_task", "status", nil, callers.Caller{}, nil)},
	{tools.AskTool, tools.ReadValues("govern_task", "status", nil, callers.Caller{}, nil)},
}

// asked returns nil if the controller answers every question itself.
func (s *stage) asked() error {
	client, err := serve.Dial(s.t.Context(), layout.Root(s.root))
	if err != nil {
		return err
	}
	defer client.Close()
	for _, q := range answering {
		parameters := q.parameters
		if parameters.Has("env") {
			parameters["env"] = frame.RelevantEnv(s.env)
		}
		answer, err := client.Question(s.t.Context(), q.name, parameters)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		if _, err := io.Copy(io.Discard, answer); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		if err := answer.Close(); err != nil {
			return err
		}
	}
	return nil
}

// settle waits for what the controller makes of the repository's files once.
func (s *stage) settle() {
	s.t.Helper()
	for _, made := range []string{".idumb/derived/mems/mem-anchor-rule.json", layout.ProjectFile} { // the map was asked by asked
		require.Eventually(s.t, func() bool { _, err := os.Stat(filepath.Join(s.root, made)); return err == nil }, 20*time.Second, 10*time.Millisecond, made)
	}
	time.Sleep(2 * time.Second) // days of work are counted, exports are written, broken files are reported
}

// calls are calls of tools that read, or are refused.
var calls = [][2]string{
	{"govern_plan", `{"action":"status"}`}, {"govern_plan", `{"action":"status","plan":"accounts"}`}, {"govern_plan", `{"action":"status","plan":"acounts"}`},
	{"govern_task", `{"action":"status"}`}, {"govern_task", `{"action":"status","task":"login-form"}`}, {"govern_task", `{"action":"status","task":"nothing"}`},
	{"govern_delegate", `{"action":"status"}`}, {"govern_delegate", `{"action":"status","name":"d1"}`}, {"govern_delegate", `{"action":"status","name":"d9"}`},
	{"anchor", `{"action":"list"}`}, {"anchor", `{"action":"list","type":"attention"}`}, {"mem", `{"action":"review"}`},
	{"mem", `{"action":"recall","query":"who refreshes tokens"}`}, {"mem", `{"action":"recall","query":"nothing at all"}`},
	{"govern_shell", `{"action":"run","command":"git push --force"}`}, {"govern_shell", `{"action":"run","command":"rm -rf src"}`}, {"govern_shell", `{"action":"run","command":"rm -rf src"}`},
	{"govern_task", `{"action":"start","task":"nothing"}`}, {"govern_task", `{"action":"complete","task":"login-form","evidence":"x"}`}, {"govern_plan", `{"action":"abandon","plan":"nothing","reason":"x"}`},
}

// call calls a tool in the repository.
func (s *stage) call(tool, arguments string) string {
	service := tools.Service{Env: append(s.env, "CLAUDE_PROJECT_DIR="+s.root), Now: time.Now}
	a := service.Call(s.t.Context(), tools.Request{Tool: tool, Arguments: json.RawMessage(arguments), Client: "test"})
	return fmt.Sprintf("%s %t", a.JSON, a.Error)
}

// What a tool answers is the same whether the controller answers or the files are read.
func TestToolsBothWays(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	answered := map[[2]string]string{}
	for _, c := range calls {
		answered[c] = s.call(c[0], c[1])
	}
	require.NoError(t, s.asked(), "the answers were the controller's")
	s.run("controller stop")
	for _, c := range calls {
		assert.Equal(t, s.call(c[0], c[1]), answered[c], c)
	}
	assert.Contains(t, answered[calls[0]], `"status":"success"`)
}

// A call that a person allows passes once, at the hook and at our tool, and so it is called by needs: whoever answers.
func TestACallIsAllowedOnceBothWays(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	s.allowed("the controller answers", "s-7")
	require.NoError(t, s.asked(), "the answers were the controller's")
	s.run("controller stop")
	s.allowed("the files are read", "s-8")
}

// allowed has a call denied, allowed, made, and denied again, by the hook and by our tool.
func (s *stage) allowed(way, session string) {
	s.t.Helper()
	hook := func(command string) string {
		c := exec.CommandContext(s.t.Context(), "idumb", "hook", "claude")
		event, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": session, "cwd": s.root, "tool_name": "Bash", "tool_use_id": "t", "tool_input": map[string]any{"command": command}})
		c.Dir, c.Env, c.Stdin = s.root, s.env, bytes.NewReader(event)
		out, err := c.Output()
		require.NoError(s.t, err)
		return string(out)
	}
	tool := func(command string) string {
		require.NoError(s.t, callers.Record(layout.Root(s.root), "t", callers.Caller{Host: "claude", Session: session, Time: time.Now()}))
		service := tools.Service{Env: append(s.env, "CLAUDE_PROJECT_DIR="+s.root), Now: time.Now}
		arguments, _ := json.Marshal(map[string]string{"command": command})
		return string(service.Call(s.t.Context(), tools.Request{Tool: "govern_shell", Arguments: arguments, Client: "claude-code", CallID: "t"}).JSON)
	}
	for name, call := range map[string]func(string) string{"hook": hook, "tool": tool} {
		command := "git push --force origin " + session + name
		assert.Contains(s.t, call(command), "git-force-push", "%s, %s", way, name)
		assert.Contains(s.t, s.run("allow "+session), command, "%s, %s", way, name)
		assert.NotContains(s.t, s.run("get needs -o wide"), command, "%s, %s", way, name)
		assert.Contains(s.t, call(command), "ALLOWED ONCE by person/", "%s, %s", way, name)
		assert.Contains(s.t, call(command), "git-force-push", "%s, %s", way, name)
		assert.Contains(s.t, s.run("get needs -o wide"), "idumb allow ", "%s, %s", way, name)
	}
}

// What bears on a task is asked for before it is started, where a controller answers: it is told what
// would be told afterwards, also of one that was over.
func TestStartTellsTheSameBothWays(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	first := s.run("start ready")
	s.run("fail ready --reason x")
	s.settle()
	again := s.run("start ready")
	s.run("controller stop")
	s.run("fail ready --reason x")
	alone := s.run("start ready")
	const reason = "- Handed back or abandoned before: x\n"
	assert.Contains(t, alone, "related knowledge:\n"+reason+"- AVOID Storing tokens")
	assert.Contains(t, alone, "tasks that wait for this one: part")
	assert.Equal(t, strings.Replace(alone, reason, "", 1), first)
	assert.Equal(t, alone, again)
}

// Whoever may ask may not write by it: no denial, and no evidence, is made up through the socket.
func TestWhatTheGateIsAskedIsNotRecorded(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	records := func() (all string) {
		for _, folder := range []string{"events", "checkpoints", "sessions"} {
			files, err := filepath.Glob(filepath.Join(s.root, ".idumb", folder, "*"))
			require.NoError(t, err)
			for _, file := range files {
				data, _ := os.ReadFile(file)
				all += file + string(data)
			}
		}
		return all
	}
	client, err := serve.Dial(t.Context(), layout.Root(s.root))
	require.NoError(t, err)
	defer client.Close()
	before := records()
	for _, command := range []string{"git push --force", "go test ./..."} {
		asked := queries.WithEnv(url.Values{"tool": {""}, "command": {command}, "ended": {`{"ExitCode":0}`}, "caller": {`{"Session":"s-1"}`}}, frame.RelevantEnv(s.env))
		answer, err := client.Question(t.Context(), tools.AskGate, asked)
		require.NoError(t, err)
		data, err := io.ReadAll(answer)
		require.NoError(t, err)
		assert.Contains(t, string(data), `"Verdict"`)
		answer.Close()
	}
	assert.Equal(t, before, records())
}

// What a command prints is the same whether the controller answers or the files are read.
func TestBothWays(t *testing.T) {
	s := newStage(t)
	s.start()
	s.settle()
	answered := map[string]string{}
	for _, line := range slices.Concat(recalls, readings) {
		answered[line] = s.run(line)
	}
	require.NoError(t, s.asked(), "the answers were the controller's")
	s.run("controller stop")
	require.ErrorIs(t, s.asked(), serve.ErrNoController)
	assert.Regexp(t, `errors +resolved +accepted +Contradicted`, answered["get decisions"])
	for _, line := range slices.Concat(readings, recalls) {
		assert.Equal(t, s.run(line), answered[line], line)
	}
}

// firstScreen is what the plain dashboard shows at first, without its first line, which says who answers, and
// without ages and what happened lately.
func (s *stage) firstScreen() (text string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, "idumb", "dash", "--plain")
	c.Dir, c.Env = s.root, s.env
	out, err := c.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, c.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "LATELY") {
		text += passed.ReplaceAllString(lines.Text(), "") + "\n"
	}
	require.NoError(s.t, c.Process.Kill())
	_ = c.Wait() // it was killed
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// passed is how long ago something was, at the end of a line.
var passed = regexp.MustCompile(` +\((now|\d+[mhd])\)$`)

// The dashboard shows the same with a controller and without.
func TestDashBothWays(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	s.settle()
	answered := s.firstScreen()
	s.run("controller stop")
	require.ErrorIs(t, s.asked(), serve.ErrNoController)
	assert.Contains(t, answered, "PLAN accounts")
	assert.Equal(t, s.firstScreen(), answered)
}

// Whoever edits a file and asks at once gets the new truth.
func TestAnswersAreOfTheFilesAsTheyAre(t *testing.T) {
	s := newStage(t)
	s.start()
	for i := range 200 {
		first, phase := "db-schema", "blocked"
		if i%2 == 1 {
			first, phase = "ready", "blocked"
		}
		if i%5 == 4 {
			first, phase = "done", "blocked"
		}
		s.write(".idumb/tasks/login-form.json", fmt.Appendf(nil, `{"spec": {"workPlan": "accounts", "title": "%d", "expectedOutput": "A form", "dependsOn": [%q]}}`, i, first))
		require.Equal(t, fmt.Sprintf("%d/%s/%s\n== stderr\n== <nil>\n", i, first, phase),
			s.run("get task login-form -o jsonpath={.spec.title}/{.status.blockedBy[0]}/{.status.phase}"))
	}
	require.NoError(t, s.asked())
}

// A controller that hangs is not waited for.
func TestControllerThatHangs(t *testing.T) {
	s := newStage(t)
	s.start()
	client, err := serve.Dial(t.Context(), layout.Root(s.root))
	require.NoError(t, err)
	client.Close()
	process, err := os.FindProcess(client.Peer().PID)
	require.NoError(t, err)
	require.NoError(t, process.Signal(syscall.SIGSTOP))
	defer process.Signal(syscall.SIGCONT)
	assert.Contains(t, s.run("get task login-form -o name"), "task.idumb.dev/login-form\n")
}
