package effects

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A second name of a governed file is the governed file, in a folder that has one as well.
func TestAHardLinkIsTheFile(t *testing.T) {
	root := ResolveLinks(t.TempDir())
	for _, name := range []string{".idumb/config.json", ".claude/settings.json", "src/a.go"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte("x"), 0o600))
	}
	for link, file := range map[string]string{"x": ".idumb/config.json", "src/y": ".claude/settings.json", "src/b.go": "src/a.go"} {
		if err := os.Link(filepath.Join(root, file), filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	r := Resolver{Root: root, Cwd: root}
	for given, want := range map[string]string{"x": ".idumb/config.json", "./src/y": ".claude/settings.json", "src/b.go": "src/b.go", "src/a.go": "src/a.go", "none": "none"} {
		p, err := r.Resolve(given)
		require.NoError(t, err)
		assert.Equal(t, want, p.Repo, given)
	}
}
