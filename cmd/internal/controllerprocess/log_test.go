package controllerprocess

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestTheLogIsSetAsideWhileTheControllerRuns(t *testing.T) {
	t.Parallel()
	root := layout.Root(repository(t))
	first, err := root.OpenControllerLog()
	require.NoError(t, err)
	log := backgroundLog(root, first)
	require.IsType(t, &rotated{}, log)
	assert.Equal(t, os.Stderr, backgroundLog(root, os.Stderr), "what is no log stays as it is")

	var seen bytes.Buffer
	ctx, end := context.WithCancel(t.Context())
	followed := make(chan error, 1)
	line := []byte(strings.Repeat("x", 1<<20-1) + "\n")
	for i := range 20 {
		_, err := log.Write(line)
		require.NoError(t, err)
		if i == 12 {
			go func() { followed <- Logs(ctx, string(root), &seen, true) }()
			time.Sleep(2 * followInterval)
		}
	}
	_, err = log.Write([]byte("last\n"))
	require.NoError(t, err)
	time.Sleep(3 * followInterval)
	end()
	require.NoError(t, <-followed)
	assert.True(t, strings.HasSuffix(seen.String(), "last\n"), "who follows goes on in the next one")

	for _, name := range []string{"", ".1", ".2"} {
		info, err := os.Stat(root.Abs(layout.ControllerLog) + name)
		require.NoError(t, err)
		assert.LessOrEqual(t, info.Size(), int64(layout.MaxControllerLog+len(line)))
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
	all, err := root.Names(layout.RunDir)
	require.NoError(t, err)
	assert.Len(t, all, 3, "two are kept beside the one in use")
	require.NoError(t, log.(*rotated).file.Close())
}
