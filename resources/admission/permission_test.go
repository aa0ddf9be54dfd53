package admission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graph"
)

// matrix is one world of the table: what is true of the task "fix", which names src/z.go if paths say
// "match", and of the session "s1" of a main agent in the role "solo".
type matrix struct {
	holder   string // none, me, other
	assignee string // none, mine, other
	paths    string // none, match, other
	state    string // planned, active, review, blocked
	handed   string // no, me: the caller is a delegate with the task, elsewhere: a delegate with another one
	second   string // none, ready, held: what else is planned
}

func (m matrix) world() *world {
	w := newWorld()
	clear(w.tasks)
	w.settings.DefaultRole = "solo"
	w.role("solo", resources.RoleSpec{DelegatesTo: []string{"executor"}})
	w.role("executor", resources.RoleSpec{Agents: []string{"idumb-executor"}, Level: 2, Shell: resources.RuleSet{Deny: []string{"idumb create task"}}})
	w.session("s1", resources.SessionSpec{Host: "claude"})
	w.session("s2", resources.SessionSpec{Host: "codex"})
	w.task("first", resources.TaskSpec{Paths: []string{"first/**"}, State: resources.TaskCompleted})
	spec := resources.TaskSpec{State: m.state, AssignedTo: map[string]string{"mine": "solo", "other": "executor"}[m.assignee]}
	if m.state == "blocked" {
		w.task("wait", resources.TaskSpec{Paths: []string{"wait/**"}})
		spec.State, spec.DependsOn = resources.TaskPlanned, []string{"wait"}
	}
	spec.Paths = map[string][]string{"match": {"src/z.go"}, "other": {"docs/**"}}[m.paths]
	w.task("fix", spec)
	if m.second != "none" {
		w.task("more", resources.TaskSpec{Paths: []string{"lib/**"}})
	}
	if m.second == "held" {
		w.state("more", resources.TaskActive)
		w.holds("s2", "more")
	}
	switch m.holder {
	case "me":
		w.holds("s1", "fix")
	case "other":
		w.holds("s2", "fix")
	}
	switch m.handed {
	case "me":
		w.hand("d1", "fix", "executor")
		w.sessions["s1"].Spec.Delegation, w.sessions["s1"].Spec.Agent = "d1", "idumb-executor"
	case "elsewhere":
		w.task("mine", resources.TaskSpec{Paths: []string{"mine/**"}, State: resources.TaskActive})
		w.hand("d2", "mine", "executor")
		w.sessions["s1"].Spec.Delegation, w.sessions["s1"].Spec.Agent = "d2", "idumb-executor"
	}
	return w
}

func (m matrix) caller(c Call) Call {
	c.Session = "s1"
	if m.handed != "no" {
		c.Agent = "idumb-executor"
	}
	return c
}

// eachWorld runs a test over all worlds of the table that can be.
func eachWorld(t *testing.T, do func(t *testing.T, m matrix)) int {
	n := 0
	for _, holder := range []string{"none", "me", "other"} {
		for _, assignee := range []string{"none", "mine", "other"} {
			for _, paths := range []string{"none", "match", "other"} {
				for _, state := range []string{"planned", "active", "review", "blocked"} {
					for _, handed := range []string{"no", "me", "elsewhere"} {
						for _, second := range []string{"none", "ready", "held"} {
							if holder == "me" && handed != "no" { // a delegate's session holds nothing
								continue
							}
							m := matrix{holder, assignee, paths, state, handed, second}
							n++
							t.Run(fmt.Sprintf("%+v", m), func(t *testing.T) { do(t, m) })
						}
					}
				}
			}
		}
	}
	return n
}

// mayStart is the independent answer: who may start the task of the table.
func (m matrix) mayStart() bool {
	switch {
	case m.handed == "me":
		return m.state != "blocked" && m.holder != "other"
	case m.handed == "elsewhere", m.holder == "other", m.assignee == "other", m.state == "blocked":
		return false
	}
	return true
}

