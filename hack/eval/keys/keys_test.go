package keys_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/hack/eval/keys"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shop/package.json": `{"dependencies": {"react": "19.0.0", "vue": "3.5.0"}}`, "shop/docs/adr/0001-x.md": "# X\n", "shop/notes.md": "# Notes\n",
		"shop.technologies": "# what a person found\nreact 18.0.0\nvue 3.4.0|3.5.0\nsvelte -\n", "shop.documents": "docs/adr/0001-x.md adr\nnotes.md other|guide\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	var out strings.Builder
	require.NoError(t, keys.Run([]string{dir}, &out))
	assert.Contains(t, out.String(), "missing: svelte")
	assert.Contains(t, out.String(), "version: react 19.0.0, not 18.0.0")
	assert.Contains(t, out.String(), "technologies: precision 1.000 (2 of 2), recall 0.667 (2 of 3), version right 0.500 (1 of 2)")
	assert.Contains(t, out.String(), "documents: class right 1.000 with the path (2 of 2), 0.500 without (1 of 2; of those decided 0 of 0)")
	assert.ErrorContains(t, keys.Run([]string{t.TempDir()}, &out), "holds no key")
}
