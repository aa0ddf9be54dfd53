package exchange

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

// toldTwo are two clones that are told what changes.
func toldTwo(t *testing.T) (a, b *clone) {
	var team memengine.Engine
	a, b = join(t, &team, "a"), join(t, &team, "b")
	for _, c := range []*clone{a, b} {
		c.tells = true
		c.open()
	}
	return a, b
}

// What an exchange wrote is looked at once more a while later: somebody may have saved over it what stood there
// before, which changed nothing for who watches.
func TestWhatWasWrittenIsDoubted(t *testing.T) {
	a, b := toldTwo(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	a.edit(key, `"T"`, `"A"`)
	a.must()
	assert.Equal(t, []resources.Key{key}, b.must().Pulled)
	require.NoError(t, os.WriteFile(b.file(key), []byte(plain), 0o600))
	assert.Empty(t, b.must().Pushed, "nobody told of it")
	b.x.Now = func() time.Time { return time.Now().Add(recheckDelay + time.Second) }
	assert.Equal(t, []resources.Key{key}, b.must().Pushed)
	assert.Empty(t, b.must().Pushed, "once")
}

// What holds of objects that are not looked at is told all the same, until they change.
func TestWhatHoldsIsKept(t *testing.T) {
	a, b := toldTwo(t)
	secret := strings.Replace(plain, `"n"`, `"use ghp_abcdefghijklmnop1234"`, 1)
	a.write(task("token"), secret)
	a.write(task("login"), plain)
	require.Len(t, a.must().NotPushed, 1)
	require.NoError(t, b.team.Txn(t.Context(), engine.Op{Key: "state/o/tasks/p/strange", Value: []byte("no header of idumb's")}))
	a.edit(task("login"), `"T"`, `"A"`)
	r := a.must()
	assert.Len(t, r.Pushed, 1)
	assert.Len(t, r.NotPushed, 1)
	require.Len(t, r.Refused, 1)
	assert.Equal(t, 2, r.Team)
	require.Len(t, a.marks(), 1)
	a.write(task("token"), plain)
	r = a.must()
	assert.Empty(t, r.NotPushed)
	assert.Len(t, r.Refused, 1)

	items, err := b.team.List(t.Context(), "state/o/tasks/p/strange")
	require.NoError(t, err)
	repaired := pack("b", time.Now(), []byte(plain))
	require.NoError(t, b.team.Txn(t.Context(), engine.Op{Key: items[0].Key, Was: items[0].Rev, Value: repaired}))
	assert.Empty(t, a.must().Refused)
	assert.Empty(t, a.marks())
	assert.Equal(t, plain, a.read(task("strange")))
}

// A change that waits for new things is held against all that the team has, though little of it is looked at.
func TestCirclesOfWhatIsNotLookedAt(t *testing.T) {
	a, b := toldTwo(t)
	for _, name := range []string{"x", "y", "z"} {
		a.write(task(name), plain)
	}
	a.must()
	b.must()
	a.edit(task("x"), `"notes"`, `"dependsOn": ["y"], "notes"`)
	a.edit(task("y"), `"notes"`, `"dependsOn": ["z"], "notes"`)
	a.must()
	b.must()
	b.edit(task("z"), `"notes": "n"`, `"dependsOn": ["x"], "notes": "N"`)
	r := b.must()
	assert.Equal(t, []resources.Key{task("z")}, r.Marked)
	a.must()
	assert.NotContains(t, a.read(task("z")), "dependsOn")
	assert.Contains(t, a.read(task("z")), `"N"`)
}

// What names nothing new is sound whatever others do meanwhile; what does is not.
func TestWhatIsSoundByItself(t *testing.T) {
	a, b := toldTwo(t)
	a.write(task("x"), plain)
	a.write(task("y"), plain)
	a.must()
	b.must()
	alone := a.way.alone
	a.edit(task("x"), `"T"`, `"A"`)
	a.must()
	assert.Equal(t, alone+1, a.way.alone)
	a.edit(task("x"), `"notes"`, `"dependsOn": ["y"], "notes"`)
	a.must()
	assert.Equal(t, alone+1, a.way.alone)
	a.edit(task("x"), `"p"`, `"other"`)
	a.must()
	assert.Equal(t, alone+1, a.way.alone, "it moves to another plan")
	a.write(task("new"), plain)
	a.must()
	assert.Equal(t, alone+2, a.way.alone, "nobody had it, and it waits for nothing")
	a.write(task("next"), strings.Replace(plain, `"notes"`, `"dependsOn": ["new"], "notes"`, 1))
	a.must()
	assert.Equal(t, alone+2, a.way.alone, "others may have made what waits for it")
	b.must()
	assert.Equal(t, a.read(task("x")), b.read(task("x")))
}

// What names what the team set aside goes up when that is back, though nothing else tells of it.
func TestWhatIsHeldForOthersIsLookedAtAgain(t *testing.T) {
	a, b := toldTwo(t)
	a.write(task("x"), plain)
	a.must()
	r, err := a.store.Get(t.Context(), task("x"))
	require.NoError(t, err)
	require.NoError(t, a.store.Archive(t.Context(), task("x"), r.Rev))
	a.touch(task("x"))
	a.must()
	b.write(task("y"), strings.Replace(plain, `"notes"`, `"dependsOn": ["x"], "notes"`, 1))
	require.Len(t, b.must().NotPushed, 1)
	require.NoError(t, a.store.Restore(t.Context(), task("x")))
	a.touch(task("x"))
	assert.Len(t, a.must().Pushed, 1)
	assert.Equal(t, []resources.Key{task("y")}, b.must().Pushed)
}

// full is a store on which nothing can be written.
type full struct{ store.Store }

func (s full) Update(ctx context.Context, change func(store.Tx) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error { return change(fullTx{tx}) })
}

type fullTx struct{ store.Tx }

func (fullTx) PutAll(writes []store.Write, _ func() error) []error {
	return slices.Repeat([]error{syscall.ENOSPC}, len(writes))
}

// What could not be written here is written by the next round that can.
func TestWhatCouldNotBeWrittenIsWritten(t *testing.T) {
	a, b := toldTwo(t)
	a.write(task("x"), plain)
	a.must()
	b.x.Store = full{b.store}
	assert.Len(t, b.must().NotPushed, 1)
	b.x.Store = b.store
	r := b.must()
	assert.Empty(t, r.NotPushed)
	assert.Equal(t, plain, b.read(task("x")))
}

// Of an object that stands at two places nothing is remembered: what its name says counts, as in each look at all.
func TestOneObjectAtTwoPlaces(t *testing.T) {
	a, b := toldTwo(t)
	a.write(task("x"), plain)
	a.must()
	b.must()
	other := pack("c", time.Now(), []byte(strings.Replace(plain, `"p"`, `"q"`, 1)))
	require.NoError(t, a.team.Txn(t.Context(), engine.Op{Key: "state/o/tasks/q/x", Value: other}))
	for range 2 {
		assert.Empty(t, b.must().Pulled)
		assert.Nil(t, b.x.passState)
	}
	items, err := a.team.List(t.Context(), "state/n/tasks/x")
	require.NoError(t, err)
	require.NoError(t, a.team.Txn(t.Context(), engine.Op{Key: items[0].Key, Was: items[0].Rev, Value: []byte("q")}))
	b.must()
	assert.Contains(t, b.read(task("x")), `"q"`)
}
