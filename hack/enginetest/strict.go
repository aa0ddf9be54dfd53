package enginetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

func put(key, was, value string) engine.Op {
	return engine.Op{Key: key, Was: was, Value: []byte(value)}
}

// strict checks transactions as of a listing, with and without concurrent changes.
func strict(t *testing.T, machines []engine.Strict) {
	ctx, a, b, at := t.Context(), machines[0], machines[1], ""
	list := func() {
		var err error
		_, at, err = a.ListAt(ctx, "")
		require.NoError(t, err)
	}
	change := func(ops ...engine.Op) (err error) {
		next, err := a.TxnAsOf(ctx, at, ops...)
		if err == nil {
			at = next
		}
		return err
	}
	refused := func(why string) {
		var conflict *engine.ConflictError
		require.ErrorAs(t, change(put("state/o/new", "", "1")), &conflict, why)
		assert.Equal(t, []string{"state/o/new"}, conflict.Keys)
	}
	require.NoError(t, b.Txn(ctx, put("state/o/x", "", "1")))
	list()
	require.NoError(t, b.Txn(ctx, put("state/o/y", "", "1")))
	refused("another item was made")
	_, err := a.List(ctx, "")
	require.NoError(t, err)
	refused("a later List does not change the moment")
	list()
	require.NoError(t, b.Txn(ctx, engine.Op{Key: "state/o/y", Was: only(t, b, "state/o/y").Rev}))
	refused("another item was removed")
	list()
	require.NoError(t, b.Txn(ctx, put("state/o/x", only(t, b, "state/o/x").Rev, "2")))
	refused("another item was changed")

	list()
	require.NoError(t, b.Txn(ctx, put("claims/x", "", "1")), "a claim is not part of the state")
	require.NoError(t, change(put("state/o/new", "", "1"), put("claims/y", "", "1")))
	require.NoError(t, change(put("state/o/newer", "", "1")), "its own change causes no conflict")
	require.NoError(t, b.Txn(ctx, put("state/o/z", "", "1")))
	var conflict *engine.ConflictError
	require.ErrorAs(t, change(put("state/o/newest", "", "1")), &conflict, "a change of another machine causes a conflict")
	require.NoError(t, change(put("claims/z", "", "1")), "a claim without other items conflicts only with the same claim")
	list()
	require.ErrorAs(t, change(put("state/o/z", "", "2")), &conflict, "its items must be unchanged since the listing")
}

// differs checks that a query for changes returns each changed item once, with its current state.
func differs(t *testing.T, machines []engine.Differ) {
	ctx, a, b := t.Context(), machines[0], machines[1]
	for _, key := range []string{"state/o/changed", "state/o/removed", "state/o/rests", "claims/rests"} {
		require.NoError(t, b.Txn(ctx, put(key, "", "1")))
	}
	_, at, err := a.ListAt(ctx, "")
	require.NoError(t, err)
	beside, changed, now, err := a.Since(ctx, at)
	require.NoError(t, err)
	assert.Equal(t, []engine.Item{only(t, b, "claims/rests")}, beside)
	assert.Empty(t, changed)
	assert.Equal(t, at, now)

	for value := range 2 {
		require.NoError(t, b.Txn(ctx, put("state/o/changed", only(t, b, "state/o/changed").Rev, strconv.Itoa(value+2))))
	}
	require.NoError(t, b.Txn(ctx, engine.Op{Key: "state/o/removed", Was: only(t, b, "state/o/removed").Rev}, put("state/a/removed", "", ""), put("claims/new", "", "1")))
	beside, changed, now, err = a.Since(ctx, at)
	require.NoError(t, err)
	assert.Equal(t, []engine.Item{only(t, b, "claims/new"), only(t, b, "claims/rests")}, beside)
	require.Len(t, changed, 3)
	slices.SortFunc(changed, func(x, y engine.Item) int { return strings.Compare(x.Key, y.Key) })
	assert.Equal(t, only(t, b, "state/a/removed"), changed[0])
	assert.Equal(t, only(t, b, "state/o/changed"), changed[1])
	assert.Equal(t, "state/o/removed", changed[2].Key)
	assert.Nil(t, changed[2].Value, "it was removed")
	_, changed, _, err = a.Since(ctx, now)
	require.NoError(t, err)
	assert.Empty(t, changed)
	_, err = a.TxnAsOf(ctx, now, put("state/o/new", "", "1"))
	require.NoError(t, err, "the result of Since is the new moment")
	_, _, _, err = a.Since(ctx, "not a moment")
	assert.ErrorIs(t, err, engine.ErrCompacted)
}

// strictRace checks that concurrent transactions as of a listing miss no item of another machine.
func strictRace(t *testing.T, machines []engine.Engine) {
	const rounds = 5
	var made atomic.Int32
	together(machines, func(i int, e engine.Engine) {
		for n := range rounds {
			strict := e.(engine.Strict)
			items, at, err := strict.ListAt(t.Context(), engine.State)
			if !assert.NoError(t, err) {
				return
			}
			_, err = strict.TxnAsOf(t.Context(), at, put(fmt.Sprintf("state/o/m%d-%d", i, n), "", strconv.Itoa(len(items))))
			var conflict *engine.ConflictError
			if err == nil {
				made.Add(1)
			} else {
				assert.True(t, errors.As(err, &conflict), "%v", err)
			}
		}
	})
	items, err := machines[0].List(t.Context(), engine.State)
	require.NoError(t, err)
	assert.Positive(t, made.Load())
	require.Len(t, items, int(made.Load()))
	saw := map[string]bool{}
	for _, item := range items {
		saw[string(item.Value)] = true
	}
	assert.Len(t, saw, len(items), "each transaction listed all earlier items")
}

// limited checks transactions of the maximal number of changes and values of the maximal size.
func limited(t *testing.T, machines []engine.Engine) {
	a := machines[0].(engine.Limited)
	var ops []engine.Op
	for n := range a.MostOps() {
		ops = append(ops, put(fmt.Sprintf("state/o/t%d", n), "", "1"))
	}
	require.NoError(t, a.Txn(t.Context(), ops...))
	items, err := machines[1].List(t.Context(), engine.State)
	require.NoError(t, err)
	assert.Len(t, items, len(ops))
	for i, item := range items {
		ops[i] = engine.Op{Key: item.Key, Was: item.Rev, Value: make([]byte, engine.MaxValue/len(items))}
	}
	if strict, is := a.(engine.Strict); is {
		_, at, err := strict.ListAt(t.Context(), engine.State)
		require.NoError(t, err)
		_, err = strict.TxnAsOf(t.Context(), at, ops...)
		require.NoError(t, err)
	}
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/long", Value: bytes.Repeat([]byte("x"), engine.MaxValue)}))
}
