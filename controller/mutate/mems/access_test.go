package mems

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/memstore"
	"github.com/idumb-dev/idumb/resources"
)

// Every answer counts once, also when what was counted lately joins what was before.
func TestAccessesAddUp(t *testing.T) {
	kept := &memstore.Scratch{}
	assert.Nil(t, Accesses(kept))
	began := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	const mems, rounds = maxRecent + 50, 60
	want := map[string]Access{}
	for round := range rounds {
		now := began.Add(time.Duration(round) * time.Minute)
		var names []string
		for i := range 8 {
			name := fmt.Sprintf("m-%03d", (round*8+i)%mems)
			names = append(names, name)
			want[name] = Access{Count: want[name].Count + 1, Last: resources.NewTime(now)}
		}
		CountAccess(kept, names, now)
		require.Equal(t, want, Accesses(kept))
		lately, err := kept.Read(recentFile)
		require.NoError(t, err)
		assert.Less(t, len(lately), maxRecent*100, "each recall reads and writes little")
	}
	_, err := kept.Read(accessFile)
	require.NoError(t, err)
}
