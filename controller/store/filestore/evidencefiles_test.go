package filestore

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is gone is looked for once for each state of git, in just one other file.
func TestSourceMoved(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o700))
	s, err := Open(root)
	require.NoError(t, err)
	assert.Empty(t, s.SourceMoved("a/x.go", "Limit", "0"), "no git")
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", root, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	const limit, other = "package a\n\nfunc Limit() int { return 3 }\n", "package a\n\n// Limit is elsewhere.\nvar x = Limit()\n"
	git("init", "-q")
	write("a/x.go", limit)
	git("add", ".")
	git("commit", "-q", "-m", "one")
	sum := s.SourceSection("a/x.go", "Limit").SHA256

	write("a/x.go", other)
	assert.Empty(t, s.SourceMoved("a/x.go", "Limit", sum), "no other file has it")
	write("b/x.go", "package b\n\n// Limit moved.\nfunc Limit() int {\n\treturn 3\n}\n")
	write("b/other.go", "package b\n\nfunc (T) Limit() int { return 3 }\nfunc Limit2() int { return 3 }\n")
	assert.Equal(t, "b/x.go", s.SourceMoved("a/x.go", "Limit", sum))
	write("c/x.go", limit)
	assert.Empty(t, s.SourceMoved("a/x.go", "Limit", sum), "two others have it")
	write("a/y.go", limit)
	assert.Equal(t, "a/y.go", s.SourceMoved("a/x.go", "Limit", sum), "one of them stands in the same folder")
	assert.Empty(t, s.SourceMoved("a/x.go", "Limit", ""), "nobody knows what it was")

	write("docs/a.md", "# A\n\n## It's v1.2 (new)\n\ntext\n")
	heading := s.SourceSection("docs/a.md", "It's v1.2 (new)").SHA256
	write("docs/b.md", "# B\n\n## It's v1.2 (new)\n\ntext\n\n## Other\n")
	write("docs/a.md", "# A\n")
	assert.Equal(t, "docs/b.md", s.SourceMoved("docs/a.md", "It's v1.2 (new)", heading))

	git("mv", "a/x.go", "a/z.go")
	assert.False(t, s.SourceSection("a/x.go", "Limit").Exists)
	assert.Equal(t, "a/z.go", s.SourceMoved("a/x.go", "", "0"), "git follows the file, whatever stands in it")
	git("commit", "-q", "-m", "two")
	git("mv", "a/z.go", "a/x2.go")
	git("commit", "-q", "-m", "three")
	assert.Equal(t, "a/x2.go", s.SourceMoved("a/x.go", "", "0"), "from name to name")
	require.NoError(t, os.Remove(filepath.Join(root, "a/x2.go")))
	assert.Empty(t, s.SourceMoved("a/x.go", "", "0"))
	for range maxSearches {
		s.SourceMoved("a/x.go", "Nothing", "0")
	}
	assert.Empty(t, s.SourceMoved("a/x.go", "Limit", sum), "so much is looked for, and no more")
	git("commit", "-q", "--allow-empty", "-m", "four")
	assert.Equal(t, "a/y.go", s.SourceMoved("a/x.go", "Limit", sum), "until git has another state")
}
