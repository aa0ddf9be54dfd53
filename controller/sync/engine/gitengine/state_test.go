package gitengine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/enginetest"
)

// inState has the items that a test makes stand in the state. It is not strict: claims are none of it.
type inState struct{ e *Engine }

func (e inState) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, err := e.e.List(ctx, statePrefix+prefix)
	for i := range items {
		items[i].Key = strings.TrimPrefix(items[i].Key, statePrefix)
	}
	return items, err
}

func (e inState) Txn(ctx context.Context, ops ...engine.Op) error {
	for i := range ops {
		ops[i].Key = statePrefix + ops[i].Key
	}
	err := e.e.Txn(ctx, ops...)
	if conflict, ok := err.(*engine.ConflictError); ok {
		for i := range conflict.Keys {
			conflict.Keys[i] = strings.TrimPrefix(conflict.Keys[i], statePrefix)
		}
	}
	return err
}

func TestTheStateIsAnEngine(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t *testing.T, machines int) []engine.Engine {
		hub := t.TempDir()
		run(t, hub, "init", "-q", "--bare")
		var team []engine.Engine
		for range machines {
			team = append(team, inState{apart(t, hub)})
		}
		return team
	}, 2)
}

// apart is a clone that keeps the state apart from its own objects.
func apart(t *testing.T, hub string) *Engine {
	e := clone(t, hub)
	e.Cache = filepath.Join(e.Dir, ".git", "idumb", "sync", "state")
	return e
}

func hub(t *testing.T) string {
	dir := t.TempDir()
	run(t, dir, "init", "-q", "--bare")
	return dir
}

// Changes of other items do not keep a change from being made, unless it is about all that was listed.
func TestOthersChangesAtOnce(t *testing.T) {
	t.Parallel()
	at := hub(t)
	a, b := apart(t, at), apart(t, at)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/x", Value: []byte("1")}))
	require.NoError(t, b.Txn(t.Context(), engine.Op{Key: "state/o/y", Value: []byte("1")}), "it did not look, and is about y alone")
	_, seen, err := a.ListAt(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, b.Txn(t.Context(), engine.Op{Key: "state/o/z", Value: []byte("1")}))
	_, err = a.TxnAsOf(t.Context(), seen, engine.Op{Key: "state/o/w", Value: []byte("1")})
	var conflict *engine.ConflictError
	require.ErrorAs(t, err, &conflict, "it looked, and something changed since")
	assert.Equal(t, []string{"state/o/w"}, conflict.Keys)

	var all sync.WaitGroup
	for _, e := range []*Engine{a, b} {
		all.Go(func() {
			for n := range 4 {
				assert.NoError(t, e.Txn(t.Context(), engine.Op{Key: "state/o/" + filepath.Base(e.Dir) + string(rune('a'+n)), Value: []byte("1")}))
			}
		})
	}
	all.Wait()
}

// What goes together arrives together: a claim, and what it is about.
func TestClaimsAndStateInOnePush(t *testing.T) {
	t.Parallel()
	at := hub(t)
	a, b := apart(t, at), apart(t, at)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "claims/x", Value: []byte("c")}, engine.Op{Key: "state/o/x", Value: []byte("s")}))
	items, err := b.List(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, items, 2)
	assert.Equal(t, "c", string(items[0].Value))
	assert.Equal(t, "s", string(items[1].Value))
	var conflict *engine.ConflictError
	err = b.Txn(t.Context(), engine.Op{Key: "claims/x", Value: []byte("other")}, engine.Op{Key: "state/o/x", Was: items[1].Rev, Value: []byte("other")})
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, []string{"claims/x"}, conflict.Keys)
	items, err = a.List(t.Context(), "state/")
	require.NoError(t, err)
	assert.Equal(t, "s", string(items[0].Value), "all or none")
	assert.Empty(t, run(t, a.Dir, "for-each-ref"), "no ref is left in the clone")
	assert.Equal(t, "1", strings.TrimSpace(run(t, at, "rev-list", "--count", Refs+stateRef)))
}

