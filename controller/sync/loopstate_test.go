package sync

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	hub, edited := bare(t), map[resources.Key]string{{Kind: resources.Tasks, Name: "login"}: "1"}
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
	assert.NotZero(t, reads(), "nobody said that nothing changed")
	a.Changed(nil)
	assert.NotZero(t, reads(), "it is told from now on")
	assert.Zero(t, reads())
	assert.Equal(t, 1, a.Notes().Plans.Team, "what is known of the objects still is")

	for what, change := range map[string]func(){
		"something changed here": func() { a.Changed(edited) },
		"another clone sent something": func() {
			b.task("logout", resources.TaskPlanned)
			b.round()
		},
		"a command wrote something": func() {
			w := &WrittenVersions{a.Team.root.SyncScratch(), files}
			require.NoError(t, w.Note(t.Context(), map[resources.Key][]byte{{Kind: resources.Tasks, Name: "login"}: []byte(a.file("login"))}))
		},
		"an object is to go": func() {
			require.NoError(t, NewTombstones(a.Team.root.SyncScratch()).Add(Tombstone{Kind: resources.Tasks, Name: "login"}))
		},
		"a user decided something": func() { require.NoError(t, a.AgreeToSend([]byte("x"))) },
		"another process noted something": func() {
			require.NoError(t, os.WriteFile(filepath.Join(a.Team.root.SyncFolder(), "base.jsonl"), []byte("\n"), 0o600))
		},
		"all is looked at once in a while": func() { now = now.Add(fullCompareInterval) },
	} {
		change()
		assert.NotZero(t, reads(), what)
		a.Changed(nil)
		assert.Zero(t, reads(), "after: "+what)
	}

	a.task("late", resources.TaskPlanned)
	a.SetDelayPushes(true)
	a.Changed(map[resources.Key]string{{Kind: resources.Tasks, Name: "late"}: "1"})
	assert.NotZero(t, reads())
	a.Changed(nil)
	assert.NotZero(t, reads(), "something waits to be sent")
}

// What a round itself wrote here is no change, if it still is what it wrote.
func TestARoundsOwnWritesAreNoChange(t *testing.T) {
	t.Parallel()
	hub, login := bare(t), resources.Key{Kind: resources.Tasks, Name: "login"}
	a, files := sharingByGit(t, hub, "a")
	b, _ := sharingByGit(t, hub, "b")
	reads := func(rev string) int {
		files.reads = 0
		a.Changed(map[resources.Key]string{login: rev})
		_, err := a.Round(t.Context(), noon)
		require.NoError(t, err)
		return files.reads
	}
	b.task("login", resources.TaskPlanned)
	b.round()
	assert.NotZero(t, reads("1"))
	taken := resources.Revision([]byte(a.file("login")))
	assert.Zero(t, reads(taken))
	assert.Zero(t, reads(taken), "however often it is told")
	assert.NotZero(t, reads(""), "somebody removed it since")

	r, err := b.Team.store.Get(t.Context(), login)
	require.NoError(t, err)
	require.NoError(t, b.Team.store.Archive(t.Context(), login, r.Rev))
	b.round()
	assert.NotZero(t, reads(taken))
	assert.Zero(t, reads(""), "it was set aside")
	assert.NotZero(t, reads("2"), "somebody made another one")
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
	a.Changed(nil)
	a.round()
	files.reads = 0
	r := a.round()
	assert.Zero(t, files.reads)
	assert.Equal(t, 1, r.Claims)
	assert.True(t, a.lease("login").InOtherClone())
}

// BenchmarkRounds is what a round costs with 2,000 objects: one that looks at all, one that sends a change, and
// one in which nothing changed.
func BenchmarkRounds(b *testing.B) {
	a, _ := sharingByGit(b, bare(b), "a")
	for n := range 2000 {
		a.task(fmt.Sprint("t", n), resources.TaskPlanned)
	}
	a.Changed(nil)
	a.round()
	one, edits := resources.Key{Kind: resources.Tasks, Name: "t1"}, 0
	text := a.file(one.Name)
	for _, c := range []struct {
		name   string
		before func()
	}{
		{"all", func() { a.keepOrClose(false) }},
		{"a change", func() {
			edits++
			next := strings.Replace(text, `"T"`, fmt.Sprintf(`"T%d"`, edits), 1)
			require.NoError(b, os.WriteFile(a.Team.root.Abs(layout.Path(one)), []byte(next), 0o600))
			a.Changed(map[resources.Key]string{one: fmt.Sprint(edits)})
		}},
		{"resting", func() { a.Changed(nil) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			a.round()
			for b.Loop() {
				c.before()
				_, err := a.Round(b.Context(), noon)
				require.NoError(b, err)
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

// What is noted between two rounds is known to the next one, which looks at that alone.
func TestWhatIsNotedBetweenRounds(t *testing.T) {
	t.Parallel()
	a, files := sharingByGit(t, bare(t), "a")
	login := resources.Key{Kind: resources.Tasks, Name: "login"}
	a.task("login", resources.TaskPlanned)
	a.task("other", resources.TaskPlanned)
	a.Changed(nil)
	_, err := a.Round(t.Context(), time.Now())
	require.NoError(t, err)
	a.task("login", resources.TaskFailed)
	edited := a.file("login")
	require.NoError(t, a.Remember(t.Context(), login))
	require.NoError(t, os.Remove(a.Team.root.Abs(layout.Path(login))))
	a.Changed(map[resources.Key]string{login: ""})
	files.reads = 0
	r, err := a.Round(t.Context(), time.Now())
	require.NoError(t, err)
	assert.Equal(t, []resources.Key{login}, r.Plans.PutBack)
	assert.Equal(t, []resources.Key{login}, r.Plans.Pushed)
	assert.Equal(t, edited, a.file("login"))
	assert.Less(t, files.reads, 2*len(SharedKinds()), "not all is listed, as twice in another round")
}

// What git tracks no more is the team's from the next look on, though only another object was told of.
func TestGitLetsGo(t *testing.T) {
	t.Parallel()
	a, _ := sharingByGit(t, bare(t), "a")
	login, other := resources.Key{Kind: resources.Tasks, Name: "login"}, resources.Key{Kind: resources.Tasks, Name: "other"}
	git := func(args ...string) {
		require.NoError(t, exec.Command("git", append([]string{"-C", string(a.Team.root)}, args...)...).Run())
	}
	round := func(told map[resources.Key]string) *Report {
		a.Changed(told)
		r, err := a.Round(t.Context(), noon)
		require.NoError(t, err)
		return &r
	}
	a.task("login", resources.TaskPlanned)
	a.task("other", resources.TaskPlanned)
	git("add", layout.Path(login))
	r := round(nil)
	assert.Equal(t, []resources.Key{other}, r.Plans.Pushed)
	assert.Equal(t, 1, r.Plans.Tracked)
	git("rm", "-q", "--cached", layout.Path(login))
	a.task("other", resources.TaskFailed)
	r = round(map[resources.Key]string{other: "1"})
	assert.Equal(t, []resources.Key{login, other}, r.Plans.Pushed)
	assert.Zero(t, r.Plans.Tracked)
}
