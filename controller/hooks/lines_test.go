package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// line is a command line or a tool call of a corpus, with what it does.
type line struct {
	class string   // see the head of the corpus
	files []string // of classes write and format, what it writes
	text  string   // the command line, or the arguments of the call
	tool  string   // empty for a command line
}

// passes reports whether the line is to pass in a setting.
func (l line) passes(host string, in lineSetting) bool {
	switch l.class {
	case "commit":
		return in.agent != "explorer"
	case "format":
		return len(in.writable) > 0
	case "write":
		for _, file := range l.files {
			if !resources.MatchesAny(file, in.writable) {
				return false
			}
		}
	}
	return l.class != "ask" && (l.class != "typed" || host == "claude")
}

// event returns the event in which an agent runs the line.
func (l line) event(t *testing.T, host, root string, in lineSetting) hosts.Event {
	if l.tool == "" {
		e := hosts.Event{Type: hosts.BeforeTool, Host: host, Session: "s", Subagent: in.subagent, Agent: in.agent, Tool: "Bash", Cwd: root, Action: admission.Shell}
		e.SetCommand(l.text)
		return e
	}
	adapter, _ := hosts.ByName(host)
	e, err := adapter.Parse([]byte(`{"session_id":"s","hook_event_name":"PreToolUse","cwd":"` + root + `","agent_id":"` + in.subagent + `","agent_type":"` + in.agent +
		`","tool_use_id":"u","tool_name":"` + l.tool + `","tool_input":` + strings.ReplaceAll(l.text, "$ROOT", root) + `}`))
	require.NoError(t, err, l.text)
	e.Host = host
	return e
}

// readLines reads a corpus.
func readLines(t *testing.T, file string) (all []line) {
	data, err := os.ReadFile("../../resources/admission/testdata/" + file)
	require.NoError(t, err)
	for text := range strings.Lines(string(data)) {
		label, text, ok := strings.Cut(strings.TrimSuffix(text, "\n"), "\t")
		if !ok || strings.HasPrefix(label, "#") {
			continue
		}
		words, tool := strings.Fields(label), ""
		if name, args, found := strings.Cut(text, "\t{"); found {
			tool, text = name, "{"+args
		}
		all = append(all, line{words[0], words[1:], strings.ReplaceAll(text, "␤", "\n"), tool})
	}
	return all
}

// lineSetting is a state of the plan, and who runs a line.
type lineSetting struct {
	name     string
	state    string // of the task
	subagent string // "": the main agent runs it
	agent    string
	writable []string // what it may write
}

// lineSettings are the settings in which each line of the corpus is judged.
var lineSettings = [...]lineSetting{
	{"no task started", resources.TaskPlanned, "", "", nil},
	{"task with paths", resources.TaskActive, "", "", []string{"src/**", "web/**"}},
	{"read-only role", resources.TaskActive, "looker", "explorer", nil},
	{"scoped delegate", resources.TaskActive, "worker", "worker", []string{"src/**", "web/**"}},
}

// TestLines judges the lines and calls of the corpora in each setting, for a host that asks its person and
// for one that lets its agent type into programs.
func TestLines(t *testing.T) {
	root, home := gitRepo(t)
	all, readings := append(readLines(t, "lines.tsv"), readLines(t, "calls.tsv")...), map[string]*command.Reading{}
	env := environment{"HOME=" + home, trust.Variable + "=/"}
	put := func(name, text string) {
		file := filepath.Join(root, ".idumb", filepath.FromSlash(name)+".json")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("build/\ndist/\nnode_modules/\n.venv/\ncoverage*\n*.xml\n.env\n"), 0o644))
	manifests := strings.Fields("package.json web/package.json package-lock.json pnpm-lock.yaml yarn.lock bun.lock Cargo.toml Cargo.lock pyproject.toml uv.lock poetry.lock Pipfile Pipfile.lock Gemfile Gemfile.lock composer.json composer.lock shop.csproj pubspec.yaml mix.lock")
	for _, name := range manifests {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte("{}"), 0o644))
	}
	gitIn(t, root, append([]string{"add"}, manifests...)...)
	gitIn(t, root, "commit", "-q", "--amend", "--no-edit")
	linked := filepath.Join(filepath.Dir(root), "linked")
	gitIn(t, root, "worktree", "add", "-q", linked, "feature")
	require.NoError(t, os.WriteFile(filepath.Join(linked, "src/b.go"), []byte("package a\n// changed\n"), 0o644))
	for _, role := range []string{"investigator", "executor"} {
		data, err := os.ReadFile("../../cmd/internal/scaffold/files/roles/" + role + ".json")
		require.NoError(t, err)
		put("roles/"+role, string(data))
	}
	put("delegations/d", `{"spec": {"task": "t", "from": "solo", "to": "executor"}}`)
	put("sessions/s.worker", `{"spec": {"host": "claude", "agent": "worker", "parent": "s", "delegation": "d", "activeTask": "t"}}`)
	wrong, judged, class := map[string]bool{}, 0, map[string]int{}
	for _, s := range lineSettings {
		put("tasks/t", `{"spec": {"workPlan": "p", "expectedOutput": "o", "paths": ["src/**", "web/**"], "state": "`+s.state+`"}}`)
		for _, host := range []string{"claude", "codex"} {
			repo := openPacking(layout.Root(root), env, time.Now())
			for _, l := range all {
				e := l.event(t, host, root, s)
				h := &handler{repo: repo, event: e, env: env}
				if l.tool == "" {
					h.reading, h.readingOf = readings[l.text], e.CommandLine()
				}
				call, err := h.call()
				if l.tool == "" {
					readings[l.text] = h.reading
				}
				v := h.decide(call)
				judged++
				passes := err == nil && v.Outcome != admission.Deny && v.Outcome != admission.AskPerson
				if passes != l.passes(host, s) {
					if !wrong[l.text] {
						class[l.class]++
					}
					wrong[l.text] = true
					t.Logf("%s, %s, %s: %s %q: passes %v, %s: %s %v", l.class, s.name, host, l.tool, l.text, passes, v.Reason.Rule, v.Reason.What, err)
				}
			}
		}
	}
	t.Log(len(all), judged, len(wrong), class)
	assert.LessOrEqual(t, len(wrong)*1000, len(all)*5)
	assert.Zero(t, class["look"])
}
