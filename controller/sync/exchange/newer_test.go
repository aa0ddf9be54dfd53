package exchange

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// What a newer iDumb sent with a field that this one does not know is not written: the last version that was
// understood stands, and may be changed, and a mark holds both. What was changed goes up once the team's is
// understood.
func TestAFieldOfANewerVersion(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	newer := strings.Replace(plain, `"T"`, `"T", "colour": "red"`, 1)
	replace := func(text string) {
		items, err := b.way.List(t.Context(), "state/o/tasks/")
		require.NoError(t, err)
		require.Len(t, items, 1)
		require.NoError(t, b.way.Txn(t.Context(), engine.Op{Key: items[0].Key, Was: items[0].Rev, Value: pack("c", time.Now(), []byte(text))}))
	}
	replace(newer)
	for _, edited := range []bool{false, true} {
		r := b.must()
		require.Len(t, r.Refused, 1)
		assert.Contains(t, r.Refused[0].Reason, "spec.colour: unknown field; the sender may have a newer idumb: upgrade this one")
		assert.Empty(t, r.Pushed)
		marks := b.marks()
		require.Len(t, marks, 1)
		assert.True(t, marks[0].Incoming())
		assert.Equal(t, plain, marks[0].Base, "the last good version")
		assert.Equal(t, newer, marks[0].Theirs)
		assert.Equal(t, "c", marks[0].Author)
		if edited {
			assert.Contains(t, b.read(key), `"B"`)
			continue
		}
		assert.Equal(t, plain, b.read(key))
		b.edit(key, `"n"`, `"B"`)
	}
	replace(strings.Replace(plain, `"T"`, `"C"`, 1))
	b.must()
	a.must()
	assert.Empty(t, b.marks())
	assert.Contains(t, a.read(key), `"B"`)
	assert.Contains(t, a.read(key), `"C"`)
}