// TestEveryAnswerAgrees: the gate's verdict on start, the permission, the proposals and the notes in
// the chain of a denial are one answer.
func TestEveryAnswerAgrees(t *testing.T) {
	n := eachWorld(t, func(t *testing.T, m matrix) {
		w := m.world()
		may := m.mayStart()
		fix, _ := w.Task("fix")
		permitted := Permitted(m.caller(Call{}), Start, fix, w) == nil && Restartable(fix, w)
		assert.Equal(t, may, permitted, "Permitted")
		start := Decide(m.caller(govern("idumb start fix")), w)
		if m.state != "blocked" { // that is for the command to say
			assert.Equal(t, may, start.Outcome != Deny, "gate: %s", start.Reason.Text())
		}
		if start.Outcome == Deny {
			assert.NotContains(t, start.Reason.UseInstead, "idumb start fix")
			assert.NotContains(t, strings.Join(start.Reason.Evidence, " "), "spec.state", "it is no reason")
		}
		next := NextFor(m.caller(Call{}), w, 10)
		assert.Equal(t, may && m.state == "planned", slices.Contains(next, "fix"), "NextFor: %v", next)
		assert.Equal(t, m.handed == "no" && m.second == "ready", slices.Contains(next, "more"), "NextFor: %v", next)
		if denied := Decide(m.caller(write("src/z.go")), w); denied.Outcome == Deny {
			for _, l := range denied.Reason.Chain.Links {
				if l.Note == "ready" {
					assert.Contains(t, next, l.Task, denied.Reason.Text())
				}
			}
			assert.NotRegexp(t, `(?m)held by.*\n(.*\n)*EVIDENCE: tasks/fix spec\.state`, denied.Reason.Text())
		}
	})
	require.Greater(t, n, 500)
}

var (
	inBackticks = regexp.MustCompile("`([^`]+)`")
	cannotDoIt  = regexp.MustCompile(`(?i)hand back|ask the user|tell the user|leave it|wait for|end your turn|you cannot|other files|hand the task over`)
)

// follow does what a step says, as a session does.
func (m matrix) follow(t *testing.T, w *world, step string) (did bool) {
	commands := inBackticks.FindAllStringSubmatchIndex(step, -1)
	for i, at := range commands {
		if i > 0 && !strings.Contains(step[commands[i-1][1]:at[0]], "then") {
			return did // another way to the same
		}
		words := strings.Fields(step[at[2]:at[3]])
		switch {
		case words[1] == "create" && words[2] == "task":
			w.task(words[3], resources.TaskSpec{})
		case words[1] == "start":
			v := Decide(m.caller(govern("idumb start "+words[2])), w)
			require.NotEqual(t, Deny, v.Outcome, "the step %q is refused: %s", step, v.Reason.Text())
			started, ok := w.Task(words[2])
			require.True(t, ok && Restartable(started, w), "the step %q starts what cannot be started", step)
			w.state(words[2], resources.TaskActive)
			w.sessions["s1"].Spec.ActiveTask = words[2]
			if m.handed == "no" {
				w.holds("s1", words[2])
			}
		case words[1] == "describe", words[1] == "complete", words[1] == "fail":
			return did
		default:
			t.Fatalf("the step %q names %q", step, words)
		}
		did = true
	}
	return did
}

// TestEachStepLeadsOut: what USE INSTEAD says lets the wanted write pass within two steps, or the text
// says that it cannot, and then no task that may be started would let it pass.
func TestEachStepLeadsOut(t *testing.T) {
	led := 0
	eachWorld(t, func(t *testing.T, m matrix) {
		w := m.world()
		call := m.caller(write("src/z.go"))
		v := Decide(call, w)
		for step := 0; v.Outcome == Deny; step++ {
			instead := v.Reason.UseInstead
			require.Less(t, step, 2, "in a circle: %s", v.Reason.Text())
			if !m.follow(t, w, instead) {
				require.Regexp(t, cannotDoIt, instead)
				e := &evaluation{call: call, view: w}
				assert.Empty(t, e.opener(w.names()), "a start would open it, and the text says: %s", v.Reason.Text())
				return
			}
			v = Decide(call, w)
			if v.Outcome == Deny && cannotDoIt.MatchString(instead) {
				return
			}
			led++
		}
	})
	assert.Greater(t, led, 100)
}

