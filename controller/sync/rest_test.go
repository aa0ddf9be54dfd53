package sync

import (
	"context"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine/gitengine"
	"github.com/idumb-dev/idumb/resources"
)

// counting is a store that counts what is read of it.
type counting struct {
	*filestore.Store
	reads int
}

func (c *counting) Get(ctx context.Context, key resources.Key) (store.Record, error) {
	c.reads++
	return c.Store.Get(ctx, key)
}

func (c *counting) List(ctx context.Context, kind string) iter.Seq2[store.Record, error] {
	c.reads++
	return c.Store.List(ctx, kind)
}

func (c *counting) ReadArchived(ctx context.Context, key resources.Key) ([]byte, error) {
	c.reads++
	return c.Store.ReadArchived(ctx, key)
}

// sharingByGit has a clone share its objects by a git remote.
func sharingByGit(t testing.TB, hub, name string) (*machine, *counting) {
	dir := t.TempDir()
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".idumb/tasks"), 0o700))
	files, err := filestore.Open(dir)
	require.NoError(t, err)
	root, notes := layout.Root(dir), Folder(filepath.Join(dir, ".git"))
	book, s := leases.Open(root), &counting{Store: files}
	team := New(book, &gitengine.Engine{Dir: dir, Remote: hub, Cache: filepath.Join(notes, stateFolder)}, name, notes)
	team.root, team.plans = root, true
	team.Share(s)
	return &machine{Team: team, t: t, root: root, book: book}, s
}

func bare(t testing.TB) string {
	hub := t.TempDir()
	require.NoError(t, exec.Command("git", "init", "-q", "--bare", hub).Run())
	return hub
}

// A round in which neither side changed reads no object; whatever may have changed has all looked at.
func TestARestingRoundReadsNothing(t *testing.T) {
	t.Parallel()
	hub := bare(t)
	a, files := sharingByGit(t, hub, "a")
	b, _ := sharingByGit(t, hub, "b")
	now := noon
	reads := func() int {
		files.reads = 0
		_, err := a.Round(t.Context(), now)
		require.NoError(t, err)
		return files.reads
	}
	a.task("login", resources.TaskPlanned)
	assert.NotZero(t, reads(), "nobody said that nothing changed")
	a.Changed(false)
	assert.Zero(t, reads())
	assert.Equal(t, 1, a.Notes().Plans.Team, "what is known of the objects still is")

	for what, change := range map[string]func(){
		"something changed here": func() { a.Changed(true) },
		"another clone sent something": func() {
			b.task("logout", resources.TaskPlanned)
			b.round()
		},
		"a command wrote something": func() {
			w := &Written{a.Team.root.SyncScratch(), files}
			require.NoError(t, w.Note(t.Context(), map[resources.Key][]byte{{Kind: resources.Tasks, Name: "login"}: []byte(a.file("login"))}))
		},
		"an object is to go": func() {
			require.NoError(t, NewTombstones(a.Team.root.SyncScratch()).Add(Tombstone{Kind: resources.Tasks, Name: "login"}))
		},
		"a person decided something": func() { require.NoError(t, a.AgreeToSend([]byte("x"))) },
		"another process noted something": func() {
			require.NoError(t, os.WriteFile(filepath.Join(a.Team.root.SyncFolder(), "base.jsonl"), []byte("\n"), 0o600))
		},
		"all is looked at once in a while": func() { now = now.Add(looksAnyway) },
	} {
		change()
		assert.NotZero(t, reads(), what)
		a.Changed(false)
		assert.Zero(t, reads(), "after: "+what)
	}

	a.task("late", resources.TaskPlanned)
	a.Later(true)
	a.Changed(true)
	assert.NotZero(t, reads())
	a.Changed(false)
	assert.NotZero(t, reads(), "something waits to be sent")
}

// Claims are exchanged in a round that reads no object.
func TestClaimsOfARestingRound(t *testing.T) {
	t.Parallel()
	hub := bare(t)
	a, files := sharingByGit(t, hub, "a")
	b, _ := sharingByGit(t, hub, "b")
	a.task("login", resources.TaskPlanned)
	a.round()
	b.round()
	_, err := b.start("login", false)
	require.NoError(t, err)
	a.Changed(false)
	files.reads = 0
	r := a.round()
	assert.Zero(t, files.reads)
	assert.Equal(t, 1, r.Claims)
	assert.True(t, a.lease("login").Elsewhere())
}

// BenchmarkRounds is what a round costs with 2,000 objects, where it looks at all and where it rests.
func BenchmarkRounds(b *testing.B) {
	a, _ := sharingByGit(b, bare(b), "a")
	for n := range 2000 {
		a.task("t"+time.Duration(n).String(), resources.TaskPlanned)
	}
	for name, changed := range map[string]bool{"all": true, "resting": false} {
		a.round()
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				a.Changed(changed)
				a.round()
			}
		})
	}
}

// What hooks look for is what an exchange writes down.
func TestConflictsStandWhereHooksLook(t *testing.T) {
	t.Parallel()
	hub := bare(t)
	a, _ := sharingByGit(t, hub, "a")
	b, _ := sharingByGit(t, hub, "b")
	assert.Empty(t, b.Team.root.SyncConflicts())
	a.task("login", resources.TaskPlanned)
	b.task("login", resources.TaskFailed)
	a.round()
	b.round()
	assert.Len(t, b.Team.root.SyncConflicts(), 1)
	assert.Contains(t, b.Team.root.SyncConflicts()[0], "tasks--login.")
}
