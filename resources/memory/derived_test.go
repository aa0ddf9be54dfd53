package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestReadCommit(t *testing.T) {
	for _, test := range []struct {
		name, message string
		want          memory.CommitNote
	}{
		{"plain", "Fix the parser\n\nIt broke.\n", memory.CommitNote{Subject: "Fix the parser", Body: "It broke."}},
		{"decision", "decision(auth): tokens are opaque\n\nJWTs leak claims.", memory.CommitNote{Subject: "tokens are opaque", Type: "decision", Scope: "auth", Decision: "tokens are opaque", Body: "JWTs leak claims."}},
		{"any case", "Decision: x", memory.CommitNote{Subject: "x", Type: "decision", Decision: "x"}},
		{"footer", "feat: login\n\nbody\n\nDecision: no cookies\n  in tests\nSigned-off-by: a <a@b>", memory.CommitNote{Subject: "login", Type: "feat", Decision: "no cookies in tests", Body: "body"}},
		{"mark", "feat(api)!: drop v1", memory.CommitNote{Subject: "drop v1", Type: "feat", Scope: "api", Breaking: "drop v1"}},
		{"breaking footer over lines", "fix: x\n\nBREAKING CHANGE: the flag\nis gone\n\nmore\nBREAKING-CHANGE: twice", memory.CommitNote{Subject: "x", Type: "fix", Breaking: "the flag is gone twice", Body: "more"}},
		{"refs", "fix: x\n\nRefs: task/a, tasks/b tn/a, workplan/p, #12, task/Bad_Name", memory.CommitNote{Subject: "x", Type: "fix", Tasks: []string{"a", "b"}}},
		{"refs to elsewhere", "fix: x\n\nRefs: #123", memory.CommitNote{Subject: "x", Type: "fix"}},
		{"windows", "decision: x\r\n\r\nbody\r\n", memory.CommitNote{Subject: "x", Type: "decision", Decision: "x", Body: "body"}},
		{"no type", "see: ", memory.CommitNote{Subject: "see:"}},
		{"a path", "src/a.go: x", memory.CommitNote{Subject: "src/a.go: x"}},
		{"open scope", "feat(a: x", memory.CommitNote{Subject: "feat(a: x"}},
		{"empty", "", memory.CommitNote{}},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, memory.ReadCommit(test.message)) })
	}
}

func FuzzReadCommit(f *testing.F) {
	f.Add("decision(x)!: y\n\nBREAKING CHANGE: z\n z\nRefs: task/a")
	f.Add("a!: b\r\n\r\nDecision:\n\tc")
	f.Fuzz(func(t *testing.T, message string) {
		m := memory.OfCommit(memory.Commit{ID: "0123456789abcdef", Time: resources.NewTime(graphtest.Noon), Message: message})
		if m == nil {
			return
		}
		require.Empty(t, resources.Validate(m))
		data, err := resources.Encode(m)
		require.NoError(t, err)
		_, _, err = resources.Read(m.Key(), data)
		require.NoError(t, err)
	})
}

func TestMemOfCommit(t *testing.T) {
	assert.Nil(t, memory.OfCommit(memory.Commit{ID: "ab", Message: "feat: x"}))
	m := memory.OfCommit(memory.Commit{ID: "0123456789abcdef0123", Time: resources.NewTime(graphtest.Noon), Message: "feat(api)!: drop v1\n\nNobody used it.\n\nRefs: task/clean-up", Files: []string{"api/v1.go", ".idumb/tasks/x.json"}})
	assert.Equal(t, []string{"api/v1.go"}, m.Spec.AppliesWhen.Paths)
	assert.Equal(t, "commit/0123456789ab", m.Spec.Source)
	assert.Equal(t, "decision", m.Spec.Type)
	assert.Equal(t, "drop v1\nBREAKING CHANGE: drop v1\nNobody used it.", m.Spec.Content)
	assert.Equal(t, []string{"api", "breaking-change"}, m.Spec.Tags)
	assert.Equal(t, "clean-up", m.Spec.OriginTask)
	assert.Equal(t, resources.NewTime(graphtest.Noon), m.Spec.RecordedAt)
	again := memory.OfCommit(memory.Commit{ID: "ffff", Time: resources.NewTime(graphtest.Noon.Add(status.Day)), Message: "feat(api)!: drop v1\n\nNobody used it.\n\nRefs: task/clean-up\n"})
	assert.Equal(t, m.Metadata.Name, again.Metadata.Name, "rebased")
	fact := memory.OfCommit(memory.Commit{ID: "ab", Message: "Fix it\n\nRefs: task/x"})
	assert.Equal(t, "codebase-fact", fact.Spec.Type)
}