// TestFilesTaskFirst: the ready task whose paths hold the wanted file comes before all others, and
// is the step also of a session that is on another task.
func TestFilesTaskFirst(t *testing.T) {
	for name, on := range map[string]string{"no task": "", "another task": "docs"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			clear(w.tasks)
			w.task("docs", resources.TaskSpec{Paths: []string{"docs/**"}, Priority: "high"})
			w.task("zsh-fix", resources.TaskSpec{Paths: []string{"zsh.go"}})
			w.session("s1", resources.SessionSpec{ActiveTask: on})
			if on != "" {
				w.state(on, resources.TaskActive)
			}
			v := Decide(by("s1", write("zsh.go")), w)
			assert.Equal(t, "Run `idumb start zsh-fix`, then write.", v.Reason.UseInstead, v.Reason.Text())
		})
	}
}

// TestHeldTaskIsNotHandedOver: a task that another session holds is handed over by no file either,
// and by no change of a spec.
func TestHeldTaskIsNotHandedOver(t *testing.T) {
	w := newWorld()
	w.state("write-docs", resources.TaskActive)
	w.session("s1", resources.SessionSpec{})
	w.session("s2", resources.SessionSpec{})
	w.holds("s2", "write-docs")
	d := handOver("d", "write-docs", "solo", "executor", "assigned")
	call := by("s1", write(".idumb/delegations/d.json"))
	call.Planned = []Planned{{Key: d.Key(), Path: call.Paths[0], Known: true, Next: d}}
	v := Decide(call, w)
	assert.Equal(t, "owner", v.Reason.Rule, v.Reason.Text())
	assert.Contains(t, v.Reason.Text(), `lease of tasks/write-docs holder = "codex/s2"`)
	assert.NotNil(t, Permitted(by("s1", Call{}), HandOver, w.tasks["write-docs"], w))
	assert.Nil(t, Permitted(by("s2", Call{}), HandOver, w.tasks["write-docs"], w))

	plan := made(resources.WorkPlans).(*resources.WorkPlan)
	plan.Metadata.Name, plan.Spec.State = "user-auth", resources.PlanActive
	objects := heldObjects{handOvers{graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{plan, w.tasks["write-docs"]}, Now: noon}), nil}, w.held["write-docs"]}
	err := judgeHandOver(d, Author{Kind: Agent, Session: "s1"}, objects)
	require.Error(t, err)
	assert.Contains(t, err.Error(), `codex's session "s2"`)
	err = judgeOwner(w.tasks["write-docs"], task("write-docs", resources.TaskCompleted, ""), Author{Kind: Agent, Session: "s1"}, objects)
	require.Error(t, err)
}

// heldObjects are Objects in which another session holds every task.
type heldObjects struct {
	handOvers
	lease *resources.Lease
}

func (h heldObjects) OtherLease(*resources.Task, string) *resources.Lease { return h.lease }

// TestAnotherRolesTaskIsNotStarted: the store refuses what the gate refuses, and says who may.
func TestAnotherRolesTaskIsNotStarted(t *testing.T) {
	old, next := task("ex2", resources.TaskPlanned, "executor"), task("ex2", resources.TaskActive, "executor")
	old.Spec.WorkPlan, next.Spec.WorkPlan = "p", "p"
	roles := []resources.Object{made(resources.Roles), made(resources.Roles)}
	for i, name := range []string{"solo", "executor"} {
		roles[i].Head().Metadata.Name = name
	}
	session := func(name, agent string) resources.Object {
		s := resources.New[*resources.Session](resources.Sessions, name)
		s.Spec.Agent = agent
		return s
	}
	config := made(resources.Configs).(*resources.Config)
	config.Metadata.Name, config.Spec = resources.ConfigName, resources.DefaultConfig()
	config.Spec.DefaultRole = "solo"
	objects := append(roles, config, old, session("main", "claude"), session("sub", "executor"))
	v := handOvers{graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: noon}), nil}
	err := judgeOwner(old, next, Author{Kind: Agent, Session: "main"}, v)
	var r *apierrors.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, Assigned, r.Cause)
	assert.Contains(t, err.Error(), `it is assigned to "executor", and you act as "claude" in the role "solo"`)
	assert.NoError(t, judgeOwner(old, next, Author{Kind: Agent, Session: "sub"}, v))
	assert.NoError(t, judgeOwner(old, next, Author{Kind: Person}, v))
}

