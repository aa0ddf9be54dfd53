package admission

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// beside has session s1 work on write-docs, while another task says of itself what more holds.
func beside(w *world, task string, more resources.TaskSpec) {
	w.state("write-docs", resources.TaskActive)
	w.session("s1", resources.SessionSpec{ActiveTask: "write-docs"})
	if more.DependsOn == nil {
		more.DependsOn = w.tasks[task].Spec.DependsOn
	}
	w.task(task, more)
}

// hold gives a task to another session.
func (w *world) hold(task, session string) {
	w.held = map[string]*resources.Lease{task: resources.NewLease(w.tasks[task], resources.Holder{Session: session, Host: "claude", Person: "p", Worktree: "/w"}, noon.Add(-10*time.Minute), time.Hour)}
}

func TestWhoseFileItIs(t *testing.T) {
	const file = "src/login.tsx"
	paths := func(globs ...string) resources.TaskSpec { return resources.TaskSpec{Paths: globs} }
	evidence := func(glob string) resources.TaskSpec {
		return resources.TaskSpec{Evidence: []resources.EvidenceItem{{File: glob}}}
	}
	locks := resources.TaskSpec{FileLocks: []string{"src/**"}}
	owns := func(spec resources.TaskSpec) func(*world) {
		return func(w *world) {
			spec.State = resources.TaskActive
			w.task("write-docs", spec)
		}
	}
	agentMade := func(w *world, tasks ...string) {
		for _, name := range tasks {
			w.tasks[name].Metadata.Annotations = map[string]string{resources.AnnotationMadeBy: "s1"}
		}
	}
	active := func(w *world) { w.state("db-schema", resources.TaskActive) }
	held := func(w *world) { active(w); w.hold("db-schema", "other") }
	crowd := func(w *world) {
		for i := range 20 {
			w.files = append(w.files, fmt.Sprintf("src/%d.ts", i))
		}
	}
	const blocked, ready = "build-login-form", "db-schema"
	for name, tc := range map[string]struct {
		of    string
		spec  resources.TaskSpec
		given func(*world)
		want  Outcome
		whose string
	}{
		"paths of a blocked task":                       {blocked, paths(file), nil, Deny, blocked},
		"and a glob in them":                            {blocked, paths("docs/**", "src/*.tsx"), nil, Deny, blocked},
		"and a folder in them":                          {blocked, paths("src"), nil, Deny, blocked},
		"which the own task has as well":                {blocked, paths(file), owns(paths("src/**")), NoOpinion, "write-docs"},
		"or asks for":                                   {blocked, paths(file), owns(evidence(file)), NoOpinion, "write-docs"},
		"paths of a task that nobody works on":          {ready, paths(file), nil, Advise, ready},
		"paths of an active one that nobody holds":      {ready, paths(file), active, Advise, ready},
		"paths of one that somebody holds":              {ready, paths(file), held, Deny, ready},
		"which the own task has, too":                   {ready, paths(file), func(w *world) { held(w); owns(paths(file))(w) }, NoOpinion, "write-docs"},
		"evidence of a blocked task":                    {blocked, evidence(file), nil, Advise, blocked},
		"evidence of one that somebody holds":           {ready, evidence(file), held, Advise, ready},
		"locks of an open task":                         {ready, locks, nil, Deny, ready},
		"locks of a blocked one":                        {blocked, locks, nil, Deny, blocked},
		"locks of a blocked one on what is one's own":   {blocked, locks, owns(paths("src/**")), NoOpinion, "write-docs"},
		"locks of one at work on what is one's own":     {ready, locks, func(w *world) { active(w); owns(paths("src/**"))(w) }, Deny, "write-docs"},
		"locks of a user on what an agent's task names": {ready, locks, func(w *world) { owns(paths(file))(w); agentMade(w, "write-docs") }, Deny, "write-docs"},
		"and on what it locks": {ready, locks, func(w *world) {
			active(w)
			owns(resources.TaskSpec{FileLocks: []string{file}, Priority: "critical"})(w)
			agentMade(w, "write-docs")
		}, Deny, "write-docs"},
		"locks of another task of an agent":        {ready, locks, func(w *world) { owns(paths(file))(w); agentMade(w, "write-docs", ready) }, NoOpinion, "write-docs"},
		"a glob for a good part of the repository": {blocked, paths("src/**"), crowd, Advise, "write-docs"},
		"and where the own task names files":       {blocked, paths("src/**"), func(w *world) { crowd(w); owns(resources.TaskSpec{Evidence: evidence("x").Evidence})(w) }, Advise, blocked},
		"locks for a good part of it":              {ready, locks, func(w *world) { crowd(w); active(w) }, Advise, "write-docs"},
		"a folder with a good part of it":          {blocked, paths("src"), crowd, Advise, "write-docs"},
		"a narrow glob beside a broad one":         {blocked, paths("src/**", file), crowd, Deny, blocked},
		"evidence for a good part of it":           {blocked, evidence("src/**"), crowd, NoOpinion, "write-docs"},
		"one file of a repository that has three":  {blocked, paths("src/*.tsx"), func(w *world) { w.files = []string{file, "a", "b"} }, Deny, blocked},
		"a task that is done":                      {ready, resources.TaskSpec{Paths: []string{file}, State: resources.TaskFailed}, nil, NoOpinion, "write-docs"},
		"a task that is planned ahead":             {blocked, resources.TaskSpec{Paths: []string{file}, PlanAhead: true}, nil, NoOpinion, "write-docs"},
		"a task of a draft":                        {blocked, resources.TaskSpec{Paths: []string{file}, WorkPlan: "later"}, func(w *world) { w.plan("later", resources.WorkPlanSpec{State: resources.PlanDraft}) }, NoOpinion, "write-docs"},
		"a task that the own one is a part of":     {ready, paths(file), func(w *world) { w.tasks["write-docs"].Spec.Parent = ready }, NoOpinion, "write-docs"},
		"and that somebody else holds":             {ready, paths(file), func(w *world) { held(w); w.tasks["write-docs"].Spec.Parent = ready }, Deny, "write-docs"},
		"unless the own one names the file":        {ready, paths(file), func(w *world) { held(w); owns(paths(file))(w); w.tasks["write-docs"].Spec.Parent = ready }, NoOpinion, "write-docs"},
		"or its own session holds that":            {ready, paths(file), func(w *world) { active(w); w.hold(ready, "s1"); w.tasks["write-docs"].Spec.Parent = ready }, NoOpinion, "write-docs"},
		"the stronger claim of two":                {ready, paths(file), func(w *world) { w.task("z", locks) }, Deny, "z"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			beside(w, tc.of, tc.spec)
			if tc.given != nil {
				tc.given(w)
			}
			got := Decide(write(file), w)
			assert.Equal(t, tc.want.String(), got.Outcome.String(), got.Reason.Text())
			if tc.want == Deny {
				assert.Equal(t, "file-owner", got.Reason.Rule)
				assert.Contains(t, got.Reason.Text(), file)
			}
			assert.Equal(t, map[string][]string{tc.whose: {file}}, FilesByTask([]string{file}, w.tasks["write-docs"], w))
		})
	}
}

