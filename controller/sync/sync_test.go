package sync

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// machine is one clone of a team.
type machine struct {
	*Team
	t    testing.TB
	root layout.Root
	book leases.Leases
	way  *way
}

// way is how a machine reaches the team: it may be cut.
type way struct {
	engine.Engine
	cut bool
}

var errCut = errors.New("no route to host")

func (w *way) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	if w.cut {
		return nil, errCut
	}
	return w.Engine.List(ctx, prefix)
}

func (w *way) Txn(ctx context.Context, ops ...engine.Op) error {
	if w.cut {
		return errCut
	}
	return w.Engine.Txn(ctx, ops...)
}

func join(t *testing.T, e engine.Engine, name string) *machine {
	dir := t.TempDir()
	for _, sub := range []string{".git", ".idumb/tasks"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, sub), 0o700))
	}
	root := layout.Root(dir)
	w := &way{Engine: e}
	book := leases.Open(root)
	return &machine{New(book, w, name, Folder(filepath.Join(dir, ".git"))), t, root, book, w}
}

// task writes a task as it stands in this clone.
func (m *machine) task(name, state string) *resources.Task {
	content := `{"apiVersion":"idumb.dev/v1alpha1","kind":"TaskNode","metadata":{"name":"` + name + `","uid":"u-1"},"spec":{"workPlan":"p","title":"T","expectedOutput":"x","state":"` + state + `"}}`
	require.NoError(m.t, os.WriteFile(m.root.Abs(".idumb/tasks/"+name+".json"), []byte(content), 0o600))
	return &resources.Task{Header: resources.Header{Metadata: resources.Meta{Name: name, UID: "u-1"}}, Spec: resources.TaskSpec{State: state}}
}

// start is what a command does that starts a task, in a session of its own.
func (m *machine) start(name string, takeOver bool) (warning string, err error) {
	task := m.task(name, resources.TaskPlanned)
	holder := m.book.Session("s-"+m.clone, nil)
	taken, err := m.Acquire(m.t.Context(), task, holder, takeOver, noon)
	if err != nil {
		return "", err
	}
	claimed, err := m.book.Claim(task, holder, false, noon)
	if err != nil {
		taken.Undo(m.t.Context())
		return "", err
	}
	m.task(name, resources.TaskActive)
	taken.Done(claimed.Lease)
	return taken.Warning(name), nil
}

func (m *machine) round() Report {
	r, err := m.Round(m.t.Context(), noon)
	require.NoError(m.t, err)
	again, err := m.Round(m.t.Context(), noon)
	require.NoError(m.t, err)
	assert.Empty(m.t, again.Claimed, "twice is as good as once")
	assert.Empty(m.t, again.Released)
	return r
}

func (m *machine) lease(name string) *resources.Lease {
	return m.book.Get(m.task(name, resources.TaskActive))
}

// Of two machines one has a task, and the other one's gate reads that from a lease of its own clone.
func TestOneHolderInTheTeam(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	warning, err := a.start("login", false)
	require.NoError(t, err)
	assert.Empty(t, warning)
	assert.Equal(t, resources.ClaimConfirmed, a.lease("login").Spec.Team.Claim)

	_, err = b.start("login", false)
	var held *leases.HeldError
	require.ErrorAs(t, err, &held)
	assert.Equal(t, "s-a", held.Lease.Spec.Holder.Session)
	theirs := b.lease("login")
	require.True(t, theirs.InOtherClone())
	assert.Empty(t, theirs.Spec.Holder.Worktree, "where it stands is nobody's business")
	assert.NotNil(t, b.book.OtherLease(b.task("login", resources.TaskPlanned), b.book.User(), noon.Add(48*time.Hour)), "it does not end by itself")

	a.task("login", resources.TaskFailed)
	assert.Equal(t, []string{"login"}, a.round().Released)
	b.round()
	assert.Nil(t, b.lease("login"))
	_, err = b.start("login", false)
	assert.NoError(t, err)
}