// TestProposedNamesAreFree: a step that plans a task or a plan gives it a name that no object has.
func TestProposedNamesAreFree(t *testing.T) {
	w := newWorld()
	clear(w.tasks)
	w.task("next-step", resources.TaskSpec{})
	w.state("next-step", resources.TaskCompleted)
	v := Decide(write("src/a.go"), w)
	assert.Contains(t, v.Reason.UseInstead, "`idumb create task next-step-2 --plan user-auth", v.Reason.Text())
	assert.Contains(t, v.Reason.UseInstead, "`idumb start next-step-2`")

	nothingPlanned(w)
	w.settings.RequirePlan = true
	w.plan("my-plan", resources.WorkPlanSpec{State: resources.PlanCompleted})
	v = Decide(write("src/a.go"), w)
	assert.Contains(t, v.Reason.UseInstead, "`idumb create workplan my-plan-2 ", v.Reason.Text())
	assert.Contains(t, v.Reason.UseInstead, "`idumb create task next-step-2 --plan my-plan-2 ")
	assert.Contains(t, v.Reason.UseInstead, "`idumb start next-step-2`")
}

// TestBlockerFirst: whoever may start what comes first is told to, before any other ready task; who may not waits.
func TestBlockerFirst(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		given      func(*world)
	}{
		{"ready", "Work on what blocks it first: `idumb start zz-schema`.", nil},
		{"ready, further up", "Work on what blocks it first: `idumb start zz-ground`.", func(w *world) {
			w.task("zz-ground", resources.TaskSpec{})
			w.tasks["zz-schema"].Spec.DependsOn = []string{"zz-ground"}
		}},
		{"active, and nobody works on it", "Work on what blocks it first: `idumb start zz-schema`.", func(w *world) {
			w.state("zz-schema", resources.TaskActive)
			w.state("build-login-form", resources.TaskActive)
			w.session("s1", resources.SessionSpec{ActiveTask: "build-login-form"})
		}},
		{"held", "Work on a ready task (`idumb start write-docs`), or wait for \"zz-schema\" to complete.", func(w *world) {
			w.state("zz-schema", resources.TaskActive)
			w.holds("s2", "zz-schema")
		}},
		{"another task names the file", "Work on a ready task (`idumb start write-docs`), or wait for \"zz-schema\" to complete.", func(w *world) {
			w.tasks["write-docs"].Spec.Paths = []string{"src/login.go"}
		}},
	} {
		w := newWorld()
		delete(w.tasks, "db-schema")
		w.task("zz-schema", resources.TaskSpec{})
		w.task("build-login-form", resources.TaskSpec{DependsOn: []string{"zz-schema"}, Paths: []string{"src/login.go"}})
		w.session("s1", resources.SessionSpec{})
		w.session("s2", resources.SessionSpec{})
		if tc.given != nil {
			tc.given(w)
		}
		v := Decide(by("s1", write("src/login.go")), w)
		require.NotNil(t, v.Reason, tc.name)
		assert.Equal(t, tc.want, v.Reason.UseInstead, tc.name)
	}
}

// TestDecisionFirst: where tasks wait for a decision, the denial names it and who decides; another task is planned for
// other work only.
func TestDecisionFirst(t *testing.T) {
	w := newWorld()
	clear(w.tasks)
	w.decision("use-redis", resources.DecisionSpec{Title: "Use Redis"})
	w.task("cache", resources.TaskSpec{Decisions: []string{"use-redis"}, Paths: []string{"src/cache.go"}})
	w.session("s1", resources.SessionSpec{})
	decide := "Task \"cache\" waits for a decision: ask the user to decide: `idumb decide accept use-redis`, or `idumb decide reject use-redis --reason \"...\"`."
	other := Decide(by("s1", write("src/other.go")), w).Reason.UseInstead
	assert.Equal(t, decide+" If this is other work, plan it: `idumb create task next-step --plan user-auth --title \"(title of your work)\" --expect \"(result of the work)\"`, then `idumb start next-step`.", other)
	assert.Contains(t, Decide(by("s1", write("src/cache.go")), w).Reason.UseInstead, "ask the user to decide: `idumb decide accept use-redis`")

	w.task("docs", resources.TaskSpec{})
	assert.Equal(t, "Run `idumb start docs`, then write.", Decide(by("s1", write("src/other.go")), w).Reason.UseInstead)
}

