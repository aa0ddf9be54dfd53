package controllerprocess

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// A process that locks the file is no controller, and the one that the file names may be any.
func TestAnotherProcessLocksTheFile(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, layout.ControllerLock)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	f, err := os.Create(file)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	for _, text := range []string{"", fmt.Sprintf(`{"pid": %d, "pidNamespace": %d, "started": 7, "since": "2026-01-01T00:00:00Z"}`, os.Getpid(), process.Namespace())} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		s, err := Inspect(t.Context(), root)
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, s.Print(&out))
		assert.NotContains(t, out.String(), "Running:")
		assert.Contains(t, out.String(), "is locked by an unknown process")
		assert.Contains(t, out.String(), "fuser .idumb/run/controller.lock")
		_, err = Start(t.Context(), root)
		require.ErrorContains(t, err, "is locked by an unknown process")
		var running *lease.RunningError
		assert.NotErrorAs(t, err, &running)
	}
}
