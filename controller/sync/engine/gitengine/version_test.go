package gitengine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Items that a later iDumb says are not for this one are not read, and nothing is written to them.
func TestALaterProtocol(t *testing.T) {
	at := hub(t)
	a, later := apart(t, at), apart(t, at)
	require.NoError(t, a.Txn(t.Context(), engine.Op{Key: "claims/x", Value: []byte("c")}, engine.Op{Key: "state/o/x", Value: []byte("s")}))
	was := ""
	for _, c := range []struct{ value, wants string }{ // a is the same all the time, as in a controller
		{`{"protocol":7,"minReader":1}`, ""}, {`{"protocol":7,"minReader":2}`, "refs/idumb/v of " + at + ": it requires protocol 2; this build supports protocol 1; install a newer iDumb"},
		{`junk`, "version item is invalid"}, {`{}`, ""},
	} {
		require.NoError(t, later.push(t.Context(), []change{{versionRef, was, blobOf(t, later, c.value)}}))
		was = revOf(t, at, versionRef)
		for _, prefix := range []string{"", "claims/", "state/"} {
			items, err := a.List(t.Context(), prefix)
			if c.wants == "" {
				require.NoError(t, err, "%s %q", c.value, prefix)
				require.NotEmpty(t, items)
				require.NotEqual(t, versionRef, items[len(items)-1].Key, "the version is no item")
				continue
			}
			var person *engine.PersonError
			require.ErrorAs(t, err, &person, "%s %q", c.value, prefix)
			require.ErrorContains(t, err, c.wants)
		}
		err := a.Txn(t.Context(), engine.Op{Key: "state/o/" + was[:8], Value: []byte("1")})
		assert.Equal(t, c.wants == "", err == nil, "%s: %v", c.value, err)
	}
}

func blobOf(t *testing.T, e *Engine, value string) string {
	blob, err := e.blob(t.Context(), []byte(value))
	require.NoError(t, err)
	return blob
}

func revOf(t *testing.T, at, ref string) string { return run(t, at, "rev-parse", Refs+ref)[:40] }
