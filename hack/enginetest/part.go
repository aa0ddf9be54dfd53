package enginetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// parted checks that a machine with a scope does not list or receive other items, and that their
// changes cause no conflicts.
func parted(t *testing.T, machines []engine.Grouped) {
	ctx, b := t.Context(), machines[1]
	a := machines[0].Part("state/o/p/", "state/o/one/x")
	for _, key := range []string{"state/o/p/a", "state/o/q/a", "state/o/one/x", "state/o/one/y", "claims/a", "machines/a"} {
		require.NoError(t, b.Txn(ctx, put(key, "", "1")))
	}
	items, at, err := a.ListAt(ctx, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"claims/a", "state/o/one/x", "state/o/p/a"}, keysOf(items))
	items, err = a.List(ctx, engine.State)
	require.NoError(t, err)
	assert.Equal(t, []string{"state/o/one/x", "state/o/p/a"}, keysOf(items))

	heard := make(chan watchEvent, 100)
	watching, end := context.WithCancel(ctx)
	ended := make(chan error)
	go func() {
		ended <- a.Watch(watching, "", at, func(changed []engine.Item, at string) { heard <- watchEvent{changed, at} })
	}()
	require.NoError(t, b.Txn(ctx, put("state/o/q/b", "", "1")))
	_, err = a.TxnAsOf(ctx, at, put("state/o/p/b", "", "1"))
	require.NoError(t, err, "other directories cause no conflict")
	one := next(t, heard)
	assert.Equal(t, []string{"state/o/p/b"}, keysOf(one.changed))
	assert.Equal(t, one.rev, one.changed[0].Rev, "a revision is a moment")

	require.NoError(t, b.Txn(ctx, engine.Op{Key: "state/o/p/b", Was: one.changed[0].Rev}))
	gone := next(t, heard)
	assert.Nil(t, gone.changed[0].Value)
	assert.Equal(t, gone.rev, gone.changed[0].Rev)
	assert.True(t, engine.Later(gone.rev, one.rev))
	_, err = a.TxnAsOf(ctx, one.rev, put("state/o/p/c", "", "1"))
	var conflict *engine.ConflictError
	require.ErrorAs(t, err, &conflict, "something in the folder was removed")
	_, err = a.TxnAsOf(ctx, gone.rev, put("state/o/q/c", "", "1"))
	require.NoError(t, err, "a machine may change items outside its part")
	end()
	assert.ErrorIs(t, <-ended, context.Canceled)
}

func keysOf(items []engine.Item) (keys []string) {
	for _, item := range items {
		keys = append(keys, item.Key)
	}
	return keys
}
