package hooks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func TestTags(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"delegation/d1", []string{"d1"}},
		{"You work under delegation/write-docs. Begin.", []string{"write-docs"}},
		{"[delegation/del-1763740800000-1]\nbuild it", []string{"del-1763740800000-1"}},
		{"`delegation/a.b-c`, then delegation/d and delegation/a.b-c", []string{"a.b-c", "d"}},
		{"delegation/", nil},
		{"delegation/../../etc/passwd", nil},
		{"delegation/Upper", nil},
		{"delegations/d1", nil},
		{".idumb/delegation/d1", nil},
		{"redelegation/d1", nil},
		{"my_delegation/d1", nil},
		{"delegation/delegation/d1", []string{"delegation"}},
		{"delegation/" + strings.Repeat("a", 300), nil},
		{strings.Repeat("delegation/a", 3), []string{"adelegation"}},
	} {
		assert.Equal(t, tc.want, tags(tc.text), tc.text)
	}
	assert.Len(t, tags("delegation/a delegation/b delegation/c delegation/d delegation/e delegation/f delegation/g delegation/h delegation/i"), maxTags)
}

// FuzzTags: whatever an agent is told, what comes out are names of objects, each
// once, and each stands in the text behind the tag.
func FuzzTags(f *testing.F) {
	for _, seed := range []string{"delegation/d1", "x delegation/a-b. delegation/c", "delegation/..", "\x00delegation/\xff", "délégation/delegation/é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names := tags(text)
		require.LessOrEqual(t, len(names), maxTags)
		seen := map[string]bool{}
		for _, name := range names {
			require.NoError(t, resources.CheckName(name))
			require.Contains(t, text, delegationTag+name)
			require.False(t, seen[name])
			seen[name] = true
		}
	})
}