// TestLostDependency: who waits for what no waiting brings is told to ask the person, and to fail nothing.
func TestLostDependency(t *testing.T) {
	for state, want := range map[string]string{
		resources.TaskAbandoned: "ask the user about its dependency \"db-schema\", which is abandoned: `idumb edit task build-login-form`.",
		"archived":              "ask the user about its dependency \"db-schema\", which is archived: `idumb edit task build-login-form`, or `idumb restore task/db-schema`.",
		resources.TaskFailed:    "Work on what blocks it first: `idumb start db-schema`.",
		resources.TaskActive:    "wait for \"db-schema\" to complete.",
	} {
		w := newWorld()
		delete(w.tasks, "write-docs")
		w.task("build-login-form", resources.TaskSpec{DependsOn: []string{"db-schema"}, Paths: []string{"src/a.go"}})
		w.session("s1", resources.SessionSpec{})
		w.session("s2", resources.SessionSpec{})
		switch w.state("db-schema", state); state {
		case "archived":
			w.archived = map[resources.Key]bool{w.tasks["db-schema"].Key(): true}
			delete(w.tasks, "db-schema")
		case resources.TaskActive:
			w.holds("s2", "db-schema")
		}
		v := Decide(by("s1", write("src/a.go")), w)
		assert.Contains(t, v.Reason.UseInstead, want, state)
	}
}

// TestWhoStartsAHandedTask: the agents of the giver's session and of the delegate's, and the role that it is
// addressed to if nobody works under it. The giver's role begins if the giver is no session, or one that has ended.
func TestWhoStartsAHandedTask(t *testing.T) {
	for name, tc := range map[string]struct {
		maker    string // session that made the delegation
		delegate string // session that works under it
		agent    string
		caller   string
		allowed  bool
	}{
		"the giver":                       {maker: "s1", caller: "s1", allowed: true},
		"the giver, somebody works":       {maker: "s1", delegate: "sub", caller: "s1", allowed: true},
		"another session":                 {maker: "s1", caller: "s2"},
		"another session, somebody works": {maker: "s1", delegate: "sub", caller: "s2"},
		"the role":                        {maker: "s1", caller: "s2", agent: "idumb-executor", allowed: true},
		"the role, somebody works":        {maker: "s1", delegate: "sub", caller: "s2", agent: "idumb-executor"},
		"a user gave it":                  {caller: "s2", allowed: true},
		"the giver has ended":             {maker: "ended", caller: "s2", allowed: true},
		"the giver is not known":          {maker: "agent", caller: "s2", allowed: true},
		"no role of it":                   {caller: "s2", agent: "idumb-investigator"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.settings.DefaultRole = "solo"
			w.role("solo", resources.RoleSpec{DelegatesTo: []string{"executor"}})
			w.role("executor", resources.RoleSpec{Agents: []string{"idumb-executor"}})
			w.role("investigator", resources.RoleSpec{Agents: []string{"idumb-investigator"}})
			w.session("s1", resources.SessionSpec{})
			w.session("s2", resources.SessionSpec{Agent: tc.agent})
			w.session("ended", resources.SessionSpec{LastSeenAt: resources.NewTime(noon), EndedAt: resources.NewTime(noon)})
			d := w.hand("d", "write-docs", "executor")
			if tc.maker != "" {
				d.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: tc.maker}
			}
			if tc.delegate != "" {
				w.session(tc.delegate, resources.SessionSpec{Parent: "s1", Delegation: "d", LastSeenAt: resources.NewTime(noon)})
			}
			b := Permitted(by(tc.caller, Call{Agent: tc.agent}), Start, w.tasks["write-docs"], w)
			if tc.allowed {
				assert.Nil(t, b)
				return
			}
			require.NotNil(t, b)
			assert.Equal(t, Delegated, b.Cause, b.Why)
			assert.Equal(t, `"executor" has it, by delegation "d"`, b.Why)
		})
	}
}