func TestAFileOfWhatSomebodyElseHolds(t *testing.T) {
	w := newWorld()
	beside(w, "db-schema", resources.TaskSpec{State: resources.TaskActive, Paths: []string{"db/**"}})
	w.hold("db-schema", "other")
	text := Decide(write("db/a.sql"), w).Reason.Text()
	assert.Contains(t, text, `task "db-schema" is not yours`)
	assert.Contains(t, text, `It is held by claude's session "other" since `)
	assert.Contains(t, text, `USE INSTEAD: Write other files of "write-docs"`)
}

// TestAFileOfABlockedTaskOfAnother: a step that names a later start of the task that has the file is only for an
// agent that may start it.
func TestAFileOfABlockedTaskOfAnother(t *testing.T) {
	ours := func(more resources.TaskSpec) *world {
		w := newWorld()
		w.role("solo", resources.RoleSpec{})
		w.role("executor", resources.RoleSpec{})
		more.DependsOn, more.Paths = []string{"write-docs"}, []string{"db/**"}
		beside(w, "db-schema", more)
		return w
	}
	inHand := func(w *world) { w.hold("db-schema", "other") }
	for name, tc := range map[string]struct {
		spec      resources.TaskSpec
		given     func(*world)
		says, not string
	}{
		"one's own later":             {resources.TaskSpec{}, nil, `then start "db-schema", and write.`, "not yours"},
		"of another role":             {resources.TaskSpec{AssignedTo: "executor"}, nil, `leave this one to task "db-schema": you cannot start that task`, "then start"},
		"that another session holds":  {resources.TaskSpec{}, inHand, `leave this one to task "db-schema": you cannot start that task`, "then start"},
		"of another role, own is not": {resources.TaskSpec{AssignedTo: "executor"}, func(w *world) { w.state("write-docs", resources.TaskPlanned) }, "Leave it to an agent in the role \"executor\", and run `idumb start write-docs`.", "first"},
	} {
		t.Run(name, func(t *testing.T) {
			w := ours(tc.spec)
			if tc.given != nil {
				tc.given(w)
			}
			r := Decide(write("db/a.sql"), w).Reason
			assert.Equal(t, "file-owner", r.Rule)
			assert.Contains(t, r.UseInstead, tc.says)
			assert.NotContains(t, r.Text(), tc.not)
		})
	}
}

// TestTheFilesSayWhichTaskItIs: a session with two active tasks need not say which one it is on, where one alone
// names the files that it writes.
func TestTheFilesSayWhichTaskItIs(t *testing.T) {
	w := newWorld()
	w.task("write-docs", resources.TaskSpec{State: resources.TaskActive, Paths: []string{"docs/**"}})
	w.task("db-schema", resources.TaskSpec{State: resources.TaskActive, Paths: []string{"db/**"}})
	assert.Equal(t, "db-schema", Decide(write("db/a.sql"), w).Task)
	assert.Equal(t, "write-docs", Decide(write("docs/a.md"), w).Task)
	both := write("docs/a.md")
	both.Paths = append(both.Paths, Path{Repo: "db/a.sql"})
	for _, call := range []Call{write("main.go"), both} {
		v := Decide(call, w)
		assert.Equal(t, Deny, v.Outcome)
		assert.Contains(t, v.Reason.Text(), "you have not chosen one")
	}
}

// What is written without a task of one's own counts for no task that one is on: nothing is said of one.
func TestNoTaskNoAdvice(t *testing.T) {
	w := newWorld()
	w.settings.Mode = ModeLog
	w.task("db-schema", resources.TaskSpec{Paths: []string{"src/login.tsx"}})
	for _, name := range []string{"", "write-docs"} {
		if name != "" {
			w.state(name, resources.TaskActive)
		}
		w.session("s1", resources.SessionSpec{ActiveTask: name})
		e := &evaluation{call: by("s1", write("src/login.tsx")), view: w}
		e.fileOwners = newFilesOf(e.work().task, w)
		e.adviseOn(fileClaim{task: w.tasks["db-schema"], field: "paths"})
		assert.Equal(t, name != "", e.advice != "", e.advice)
	}
}
