package admission

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// write is a call of the write tool on a file of the repository.
func write(file string) Call {
	return Call{Tool: "write", Action: Write, Paths: []Path{{Given: file, Repo: file}}, Session: "s1"}
}

func tool(name string, action Action) Call {
	return Call{Tool: name, Action: action, Session: "s1"}
}

// as makes a call another agent's.
func (c Call) as(agent string) Call {
	c.Agent = agent
	return c
}

// readerSpec is a role that reads, and takes notes.
var readerSpec = resources.RoleSpec{
	Agents: []string{"Explore"}, Shell: resources.RuleSet{Allow: []string{"idumb", "ls"}}, Paths: resources.PathRules{Write: []string{".idumb/mems/*.json"}},
}

func nothingPlanned(w *world) { w.plans["user-auth"].Spec.State = resources.PlanDraft }

// TestAdviceInReview: a plan whose tasks are all done is one, and no task of it covers a write.
func TestAdviceInReview(t *testing.T) {
	w := newWorld()
	for name := range w.tasks {
		w.tasks[name].Spec = resources.TaskSpec{WorkPlan: "user-auth", State: resources.TaskCompleted, Result: &resources.TaskResult{Evidence: "seen"}}
	}
	want := "iDumb: plan \"user-auth\" is in review, so this write counts for no task; `idumb add TITLE` plans one."
	assert.Equal(t, want, Decide(write("src/a.go"), w).Advice)
}

// ignoring makes all files of a call such as git ignores.
func ignoring(c Call) Call {
	c.Ignored = func(string) bool { return true }
	return c
}