// The way to a file that a task of a draft plan names starts that plan first; who may not start it is told whom to ask.
func TestNextStepOfDraftPlan(t *testing.T) {
	w := newWorld()
	w.plan("manual", resources.WorkPlanSpec{Title: "Manual", State: resources.PlanDraft})
	w.rule("phase-01", resources.HardBlock, resources.ChainWhen{Commands: []string{"idumb start"}, Unless: []string{"workplan"}}, resources.ChainRequirement{Resource: "workplan/@plan", Condition: "phase=active"})
	w.task("guide", resources.TaskSpec{WorkPlan: "manual", Paths: []string{"docs/**"}})
	for _, name := range []string{"db-schema", "write-docs"} {
		w.tasks[name].Spec.Paths = []string{"src/**"}
	}
	w.role("solo", resources.RoleSpec{Level: 2})
	w.role("worker", resources.RoleSpec{Level: 2, Agents: []string{"worker"}, Shell: resources.RuleSet{Deny: []string{"idumb start workplan", "idumb create"}}})
	call := write("docs/a.md")
	const step = "Run `idumb start workplan/manual`, then `idumb start guide`, then write."
	assert.Equal(t, step, Decide(call, w).Reason.UseInstead)
	w.state("db-schema", resources.TaskActive)
	assert.Equal(t, step, Decide(call, w).Reason.UseInstead, "from within another task")
	assert.Contains(t, Decide(call, w).Reason.Why, `Task "guide" names the file, and its plan "manual" is a draft.`)
	w.state("db-schema", resources.TaskPlanned)
	call.Agent = "worker"
	assert.Equal(t, `You cannot write it now: task "guide" names it, and its plan is a draft. Ask the user, or an agent that plans, for the start of plan "manual".`, Decide(call, w).Reason.UseInstead)

	w.plans["manual"].Spec.State = resources.PlanActive
	assert.Equal(t, "Run `idumb start guide`, then write.", Decide(call, w).Reason.UseInstead)
	w.state("guide", resources.TaskActive)
	assert.NotEqual(t, Deny, Decide(call, w).Outcome)
}

// A role that starts no task is offered those that it may hand over, with the role that takes them.
func TestOffersOfRoleThatStartsNone(t *testing.T) {
	w := newWorld()
	w.plan("sketch", resources.WorkPlanSpec{State: resources.PlanDraft})
	w.task("later", resources.TaskSpec{WorkPlan: "sketch"})
	w.task("theirs", resources.TaskSpec{AssignedTo: "reviewer"})
	w.task("handed", resources.TaskSpec{})
	w.hand("d", "handed", "worker")
	w.role("lead", resources.RoleSpec{Agents: []string{"lead"}, DelegatesTo: []string{"worker"}, Shell: resources.RuleSet{Deny: []string{"idumb start"}}})
	w.role("worker", resources.RoleSpec{Level: 2, Agents: []string{"worker"}})
	w.role("reviewer", resources.RoleSpec{Level: 2, Agents: []string{"reviewer"}})
	lead := Call{Agent: "lead", Session: "s1"}
	w.roles["worker"].Spec.Shell.Allow = []string{"git log", "idumb next"}
	assert.Empty(t, OffersFor(lead, w, 9), "the only role that takes them starts no task")
	w.roles["worker"].Spec.Shell.Allow = nil
	assert.Empty(t, NextFor(lead, w, 9))
	assert.Equal(t, []string{"db-schema (hand it to worker)", "write-docs (hand it to worker)"}, OffersFor(lead, w, 9))
	assert.Equal(t, []string{"db-schema (hand it to worker)"}, OffersFor(lead, w, 1))
	assert.Equal(t, []string{"db-schema", "handed", "later", "write-docs"}, OffersFor(Call{Agent: "worker", Session: "s2"}, w, 9))
	w.roles["lead"].Spec.Shell.Deny = append(w.roles["lead"].Spec.Shell.Deny, "idumb create delegation")
	assert.Empty(t, OffersFor(lead, w, 9), "it may not hand over")
}

// A delegate whose task has not been started, and does not name the file, is told of the file and not of the start.
func TestWhyOfPlannedTaskOutsideItsPaths(t *testing.T) {
	w := newWorld()
	delegated(w)
	w.state("write-docs", resources.TaskPlanned)
	w.tasks["write-docs"].Spec.Paths = []string{"docs/**"}
	assert.Equal(t, []string{"It has not been started."}, Decide(write("docs/a.md"), w).Reason.Why)
	assert.Equal(t, []string{`The task is limited to "docs/**".`}, Decide(write("src/a.go"), w).Reason.Why)
}

