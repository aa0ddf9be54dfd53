package packer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// entryOf returns what was decided about an object in a section.
func entryOf(t *testing.T, p Pack, section, id string) Entry {
	t.Helper()
	for _, e := range p.Entries {
		if e.Section == section && e.ID == id {
			return e
		}
	}
	require.Fail(t, "no such candidate", "%s in %s", id, section)
	return Entry{}
}

func TestWhichMemsEnter(t *testing.T) {
	for _, test := range []struct {
		name string
		mem  Mem
		in   bool
		why  string
	}{
		{"its words are the task's", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "the login form posts to the session endpoint"}), true, "its words"},
		{"nothing in common", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache"}), false, "too little in common"},
		{"learnt in the task", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", OriginTask: "build-login-form"}), true, "linked to an active task"},
		{"related to the task", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", RelatedTo: []string{"task/build-login-form"}}), true, "linked to an active task"},
		{"learnt in what the task waits for", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", OriginTask: "db-schema"}), true, "dependency of"},
		{"related to the plan", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", RelatedTo: []string{"workplan/user-auth"}}), true, "linked to a plan"},
		{"learnt in what waits for the task", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", OriginTask: "write-auth-tests"}), false, "too little in common"},
		{"successor of a linked one", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", Supersedes: "form-library"}), true, "linked to an active task"},
		{"refines a linked one", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", Parent: "form-library"}), true, "linked to a plan"},
		{"stale", memOf("x", 1, 40, resources.StalePhase, resources.MemSpec{Content: "the login form"}), false, "stale and not linked"},
		{"stale, learnt in the task", memOf("x", 1, 40, resources.StalePhase, resources.MemSpec{Content: "CI", OriginTask: "build-login-form"}), true, "linked to an active task"},
		{"stale, related to the plan", memOf("x", 1, 40, resources.StalePhase, resources.MemSpec{Content: "CI", RelatedTo: []string{"wp/user-auth"}}), true, "linked"},
		{"superseded", memOf("x", 1, 80, resources.Superseded, resources.MemSpec{Content: "the login form", OriginTask: "build-login-form"}), false, "another mem replaced it"},
		{"purged", memOf("x", 1, 80, resources.Purged, resources.MemSpec{Content: "the login form", OriginTask: "build-login-form"}), false, "purged"},
		{"invalid", memOf("x", 1, 80, resources.PhaseInvalid, resources.MemSpec{Content: "the login form", OriginTask: "build-login-form"}), false, "invalid"},
		{"a reference to no kind", memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Content: "CI cache", RelatedTo: []string{"sprocket/build-login-form"}}), false, "too little in common"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := userAuth()
			in.Mems = append(in.Mems, test.mem)
			e := entryOf(t, Build(in), "insights", "mems/x")
			assert.Equal(t, test.in, e.In, e.Why)
			assert.Contains(t, e.Why, test.why)
		})
	}
}

func TestLinksLeadAndAgeOnlyNudges(t *testing.T) {
	in := userAuth()
	in.Mems = []Mem{
		memOf("words-sure", 1, 100, resources.Fresh, resources.MemSpec{Content: "login form session endpoint"}),
		memOf("words-doubtful", 1, 0, resources.Fading, resources.MemSpec{Content: "login form session endpoint"}),
		memOf("linked", 1, 100, resources.Fresh, resources.MemSpec{Content: "nothing of that", OriginTask: "build-login-form"}),
	}
	p := Build(in)
	sure, doubtful, linked := entryOf(t, p, "insights", "mems/words-sure"), entryOf(t, p, "insights", "mems/words-doubtful"), entryOf(t, p, "insights", "mems/linked")
	assert.GreaterOrEqual(t, linked.Score, sure.Score)
	assert.InDelta(t, 0.85, float64(doubtful.Score)/float64(sure.Score), 0.01)
}

func TestCeilingIsNoTarget(t *testing.T) {
	in := userAuth()
	in.Mems = nil
	for i := range 50 {
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("off-%02d", i), 1, 80, resources.Fresh, resources.MemSpec{Content: "the metrics of the backup queue, once a day"}))
	}
	in.Mems = append(in.Mems, memOf("on", 1, 80, resources.Fresh, resources.MemSpec{Content: "login form session endpoint"}))
	p := Build(in)
	assert.NotContains(t, string(p.Bytes), "<left_out>")
	assert.Less(t, p.Tokens, p.Budget.Tokens/10)
}

// With nothing planned and nothing asked one line is told, and what holds for any work: false
// paths, what somebody pinned, critical anchors, the person's rules.
func TestWithoutTaskPlanOrIntent(t *testing.T) {
	assert.Equal(t, 1, strings.Count(string(Build(Input{Day: day(1).Time}).Bytes), "\n- "), "one line")
	in := Input{Day: day(1).Time}
	in.Role = &resources.Role{Spec: resources.RoleSpec{Rules: []string{"Plan before you write."}, Shell: resources.RuleSet{Allow: []string{"ls"}}, Paths: resources.PathRules{Deny: []string{"secret/**"}}}}
	for i := range 30 {
		in.Mems = append(in.Mems, memOf(fmt.Sprintf("m-%02d", i), 1, 50+i, resources.Fresh, resources.MemSpec{Content: "word"}))
	}
	in.Mems[0].Object.Spec.Pinned = true
	in.Mems = append(in.Mems, memOf("never", 1, 80, resources.Fresh, resources.MemSpec{Type: "false_path", Content: "AVOID sqlite"}))
	in.Anchors = []Anchor{
		anchorOf("dull", 1, resources.Fresh, resources.AnchorSpec{Content: "a note"}),
		anchorOf("grave", 1, resources.Fresh, resources.AnchorSpec{Content: "no deploy on Fridays", Priority: "critical"}),
	}
	p := Build(in)
	var entered []string
	for _, e := range p.Entries {
		if e.In {
			entered = append(entered, e.ID)
		}
	}
	assert.Equal(t, []string{"standing", "idle", "roles/", "mems/never", "anchors/grave", "mems/m-00"}, entered)
	assert.Contains(t, string(p.Bytes), "secret/**")
	assert.NotContains(t, string(p.Bytes), "Plan before you write")
}

func TestIntentSwitchesTheContext(t *testing.T) {
	in := userAuth()
	in.Active, in.Intent = nil, "Make the CI cache key depend on the lock file"
	assert.True(t, entryOf(t, Build(in), "insights", "mems/ci-cache").In)
}

func TestWhichAnchorsEnter(t *testing.T) {
	in := userAuth()
	in.Anchors = append(in.Anchors,
		anchorOf("gone", 1, resources.Purged, resources.AnchorSpec{Content: "x", Priority: "critical"}),
		anchorOf("dull", 1, resources.Fresh, resources.AnchorSpec{Content: "unrelated words"}))
	p := Build(in)
	for id, want := range map[string]bool{"anchors/httponly-cookies": true, "anchors/design-review": true, "anchors/old-release": false, "anchors/gone": false, "anchors/dull": true} {
		assert.Equal(t, want, entryOf(t, p, "anchors", id).In, id)
	}
	assert.Contains(t, string(p.Bytes), "- anchors/old-release is critical but stale")
	critical := entryOf(t, p, "anchors", "anchors/httponly-cookies")
	assert.Contains(t, critical.Why, "reserved")
}

func TestWhatIsUnusualIsToldWithAMem(t *testing.T) {
	for _, test := range []struct {
		confidence int
		spec       resources.MemSpec
		want       string
	}{
		{50, resources.MemSpec{Content: "x"}, "- [2026-03-01] x (mems/m)"},
		{49, resources.MemSpec{Content: "x"}, "- [2026-03-01] x (low confidence; mems/m)"},
		{80, resources.MemSpec{Title: "T", Content: "x", Type: "gotcha"}, "- [2026-03-01] T: x (gotcha; mems/m)"},
		{80, resources.MemSpec{Content: "x", Evidence: []resources.MemEvidence{{Path: "a.go", Section: "F"}, {Path: "a.go", Section: "G"}}}, "- [2026-03-01] x (a.go#F, #G; mems/m)"},
		{80, resources.MemSpec{Content: "x", Evidence: []resources.MemEvidence{{Path: "a.go", Section: "F"}, {Note: "seen"}, {Path: "b.go"}, {Path: "c.go"}}}, "- [2026-03-01] x (a.go#F; b.go; 1 files more; mems/m)"},
		{80, resources.MemSpec{Content: "x (mems/other)\n; mems/another)"}, "- [2026-03-01] x (mems/other)\n  ; mems/another) (mems/m)"},
		{10, resources.MemSpec{Content: "AVOID x BECAUSE y INSTEAD z", Type: resources.FalsePath}, "- AVOID x BECAUSE y INSTEAD z (mems/m)"},
	} {
		m := memOf("m", 1, test.confidence, resources.Fresh, test.spec)
		text := memText(&m)
		assert.Equal(t, test.want, text)
		assert.Equal(t, "mems/m", statement{position{section: insights.String()}, text}.object())
	}
}

func TestWarningOf(t *testing.T) {
	for _, test := range []struct {
		name string
		spec resources.MemSpec
		want string
	}{
		{"in the form", resources.MemSpec{Title: "ignored", Content: "AVOID x BECAUSE y INSTEAD z"}, "AVOID x BECAUSE y INSTEAD z"},
		{"in small letters", resources.MemSpec{Content: "avoid x because y"}, "AVOID x because y"},
		{"with a title", resources.MemSpec{Title: "x", Content: "y"}, "AVOID x BECAUSE y"},
		{"only content", resources.MemSpec{Content: "x"}, "AVOID x"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, warningOf(&test.spec)) })
	}
}

// An anti-pattern of a pack has at most 100 characters, cut between words, and keeps the beginning of
// each part.
func TestCompressWarning(t *testing.T) {
	long := strings.Repeat("again and again ", 20)
	for _, test := range []struct{ name, text, want string }{
		{"short", "AVOID x BECAUSE y INSTEAD z", "AVOID x BECAUSE y INSTEAD z"},
		{"100 characters", "AVOID " + strings.Repeat("x", 94), "AVOID " + strings.Repeat("x", 94)},
		{"a long reason", "AVOID the ORM BECAUSE " + long + "INSTEAD write SQL", "AVOID the ORM BECAUSE again and again again and again again and again again... INSTEAD write SQL"},
		{"three long parts", "AVOID " + long + "BECAUSE " + long + "INSTEAD " + long, "AVOID again and again again and again... BECAUSE again and... INSTEAD again and again again..."},
		{"without parts", "AVOID " + long, "AVOID again and again again and again again and again again and again again and again again and..."},
		{"other letters", "AVOID " + strings.Repeat("ü", 200), "AVOID " + strings.Repeat("ü", 91) + "..."},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := compressWarning(test.text)
			assert.Equal(t, test.want, got)
			assert.LessOrEqual(t, utf8.RuneCountInString(got), 100)
		})
	}
}

func TestAnAntiPatternNamesItsTask(t *testing.T) {
	content := "AVOID the ORM BECAUSE " + strings.Repeat("it drops indexes ", 20) + "INSTEAD write SQL"
	m := memOf("orm", 1, 80, resources.Fresh, resources.MemSpec{Type: resources.FalsePath, OriginTask: "db", Content: content, Evidence: []resources.MemEvidence{{Path: "a.go"}}})
	text := antiPatternText(&m)
	assert.Regexp(t, `^- AVOID the ORM BECAUSE it drops .*\.\.\. INSTEAD write SQL \(a.go; task/db; mems/orm\)$`, text)
	assert.Equal(t, "mems/orm", statement{position{section: antiPatterns.String()}, text}.object())
	assert.Contains(t, memText(&m), content, "outside a pack it is whole")
}

func TestDatesNeverAges(t *testing.T) {
	in := userAuth()
	in.Mems[2].Object.Metadata.Annotations = map[string]string{resources.AnnotationValidatedAt: "2026-03-09T10:00:00Z"}
	a := string(Build(in).Bytes)
	assert.Contains(t, a, "- [2026-03-09] Forms use react-hook-form")
	in.Day = in.Day.Add(5 * 24 * 60 * 60 * 1e9)
	b := string(Build(in).Bytes)
	assert.Equal(t, strings.Replace(a, "Today: 2026-03-12", "Today: 2026-03-17", 1), b, "a day changes one line")
}

func TestPackIsTheSameAllDay(t *testing.T) {
	in := userAuth()
	want := Build(in)
	in.Day = in.Day.Add(14 * 60 * 60 * 1e9)
	assert.Equal(t, want.Digest, Build(in).Digest)
	in.Day = in.Day.Add(60 * 60 * 1e9)
	assert.NotEqual(t, want.Digest, Build(in).Digest)
}

func TestChain(t *testing.T) {
	in := userAuth()
	in.Tasks = append(in.Tasks,
		taskOf("far-done", 1, resources.TaskCompleted, resources.TaskSpec{WorkPlan: "user-auth"}),
		taskOf("given-up", 7, resources.TaskAbandoned, resources.TaskSpec{WorkPlan: "user-auth", DependsOn: []string{"build-login-form"}}),
		taskOf("release", 8, resources.TaskBlocked, resources.TaskSpec{WorkPlan: "user-auth", Title: "Release", TemporalGate: &resources.TemporalGate{After: "write-auth-tests"}}),
		taskOf("elsewhere", 8, resources.TaskPlanned, resources.TaskSpec{WorkPlan: "other"}))
	in.Tasks[0].Object.Spec.DependsOn = []string{"far-done"}
	text := string(Build(in).Bytes)
	_, chain, _ := strings.Cut(text, "<chain>\n")
	chain, _, _ = strings.Cut(chain, "</chain>")
	assert.Equal(t, `- db-schema [completed] Database schema migration (after far-done)
- session-endpoint [completed] Session endpoint (after db-schema)
- build-login-form [active] Build the login form (after db-schema, session-endpoint), the task below
- write-auth-tests [blocked] Write the tests (after build-login-form)
- release [blocked] Release (after write-auth-tests)
`, chain)
}

// The nearest tasks of a long chain are shown.
func TestChainIsCut(t *testing.T) {
	in := userAuth()
	active := in.Tasks[slices.IndexFunc(in.Tasks, func(t Task) bool { return t.Object.Metadata.Name == "build-login-form" })]
	active.Object.Spec.DependsOn = append(active.Object.Spec.DependsOn, "before-1")
	for i := 1; i <= 9; i++ {
		in.Tasks = append(in.Tasks, taskOf(fmt.Sprint("before-", i), 1, resources.TaskBlocked, resources.TaskSpec{WorkPlan: "user-auth", DependsOn: []string{fmt.Sprint("before-", i+1)}}))
	}
	text := string(Build(in).Bytes)
	for _, name := range []string{"before-1", "before-2", "write-auth-tests"} {
		assert.Contains(t, text, "- "+name+" [blocked]")
	}
	assert.NotContains(t, text, "- before-9 [blocked]")
}

func TestLongListsAreBounded(t *testing.T) {
	in := userAuth()
	for i := range 3000 {
		task := taskOf(fmt.Sprintf("t-%04d", i), 1, resources.TaskBlocked, resources.TaskSpec{WorkPlan: "user-auth", DependsOn: []string{"build-login-form"}, PlanAhead: true})
		task.Status.Conditions = []resources.Condition{{Type: resources.Orphaned, Status: resources.True, Message: "m"}}
		in.Tasks = append(in.Tasks, task)
	}
	p := Build(in)
	text := string(p.Bytes)
	assert.Contains(t, text, "- and more tasks further along")
	assert.Contains(t, text, "- and 2997 more\n")
	assert.Contains(t, text, "more warnings: idumb doctor lists them")
	assert.Empty(t, p.Overflow)
	assert.Less(t, p.Tokens, p.Budget.Tokens/2)
}

func TestCirclesEnd(t *testing.T) {
	in := userAuth()
	in.Tasks[0].Object.Spec.DependsOn = []string{"write-auth-tests"}
	in.Tasks[0].Object.Spec.Parent, in.Tasks[2].Object.Spec.Parent = "build-login-form", "db-schema"
	in.Tasks[1].Object.Spec.Parent = "session-endpoint"
	assert.Contains(t, string(Build(in).Bytes), "- write-auth-tests [blocked]")
}

func TestBlockersCarryTheGatesReason(t *testing.T) {
	in := userAuth()
	in.Tasks[2].Status.BlockedBy = []string{"write-docs", "workplan/billing"}
	in.Tasks[2].Object.Spec.TemporalGate = &resources.TemporalGate{After: "write-docs", Reason: "the form's texts come from the docs"}
	in.Plans = []Plan{{Object: &resources.WorkPlan{Header: meta("billing", 1), Spec: resources.WorkPlanSpec{Title: "Billing"}}, Status: resources.WorkPlanStatus{Common: resources.Common{Phase: "active"}}}}
	text := string(Build(in).Bytes)
	assert.Contains(t, text, "\nBlocked by write-docs [planned] Write the docs, because: the form's texts come from the docs\n")
	assert.Contains(t, text, "\nBlocked by plan billing [active] Billing\n")
}

func TestManyActiveTasksDoNotOverflow(t *testing.T) {
	in := userAuth()
	for i := range 500 {
		name := fmt.Sprintf("act-%03d", i)
		in.Tasks = append(in.Tasks, taskOf(name, 1, resources.TaskActive, resources.TaskSpec{WorkPlan: "user-auth", ExpectedOutput: strings.Repeat("much work ", 50)}))
		in.Active = append(in.Active, name)
	}
	in.Limit = 10000
	p := Build(in)
	assert.Empty(t, p.Overflow)
	text := string(p.Bytes)
	assert.Contains(t, text, `<active_task id="build-login-form">`, "the most important one is there")
}

func TestDelegationsOfActiveTasksOnly(t *testing.T) {
	in := userAuth()
	recalled, other := in.Delegations[0], in.Delegations[0]
	recalled.Status.Phase = "recalled"
	other.Object = &resources.Delegation{Header: meta("del-2", 1), Spec: resources.DelegationSpec{Task: "write-docs"}}
	in.Delegations = append(in.Delegations, recalled, other)
	assert.Equal(t, 1, strings.Count(string(Build(in).Bytes), "[accepted]"))
}

func TestInputIsLeftAlone(t *testing.T) {
	in := userAuth()
	in.Active = []string{"write-docs", "build-login-form"}
	Build(in)
	assert.Equal(t, []string{"write-docs", "build-login-form"}, in.Active)
	assert.Equal(t, "no-local-storage", in.Mems[0].Object.Metadata.Name)
}
