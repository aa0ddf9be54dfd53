package mems

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Every answer counts once, also when what was counted lately joins what was before.
func TestAccessesAddUp(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.MkdirAll(root.Abs(layout.RunDir), 0o700))
	assert.Nil(t, Accesses(root))
	began := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	const mems, rounds = mostLately + 50, 60
	want := map[string]Access{}
	for round := range rounds {
		now := began.Add(time.Duration(round) * time.Minute)
		var names []string
		for i := range 8 {
			name := fmt.Sprintf("m-%03d", (round*8+i)%mems)
			names = append(names, name)
			want[name] = Access{Count: want[name].Count + 1, Last: resources.NewTime(now)}
		}
		CountAccess(root, names, now)
		require.Equal(t, want, Accesses(root))
		lately, err := os.Stat(root.Abs(latelyFile))
		require.NoError(t, err)
		assert.Less(t, lately.Size(), int64(mostLately*100), "each recall reads and writes little")
	}
	_, err := os.Stat(root.Abs(accessFile))
	require.NoError(t, err)
}