// Whoever starts no task and is denied a file is told to hand over the ready task that names it.
func TestWayOfWhoStartsNoTask(t *testing.T) {
	w := newWorld()
	w.role("executor", resources.RoleSpec{Level: 2, Agents: []string{"idumb-executor"}})
	w.role("coordinator", resources.RoleSpec{Level: 1, Agents: []string{"lead"}, DelegatesTo: []string{"executor"}, Shell: resources.RuleSet{Deny: []string{"idumb start"}}, Paths: resources.PathRules{Deny: []string{"docs/**", "src/**"}}})
	w.tasks["write-docs"].Spec.Paths = []string{"docs/**"}
	call := write("docs/a.md")
	call.Agent, call.Host = "lead", "claude"
	assert.Equal(t, "Hand task \"write-docs\" over: run `idumb create delegation write-docs --task write-docs --from coordinator --to executor`, then start the agent \"idumb-executor\" with delegation/write-docs in its prompt.", Decide(call, w).Reason.UseInstead)
	call.Tools = "mcp__idumb__"
	assert.Contains(t, Decide(call, w).Reason.UseInstead, "call `mcp__idumb__govern_delegate "+`{"action":"assign","name":"write-docs","task":"write-docs","to":"executor"}`)
	call.Paths = write("src/a.go").Paths
	assert.Equal(t, `Hand the work over: start the agent "idumb-executor" and tell it the task.`, Decide(call, w).Reason.UseInstead, "no task names it")
	w.roles["executor"].Spec.Shell.Allow = []string{"git log", "idumb next"}
	assert.Equal(t, "Tell the user which work is needed and why.", Decide(call, w).Reason.UseInstead, "the role starts no task")
	w.tasks["write-docs"].Spec.AssignedTo = "executor"
	assert.NotContains(t, Decide(govern("idumb start write-docs").in("main"), w).Reason.UseInstead, "Hand the task over", "the role cannot start its task")
	w.roles["executor"].Spec.Shell.Allow = nil
}

// What another session gave is changed and recalled by that session alone, until it ends.
func TestDelegationOfAnotherSession(t *testing.T) {
	w := newWorld()
	d := delegated(w)
	d.Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "main"}
	w.session("beside", resources.SessionSpec{})
	for _, s := range []string{"main", "beside"} {
		w.sessions[s].Spec.LastSeenAt = resources.NewTime(noon)
	}
	assert.True(t, MayChange(Call{Session: "main"}, "d1", w))
	assert.False(t, MayChange(Call{Session: "beside"}, "d1", w))
	denied := Decide(govern("idumb recall d1").in("beside"), w).Reason
	assert.Equal(t, "own-terms", denied.Rule)
	assert.Equal(t, []string{`Session "main" gave it and is active: only that session changes or recalls it, until it ends or is silent for 30 min.`}, denied.Why)
	w.sessions["main"].Spec.EndedAt = resources.NewTime(noon)
	assert.True(t, MayChange(Call{Session: "beside"}, "d1", w), "its giver ended")
	w.sessions["main"].Spec.EndedAt = resources.Time{}
	w.sessions["main"].Spec.LastSeenAt = resources.NewTime(noon.Add(-resources.DefaultLeaseDuration))
	assert.True(t, MayChange(Call{Session: "beside"}, "d1", w), "its giver crashed")

	delete(w.sessions, "s1")
	w.role("coordinator", resources.RoleSpec{})
	d.Spec.From = "coordinator"
	w.state("write-docs", resources.TaskPlanned)
	w.sessions["main"].Spec.LastSeenAt = resources.NewTime(noon)
	start := func() *Bar { return Permitted(Call{Session: "beside"}, Start, w.tasks["write-docs"], w) }
	assert.Equal(t, Delegated, start().Cause, "its giver works on")
	w.sessions["main"].Spec.LastSeenAt = resources.NewTime(noon.Add(-resources.DefaultLeaseDuration))
	assert.Nil(t, start(), "its giver crashed before anybody took it on")
}