func TestRules(t *testing.T) {
	active := func(w *world) { w.state("write-docs", resources.TaskActive) }
	for _, tc := range []struct {
		name  string
		given func(*world)
		call  Call
		want  Outcome
		rule  string // of a denial
	}{
		{"no task, no write", nil, write("src/a.go"), Deny, "write-gate"},
		{"an active task", active, write("src/a.go"), NoOpinion, ""},
		{"reading needs no task", nil, tool("read", Read), NoOpinion, ""},
		{"a shell that writes nothing needs no task", nil, tool("bash", Shell), NoOpinion, ""},
		{"a shell redirection is a write", nil, Call{Tool: "bash", Action: Shell, Command: "echo > a", Paths: []Path{{Given: "a", Repo: "a"}}}, Deny, "write-gate"},
		{"outside the repository", nil, Call{Tool: "write", Action: Write, Paths: []Path{{Given: "/tmp/a"}}}, NoOpinion, ""},
		{"governance is how one gets going", nil, tool("idumb start x", Governance), NoOpinion, ""},
		{"our own tool needs no prompt", nil, Call{Tool: "mcp__idumb__start", Action: Governance, Own: true}, Allow, ""},
		{"asking is always open", func(w *world) { w.role("solo", resources.RoleSpec{Tools: resources.RuleSet{Deny: []string{"*"}}}) }, tool("AskUserQuestion", Ask), NoOpinion, ""},

		{"nobody plans anything", func(w *world) { w.plans["user-auth"].Spec.State = resources.PlanDraft }, write("a"), Advise, ""},
		{"the plan is done", func(w *world) {
			for name := range w.tasks {
				w.state(name, resources.TaskCompleted)
				w.tasks[name].Spec.Result = &resources.TaskResult{Evidence: "seen"}
			}
		}, write("a"), Advise, ""},
		{"nobody plans anything, and a plan is asked for", func(w *world) {
			w.plans["user-auth"].Spec.State = resources.PlanDraft
			w.settings.RequirePlan = true
		}, write("a"), Deny, "write-gate"},

		{"nobody plans anything, and a subagent's role reads only", func(w *world) { nothingPlanned(w); w.role("reader", readerSpec) }, write("src/a.go").as("Explore"), Advise, ""},
		{"nobody plans anything, and its role runs little", func(w *world) { nothingPlanned(w); w.role("reader", readerSpec) }, Call{Tool: "bash", Action: Shell, Runs: runs("make"), Agent: "Explore"}, NoOpinion, ""},
		{"nobody plans anything, and a path is denied by name", func(w *world) {
			nothingPlanned(w)
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Paths: resources.PathRules{Deny: []string{"secret/**"}}})
		}, write("secret/a").as("Explore"), Deny, "role-paths"},
		{"nobody plans anything, but a plan is asked for", func(w *world) {
			nothingPlanned(w)
			w.settings.RequirePlan = true
			w.role("reader", readerSpec)
		}, Call{Tool: "bash", Action: Shell, Runs: runs("make"), Agent: "Explore"}, Deny, "role-shell"},
		{"what only reads is open to every role", func(w *world) { w.role("reader", readerSpec) }, Call{Tool: "bash", Action: Shell, Runs: runs("pwd", "sed -n 1p a"), Agent: "Explore"}, NoOpinion, ""},
		{"half of it reads", func(w *world) { w.role("reader", readerSpec) }, Call{Tool: "bash", Action: Shell, Runs: runs("pwd", "make"), Agent: "Explore"}, Deny, "role-shell"},
		{"it reads, and is denied by name", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Deny: []string{"cat"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("cat a"), Agent: "Explore"}, Deny, "role-shell"},
		{"a user is asked about a command", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Ask: []string{"git push"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("git push origin"), Agent: "Explore"}, AskPerson, "role-shell"},
		{"a user is asked about a tool", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Tools: resources.RuleSet{Ask: []string{"web*"}}})
		}, Call{Tool: "webfetch", Action: Other, Agent: "Explore"}, AskPerson, "role-tools"},
		{"a user is asked about a command of idumb", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Ask: []string{"idumb archive"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("idumb archive mem/x"), Agent: "Explore"}, AskPerson, "role-shell"},
		{"our own tools cannot ask", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Ask: []string{"idumb create anchor"}}})
		}, Call{Tool: "anchor", Action: Governance, Own: true, Runs: runs("idumb create anchor"), Agent: "Explore"}, Deny, "role-shell"},
		{"nobody is asked about a look", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Ask: []string{"idumb"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("idumb status"), Agent: "Explore"}, NoOpinion, ""},
		{"a recall that hands on is a delegation", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Deny: []string{"idumb create delegation"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("idumb recall d --to executor"), Agent: "Explore"}, Deny, "role-shell"},
		{"deny wins over ask", func(w *world) {
			w.role("reader", resources.RoleSpec{Agents: []string{"Explore"}, Shell: resources.RuleSet{Ask: []string{"git"}, Deny: []string{"git push"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("git push origin"), Agent: "Explore"}, Deny, "role-shell"},
		{"what git ignores is nobody's sources", func(w *world) { active(w); w.role("reader", readerSpec) }, ignoring(write("dist/a.js").as("Explore")), NoOpinion, ""},

		{"the session's own task", func(w *world) {
			active(w)
			w.state("db-schema", resources.TaskActive)
			w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
		}, write("a"), NoOpinion, ""},
		{"two active tasks and no choice", func(w *world) { active(w); w.state("db-schema", resources.TaskActive) }, write("a"), Deny, "write-gate"},
		{"two active tasks, one of them blocked", func(w *world) { active(w); w.state("build-login-form", resources.TaskActive) }, write("a"), NoOpinion, ""},
		{"the session's task is over, another is active", func(w *world) {
			active(w)
			w.state("db-schema", resources.TaskFailed)
			w.session("s1", resources.SessionSpec{ActiveTask: "db-schema"})
		}, write("a"), NoOpinion, ""},
		{"the session's task is over", func(w *world) {
			w.state("db-schema", resources.TaskFailed)
			w.session("s1", resources.SessionSpec{ActiveTask: "db-schema"})
		}, write("a"), Deny, "write-gate"},

		{"blocked", func(w *world) { w.state("build-login-form", resources.TaskActive) }, write("a"), Deny, "task-phase"},
		{"blocked, and nobody plans anything", func(w *world) {
			w.state("build-login-form", resources.TaskActive)
			w.plans["user-auth"].Spec.State = ""
		}, write("a"), Advise, ""},
		{"planned", func(w *world) { w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"}) }, write("a"), Deny, "task-phase"},
		{"claimed to be in review", func(w *world) {
			w.state("write-docs", resources.TaskReview)
			w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
		}, write("a"), Deny, "task-phase"},
		{"all evidence seen, still claimed active", func(w *world) {
			active(w)
			w.tasks["write-docs"].Spec.Evidence = []resources.EvidenceItem{{File: "docs/**"}}
			w.seen["write-docs"] = &status.Evidence{Count: 1, Files: []string{"docs/a.md"}}
		}, write("docs/b.md"), NoOpinion, ""},

		{"assigned to another role", func(w *world) {
			active(w)
			w.role("executor", resources.RoleSpec{})
			w.tasks["write-docs"].Spec.AssignedTo = "executor"
		}, write("a"), Deny, "write-gate"},
		{"chosen, but assigned to another role", func(w *world) {
			active(w)
			w.role("executor", resources.RoleSpec{})
			w.tasks["write-docs"].Spec.AssignedTo = "executor"
			w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
		}, write("a"), Deny, "write-gate"},
		{"assigned to the agent's role", func(w *world) {
			active(w)
			w.role("executor", resources.RoleSpec{Agents: []string{"build*"}})
			w.tasks["write-docs"].Spec.AssignedTo = "executor"
		}, write("a").as("builder"), NoOpinion, ""},
		{"assigned to a user", func(w *world) { active(w); w.tasks["write-docs"].Spec.AssignedTo = "alice" }, write("a"), NoOpinion, ""},
		{"one's own before nobody's", func(w *world) {
			active(w)
			w.state("db-schema", resources.TaskActive)
			w.role("executor", resources.RoleSpec{})
			w.tasks["write-docs"].Spec.AssignedTo = "executor"
		}, write("a").as("executor"), NoOpinion, ""},

		{"a tool that the task does not allow", func(w *world) { active(w); w.tasks["write-docs"].Spec.AllowedTools = []string{"read"} }, write("a"), Deny, "allowed-tools"},
		{"a tool that it allows, by its family's name", func(w *world) { active(w); w.tasks["write-docs"].Spec.AllowedTools = []string{"edit"} }, tool("MultiEdit", Other), NoOpinion, ""},
		{"a tool that it allows, by a glob", func(w *world) { active(w); w.tasks["write-docs"].Spec.AllowedTools = []string{"mcp__github__*"} }, tool("mcp__github__get", Other), NoOpinion, ""},
		{"reading is a tool as well", func(w *world) { active(w); w.tasks["write-docs"].Spec.AllowedTools = []string{"write"} }, tool("Read", Read), Deny, "allowed-tools"},
		{"governance is outside allowedTools", func(w *world) { active(w); w.tasks["write-docs"].Spec.AllowedTools = []string{"read"} }, tool("bash", Governance), NoOpinion, ""},
		{"planning by file is outside allowedTools", func(w *world) { active(w); w.tasks["write-docs"].Spec.AllowedTools = []string{"read"} }, write(".idumb/tasks/write-docs.json"), NoOpinion, ""},

		{"a tool that the role does not have", func(w *world) {
			active(w)
			w.role("solo", resources.RoleSpec{Tools: resources.RuleSet{Allow: []string{"read", "grep"}}})
		}, write("a"), Deny, "role-tools"},
		{"a tool that the role is denied", func(w *world) {
			w.role("solo", resources.RoleSpec{Tools: resources.RuleSet{Deny: []string{"web*"}}})
		}, tool("WebFetch", Other), Deny, "role-tools"},
		{"a tool that the role has", func(w *world) {
			w.role("solo", resources.RoleSpec{Tools: resources.RuleSet{Allow: []string{"webfetch"}}})
		}, tool("WebFetch", Other), NoOpinion, ""},
		{"a command that the role does not run", func(w *world) {
			w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Deny: []string{"git push"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("go test", "git push origin")}, Deny, "role-shell"},
		{"a command that it runs", func(w *world) {
			w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Allow: []string{"go test", "ls *"}}})
		}, Call{Tool: "bash", Action: Shell, Runs: runs("ls -l", "go test ./...")}, NoOpinion, ""},
		{"a file that is not for the role", func(w *world) {
			active(w)
			w.role("solo", resources.RoleSpec{Paths: resources.PathRules{Write: []string{"src/**"}}})
		}, write("docs/a.md"), Deny, "role-paths"},
		{"a file that is", func(w *world) {
			active(w)
			w.role("solo", resources.RoleSpec{Paths: resources.PathRules{Write: []string{"src/**"}}})
		}, write("src/a.go"), NoOpinion, ""},
		{"planning is for every role", func(w *world) {
			w.role("solo", resources.RoleSpec{Paths: resources.PathRules{Write: []string{"src/**"}}})
		}, write(".idumb/tasks/new.json"), NoOpinion, ""},
		{"unless it is denied by name", func(w *world) {
			w.role("solo", resources.RoleSpec{Paths: resources.PathRules{Deny: []string{".idumb/tasks/**"}}})
		}, write(".idumb/tasks/new.json"), Deny, "role-paths"},
		{"a role whose file is broken", func(w *world) { active(w); w.broken[resources.Key{Kind: resources.Roles, Name: "solo"}] = true }, write("a"), Deny, "role-known"},

		{"a file outside the task", func(w *world) { active(w); w.tasks["write-docs"].Spec.Paths = []string{"docs/**"} }, write("src/a.go"), Deny, "task-paths"},
		{"a file of the task", func(w *world) { active(w); w.tasks["write-docs"].Spec.Paths = []string{"docs/**"} }, write("docs/a.md"), NoOpinion, ""},
		{"a file below a folder of the task", func(w *world) { active(w); w.tasks["write-docs"].Spec.Paths = []string{"docs"} }, write("docs/a.md"), NoOpinion, ""},
		{"a file that another task has locked", func(w *world) {
			active(w)
			w.state("db-schema", resources.TaskActive)
			w.tasks["db-schema"].Spec.FileLocks = []string{"db/**"}
			w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
		}, write("db/schema.sql"), Deny, "file-owner"},
		{"a file that the own task has locked", func(w *world) { active(w); w.tasks["write-docs"].Spec.FileLocks = []string{"docs/**"} }, write("docs/a.md"), NoOpinion, ""},
		{"a file that the own task has locked first", func(w *world) {
			active(w)
			w.state("db-schema", resources.TaskActive)
			w.tasks["db-schema"].Spec.FileLocks = []string{"db/**"}
			w.tasks["write-docs"].Spec.FileLocks = []string{"**"}
			w.tasks["write-docs"].Spec.Priority = "critical"
			w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
		}, write("db/schema.sql"), NoOpinion, ""},
		{"a file that another task has locked first", func(w *world) {
			active(w)
			w.state("db-schema", resources.TaskActive)
			w.tasks["db-schema"].Spec.FileLocks = []string{"db/**"}
			w.tasks["db-schema"].Spec.Priority = "high"
			w.tasks["write-docs"].Spec.FileLocks = []string{"**"}
			w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
		}, write("db/schema.sql"), Deny, "file-owner"},

		{"mode off", func(w *world) { w.settings.Mode = ModeOff }, write(".git/config"), NoOpinion, ""},
		{"mode log", func(w *world) { w.settings.Mode = ModeLog }, write("a"), Record, "write-gate"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld()
			if tc.given != nil {
				tc.given(w)
			}
			got := Decide(tc.call, w)
			assert.Equal(t, tc.want.String(), got.Outcome.String(), got.Reason.Text())
			assert.Equal(t, tc.rule, got.Reason.Rule)
			if got.Outcome == Deny {
				assert.NotEmpty(t, got.Reason.UseInstead)
				assert.NotEmpty(t, got.Reason.Why)
				assert.NotEmpty(t, got.Reason.Evidence)
			}
		})
	}
}

func TestGovernedPaths(t *testing.T) {
	for _, tc := range []struct {
		path Path
		want bool
	}{
		{Path{Repo: ".idumb/config.json"}, true},
		{Path{Repo: ".idumb/roles/solo.json"}, true},
		{Path{Repo: ".idumb/status/tasks/a.json"}, true},
		{Path{Repo: ".idumb/checkpoints/a.jsonl"}, true},
		{Path{Repo: ".idumb/sessions/a.json"}, true},
		{Path{Repo: ".idumb/archive/tasks/a.json"}, true},
		{Path{Repo: ".idumb/.gitignore"}, true},
		{Path{Repo: ".idumb"}, true},
		{Path{Repo: ".idumb/tasks/sub/a.json"}, true},
		{Path{Repo: ".idumb/tasks/a.txt"}, true},
		{Path{Repo: ".IDUMB/config.json"}, true},
		{Path{Repo: ".Idumb/Tasks/a.json"}, true},
		{Path{Repo: `.idumb\config.json`}, true},
		{Path{Repo: ".idumb/tasks/a.json"}, false},
		{Path{Repo: ".idumb/workplans/a.json"}, false},
		{Path{Repo: ".idumb/mems/a.json"}, false},
		{Path{Repo: ".idumb/anchors/a.json"}, false},
		{Path{Repo: ".idumb/delegations/a.json"}, false},
		{Path{Repo: ".idumb/trajectory.json"}, false},
		{Path{Repo: ".claude/settings.json"}, true},
		{Path{Repo: ".claude/agents/idumb-executor.md"}, true},
		{Path{Repo: ".claude/agents/reviewer.md"}, false},
		{Path{Repo: ".mcp.json"}, true},
		{Path{Repo: ".claude/settings.local.json"}, true},
		{Path{Repo: ".Claude/Settings.JSON"}, true},
		{Path{Repo: "packages/app/.claude/settings.json"}, true},
		{Path{Repo: ".claude/commands/x.md"}, false},
		{Path{Repo: ".codex/hooks.json"}, true},
		{Path{Repo: ".opencode/plugin/idumb.js"}, true},
		{Path{Repo: ".opencode/plugins/idumb.js"}, true},
		{Path{Repo: "opencode.json"}, true},
		{Path{Repo: ".git/hooks/pre-commit"}, true},
		{Path{Repo: ".git"}, true},
		{Path{Repo: "sub/.git/config"}, true},
		{Path{Repo: ".github/workflows/ci.yml"}, false},
		{Path{Repo: ".gitignore"}, false},
		{Path{Repo: "src/a.go"}, false},
		{Path{Home: ".claude/settings.json"}, true},
		{Path{Home: ".config/opencode/opencode.json"}, true},
		{Path{Home: ".codex/config.toml"}, true},
		{Path{Repo: ".github/hooks/idumb.json"}, true},
		{Path{Repo: ".github/copilot/settings.local.json"}, true},
		{Path{Repo: ".github/agents/reviewer.agent.md"}, true},
		{Path{Repo: ".github/agents/deep/x.md"}, true},
		{Path{Repo: ".github/mcp.json"}, true},
		{Path{Repo: ".github/copilot-instructions.md"}, false},
		{Path{Repo: ".gemini/extensions/idumb/hooks/hooks.json"}, true},
		{Path{Repo: ".gemini/settings.json"}, true},
		{Path{Repo: ".gemini/commands/x.toml"}, false},
		{Path{Repo: ".qwen/agents/x.md"}, true},
		{Path{Home: ".copilot/hooks/idumb.json"}, true},
		{Path{Home: ".copilot/config.json"}, true},
		{Path{Home: ".copilot/mcp-config.json"}, true},
		{Path{Home: ".copilot/session-state/f9931e70/plan.md"}, false},
		{Path{Home: ".copilot/session-state/f9931e70/files/notes.md"}, false},
		{Path{Home: ".copilot/session-state/f9931e70/events.jsonl"}, true},
		{Path{Home: ".copilot/session-state/plan.md"}, true},
		{Path{Home: ".gemini/extensions/idumb/gemini-extension.json"}, true},
		{Path{Home: ".gemini/settings.json"}, true},
		{Path{Home: ".gemini/trustedFolders.json"}, true},
		{Path{Home: ".gemini/tmp/notes.txt"}, false},
		{Path{Home: ".qwen/settings.json"}, true},
		{Path{Home: "notes.txt"}, false},
		{Path{}, false},
	} {
		t.Run(tc.path.Repo+tc.path.Home, func(t *testing.T) {
			w := newWorld()
			w.state("write-docs", resources.TaskActive)
			got := Decide(Call{Tool: "write", Action: Write, Paths: []Path{tc.path}}, w)
			assert.Equal(t, tc.want, got.Outcome == Deny, got.Reason.Text())
			if tc.want {
				assert.Equal(t, "governed-path", got.Reason.Rule)
			}
		})
	}
}

// TestReadyNotes: only a task that is offered to the caller is called ready.
func TestReadyNotes(t *testing.T) {
	note := func(w *world) string {
		for _, l := range Decide(write("src/new.go"), w).Reason.Chain.Links {
			if l.Task == "write-docs" {
				return l.Note
			}
		}
		return "missing"
	}
	w := newWorld()
	assert.Equal(t, "ready", note(w))
	w.broken[resources.Key{Kind: resources.Tasks, Name: "write-docs"}] = true
	assert.Empty(t, note(w))
}

func TestRetry(t *testing.T) {
	w := newWorld()
	call := write("src/a.go")
	for _, tc := range []struct {
		name     string
		previous *Denial
		want     bool
	}{
		{"never before", nil, false},
		{"the same", &Denial{Call: call.Signature(), Rule: "write-gate", Time: noon.Add(-time.Minute)}, true},
		{"the same step", &Denial{Call: call.Signature(), Rule: "write-gate", Time: noon, Step: Decide(call, w).Reason.UseInstead}, true},
		{"another step, which was followed", &Denial{Call: call.Signature(), Rule: "write-gate", Time: noon, Step: "Start another task."}, false},
		{"long ago", &Denial{Call: call.Signature(), Rule: "write-gate", Time: noon.Add(-time.Hour)}, false},
		{"for another reason", &Denial{Call: call.Signature(), Rule: "task-phase", Time: noon}, false},
		{"another file", &Denial{Call: write("b").Signature(), Rule: "write-gate", Time: noon}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, Decide(call, w).Reason.IsRetry(call, tc.previous, noon))
		})
	}
}

