package githistory

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestContent(t *testing.T) {
	r, plain := newRepo(t), layout.Root(t.TempDir())
	for _, root := range []layout.Root{r.root, plain} {
		for _, name := range []string{"a.go", "src/b.go", "src/ignored.go", "src/[x]/c.go", "doc/d.md", ".idumb/tasks/t.json", ".idumb/roles/r.json"} {
			file := root.Abs(name)
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
			require.NoError(t, os.WriteFile(file, []byte(name), 0o600))
		}
	}
	r.git(day(1), "add", "src/b.go", ".idumb/tasks/t.json")
	require.NoError(t, os.WriteFile(r.root.Abs(".git/info/exclude"), []byte("ignored.go\n"), 0o600))
	for _, test := range []struct {
		pattern string
		want    []string
	}{
		{"src/*.go", []string{"src/[x]/c.go", "src/b.go"}},
		{`src/\[x]/*.go`, []string{"src/[x]/c.go", "src/b.go"}},
		{"a.go", []string{"a.go"}},
		{"./a.go", []string{"a.go"}},
		{"**/*.go", []string{"a.go", "doc/d.md", "src/[x]/c.go", "src/b.go"}},
		{".idumb/roles/*.json", []string{".idumb/roles/r.json"}},
		{"nothing/**", nil},
	} {
		files, err := Content(t.Context(), r.root, []string{test.pattern})
		require.NoError(t, err)
		assert.Equal(t, test.want, files, test.pattern)
	}
	files, err := Content(t.Context(), plain, []string{"src/*.go"})
	require.NoError(t, err)
	assert.Contains(t, files, "src/b.go", "no git")
	assert.NotContains(t, files, ".idumb/tasks/t.json")
}
