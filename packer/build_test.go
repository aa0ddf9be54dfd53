package packer

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// day is the n-th day of the month in which the tests live.
func day(n int) resources.Time {
	return resources.NewTime(time.Date(2026, time.March, n, 9, 0, 0, 0, time.UTC))
}

func meta(name string, created int) resources.Header {
	return resources.Header{Metadata: resources.Meta{Name: name, CreationTimestamp: day(created)}}
}

func taskOf(name string, created int, phase string, spec resources.TaskSpec) Task {
	return Task{
		Object: &resources.Task{Header: meta(name, created), Spec: spec},
		Status: resources.TaskStatus{Common: resources.Common{Phase: phase}},
	}
}

// made is an empty object of a kind.
func made[T resources.Object](kind string) T {
	row, _ := resources.KindOf(kind)
	return row.New().(T)
}

func memOf(name string, created, confidence int, phase string, spec resources.MemSpec) Mem {
	m := made[*resources.Mem](resources.Mems)
	m.Header, m.Spec = meta(name, created), spec
	return Mem{
		Object: m,
		Status: resources.MemStatus{Common: resources.Common{Phase: phase}, Confidence: confidence},
	}
}

func anchorOf(name string, created int, phase string, spec resources.AnchorSpec) Anchor {
	a := made[*resources.Anchor](resources.Anchors)
	a.Header, a.Spec = meta(name, created), spec
	return Anchor{
		Object: a,
		Status: resources.AnchorStatus{Common: resources.Common{Phase: phase}},
	}
}

// userAuth is a believable repository in the middle of its work.
func userAuth() Input {
	config := resources.DefaultConfig()
	config.Language = resources.Language{Communication: "Vietnamese", Documents: "English"}
	config.ProjectFacts = []string{"TypeScript monorepo; the web client lives in web/, the API in api/.", "Tests run with: npm test"}
	succeeded, failed := true, false
	plan := Plan{
		Object: &resources.WorkPlan{Header: meta("user-auth", 1), Spec: resources.WorkPlanSpec{
			Title: "User authentication", Acceptance: []string{"A user can log in and out", "Sessions end after 30 days without use"}, State: "active",
			Phases: []resources.PlanPhase{{Name: "build", Title: "Build it", Order: 2}, {Name: "design", Order: 1}},
		}},
		Status: resources.WorkPlanStatus{
			Common:   resources.Common{Phase: resources.PlanActive},
			Progress: resources.PlanProgress{Total: 6, ByPhase: map[string]int{"completed": 2, "active": 1, "planned": 1, "blocked": 2}},
			Next:     []string{"write-docs"},
		},
	}
	login := taskOf("build-login-form", 3, resources.TaskActive, resources.TaskSpec{
		WorkPlan: "user-auth", Phase: "build", Title: "Build the login form", State: "active", Priority: "high", AssignedTo: "executor", DelegatedBy: "coordinator",
		ExpectedOutput: "A form at /login that posts to the session endpoint.\n\nErrors are shown <inline>.",
		DependsOn:      []string{"db-schema", "session-endpoint"}, Paths: []string{"web/auth/**"},
		Evidence: []resources.EvidenceItem{{File: "web/auth/**"}, {Command: "npm test -- auth", Succeeds: true}},
	})
	login.Status.StartedAt = day(10)
	login.Status.Checkpoints = resources.TaskCheckpoints{Count: 2, Last: []resources.Checkpoint{
		{Time: day(10), Tool: "write", FilesModified: []string{"web/auth/login.tsx"}},
		{Time: day(11), Tool: "shell", Command: "npm test -- auth", Succeeded: &failed},
		{Time: day(11), Tool: "shell", Command: "npm test -- form", Succeeded: &succeeded},
	}}
	tests := taskOf("write-auth-tests", 4, resources.TaskBlocked, resources.TaskSpec{WorkPlan: "user-auth", Title: "Write the tests", ExpectedOutput: "Tests", DependsOn: []string{"build-login-form"}})
	tests.Status.Conditions = []resources.Condition{{Type: resources.Orphaned, Status: resources.True, Reason: "ReferenceMissing", Message: `spec.parent names task "testing", which does not exist; create it or remove the field`}}
	return Input{
		Day: day(12).Time, Config: &config, Intent: "Ship the login before the audit logging", ActivePhase: "build", Plan: &plan,
		Role: &resources.Role{Header: meta("executor", 1), Spec: resources.RoleSpec{
			Paths: resources.PathRules{Write: []string{"web/**", "api/**", "tests/**"}}, Rules: []string{"Run the tests before you say that something works."},
		}},
		Session: &resources.Session{Header: meta("ses-1", 10), Spec: resources.SessionSpec{Host: "claude", Agent: "executor", Counters: resources.SessionCounters{ToolCalls: 80, Denials: 2, Compactions: 1}}},
		Active:  []string{"build-login-form"},
		Tasks: []Task{
			taskOf("db-schema", 1, resources.TaskCompleted, resources.TaskSpec{WorkPlan: "user-auth", Title: "Database schema migration", ExpectedOutput: "x"}),
			taskOf("session-endpoint", 2, resources.TaskCompleted, resources.TaskSpec{WorkPlan: "user-auth", Title: "Session endpoint", ExpectedOutput: "x", DependsOn: []string{"db-schema"}}),
			login, tests,
			taskOf("write-docs", 5, resources.TaskPlanned, resources.TaskSpec{WorkPlan: "user-auth", Title: "Write the docs", ExpectedOutput: "x"}),
			taskOf("single-sign-on", 6, resources.TaskPlanned, resources.TaskSpec{WorkPlan: "user-auth", Title: "Single sign-on", ExpectedOutput: "x", PlanAhead: true}),
		},
		Delegations: []Delegation{{
			Object: &resources.Delegation{Header: meta("del-1", 9), Spec: resources.DelegationSpec{Task: "build-login-form", From: "coordinator", To: "executor", AllowedTools: []string{"read", "edit"}, ExpectedOutput: "The form, with tests"}},
			Status: resources.DelegationStatus{Common: resources.Common{Phase: "accepted"}, Depth: 1},
		}},
		Anchors: []Anchor{
			anchorOf("httponly-cookies", 2, resources.Fresh, resources.AnchorSpec{Content: "Session tokens are kept in httpOnly cookies.", Type: "decision", Priority: "critical", Source: &resources.AnchorSource{File: "api/session.ts", Line: 12}}),
			anchorOf("design-review", 8, resources.Fresh, resources.AnchorSpec{Content: "The login form was reviewed with Linh.", Priority: "high"}),
			anchorOf("old-release", 1, resources.StalePhase, resources.AnchorSpec{Content: "Release 1.2 is frozen.", Priority: "critical"}),
		},
		Mems: []Mem{
			memOf("no-local-storage", 3, 78, resources.Fresh, resources.MemSpec{Type: resources.FalsePath, OriginTask: "session-endpoint", Content: "AVOID localStorage for session tokens BECAUSE any script can read it INSTEAD set an httpOnly cookie"}),
			memOf("no-redirect-loop", 4, 70, resources.Fresh, resources.MemSpec{Type: resources.FalsePath, Title: "redirecting to /login inside the auth middleware", Content: "it loops for\nunauthenticated assets"}),
			memOf("form-library", 5, 77, resources.Fresh, resources.MemSpec{Type: "pattern", Title: "Forms", Tags: []string{"forms", "web"}, OriginTask: "build-login-form", Content: "Forms use react-hook-form with zod:\n\n  const form = useForm({ resolver })\n\nErrors go below the field."}),
			memOf("session-lifetime", 6, 55, resources.Fading, resources.MemSpec{Type: "decision", Content: "A session endpoint call renews the session for 30 days."}),
			memOf("ci-cache", 6, 80, resources.Fresh, resources.MemSpec{Content: "The CI cache key holds the lock file's hash."}),
			memOf("old-form", 1, 40, resources.StalePhase, resources.MemSpec{Content: "The login form used Formik once.", RelatedTo: []string{"task/build-login-form"}}),
			memOf("old-unrelated", 1, 40, resources.StalePhase, resources.MemSpec{Content: "The login form of the admin is legacy."}),
		},
	}
}

