// Package enginetest is the conformance test of sync engines.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Team creates the engines of one team: machines engines with common storage.
type Team func(t *testing.T, machines int) []engine.Engine

// Run checks an engine against the contract. races is the number of rounds of tests with races.
func Run(t *testing.T, team Team, races int) {
	t.Run("one machine creates an item", func(t *testing.T) { createOnce(t, team(t, 8), races) })
	t.Run("no increment is lost", func(t *testing.T) { counted(t, team(t, 6), races) })
	t.Run("all changes or none", func(t *testing.T) { allOrNone(t, team(t, 2)) })
	t.Run("list by prefix", func(t *testing.T) { listed(t, team(t, 2)) })
	t.Run("any bytes are kept", func(t *testing.T) { anyBytes(t, team(t, 2)) })
	t.Run("a cancelled context is no conflict", func(t *testing.T) { ended(t, team(t, 1)[0]) })
	runMore(t, team)
}

// createOnce checks that exactly one of several machines creates an item.
func createOnce(t *testing.T, machines []engine.Engine, races int) {
	for round := range races {
		var won atomic.Int32
		key := fmt.Sprintf("claims/task-%d", round)
		together(machines, func(i int, e engine.Engine) {
			err := e.Txn(t.Context(), engine.Op{Key: key, Value: fmt.Appendf(nil, "machine %d", i)})
			var conflict *engine.ConflictError
			if err == nil {
				won.Add(1)
			} else if assert.ErrorAs(t, err, &conflict) {
				assert.Equal(t, []string{key}, conflict.Keys)
			}
		})
		assert.EqualValues(t, 1, won.Load(), "round %d", round)
	}
}

// counted checks that no increment of a common counter is lost.
func counted(t *testing.T, machines []engine.Engine, races int) {
	const key = "claims/counter"
	require.NoError(t, machines[0].Txn(t.Context(), engine.Op{Key: key, Value: []byte("0")}))
	var made atomic.Int32
	together(machines, func(i int, e engine.Engine) {
		for range races {
			item := only(t, e, key)
			n, err := strconv.Atoi(string(item.Value))
			require.NoError(t, err)
			err = e.Txn(t.Context(), engine.Op{Key: key, Was: item.Rev, Value: []byte(strconv.Itoa(n + 1))})
			var conflict *engine.ConflictError
			if err == nil {
				made.Add(1)
			} else {
				assert.ErrorAs(t, err, &conflict)
			}
		}
	})
	assert.Positive(t, made.Load())
	assert.Equal(t, strconv.Itoa(int(made.Load())), string(only(t, machines[0], key).Value))
}

func allOrNone(t *testing.T, machines []engine.Engine) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1")}, engine.Op{Key: "claims/b", Value: []byte("1")}))
	seen := only(t, b, "claims/a")
	require.NoError(t, b.Txn(ctx, engine.Op{Key: "claims/a", Was: seen.Rev, Value: []byte("2")}))

	err := a.Txn(ctx, engine.Op{Key: "claims/b", Was: only(t, a, "claims/b").Rev}, engine.Op{Key: "claims/a", Was: seen.Rev, Value: []byte("3")})
	var conflict *engine.ConflictError
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, []string{"claims/a"}, conflict.Keys)
	assert.Equal(t, "1", string(only(t, b, "claims/b").Value), "it was not removed")
	assert.Equal(t, "2", string(only(t, b, "claims/a").Value))

	require.ErrorAs(t, a.Txn(ctx, engine.Op{Key: "claims/none", Was: seen.Rev}), &conflict, "the item does not exist")
	require.NoError(t, a.Txn(ctx, engine.Op{Key: "claims/a", Was: only(t, a, "claims/a").Rev}))
	require.NoError(t, b.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("4")}), "it is free again")
}

func listed(t *testing.T, machines []engine.Engine) {
	ctx := t.Context()
	items, err := machines[0].List(ctx, "claims/")
	require.NoError(t, err)
	assert.Empty(t, items)
	for _, key := range []string{"claims/b", "claims/a", "claims/a.b-1", "other/a"} {
		require.NoError(t, machines[0].Txn(ctx, engine.Op{Key: key, Value: []byte(key)}))
	}
	items, err = machines[1].List(ctx, "claims/")
	require.NoError(t, err)
	var keys []string
	revs := map[string]bool{}
	for _, item := range items {
		assert.Equal(t, item.Key, string(item.Value))
		keys, revs[item.Rev] = append(keys, item.Key), true
	}
	assert.Equal(t, []string{"claims/a", "claims/a.b-1", "claims/b"}, keys)
	assert.Len(t, revs, 3)
}

func anyBytes(t *testing.T, machines []engine.Engine) {
	value := []byte("\x00\xff\r\n\n{}")
	require.NoError(t, machines[0].Txn(t.Context(), engine.Op{Key: "claims/a", Value: value}))
	assert.Equal(t, value, only(t, machines[1], "claims/a").Value)
}

func ended(t *testing.T, e engine.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := e.Txn(ctx, engine.Op{Key: "claims/a", Value: []byte("1")})
	var conflict *engine.ConflictError
	assert.False(t, err != nil && errors.As(err, &conflict), "no other machine changed the item")
}

func together(machines []engine.Engine, f func(int, engine.Engine)) {
	var all sync.WaitGroup
	for i, e := range machines {
		all.Go(func() { f(i, e) })
	}
	all.Wait()
}

func only(t *testing.T, e engine.Engine, key string) engine.Item {
	items, err := e.List(t.Context(), key)
	require.NoError(t, err)
	for _, item := range items {
		if item.Key == key {
			return item
		}
	}
	t.Fatalf("%s does not exist", key)
	return engine.Item{}
}

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