func TestMemOfTask(t *testing.T) {
	open := graphtest.Task("x", resources.TaskSpec{State: resources.TaskActive})
	assert.Nil(t, memory.OfTask(open))
	spec := resources.TaskSpec{State: resources.TaskCompleted, Title: "Login form", ExpectedOutput: "A form", Result: &resources.TaskResult{Evidence: "it posts a CSRF token", FilesModified: []string{"b.go", "a[1].go"}, TestsRun: "go test: ok", AnchorsCreated: []string{"tokens"}}}
	m := memory.OfTask(graphtest.Task("x", spec))
	assert.Equal(t, "it posts a CSRF token\nFiles written: a[1].go, b.go", m.Spec.Content)
	assert.Equal(t, "Login form", m.Spec.Title)
	assert.Equal(t, []string{"b.go"}, m.Spec.AppliesWhen.Paths, "what would be read as a pattern is none")
	assert.Equal(t, []string{"anchor/tokens"}, m.Spec.RelatedTo)
	assert.Equal(t, "task/x", m.Spec.Source)
	assert.Empty(t, resources.Validate(m))
	spec.Result = &resources.TaskResult{Evidence: "it posts a CSRF token twice"}
	other := memory.OfTask(graphtest.Task("x", spec))
	assert.Equal(t, m.Metadata.Name, other.Metadata.Name)
	assert.NotEqual(t, resources.SourceDigest(m), resources.SourceDigest(other))
	long := memory.OfTask(graphtest.Task(strings.Repeat("x", resources.MaxNameLength), spec))
	assert.NoError(t, resources.CheckName(long.Metadata.Name))
}

func TestTaskThatSaysNothingNew(t *testing.T) {
	for evidence, telling := range map[string]bool{
		"": false, "done": false, "e": false, "all tests pass, see src/a.go": false, "The session store is built, tests green": false,
		"go test ./auth/session_test.go passes": false, "commit 1a2b": false,
		"The TTL is 30 days, not 7": true, "Postgres: the in-memory one lost logins at restart": true, "有効期限は30日": true,
	} {
		task := graphtest.Task("store", resources.TaskSpec{State: resources.TaskCompleted, Title: "Session store", ExpectedOutput: "Sessions are stored",
			Evidence: []resources.EvidenceItem{{Command: "go test ./auth"}}, Result: &resources.TaskResult{Evidence: evidence, Verified: []resources.EvidenceItem{{Command: "go test ./auth"}}}})
		assert.Equal(t, telling, memory.OfTask(task) != nil, evidence)
	}
}

func TestTasksOfOneExpectedOutputMakeTwoMems(t *testing.T) {
	of := func(name, evidence string) string {
		m := memory.OfTask(graphtest.Task(name, resources.TaskSpec{State: resources.TaskCompleted, ExpectedOutput: "It works", Result: &resources.TaskResult{Evidence: evidence}}))
		return memory.NormalText(m.Spec.Content)
	}
	assert.NotEqual(t, of("a", "Stripe wants cents"), of("b", "Adyen wants minor units"))
}

func TestMemOfAnchor(t *testing.T) {
	assert.Nil(t, memory.OfAnchor(graphtest.Anchor("a", resources.AnchorSpec{Content: "x"})))
	m := memory.OfAnchor(graphtest.Anchor("tokens", resources.AnchorSpec{Content: "Tokens are opaque\nfor ever", Type: "decision", Priority: "critical", RelatedTo: []string{"b", "task/t"}, Source: &resources.AnchorSource{File: "a.go", Task: "t", SHA256: "1"}}))
	assert.Equal(t, "Tokens are opaque", m.Spec.Title)
	assert.Equal(t, []string{"anchor/tokens", "anchor/b", "task/t"}, m.Spec.RelatedTo)
	assert.Equal(t, []resources.MemEvidence{{Path: "a.go", SHA256: "1"}}, m.Spec.Evidence)
	assert.Equal(t, "t", m.Spec.OriginTask)
	assert.True(t, m.Spec.Critical)
	assert.Empty(t, resources.Validate(m))
}
