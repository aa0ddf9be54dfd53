package plans

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/memengine"
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
	assert.Equal(t, []resources.Key{key}, b.must().Taken)
	require.NoError(t, os.WriteFile(b.file(key), []byte(plain), 0o600))
	assert.Empty(t, b.must().Sent, "nobody told of it")
	b.x.Now = func() time.Time { return time.Now().Add(doubtAfter + time.Second) }
	assert.Equal(t, []resources.Key{key}, b.must().Sent)
	assert.Empty(t, b.must().Sent, "once")
}

// What holds of objects that are not looked at is told all the same, until they change.
func TestWhatHoldsIsKept(t *testing.T) {
	a, b := toldTwo(t)
	secret := strings.Replace(plain, `"n"`, `"use ghp_abcdefghijklmnop1234"`, 1)
	a.write(task("token"), secret)
	a.write(task("login"), plain)
	require.Len(t, a.must().Held, 1)
	require.NoError(t, b.team.Txn(t.Context(), engine.Op{Key: "state/o/tasks/p/strange", Value: []byte("no header of idumb's")}))
	a.edit(task("login"), `"T"`, `"A"`)
	r := a.must()
	assert.Len(t, r.Sent, 1)
	assert.Len(t, r.Held, 1)
	require.Len(t, r.Refused, 1)
	assert.Equal(t, 2, r.Team)
	require.Len(t, a.marks(), 1)
	a.write(task("token"), plain)
	r = a.must()
	assert.Empty(t, r.Held)
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
	b.must()
	assert.Equal(t, a.read(task("x")), b.read(task("x")))
}
