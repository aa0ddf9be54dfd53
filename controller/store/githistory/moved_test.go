package githistory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (r repo) write(name, text string) {
	r.t.Helper()
	require.NoError(r.t, os.MkdirAll(filepath.Dir(r.root.Abs(name)), 0o700))
	require.NoError(r.t, os.WriteFile(r.root.Abs(name), []byte(text), 0o600))
}

func TestRenamed(t *testing.T) {
	r := newRepo(t)
	assert.Empty(t, Renamed(t.Context(), r.root), "no commit yet")
	text := strings.Repeat("some line that stays\n", 20)
	r.write("a b.txt", text+"1")
	r.write("c.txt", text+"2")
	r.write("d.txt", text+"3")
	r.git(day(1), "add", ".")
	r.commit(day(1), "one")
	none := StateID(r.root)
	r.git(day(2), "mv", "a b.txt", "x\ny.txt")
	r.git(day(2), "mv", "c.txt", "R100")
	assert.NotEqual(t, none, StateID(r.root))
	assert.Equal(t, map[string]string{"a b.txt": "x\ny.txt", "c.txt": "R100"}, Renamed(t.Context(), r.root), "staged")
	r.commit(day(2), "two")
	r.git(day(3), "mv", "R100", "e.txt")
	r.write("e.txt", text+"changed")
	r.git(day(3), "add", ".")
	r.git(day(3), "rm", "-q", "d.txt")
	r.commit(day(3), "three")
	assert.Equal(t, map[string]string{"a b.txt": "x\ny.txt", "c.txt": "R100", "R100": "e.txt"}, Renamed(t.Context(), r.root))
}

func TestMentioningAndUntracked(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"a.go", "sub/b.go", "c.txt", ".gitignore", "out/d.go"} {
		r.write(name, "func Limit()\nout\n")
	}
	r.git(day(1), "add", "a.go", ".gitignore")
	r.commit(day(1), "one")
	assert.Equal(t, []string{"a.go", "sub/b.go"}, Mentioning(t.Context(), r.root, "Limit", ".go"))
	assert.Empty(t, Mentioning(t.Context(), r.root, "--help", ".go"))
	assert.Equal(t, []string{"c.txt", "sub/b.go"}, Untracked(t.Context(), r.root))
}

func FuzzReadRenames(f *testing.F) {
	f.Add("R100\x00a\x00b\x00\x00R051\x00b\x00c\x00")
	f.Add("R1\x00R1")
	f.Fuzz(func(t *testing.T, out string) { readRenames(out, map[string]string{}) })
}