func TestModeOverride(t *testing.T) {
	for _, tc := range []struct{ override, configured, want string }{
		{"", "", ModeEnforce}, {"", "log", ModeLog}, {"", "off", ModeOff}, {"", "nonsense", ModeEnforce},
		{"off", "enforce", ModeOff}, {"0", "", ModeOff}, {"1", "off", ModeEnforce}, {"LOG", "", ModeLog}, {"maybe", "log", ModeLog},
	} {
		t.Run(tc.override+" over "+tc.configured, func(t *testing.T) {
			assert.Equal(t, tc.want, Mode(tc.override, tc.configured))
		})
	}
}

func TestUndecided(t *testing.T) {
	call := write("a")
	assert.Equal(t, Deny, Undecided(call, ModeEnforce, "No.", "Ask.").Outcome)
	assert.Equal(t, Record, Undecided(call, ModeLog, "No.", "Ask.").Outcome)
	assert.Equal(t, NoOpinion, Undecided(call, ModeOff, "No.", "Ask.").Outcome)
	assert.Equal(t, NoOpinion, Undecided(tool("Read", Read), ModeEnforce, "No.", "Ask.").Outcome)
}

// TestSignatureNamesEachCommandOnce: a command that is found in a line in two ways is one.
func TestSignatureNamesEachCommandOnce(t *testing.T) {
	once := Call{Tool: "Bash", Action: Governance, Runs: runs("idumb start a")}
	twice := once
	twice.Runs = runs("idumb start a", "idumb start a")
	assert.Equal(t, "governance Bash idumb start a", twice.Signature())
	assert.Equal(t, once.Signature(), twice.Signature())
}
