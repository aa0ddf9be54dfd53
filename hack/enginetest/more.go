package enginetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// soon is the timeout of automatic effects.
const soon = 20 * time.Second

// compacter is an engine that can discard its history.
type compacter interface {
	Compact(ctx context.Context) error
}

// runMore checks the optional interfaces that an engine implements.
func runMore(t *testing.T, team Team) {
	if all[engine.Strict](team(t, 1)) != nil {
		t.Run("a change conflicts with any change since the listing", func(t *testing.T) { strict(t, all[engine.Strict](team(t, 2))) })
		t.Run("machines race after a listing", func(t *testing.T) { strictRace(t, team(t, 4)) })
	}
	if all[engine.Differ](team(t, 1)) != nil {
		t.Run("changes since a moment", func(t *testing.T) { differs(t, all[engine.Differ](team(t, 2))) })
	}
	if all[engine.Limited](team(t, 1)) != nil {
		t.Run("the maximal number of changes at once", func(t *testing.T) { limited(t, team(t, 2)) })
	}
	if all[engine.Watcher](team(t, 1)) != nil {
		t.Run("a watch reports each change once", func(t *testing.T) { testWatchers(t, all[engine.Watcher](team(t, 2))) })
		t.Run("a compacted history is listed again", func(t *testing.T) { compacted(t, all[engine.Watcher](team(t, 2))) })
	}
	if all[engine.Grouped](team(t, 1)) != nil {
		t.Run("a machine follows a part", func(t *testing.T) { parted(t, all[engine.Grouped](team(t, 2))) })
	}
	if all[engine.Leaser](team(t, 1)) != nil {
		t.Run("items of a lease expire with it", func(t *testing.T) { inParallel(t, team, leased) })
		t.Run("an extended lease is kept", func(t *testing.T) { inParallel(t, team, testKept) })
		t.Run("an expired lease cannot be used", func(t *testing.T) { inParallel(t, team, testExpired) })
	}
}

// inParallel runs a test that waits for the clock in parallel with other tests.
func inParallel(t *testing.T, team Team, f func(*testing.T, []engine.Leaser)) {
	machines := all[engine.Leaser](team(t, 2))
	t.Parallel()
	f(t, machines)
}

// all converts the machines to engines with an optional interface. It returns nil if they do not
// implement it.
func all[E engine.Engine](machines []engine.Engine) (more []E) {
	for _, e := range machines {
		m, can := e.(E)
		if !can {
			return nil
		}
		more = append(more, m)
	}
	return more
}

// watchEvent is a notice of a watch: the changed items and the moment.
type watchEvent struct {
	changed []engine.Item
	rev     string
}

// watch returns a channel of the changes after a moment, until the test ends.
func watch(t *testing.T, e engine.Watcher, after string) <-chan watchEvent {
	heard := make(chan watchEvent, 1000)
	go func() {
		err := e.Watch(t.Context(), "claims/", after, func(changed []engine.Item, at string) { heard <- watchEvent{changed, at} })
		assert.ErrorIs(t, err, context.Canceled)
	}()
	return heard
}

func next(t *testing.T, heard <-chan watchEvent) watchEvent {
	select {
	case n := <-heard:
		return n
	case <-time.After(soon):
		t.Fatal("the watch reports no change")
		return watchEvent{}
	}
}

func testWatchers(t *testing.T, machines []engine.Watcher) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/before", Value: []byte("0")}))
	items, at, err := b.ListAt(ctx, "claims/")
	require.NoError(t, err)
	require.Len(t, items, 1)

	const writes = 50
	for n := range writes {
		require.NoError(t, a.Txn(ctx, engine.Op{Key: fmt.Sprintf("claims/t-%d", n), Value: []byte("1")}, engine.Op{Key: fmt.Sprintf("other/t-%d", n), Value: []byte("1")}))
	}
	heard, resume := watch(t, b, at), ""
	for n := range writes {
		one := next(t, heard)
		require.Len(t, one.changed, 1)
		assert.Equal(t, fmt.Sprintf("claims/t-%d", n), one.changed[0].Key)
		if n == writes/2 {
			resume = one.rev
		}
	}
	again := watch(t, b, resume)
	for n := writes/2 + 1; n < writes; n++ {
		assert.Equal(t, fmt.Sprintf("claims/t-%d", n), next(t, again).changed[0].Key)
	}
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/before", Was: items[0].Rev}, engine.Op{Key: "claims/more", Value: []byte("2")}))
	one := next(t, heard)
	require.Len(t, one.changed, 2, "changes of one moment are one report")
	slices.SortFunc(one.changed, func(x, y engine.Item) int { return len(y.Key) - len(x.Key) })
	assert.Nil(t, one.changed[0].Value, "it was removed")
	assert.Equal(t, only(t, b, "claims/more"), one.changed[1])
}

