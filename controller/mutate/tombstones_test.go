package mutate

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

// shared makes a repository that shares its plans, with tasks of one plan.
func shared(t *testing.T) (Repo, *sync.Tombstones) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	repo := newRepo(t, planText+`---
kind: TaskNode
metadata: {name: a}
spec: {workPlan: auth, title: A, expectedOutput: x}
---
kind: TaskNode
metadata: {name: b}
spec: {workPlan: auth, title: B, expectedOutput: x}
`)
	root := repo.Store.Root()
	require.NoError(t, os.Mkdir(root.Abs(".git"), 0o700))
	require.NoError(t, sync.Save(root, os.Getenv, &sync.Settings{Engine: sync.EngineGit, Remote: "r", Clone: "c"}))
	stones, err := sync.OpenTombstones(root, os.Getenv)
	require.NoError(t, err)
	return repo, stones
}

// stoned are the objects with a tombstone.
func stoned(t *testing.T, stones *sync.Tombstones) (names []string) {
	t.Helper()
	all, err := stones.All()
	require.NoError(t, err)
	for _, one := range all {
		names = append(names, one.Key().String())
	}
	return names
}

// Who deletes or archives says so to the team; who is refused, only tries, or removes a file does not.
func TestWhatIsTakenAwayLeavesATombstone(t *testing.T) {
	repo, stones := shared(t)
	a, b, plan := resources.Key{Kind: resources.Tasks, Name: "a"}, resources.Key{Kind: resources.Tasks, Name: "b"}, resources.Key{Kind: resources.WorkPlans, Name: "auth"}
	dry := repo
	dry.DryRun = true
	_, err := dry.Delete(t.Context(), []resources.Key{a}, Guarded)
	require.NoError(t, err)
	_, err = repo.Delete(t.Context(), []resources.Key{plan}, Guarded)
	require.Error(t, err)
	assert.Empty(t, stoned(t, stones))

	record, err := repo.Record(t.Context(), a)
	require.NoError(t, err)
	uid := readable(record).Head().Metadata.UID
	_, err = repo.Delete(t.Context(), []resources.Key{a}, Guarded)
	require.NoError(t, err)
	stone, there := stones.Has(a)
	require.True(t, there)
	assert.Equal(t, []any{uid, record.Rev, false}, []any{stone.UID, stone.Revision, stone.Archived})
	assert.NotEmpty(t, stone.Requester)

	file := repo.Store.Root().Abs(".idumb/tasks/b.json")
	bytes, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))
	assert.Equal(t, []string{"tasks/a"}, stoned(t, stones), "rm asks for nothing")
	require.NoError(t, os.WriteFile(file, bytes, 0o600))

	_, err = repo.Archive(t.Context(), []resources.Key{plan}, Guarded)
	require.NoError(t, err)
	assert.Equal(t, []string{"tasks/a", "tasks/b", "tasks/shared", "workplans/auth"}, stoned(t, stones), "what goes along is gone as well")
	stone, _ = stones.Has(b)
	assert.True(t, stone.Archived)

	_, err = repo.Restore(t.Context(), plan)
	require.NoError(t, err)
	assert.Equal(t, []string{"tasks/a"}, stoned(t, stones), "what is back is not to go")
}

// Where nothing is shared, nobody is told anything.
func TestNoTombstonesWithoutSync(t *testing.T) {
	repo, _ := shared(t)
	root := repo.Store.Root()
	require.NoError(t, sync.Save(root, os.Getenv, nil))
	_, err := repo.Delete(t.Context(), []resources.Key{{Kind: resources.Tasks, Name: "a"}}, Guarded)
	require.NoError(t, err)
	assert.NoDirExists(t, root.Abs(".git/idumb/sync"))
}

// What cannot be said to the team is said to who asked.
func TestATombstoneThatCannotBeLeft(t *testing.T) {
	repo, _ := shared(t)
	root := repo.Store.Root()
	require.NoError(t, os.MkdirAll(root.Abs(".git/idumb"), 0o700))
	require.NoError(t, os.WriteFile(root.Abs(".git/idumb/sync"), nil, 0o600))
	_, err := repo.Delete(t.Context(), []resources.Key{{Kind: resources.Tasks, Name: "a"}}, Guarded)
	require.ErrorContains(t, err, "the team could not be notified")
}
