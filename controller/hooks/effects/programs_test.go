package effects

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/admission"
)

// TestOwnProgramsAreGoverned: who removes or replaces the hook opens the gate.
func TestOwnProgramsAreGoverned(t *testing.T) {
	base := ResolveLinks(t.TempDir())
	root, bin := filepath.Join(base, "repo"), filepath.Join(base, "bin")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "cmd", "idumb-hook"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "tools"), 0o755))
	require.NoError(t, os.MkdirAll(bin, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "idumb-hook"), nil, 0o755))
	require.NoError(t, os.Symlink(filepath.Join(bin, "idumb-hook"), filepath.Join(base, "gate")))
	r := Resolver{Root: root, Home: filepath.Join(base, "home"), Cwd: root, programs: bin}
	for given, want := range map[string]bool{
		"../bin/idumb-hook": true, "../bin/idumb": true, "../bin/idumb-controller": true, "../gate": true, "~/bin/idumb-mcp": true, "/opt/x/idumb-hook.exe": true,
		"cmd/idumb-hook": false, "tools/idumb-mcp": false, "/tmp/idumb": false, "../bin/other": false, "../bin/idumb-hook.go": false,
	} {
		t.Run(given, func(t *testing.T) {
			p, err := r.Resolve(given)
			require.NoError(t, err)
			assert.Equal(t, want, p.Program)
			assert.Equal(t, want, admission.Governs(p))
		})
	}
	inside := r
	inside.programs = filepath.Join(root, "tools")
	p, err := inside.Resolve("tools/idumb-mcp")
	require.NoError(t, err)
	assert.True(t, p.Program, "where they run from the repository itself")

	found, holds := r.governedBelow(admission.Path{Given: "../bin"})
	assert.True(t, holds)
	assert.True(t, admission.Governs(found))
	_, holds = r.governedBelow(admission.Path{Given: "../home"})
	assert.False(t, holds)
}