func compacted(t *testing.T, machines []engine.Watcher) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	forget, can := a.(compacter)
	if !can {
		t.Skip("the engine cannot discard its history")
	}
	_, at, err := b.ListAt(ctx, "claims/")
	require.NoError(t, err)
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1")}))
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Was: only(t, a, "claims/a").Rev, Value: []byte("2")}))
	require.NoError(t, forget.Compact(ctx))
	err = b.Watch(ctx, "claims/", at, func([]engine.Item, string) {})
	require.ErrorIs(t, err, engine.ErrCompacted)
	items, at, err := b.ListAt(ctx, "claims/")
	require.NoError(t, err)
	assert.Equal(t, "2", string(items[0].Value))
	heard := watch(t, b, at)
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/b", Value: []byte("3")}))
	assert.Equal(t, "claims/b", next(t, heard).changed[0].Key)
}

const ttl = 2 * time.Second

// leased checks that the items of a disconnected machine expire with its lease.
func leased(t *testing.T, machines []engine.Leaser) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	before := time.Now()
	lease, err := a.Lease(ctx, "", ttl)
	require.NoError(t, err)
	assert.False(t, lease.Until.Before(before.Add(ttl)), "it lasts for the requested time")
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1"), Lease: lease.ID}, engine.Op{Key: "claims/kept", Value: []byte("1")}))
	assert.Equal(t, lease.ID, only(t, b, "claims/a").Lease)
	assert.Empty(t, only(t, b, "claims/kept").Lease)
	for {
		items, err := b.List(ctx, "claims/a")
		require.NoError(t, err)
		if len(items) == 0 {
			break
		}
		require.Less(t, time.Since(lease.Until), soon, "the item does not expire")
		time.Sleep(20 * time.Millisecond)
	}
	assert.True(t, time.Now().After(lease.Until), "it expired before the time that its holder was given")
	only(t, b, "claims/kept")
	require.NoError(t, b.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("2")}), "it is free")
}

func testKept(t *testing.T, machines []engine.Leaser) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	lease, err := a.Lease(ctx, "", ttl)
	require.NoError(t, err)
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1"), Lease: lease.ID}))
	rev := only(t, a, "claims/a").Rev
	for first := lease.Until; time.Now().Before(first.Add(ttl)); time.Sleep(ttl / 4) {
		again, err := b.Lease(ctx, lease.ID, ttl) // another process of the machine
		require.NoError(t, err)
		require.Equal(t, lease.ID, again.ID)
	}
	assert.Equal(t, rev, only(t, b, "claims/a").Rev)
}

// testExpired checks that a machine cannot use an expired lease.
func testExpired(t *testing.T, machines []engine.Leaser) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	lease, err := a.Lease(ctx, "", ttl)
	require.NoError(t, err)
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1"), Lease: lease.ID}))
	require.Eventually(t, func() bool {
		items, err := b.List(ctx, "claims/a")
		return err == nil && len(items) == 0
	}, ttl+soon, 50*time.Millisecond)
	var conflict *engine.ConflictError
	require.ErrorAs(t, a.Txn(ctx, engine.Op{Key: "claims/b", Value: []byte("1"), Lease: lease.ID}), &conflict, "an expired lease must be requested again")
	again, err := a.Lease(ctx, lease.ID, ttl)
	require.NoError(t, err)
	require.NotEqual(t, lease.ID, again.ID, "it is a new lease")
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/b", Value: []byte("1"), Lease: again.ID}))
}