// A task that is over is not started by a clone that does not have that state; a clone that has it may start the
// task again. The mark outlives the claim's lease with the engine, and goes once other clones have the state.
func TestEndedTasksAreMarked(t *testing.T) {
	for _, state := range []string{resources.TaskCompleted, resources.TaskAbandoned} {
		t.Run(state, func(t *testing.T) {
			c := newClocked()
			a, b := timed(t, c, "a"), timed(t, c, "b")
			_, err := a.start("login", false)
			require.NoError(t, err)
			a.task("login", state)
			assert.Equal(t, Report{Ended: []string{"login"}}, a.roundAt(c.now))
			assert.Equal(t, Report{}, a.roundAt(c.now))
			all, _ := a.book.All()
			assert.Empty(t, all)

			c.now = c.now.Add(24 * time.Hour)
			a.roundAt(c.now)
			_, err = b.start("login", false)
			var held *leases.HeldError
			require.ErrorAs(t, err, &held)
			assert.Equal(t, state, held.Lease.Ended())
			assert.Equal(t, Report{}, b.roundAt(c.now), "nobody holds it")
			planned := b.task("login", resources.TaskPlanned)
			assert.NotNil(t, b.book.OtherLease(planned, b.book.User(), c.now))

			b.task("login", state) // it came by git
			assert.Nil(t, b.book.OtherLease(b.task("login", state), b.book.User(), c.now))
			b.roundAt(c.now)
			all, _ = b.book.All()
			assert.Empty(t, all)
			ended := noon
			b.roundAt(ended.Add(minMarkAge))
			found, err := b.Claims(t.Context())
			require.NoError(t, err)
			assert.Len(t, found, 1, "a third clone may not have pulled")
			b.roundAt(ended.Add(minMarkAge + time.Hour))
			found, err = b.Claims(t.Context())
			require.NoError(t, err)
			assert.Empty(t, found)
		})
	}
}

// Who knows that a task is over starts it again, and who does not takes it over by a word of its own. An attempt
// that fails leaves the mark.
func TestEndedTasksStartAgain(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	_, err := a.start("login", false)
	require.NoError(t, err)
	a.task("login", resources.TaskCompleted)
	a.round()
	task := b.task("login", resources.TaskCompleted)
	taken, err := b.Acquire(t.Context(), task, b.book.User(), false, noon)
	require.NoError(t, err)
	assert.Nil(t, taken.Previous, "nobody held it")
	taken.Undo(t.Context())
	found, err := a.Claims(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 1)
	for _, c := range found {
		assert.Equal(t, resources.TaskCompleted, c.Ended)
	}
	_, err = b.start("login", true)
	require.NoError(t, err)
	assert.Equal(t, Report{Claims: 1, Mine: 1}, b.round())
	var held *leases.HeldError
	_, err = a.start("login", false)
	require.ErrorAs(t, err, &held)
	assert.Empty(t, held.Lease.Ended())
}

// A task that was started here while another clone ended it is lost, and said to be over.
func TestStartedOfflineAndEndedElsewhere(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	b.way.cut = true
	_, err := b.start("login", false)
	require.NoError(t, err)
	_, err = a.start("login", false)
	require.NoError(t, err)
	a.task("login", resources.TaskCompleted)
	a.round()
	b.way.cut = false
	lost := b.round().Conflicts
	require.Len(t, lost, 1)
	assert.Contains(t, lost[0].String(), "task login was completed by ")
	assert.True(t, b.lease("login").InOtherClone())
}

// A claim that was given back is free at once, also where the clone still knows it as another one's.
func TestAFreeTaskIsStartedBeforeTheNextRound(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	_, err := a.start("login", false)
	require.NoError(t, err)
	b.round()
	a.task("login", resources.TaskFailed)
	a.round()
	require.True(t, b.lease("login").InOtherClone())
	_, err = b.start("login", false)
	require.NoError(t, err)
	assert.False(t, b.lease("login").InOtherClone())
}

// Whoever takes a task over replaces the claim that they saw; whose it was is told by the next round.
func TestTakenOver(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	_, err := a.start("login", false)
	require.NoError(t, err)
	_, err = b.start("login", true)
	require.NoError(t, err)
	r := a.round()
	require.Len(t, r.Conflicts, 1)
	assert.Equal(t, "s-b", r.Conflicts[0].Owner.Session)
	assert.True(t, a.lease("login").InOtherClone())
	assert.Equal(t, Report{Claims: 1, Mine: 1}, b.round())
}

// Two start a task while nothing reaches the team: the first that does keeps it, the other one's
// lease says whose it is.
func TestOffline(t *testing.T) {
	var team memengine.Engine
	a, b := join(t, &team, "a"), join(t, &team, "b")
	for _, m := range []*machine{a, b} {
		m.way.cut = true
		warning, err := m.start("login", false)
		require.NoError(t, err)
		assert.Contains(t, warning, "task login is unclaimed")
		assert.Contains(t, warning, "no route to host")
		assert.Equal(t, resources.ClaimPending, m.lease("login").Spec.Team.Claim)
		_, err = m.Round(t.Context(), noon)
		require.ErrorIs(t, err, errCut)
		assert.Equal(t, 2, m.Notes().Waiting)
		m.way.cut = false
	}
	assert.Equal(t, []string{"login"}, b.round().Claimed)
	assert.Equal(t, resources.ClaimConfirmed, b.lease("login").Spec.Team.Claim)
	assert.Len(t, a.round().Conflicts, 1)
	assert.True(t, a.lease("login").InOtherClone())
	assert.Empty(t, a.Notes().Reason)
}