// A remote that was put back to what it was before is not followed.
func TestRolledBack(t *testing.T) {
	t.Parallel()
	at := hub(t)
	a := apart(t, at)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/x", Value: []byte("1")}))
	before := strings.TrimSpace(run(t, at, "rev-parse", Refs+stateRef))
	items, err := a.List(t.Context(), "state/")
	require.NoError(t, err)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/x", Was: items[0].Rev, Value: []byte("2")}))
	_, err = a.List(t.Context(), "state/")
	require.NoError(t, err)
	for _, put := range [][]string{{"update-ref", Refs + stateRef, before}, {"update-ref", "-d", Refs + stateRef}} {
		run(t, at, put...)
		_, err = a.List(t.Context(), "state/")
		require.ErrorIs(t, err, engine.ErrRolledBack)
	}
	require.NoError(t, a.Forget())
	_, err = a.List(t.Context(), "state/")
	require.NoError(t, err)
}

// Many loose objects become one pack, and nothing is missing.
func TestTidy(t *testing.T) {
	t.Parallel()
	at := hub(t)
	a := apart(t, at)
	var ops []engine.Op
	for n := range 3000 {
		ops = append(ops, engine.Op{Key: fmt.Sprintf("state/o/t%d", n), Value: fmt.Appendf(nil, "%d", n)})
	}
	require.NoError(t, a.Txn(t.Context(), ops...))
	for range 2 {
		items, err := a.List(t.Context(), "state/")
		require.NoError(t, err)
		require.Len(t, items, len(ops))
	}
	packs, err := filepath.Glob(filepath.Join(a.Cache, "objects", "pack", "*.pack"))
	require.NoError(t, err)
	assert.Len(t, packs, 1)
	loose, err := filepath.Glob(filepath.Join(a.Cache, "objects", "??"))
	require.NoError(t, err)
	assert.Empty(t, loose)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/one-more", Value: []byte("1")}))
}

// The state survives what git throws away in the clone, and the cache is one: it may go.
func TestTheCacheMayGo(t *testing.T) {
	t.Parallel()
	at := hub(t)
	a := apart(t, at)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/x", Value: []byte("1")}))
	_, err := a.List(t.Context(), "state/")
	require.NoError(t, err)
	run(t, a.Dir, "gc", "-q", "--prune=now")
	items, err := a.List(t.Context(), "state/")
	require.NoError(t, err)
	require.Len(t, items, 1)
	require.NoError(t, os.RemoveAll(a.Cache))
	items, err = (&Engine{Dir: a.Dir, Remote: at, Cache: a.Cache}).List(t.Context(), "state/")
	require.NoError(t, err)
	require.Len(t, items, 1)
}

// What changed since a commit is told, unless that is not known any more; not where the remote was put back
// behind what another process of the clone saw.
func TestSinceThatIsNotKnown(t *testing.T) {
	t.Parallel()
	at := hub(t)
	a, b := apart(t, at), apart(t, at)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "state/o/x", Value: []byte("1")}))
	_, listed, err := a.ListAt(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, b.Txn(t.Context(), engine.Op{Key: "state/o/y", Value: []byte("1")}))
	require.NoError(t, os.RemoveAll(a.Cache))
	a = &Engine{Dir: a.Dir, Remote: at, Cache: a.Cache}
	_, changed, _, err := a.Since(t.Context(), listed)
	require.NoError(t, err, "it came with the later one")
	assert.Len(t, changed, 1)
	_, _, _, err = a.Since(t.Context(), strings.Repeat("1", 40))
	require.ErrorIs(t, err, engine.ErrCompacted)
	_, _, _, err = a.Since(t.Context(), "")
	require.ErrorIs(t, err, engine.ErrCompacted)
	run(t, at, "update-ref", Refs+stateRef, listed)
	_, _, _, err = a.Since(t.Context(), listed)
	require.ErrorIs(t, err, engine.ErrRolledBack, "what was put back is not followed")
}
