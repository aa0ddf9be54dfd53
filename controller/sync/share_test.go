package sync

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// sharing has a machine share its objects as well, and records what it sends.
func sharing(t *testing.T, e engine.Engine, name string) (*machine, *sentOps) {
	sent := &sentOps{Engine: e}
	m := join(t, sent, name)
	s, err := filestore.Open(string(m.root))
	require.NoError(t, err)
	m.Team.root, m.plans = m.root, true
	m.Share(s)
	return m, sent
}

// sentOps is an engine that remembers the keys of each change that was made.
type sentOps struct {
	engine.Engine
	made [][]string
}

func (s *sentOps) Txn(ctx context.Context, ops ...engine.Op) error {
	err := s.Engine.Txn(ctx, ops...)
	var keys []string
	for _, op := range ops {
		keys = append(keys, op.Key)
	}
	if err == nil {
		s.made = append(s.made, keys)
	}
	return err
}

func (m *machine) file(name string) string {
	data, err := os.ReadFile(m.Team.root.Abs(layout.Path(resources.Key{Kind: resources.Tasks, Name: name})))
	require.NoError(m.t, err)
	return string(data)
}

// What goes together arrives together: a claim that is given back, and the task that is over. Who has a
// task stands in a clone before the task is active there.
func TestClaimsAndObjectsTogether(t *testing.T) {
	var team memengine.Engine
	a, sent := sharing(t, &team, "a")
	b, _ := sharing(t, &team, "b")
	a.task("login", resources.TaskPlanned)
	a.round()
	b.round()
	assert.Equal(t, a.file("login"), b.file("login"))

	_, err := a.start("login", false)
	require.NoError(t, err)
	a.SetDelayPushes(true)
	r := a.round()
	assert.Len(t, r.Plans.Pushed, 1, "a task in another state does not wait")
	b.round()
	assert.Contains(t, b.file("login"), `"active"`)
	require.True(t, b.lease("login").InOtherClone())

	a.task("login", resources.TaskFailed)
	r = a.round()
	assert.Equal(t, []string{"login"}, r.Released)
	last := strings.Join(sent.made[len(sent.made)-1], " ")
	assert.Contains(t, last, "claims/login")
	assert.Contains(t, last, "state/o/tasks/p/login")
	b.round()
	assert.Contains(t, b.file("login"), `"failed"`)
	assert.Nil(t, b.book.Get(&resources.Task{Header: resources.Header{Metadata: resources.Meta{Name: "login", UID: "u-1"}}}))
}

// What nobody waits for is sent later, all at once, and is noted meanwhile.
func TestLater(t *testing.T) {
	var team memengine.Engine
	a, sent := sharing(t, &team, "a")
	a.SetDelayPushes(true)
	a.task("login", resources.TaskPlanned)
	a.task("logout", resources.TaskPlanned)
	r := a.round()
	assert.Empty(t, r.Plans.Pushed)
	assert.Len(t, r.Plans.ToSend, 2)
	waiting, kept, err := a.Waiting(t.Context())
	require.NoError(t, err)
	assert.Len(t, waiting, 2)
	assert.Empty(t, kept)
	assert.Equal(t, 2, a.Notes().Plans.ToSend)
	a.SetDelayPushes(false)
	assert.Len(t, a.round().Plans.Pushed, 2)
	assert.Len(t, sent.made, 1)
}

// A person asked for an object to go: a tombstone takes it from the team, and is forgotten then.
func TestATombstoneRetires(t *testing.T) {
	var team memengine.Engine
	a, _ := sharing(t, &team, "a")
	b, _ := sharing(t, &team, "b")
	a.task("login", resources.TaskPlanned)
	a.round()
	b.round()
	stones := NewTombstones(a.Team.root.SyncScratch())
	require.NoError(t, stones.Add(Tombstone{Kind: resources.Tasks, Name: "login"}))
	require.NoError(t, os.Remove(a.Team.root.Abs(".idumb/tasks/login.json")))
	a.round()
	all, err := stones.All()
	require.NoError(t, err)
	assert.Empty(t, all)
	b.round()
	assert.NoFileExists(t, b.Team.root.Abs(".idumb/tasks/login.json"))
	assert.FileExists(t, b.Team.root.Abs(".idumb/archive/tasks/login.json"))
}

// What leaves git is what is shared and nothing else, and comes back as it was.
func TestLeavingGit(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
		return string(out)
	}
	for file, text := range map[string]string{".idumb/tasks/a.json": "{}", ".idumb/archive/tasks/b.json": "{}", ".idumb/roles/r.json": "{}", ".idumb/.gitignore": "run/\nmine", "tasks/x": "x"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "all")
	root := layout.Root(dir)
	leaving, err := Leaving(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, []string{".idumb/archive/tasks/b.json", ".idumb/tasks/a.json"}, leaving.Files)
	require.NoError(t, leaving.Make(t.Context(), root))
	assert.Equal(t, "M  .idumb/.gitignore\nD  .idumb/archive/tasks/b.json\nD  .idumb/tasks/a.json\n", git("status", "--porcelain"))
	assert.FileExists(t, root.Abs(".idumb/tasks/a.json"))
	again, err := Leaving(t.Context(), root)
	require.NoError(t, err)
	assert.Empty(t, again)
	_, err = ReturnToGit(t.Context(), root)
	require.NoError(t, err)
	assert.Equal(t, "M  .idumb/.gitignore\n", git("status", "--porcelain"))
	assert.Contains(t, git("diff", "--cached"), "+mine\n", "with the newline that it lacked")
}

// A claim is the clone's as long as its task is to be put back: objects come first.
func TestALostFileGivesNoClaimAway(t *testing.T) {
	var team memengine.Engine
	a, _ := sharing(t, &team, "a")
	for _, sent := range []bool{true, false} {
		name := map[bool]string{true: "login", false: "logout"}[sent]
		a.task(name, resources.TaskPlanned)
		if sent {
			a.round()
		}
		_, err := a.start(name, false)
		require.NoError(t, err)
		if sent {
			a.round()
		} else {
			require.NoError(t, a.Remember(t.Context()), "it is noted, and not sent")
		}
		task := resources.Key{Kind: resources.Tasks, Name: name}
		require.NoError(t, os.Remove(a.root.Abs(layout.Path(task))))
		assert.Equal(t, []resources.Key{task}, a.root.Missing())
		kept, err := a.LastVersion(t.Context(), task)
		require.NoError(t, err)
		assert.Contains(t, string(kept), `"active"`)
		r := a.round()
		assert.Equal(t, []resources.Key{task}, r.Plans.PutBack)
		assert.Empty(t, r.Released)
		assert.Empty(t, a.root.Missing())
		assert.Contains(t, a.file(name), `"active"`)
	}

	task := resources.Key{Kind: resources.Tasks, Name: "login"}
	require.NoError(t, NewTombstones(a.root.SyncScratch()).Add(Tombstone{Kind: task.Kind, Name: task.Name}))
	require.NoError(t, os.Remove(a.root.Abs(layout.Path(task))))
	assert.Equal(t, []string{"login"}, a.round().Released, "somebody said that it should go")
	assert.Empty(t, a.root.Missing())
}

// Who asks what is claimed knows it from then on.
func TestClaimsThatAreReadAreNoted(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	_, err := a.start("login", false)
	require.NoError(t, err)
	require.Nil(t, b.lease("login"))
	found, err := b.Claims(t.Context())
	require.NoError(t, err)
	assert.Len(t, found, 1)
	require.NotNil(t, b.lease("login"))
	assert.True(t, b.lease("login").InOtherClone())
	assert.False(t, b.Notes().Last.IsZero())
}