// A task that could not be started is given back.
func TestUndone(t *testing.T) {
	var team memengine.Engine
	a := join(t, &team, "a")
	taken, err := a.Acquire(t.Context(), a.task("login", resources.TaskPlanned), a.book.User(), false, noon)
	require.NoError(t, err)
	taken.Undo(t.Context())
	found, err := a.Claims(t.Context())
	require.NoError(t, err)
	assert.Empty(t, found)
}

// What a process left that was killed between the claim and the start is given back by the next round.
func TestAClaimWithoutALease(t *testing.T) {
	var team memengine.Engine
	a := join(t, &team, "a")
	taken, err := a.Acquire(t.Context(), a.task("login", resources.TaskPlanned), a.book.User(), false, noon)
	require.NoError(t, err)
	taken.unlock() // the lock goes with the process
	assert.Equal(t, []string{"login"}, a.round().Released)
}

// What strangers write where claims stand holds nothing, and is left alone.
func TestHostileClaims(t *testing.T) {
	var team memengine.Engine
	for key, value := range map[string]string{
		"claims/a": "not json", "claims/b": `{"task":"../../etc","clone":"x","person":"p"}`, "claims/c": `{"task":"other","clone":"x","person":"p"}`,
		"claims/d": `{"task":"d","clone":"","person":"p"}`, "claims/e": `{"task":"e","clone":"x","session":"../x"}`, "claims/f": `{"task":"f","clone":"x"}`,
		"claims/g": `{"task":"g","clone":"x","person":"` + string(make([]byte, 300)) + `"}`, "claims/h": string(make([]byte, 9<<10)),
	} {
		require.NoError(t, team.Txn(t.Context(), engine.Op{Key: key, Value: []byte(value)}))
	}
	a := join(t, &team, "a")
	assert.Equal(t, Report{}, a.round())
	all, broken := a.book.All()
	assert.Empty(t, all)
	assert.Empty(t, broken)
	items, err := team.List(t.Context(), "claims/")
	require.NoError(t, err)
	assert.Len(t, items, 8)
}

// Names of tasks that are no names of git's refs have others.
func TestKeysAreRefs(t *testing.T) {
	assert.Equal(t, "claims/login-api.u-1", keyOf("login-api", "u-1"))
	assert.Equal(t, "claims/login-api", keyOf("login-api", ""))
	seen := map[string]bool{}
	for _, name := range []string{"a..b", "a.", "a.lock", "a..c"} {
		key := keyOf(name, "")
		assert.Regexp(t, `^claims/sha256-[0-9a-f]{64}$`, key)
		seen[key] = true
	}
	assert.Len(t, seen, 4)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"v":1,"task":"a","uid":"u-1","clone":"x","machine":"m","person":"p","at":"2026-11-26T12:00:00Z"}`))
	f.Add([]byte(`{"task":"a","clone":"x","session":"s"}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		c, err := decode(engine.Item{Key: "claims/a.u-1", Rev: "1", Value: value})
		if err != nil {
			return
		}
		data, err := resources.EncodeLease(c.Lease())
		require.NoError(t, err)
		_, err = resources.DecodeLease(data)
		require.NoError(t, err, "what is taken for a claim is a lease that can be read")
	})
}

// Junk where a task's claim stands keeps nobody from starting it: whoever does replaces it.
func TestJunkIsReplaced(t *testing.T) {
	var team memengine.Engine
	for _, task := range []string{"login", "logout"} {
		require.NoError(t, team.Txn(t.Context(), engine.Op{Key: keyOf(task, "u-1"), Value: []byte("junk")}))
	}
	a := join(t, &team, "a")
	began := time.Now()
	warning, err := a.start("login", false)
	require.NoError(t, err)
	assert.Empty(t, warning)
	assert.Less(t, time.Since(began), 5*time.Second, "it asked again and again")
	a.way.cut = true
	_, err = a.start("logout", false)
	require.NoError(t, err)
	a.way.cut = false
	assert.Equal(t, []string{"logout"}, a.round().Claimed)
}