// TestMain lets garbage lie for longer: thousands of packs are made and thrown away.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// rounds is how often a property is tried: a tenth of n, and at least once, with -short,
// which is how the race detector runs, that makes everything ten times slower.
func rounds(n int) int {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}

// golden compares with a file in testdata; IDUMB_UPDATE=1 writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("IDUMB_UPDATE") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// remember adds mems of every sort: suspect, critical, found by what they apply to, held by
// the last pack, replaced.
func remember(in *Input) {
	suspect := memOf("token-format", 7, 40, resources.SuspectPhase, resources.MemSpec{Type: "decision", Title: "Session tokens", OriginTask: "session-endpoint", Content: "A session token is 32 random bytes.", Evidence: []resources.MemEvidence{{Path: "api/session.ts"}}})
	suspect.Status.Suspect = []string{"api/session.ts has changed"}
	trap := memOf("no-inline-validation", 7, 60, resources.SuspectPhase, resources.MemSpec{Type: resources.FalsePath, Content: "AVOID validating the login form on each key BECAUSE readers repeat the error INSTEAD validate on submit"})
	trap.Status.Suspect = []string{"web/auth/login.tsx is gone"}
	in.Mems = append(in.Mems, suspect, trap,
		memOf("release-freeze", 8, 90, resources.Fresh, resources.MemSpec{Title: "Freeze", Content: "Nothing is merged after the 20th.", Critical: true}),
		memOf("autocomplete", 8, 80, resources.Fresh, resources.MemSpec{Content: "Password managers need autocomplete attributes.", AppliesWhen: &resources.AppliesWhen{Paths: []string{"web/auth/**"}, Cues: []string{"sign in page", "credentials"}}}),
		memOf("css-grid", 8, 80, resources.Fresh, resources.MemSpec{Content: "Pages, and the form within them, are laid out with a grid.", Tags: []string{"layout"}}),
		memOf("old-tokens", 2, 80, resources.Superseded, resources.MemSpec{Content: "Session tokens are UUIDs."}),
	)
	in.Previous = map[string]int{"mems/css-grid": 1}
}

func TestGoldenPacks(t *testing.T) {
	for name, change := range map[string]func(*Input){
		"whole.xml":   func(*Input) {},
		"limited.xml": func(in *Input) { in.Limit = 3000 },
		"idle.xml": func(in *Input) {
			in.Active, in.Session, in.Role, in.Delegations = nil, nil, nil, nil
		},
		"overflow.xml": func(in *Input) { in.Limit = 1200 },
		"memory.xml":   func(in *Input) { remember(in) },
		"empty.xml":    func(in *Input) { *in = Input{Day: in.Day} },
	} {
		t.Run(name, func(t *testing.T) {
			in := userAuth()
			change(&in)
			golden(t, name, Build(in).Bytes)
		})
	}
}

// A decision is kept as a mem as well: while its anchor holds it is told once, and once the
// anchor is stale the mem speaks for it.
func TestADecisionIsToldOnce(t *testing.T) {
	const decided = "Clay is drained first"
	anchor := anchorOf("clay", 1, resources.Fresh, resources.AnchorSpec{Content: decided, Type: "decision", Priority: "critical"})
	fed := memory.OfAnchor(anchor.Object)
	in := userAuth()
	in.Anchors = []Anchor{anchor}
	in.Mems = []Mem{memOf("mem-anchor-clay", 2, 80, resources.Fresh, fed.Spec)}
	told := func() string { return string(Build(in).Bytes) }
	assert.Equal(t, 1, strings.Count(told(), decided))
	assert.Contains(t, told(), "anchors/clay)")
	in.Anchors[0].Status.Phase = resources.StalePhase
	assert.Contains(t, told(), "mems/mem-anchor-clay)")
	in.Anchors[0].Status.Phase = resources.Fresh
	in.Mems[0].Object.Spec.Content = "Clay is drained last"
	assert.Contains(t, told(), "Clay is drained last", "a user changed the mem: it says something else")
}
