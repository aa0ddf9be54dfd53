package controllerprocess

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
)

// Each call of a hook changes its session: what a team may share is read again for that alone.
func TestChangesOfSessionsHaveNothingRead(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	store, err := filestore.Open(root)
	require.NoError(t, err)
	for kind, read := range map[string]bool{resources.Sessions: false, resources.Tasks: false, resources.Mems: true, resources.WorkPlans: true} {
		l := newClaimsLoop(store, nil, nil, nil)
		l.change(controller.Change{Key: resources.Key{Kind: kind, Name: "one"}})
		assert.Equal(t, read, len(l.shared) == 1, kind)
		assert.Equal(t, kind == resources.Tasks, len(l.tasks) == 1, kind)
		assert.Equal(t, kind == resources.Sessions, len(l.otherChanges) == 1, kind)
	}
}

// A file that goes missing is looked at with the team, though its last version counts here.
func TestAMissingFileIsExchanged(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	store, err := filestore.Open(root)
	require.NoError(t, err)
	r := &runner{specs: hooks.NewSpecs(), claims: newClaimsLoop(store, nil, nil, nil)}
	key := resources.Key{Kind: resources.Tasks, Name: "one"}
	r.missing(controller.Change{Key: key, Old: &resources.Task{}})
	assert.Len(t, r.claims.tasks, 1)
	assert.Contains(t, r.claims.changed.exchanged(), key)
}

// What fails is tried again after twice as long each time: a host that counts is left alone for longer,
// and an etcd of one's own is asked by each machine at a moment of its own.
func TestRetry(t *testing.T) {
	for failed, wait := range map[int]time.Duration{0: time.Minute / 2, 1: time.Minute, 2: 2 * time.Minute, 4: 5 * time.Minute, 100: 5 * time.Minute} {
		assert.Equal(t, wait, retry(failed, false), failed)
	}
	for failed, most := range map[int]time.Duration{0: time.Second, 1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 9: 256 * time.Second, 10: 5 * time.Minute, 1000: 5 * time.Minute} {
		seen := map[time.Duration]bool{}
		for range 100 {
			wait := retry(failed, true)
			assert.LessOrEqual(t, wait, most)
			assert.GreaterOrEqual(t, wait, most/2)
			seen[wait] = true
		}
		assert.Greater(t, len(seen), 50, "each at a moment of its own")
	}
}

// Objects go to an etcd as they change, unless it was not reached; claims alone, and a git remote, can wait.
func TestPace(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	getenv := func(name string) string { return map[string]string{"IDUMB_SYNC_URL": "http://127.0.0.1:1"}[name] }
	for settings, want := range map[sync.Settings]time.Duration{
		{Engine: sync.EngineEtcd, Team: "a", Repo: "b", Clone: "c", Plans: true}: noticeInterval,
		{Engine: sync.EngineEtcd, Team: "a", Repo: "b", Clone: "c"}:              claimsInterval,
		{Engine: sync.EngineGit, Remote: "x", Clone: "c", Plans: true}:           claimsInterval,
	} {
		team, err := sync.TeamOf(layout.Root(dir), getenv, &settings)
		require.NoError(t, err)
		l := claimsLoop{team: team}
		assert.Equal(t, want, l.pace().apart, "%+v", settings)
		l.failing = true
		assert.Equal(t, claimsInterval, l.pace().apart, "%+v", settings)
	}
	assert.Equal(t, claimsInterval, (&claimsLoop{}).pace().apart)
}
