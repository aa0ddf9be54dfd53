package exchange

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

// Two versions that are sound alone and not together: the team's value is used, ours is kept in a mark.
func TestMergeOfInvalidTogether(t *testing.T) {
	a, b := two(t)
	key := resources.Key{Kind: resources.Mems, Name: "m"}
	const plain = `{"spec": {"type": "decision", "content": "c", "confidence": 90}}`
	a.write(key, plain)
	a.must()
	b.must()
	require.Equal(t, plain, b.read(key))
	a.edit(key, `"c"`, `"c", "validFrom": "2026-05-01T00:00:00Z"`)
	b.edit(key, `"confidence": 90`, `"confidence": 90, "validTo": "2026-01-01T00:00:00Z"`)
	a.must()
	assert.Equal(t, []resources.Key{key}, b.must().Marked)
	a.must()
	assert.Equal(t, a.read(key), b.read(key))
	assert.Contains(t, b.read(key), "validFrom")
	assert.NotContains(t, b.read(key), "validTo")
	require.Len(t, b.marks(), 1)
	assert.True(t, strings.HasPrefix(b.marks()[0].Reason, "both changed it, and the merged version is invalid: "), b.marks()[0].Reason)
	assert.Contains(t, b.marks()[0].Ours, "validTo")
}

// A version that is cut off waits for its end, and then merges; the team's value does not replace it meanwhile.
func TestMergeWaitsForTruncatedVersion(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	a.edit(key, `"T"`, `"A"`)
	a.must()
	b.write(key, plain[:40])
	r := b.must()
	require.Len(t, r.NotPushed, 1)
	assert.Equal(t, key, r.NotPushed[0].Key)
	assert.Equal(t, plain[:40], b.read(key))
	b.write(key, strings.Replace(plain, `"n"`, `"B"`, 1))
	b.must()
	a.must()
	assert.Equal(t, strings.NewReplacer(`"T"`, `"A"`, `"n"`, `"B"`).Replace(plain), b.read(key))
	assert.Equal(t, b.read(key), a.read(key))
	assert.Empty(t, b.marks())
}

// What was removed here and changed by the team is back, and the mark says why.
func TestReasonOfRemovedAndChanged(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	b.edit(key, `"T"`, `"B"`)
	b.must()
	a.discard(key)
	a.must()
	require.Len(t, a.marks(), 1)
	assert.Equal(t, "it was removed here, and the team has changed it since: it is back", a.marks()[0].Reason)
}
