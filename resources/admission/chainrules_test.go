package admission

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// rule adds a chain rule.
func (w *world) rule(name, level string, when resources.ChainWhen, requires ...resources.ChainRequirement) {
	r := empty(resources.ChainRules).(*resources.ChainRule)
	r.Metadata.Name, r.Spec = name, resources.ChainRuleSpec{Level: level, When: when, Requires: requires}
	w.chain[name] = r
}

// run is a command line of one command.
func run(command string) Call {
	return Call{Tool: "bash", Action: Shell, Command: command, Runs: runs(command), Session: "s1"}
}

func TestChainRules(t *testing.T) {
	file := resources.ChainRequirement{Files: []string{"ROADMAP.md", "docs/**/PLAN.md"}}
	start := resources.ChainWhen{Commands: []string{"idumb start"}}
	for _, tc := range []struct {
		name  string
		level string
		when  resources.ChainWhen
		wants resources.ChainRequirement
		given func(*world)
		call  Call
		want  string // deny, advise, past or pass
	}{
		{"missing", resources.HardBlock, start, file, nil, govern("idumb start write-docs"), "deny"},
		{"there", resources.HardBlock, start, file, func(w *world) { w.files = []string{"ROADMAP.md"} }, govern("idumb start write-docs"), "pass"},
		{"another one of the files is there", resources.HardBlock, start, file, func(w *world) { w.files = []string{"docs/a/PLAN.md"} }, govern("idumb start write-docs"), "pass"},
		{"however the command is spelt", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb create wp"}}, file, nil, govern("idumb -C . create workplans x --title t"), "deny"},
		{"about the second of its kinds", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb archive workplan"}}, file, nil, govern("idumb archive task/write-docs workplan/user-auth"), "deny"},
		{"another command", resources.HardBlock, start, file, nil, govern("idumb complete write-docs"), "pass"},
		{"another command that starts alike", resources.HardBlock, start, file, nil, run("idumb-start x"), "pass"},
		{"all of idumb's, and it only looks", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb"}}, file, nil, govern("idumb next"), "pass"},
		{"all of idumb's, and it sets up", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb"}}, file, nil, govern("idumb init"), "pass"},
		{"all of idumb's, and it hands back", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb"}}, file, nil, govern("idumb fail write-docs --reason x"), "pass"},
		{"all of idumb's", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb"}}, file, nil, govern("idumb start write-docs"), "deny"},
		{"all of git's, and it only looks", resources.HardBlock, resources.ChainWhen{Commands: []string{"git"}}, file, nil, run("git status -s"), "pass"},
		{"all of git's", resources.HardBlock, resources.ChainWhen{Commands: []string{"git"}}, file, nil, run("git push"), "deny"},
		{"it is off", resources.HardBlock, start, file, func(w *world) { w.chain["r"].Spec.Disabled = true }, govern("idumb start write-docs"), "pass"},
		{"not in such a repository", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Where: []string{".planning"}}, file, nil, govern("idumb start write-docs"), "pass"},
		{"in such a repository", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Where: []string{".planning"}}, file, func(w *world) { w.files = []string{".planning"} }, govern("idumb start write-docs"), "deny"},
		{"with the word that exempts it", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb complete"}, Unless: []string{"--evidence"}}, file, nil, govern("idumb complete write-docs --evidence=x"), "pass"},
		{"the value of another flag reads like that word", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb complete"}, Unless: []string{"--evidence"}}, file, nil, govern("idumb complete write-docs --notes --evidence"), "deny"},
		{"that word without a value", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb complete"}, Unless: []string{"--evidence"}}, file, nil, govern("idumb complete write-docs --evidence="), "deny"},
		{"a value reads like a dry run", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb complete"}, Unless: []string{"--dry-run"}}, file, nil, govern("idumb complete write-docs --evidence --dry-run"), "deny"},
		{"a dry run", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb complete"}, Unless: []string{"--dry-run"}}, file, nil, govern("idumb complete write-docs --dry-run"), "pass"},
		{"a value reads like force", resources.SoftBlock, start, file, nil, govern("idumb start write-docs --note --force"), "deny"},
		{"of another program", resources.HardBlock, resources.ChainWhen{Commands: []string{"git push"}, Unless: []string{"--dry-run"}}, file, nil, run("git push --dry-run"), "pass"},

		{"soft, without a word", resources.SoftBlock, start, file, nil, govern("idumb start write-docs"), "deny"},
		{"soft, forced", resources.SoftBlock, start, file, nil, govern("idumb start write-docs --force"), "past"},
		{"soft, in an emergency", resources.SoftBlock, start, file, nil, govern("idumb start write-docs --emergency"), "past"},
		{"hard, forced", resources.HardBlock, start, file, nil, govern("idumb start write-docs --force"), "deny"},
		{"hard, in an emergency", resources.HardBlock, start, file, nil, govern("idumb start write-docs --emergency"), "past"},
		{"hard, by the other word for that", resources.HardBlock, start, file, nil, govern("idumb start --bypass-chain write-docs"), "past"},
		{"there is nothing to go past", resources.SoftBlock, start, file, func(w *world) { w.files = []string{"ROADMAP.md"} }, govern("idumb start write-docs --force"), "pass"},
		{"a flag of another program's is no word of ours", resources.SoftBlock, resources.ChainWhen{Commands: []string{"git push"}}, file, nil, run("git push --force"), "deny"},
		{"its comment is", resources.SoftBlock, resources.ChainWhen{Commands: []string{"make release"}}, file, nil, Call{Tool: "bash", Action: Shell, Command: "make release # --force", Runs: runs("make release")}, "past"},
		{"a warning", resources.Warn, start, file, nil, govern("idumb start write-docs"), "advise"},
		{"no warning", resources.Warn, start, file, func(w *world) { w.files = []string{"ROADMAP.md"} }, govern("idumb start write-docs"), "pass"},

		{"an object of a kind", resources.HardBlock, start, resources.ChainRequirement{Resource: "wp"}, nil, govern("idumb start write-docs"), "pass"},
		{"none of a kind", resources.HardBlock, start, resources.ChainRequirement{Resource: "anchor"}, nil, govern("idumb start write-docs"), "deny"},
		{"an object by name", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/db-schema"}, nil, govern("idumb start write-docs"), "pass"},
		{"no object of that name", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/ghost"}, nil, govern("idumb start write-docs"), "deny"},
		{"in a phase", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/db-schema", Condition: "phase=planned"}, nil, govern("idumb start write-docs"), "pass"},
		{"in one of two phases", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/db-schema", Condition: "phase=active|planned"}, nil, govern("idumb start write-docs"), "pass"},
		{"in another phase", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/db-schema", Condition: "phase=completed"}, nil, govern("idumb start write-docs"), "deny"},
		{"the one that the command names is ready", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/@", Condition: "Ready"}, nil, govern("idumb start write-docs"), "pass"},
		{"the one that the command names is not", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/@", Condition: "Ready"}, nil, govern("idumb start build-login-form"), "deny"},
		{"nor should it be", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/@", Condition: "Ready=False"}, nil, govern("idumb start build-login-form"), "pass"},
		{"a plan that is active", resources.HardBlock, start, resources.ChainRequirement{Resource: "workplan", Condition: "phase=active"}, nil, govern("idumb start write-docs"), "pass"},
		{"no plan that is", resources.HardBlock, start, resources.ChainRequirement{Resource: "workplan", Condition: "phase=active"}, func(w *world) { w.plans["user-auth"].Spec.State = "" }, govern("idumb start write-docs"), "deny"},
		{"nothing was recorded", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, nil, govern("idumb start write-docs"), "deny"},
		{"something was recorded", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, func(w *world) {
			w.seen["write-docs"] = &status.Evidence{Count: 1}
		}, govern("idumb start write-docs"), "pass"},

		{"something was recorded for a task of the plan", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, func(w *world) {
			w.seen["write-docs"] = &status.Evidence{Count: 1}
		}, govern("idumb start workplan/user-auth"), "pass"},
		{"a task of the plan was completed with evidence", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, func(w *world) {
			w.tasks["write-docs"].Spec.Result = &resources.TaskResult{Evidence: "docs/guide.md"}
		}, govern("idumb start workplan/user-auth"), "pass"},
		{"nothing was recorded for a task of the plan", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, nil, govern("idumb start workplan/user-auth"), "deny"},
		{"recorded for one of two", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, func(w *world) {
			w.seen["write-docs"] = &status.Evidence{Count: 1}
		}, govern("idumb start write-docs db-schema"), "deny"},
		{"recorded for it, and a flag has a value", resources.HardBlock, start, resources.ChainRequirement{Resource: "checkpoint/@"}, func(w *world) {
			w.seen["write-docs"] = &status.Evidence{Count: 1}
		}, govern("idumb start write-docs --tests passed"), "pass"},
		{"the second of two commands", resources.HardBlock, start, resources.ChainRequirement{Resource: "task/@", Condition: "Ready"}, nil,
			Call{Tool: "bash", Action: Governance, Runs: runs("idumb start write-docs", "idumb start build-login-form")}, "deny"},
		{"one of two is forced, and both are meant", resources.SoftBlock, start, file, nil,
			Call{Tool: "bash", Action: Governance, Runs: runs("idumb start write-docs --force", "idumb start db-schema")}, "deny"},
		{"the task's own plan is active", resources.HardBlock, start, resources.ChainRequirement{Resource: "workplan/@plan", Condition: "phase=active"}, nil, govern("idumb start write-docs"), "pass"},
		{"another plan is", resources.HardBlock, start, resources.ChainRequirement{Resource: "workplan/@plan", Condition: "phase=active"}, func(w *world) {
			w.plan("other", resources.WorkPlanSpec{})
			w.tasks["write-docs"].Spec.WorkPlan = "other"
		}, govern("idumb start write-docs"), "deny"},
		{"no such task, and some plan is active", resources.HardBlock, start, resources.ChainRequirement{Resource: "workplan/@plan", Condition: "phase=active"}, nil, govern("idumb start ghost"), "pass"},
		{"no such task, and no plan is active", resources.HardBlock, start, resources.ChainRequirement{Resource: "workplan/@plan", Condition: "phase=active"}, func(w *world) { w.plans["user-auth"].Spec.State = "" }, govern("idumb start ghost"), "pass"},
		{"no such task, which an earlier command creates", resources.HardBlock, start, file, nil,
			Call{Tool: "bash", Action: Governance, Runs: runs("idumb create task ghost --plan user-auth", "idumb start ghost")}, "deny"},
		{"no such task, which a script may create", resources.HardBlock, start, file, nil,
			Call{Tool: "bash", Action: Governance, Runs: runs("make plan", "idumb start ghost")}, "deny"},
		{"one of two tasks exists", resources.HardBlock, start, file, nil, govern("idumb start ghost write-docs"), "deny"},
		{"no such mem", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb mem"}}, file, nil, govern("idumb mem purge ghost"), "pass"},
		{"no such mem yet", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb mem"}}, file, nil, govern("idumb mem save ghost"), "deny"},
		{"no such plan", resources.HardBlock, start, file, nil, govern("idumb start workplan/write-docs"), "pass"},
		{"it is about a kind that is spared", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Unless: []string{"wp"}}, file, nil, govern("idumb start workplan/user-auth"), "pass"},
		{"said in two words", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Unless: []string{"workplan"}}, file, nil, govern("idumb start plans user-auth"), "pass"},
		{"it is about another kind", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Unless: []string{"workplan"}}, file, nil, govern("idumb start task/write-docs"), "deny"},

		{"a tool", resources.HardBlock, resources.ChainWhen{Tools: []string{"web*"}}, file, nil, tool("WebFetch", Other), "deny"},
		{"another tool", resources.HardBlock, resources.ChainWhen{Tools: []string{"web*"}}, file, nil, tool("Agent", Delegate), "pass"},
		{"any tool, and it only reads", resources.HardBlock, resources.ChainWhen{Tools: []string{"*"}}, file, nil, tool("Read", Read), "pass"},
		{"any tool, and it is ours", resources.HardBlock, resources.ChainWhen{Tools: []string{"*"}}, file, nil, Call{Tool: "mcp__idumb__govern_task", Action: Governance, Own: true}, "pass"},
		{"any tool, and it runs idumb", resources.HardBlock, resources.ChainWhen{Tools: []string{"*"}}, file, nil, govern("idumb start write-docs"), "pass"},
		{"a write of such files", resources.HardBlock, resources.ChainWhen{Tools: []string{"write"}, Paths: []string{"deploy/**"}}, file, onDocs, write("deploy/a"), "deny"},
		{"a shell that writes such files", resources.HardBlock, resources.ChainWhen{Tools: []string{"write"}, Paths: []string{"deploy/**"}}, file, onDocs,
			Call{Tool: "bash", Action: Shell, Command: "echo x > deploy/a", Runs: runs("echo x"), Paths: write("deploy/a").Paths, Session: "s1"}, "deny"},
		{"a shell that writes others", resources.HardBlock, resources.ChainWhen{Tools: []string{"write"}, Paths: []string{"deploy/**"}}, file, onDocs,
			Call{Tool: "bash", Action: Shell, Command: "echo x > src/a", Runs: runs("echo x"), Paths: write("src/a").Paths, Session: "s1"}, "pass"},
		{"a shell that looks at them", resources.HardBlock, resources.ChainWhen{Tools: []string{"write", "bash"}}, file, nil, run("cat deploy/a"), "pass"},
		{"a write of others", resources.HardBlock, resources.ChainWhen{Tools: []string{"write"}, Paths: []string{"deploy/**"}}, file, onDocs, write("src/a"), "pass"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld()
			w.rule("r", tc.level, tc.when, tc.wants)
			if tc.given != nil {
				tc.given(w)
			}
			got := Decide(tc.call, w)
			assert.Equal(t, tc.want, outcomeOf(got), got)
			if tc.want == "deny" {
				assert.Equal(t, "chain-rule", got.Reason.Rule)
			}
		})
	}
}

func onDocs(w *world) { w.state("write-docs", resources.TaskActive) }

func outcomeOf(v Verdict) string {
	switch {
	case v.Outcome == Deny:
		return "deny"
	case len(v.Bypassed) > 0:
		return "past"
	case v.Outcome == Advise:
		return "advise"
	}
	return "pass"
}

// Of several rules the hardest objects, whatever the others let pass.
func TestTheHardestRuleObjects(t *testing.T) {
	w := newWorld()
	when := resources.ChainWhen{Commands: []string{"idumb start"}}
	missing := resources.ChainRequirement{Files: []string{"X"}}
	w.rule("a", resources.Warn, when, missing)
	w.rule("b", resources.SoftBlock, when, missing)
	w.rule("c", resources.HardBlock, when, missing)
	got := Decide(govern("idumb start write-docs --force"), w)
	assert.Contains(t, got.Reason.What, `"c"`)
	got = Decide(govern("idumb start write-docs --emergency"), w)
	assert.Equal(t, []Bypass{
		{"c", resources.HardBlock, "--emergency", "idumb start write-docs --emergency"},
		{"b", resources.SoftBlock, "--emergency", "idumb start write-docs --emergency"},
		{"a", resources.Warn, "--emergency", "idumb start write-docs --emergency"},
	}, got.Bypassed)
}

// Rules are asked for by words, so that a View need not read those that are about
// something else, and not at all for what only looks.
func TestRulesAreLookedForByWord(t *testing.T) {
	for _, tc := range []struct {
		call Call
		want []string
	}{
		{tool("Read", Read), nil},
		{run("git status"), nil},
		{govern("idumb next"), nil},
		{govern("idumb start write-docs"), []string{"idumb"}},
		{run("/usr/bin/make x"), []string{"make", "tools"}},
		{tool("WebFetch", Other), []string{"tools"}},
	} {
		w := newWorld()
		Decide(tc.call, w)
		assert.Equal(t, tc.want, w.asked, tc.call)
	}
}

// TestPlannedTaskIsStarted: to plan the rest of a task is no step where a rule then keeps it from being started.
func TestPlannedTaskIsStarted(t *testing.T) {
	for state, offered := range map[string]bool{resources.PlanActive: true, resources.PlanDraft: false} {
		w := newWorld()
		clear(w.tasks)
		w.task("t1", resources.TaskSpec{State: resources.TaskActive, Paths: []string{"src/**"}})
		w.session("s1", resources.SessionSpec{ActiveTask: "t1"})
		w.plans["user-auth"].Spec.State = state
		w.rule("phase-01", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Unless: []string{"workplan"}}, resources.ChainRequirement{Resource: "workplan/@plan", Condition: "phase=active"})
		v := Decide(by("s1", write("docs/d.md")), w)
		assert.Equal(t, "task-paths", v.Reason.Rule)
		assert.Equal(t, offered, strings.Contains(v.Reason.UseInstead, "idumb start t1-rest"), "%s: %s", state, v.Reason.UseInstead)
	}
}

// No rule may deny both the start of a task and the write of the file that the start waits for.
func TestRequiredFileNeedsNoTask(t *testing.T) {
	for name, tc := range map[string]struct {
		given func(*world)
		files []string
		want  Outcome
	}{
		"under a task with other paths": {func(w *world) { w.works("write-docs", "docs/**") }, []string{"ROADMAP.md"}, NoOpinion},
		"another file under that task":  {func(w *world) { w.works("write-docs", "docs/**") }, []string{"src/a.go"}, Deny},
		"a rule about the tool itself": {func(w *world) {
			w.works("write-docs", "")
			w.chain["r"].Spec.When = resources.ChainWhen{Tools: []string{"write"}}
		}, []string{"ROADMAP.md"}, NoOpinion},
		"another file by that tool": {func(w *world) {
			w.works("write-docs", "")
			w.chain["r"].Spec.When = resources.ChainWhen{Tools: []string{"write"}}
		}, []string{"src/a.go"}, Deny},
		"the file itself":           {nil, []string{"ROADMAP.md"}, NoOpinion},
		"a file of its pattern":     {nil, []string{"docs/a/PLAN.md"}, NoOpinion},
		"another file too":          {nil, []string{"ROADMAP.md", "src/a.go"}, Deny},
		"the file exists":           {func(w *world) { w.files = []string{"ROADMAP.md"} }, []string{"ROADMAP.md"}, Deny},
		"the rule is not for here":  {func(w *world) { w.chain["r"].Spec.When.Where = []string{".planning"} }, []string{"ROADMAP.md"}, Deny},
		"another file met the rule": {func(w *world) { w.files = []string{"docs/b/PLAN.md"} }, []string{"ROADMAP.md"}, Deny},
		"the rule is off":           {func(w *world) { w.chain["r"].Spec.Disabled = true }, []string{"ROADMAP.md"}, Deny},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.chain = map[string]*resources.ChainRule{"r": {Spec: resources.ChainRuleSpec{
				Level: resources.HardBlock, When: resources.ChainWhen{Commands: []string{"idumb start"}},
				Requires: []resources.ChainRequirement{{Files: []string{"ROADMAP.md", "docs/**/PLAN.md"}}},
			}}}
			if tc.given != nil {
				tc.given(w)
			}
			call := Call{Tool: "write", Action: Write, Session: "s1"}
			for _, file := range tc.files {
				call.Paths = append(call.Paths, Path{Given: file, Repo: file})
			}
			assert.Equal(t, tc.want, Decide(call, w).Outcome)
			call.Untrusted = func() bool { return true }
			assert.Equal(t, Deny, Decide(call, w).Outcome, "a rule that the user does not trust permits nothing")
		})
	}
}

// works makes a task active for the session, limited to paths of a pattern if it is not empty.
func (w *world) works(task, paths string) {
	w.tasks[task].Spec.State = resources.TaskActive
	if paths != "" {
		w.tasks[task].Spec.Paths = []string{paths}
	}
}
