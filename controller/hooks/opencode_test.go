package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var fuzzNow = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// governedFolder makes a repository with a task that is worked on and one that waits.
func governedFolder(tb testing.TB) string {
	root := tb.TempDir()
	for name, text := range map[string]string{
		".idumb/workplans/p.json": `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`,
		".idumb/tasks/t.json":     `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active", "evidence": [{"file": "a"}]}}`,
		".idumb/tasks/u.json":     `{"spec": {"workPlan": "p", "expectedOutput": "o", "dependsOn": ["t"]}}`,
	} {
		writeFile(tb, root, name, text)
	}
	return root
}

func writeFile(tb testing.TB, root, name, text string) {
	tb.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(tb, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(tb, os.WriteFile(file, []byte(text), 0o644))
}

// clean removes what grows from one run to the next.
func clean(t *testing.T, root string) {
	for _, grows := range []string{"checkpoints", "events", "sessions", "run"} {
		require.NoError(t, os.RemoveAll(filepath.Join(root, ".idumb", grows)))
	}
}

// TestOpenCodeOneShot: the lasting mode's lines can be answered one by one as well, as doctor
// does.
func TestOpenCodeOneShot(t *testing.T) {
	root := governedFolder(t)
	writeFile(t, root, ".idumb/tasks/t.json", `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	var out, errs strings.Builder
	input := `{"hook":"tool.before","session":"s","directory":` + quoted(root) + `,"tool":"write","args":{"filePath":"x"}}`
	code := Main([]string{"opencode"}, strings.NewReader(input), &out, &errs, []string{"HOME=" + root}, fuzzNow, nil)
	assert.Equal(t, 0, code, errs.String())
	assert.Contains(t, out.String(), `"deny":"GOVERNANCE BLOCK: write denied`)
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }
