package effects

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// A list with too many items is not judged by the first ones.
func TestGivenInLimitsTheItemsOfAList(t *testing.T) {
	item := `{"kind": "TaskNode", "metadata": {"name": "a"}, "spec": {}},`
	for n, want := range map[int]bool{maxGiven - 1: true, maxGiven + 1: false} {
		text := `{"kind": "List", "items": [` + strings.TrimSuffix(strings.Repeat(item, n), ",") + `]}`
		_, sure := givenIn([]byte(text), "/r/in/a.json")
		require.Equal(t, want, sure, n)
	}
}

// FuzzGivenIn: no object of a kind that is closed to agents stays unseen. Its seeds stand in testdata.
func FuzzGivenIn(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		const place = "/r/in/a.json"
		objects, sure := givenIn(text, place)
		seen := map[string]bool{}
		for _, o := range objects {
			require.NotNil(t, o.kind)
			seen[o.kind.Plural] = true
		}
		for d, err := range mutate.SplitManifests(place, text) {
			if err == nil && sure && d.Key.Kind != "" {
				kind, _ := resources.KindOf(d.Key.Kind)
				require.True(t, !closedKind(kind) || seen[kind.Plural], "%s is not seen in %q", kind.Name, text)
			}
		}
	})
}
