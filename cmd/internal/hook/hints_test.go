//go:build unix

package hook

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// TestHintsAreCheckedBeforeADenial: a controller that lives and is a moment behind
// must not make the gate deny what the files allow.
func TestHintsAreCheckedBeforeADenial(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	for name, text := range map[string]string{
		".idumb/workplans/p.json":   `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`,
		".idumb/roles/builder.json": `{"spec": {}}`,
		".idumb/tasks/theirs.json":  `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "assignedTo": "builder"}}`,
		".idumb/tasks/new.json":     `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`,
		".idumb/context/hints.json": `{"activePlans": ["p"], "activeTasks": [{"name": "theirs"}, {"name": "gone"}]}`,
	} {
		require.NoError(t, root.Replace(name, []byte(text)))
	}
	lock, err := os.OpenFile(controllerLock(t, root), os.O_RDWR|os.O_CREATE, 0o600)
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))

	h := &handler{repo: openRepo(root, trusting(root), time.Now()), event: Event{Moment: BeforeTool, Tool: "Write", Action: admission.Write, Paths: []string{"a"}, Cwd: string(root)}}
	call, err := h.call()
	require.NoError(t, err)
	assert.Equal(t, admission.Deny, admission.Decide(call, h.repo).Outcome, "by the hints alone")
	got := h.decide(call)
	assert.Equal(t, admission.NoOpinion, got.Outcome)
	assert.Equal(t, "new", got.Task)
}

// TestABrokenPlanDoesNotOpenTheGate: while no plan is active, writes pass; a plan that
// cannot be read may be active.
func TestABrokenPlanDoesNotOpenTheGate(t *testing.T) {
	for name, tc := range map[string]struct {
		plan string
		want admission.Outcome
	}{
		"active":       {`{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`, admission.Deny},
		"draft":        {`{"spec": {"title": "t", "acceptance": ["a"], "state": "draft"}}`, admission.Advise},
		"empty":        {``, admission.Deny},
		"not readable": {`{"spec": {"title": 7}}`, admission.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			root := layout.Root(t.TempDir())
			require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
			require.NoError(t, root.Replace(".idumb/workplans/p.json", []byte(tc.plan)))
			require.NoError(t, root.Replace(".idumb/tasks/a.json", []byte(`{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)))
			h := &handler{repo: openRepo(root, trusting(root), time.Now()), event: Event{Moment: BeforeTool, Tool: "Write", Action: admission.Write, Paths: []string{"a"}, Cwd: string(root)}}
			call, err := h.call()
			require.NoError(t, err)
			assert.Equal(t, tc.want, h.decide(call).Outcome)
		})
	}
}

func controllerLock(t *testing.T, root layout.Root) string {
	path := root.Abs(layout.ControllerLock)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	return path
}

func TestPackIsTheControllersOwn(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	for name, text := range map[string]string{
		".idumb/workplans/p.json": `{"spec": {"title": "P", "state": "active", "acceptance": ["c"]}}`,
		".idumb/tasks/a.json":     `{"spec": {"workPlan": "p", "title": "A", "expectedOutput": "a", "state": "active"}}`,
		".idumb/tasks/bad.json":   `{"spec": {"workPlan": 1}}`,
	} {
		require.NoError(t, root.Replace(name, []byte(text)))
	}
	h := &handler{repo: openRepo(root, trusting(root), time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)), limit: 10000}
	snapshot := h.repo.snapshot()
	p, broken := snapshot.Problem(resources.Key{Kind: resources.Tasks, Name: "bad"})
	assert.True(t, broken)
	assert.Equal(t, "spec.workPlan", p.Field)
	assert.Equal(t, ".idumb/tasks/bad.json", p.File)
	assert.Equal(t, string(packer.Build(packer.Gather(snapshot, packer.Reader{Limit: 10000})).Bytes), h.packed())
	assert.Contains(t, h.packed(), "bad.json")
}
