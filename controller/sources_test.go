package controller

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func TestSourceFileStaysInsideTheRepository(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "src", "folder.go"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "src", "a.go"), []byte("package a"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(root, "src", "link.go")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(root, "linked")))
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o755))
	files, err := filestore.Open(root)
	require.NoError(t, err)
	sum := sha256.Sum256([]byte("package a"))
	for _, test := range []struct {
		name, path string
		exists     bool
	}{
		{"a file", "src/a.go", true},
		{"spelled otherwise", "./src//a.go", true},
		{"no file", "src/b.go", false},
		{"a folder", "src/folder.go", false},
		{"a link out", "src/link.go", false},
		{"through a link out", "linked/secret", false},
		{"up and out", "../" + filepath.Base(filepath.Dir(outside)) + "/secret", false},
		{"absolute", outside, false},
		{"empty", "", false},
		{"NUL", "src/a.go\x00", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSources(files)
			modTime, hash, exists := s.get(test.path)
			assert.Equal(t, test.exists, exists)
			assert.Equal(t, test.exists, !modTime.IsZero())
			if test.exists {
				assert.Equal(t, hex.EncodeToString(sum[:]), hash)
			} else {
				assert.Empty(t, hash)
			}
		})
	}
}

// An anchor is looked at again when the file that it is about changes, and only then.
func TestASourceFileIsWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		anchor := resources.Key{Kind: resources.Anchors, Name: "an"}
		s.write(anchor, `{"spec": {"content": "x", "source": {"file": "main.go"}}}`)
		path := filepath.Join(string(s.root), "main.go")
		require.NoError(t, os.WriteFile(path, []byte("one"), 0o644))
		m := s.run(nil)
		_, before, _ := m.world.SourceFile("main.go")
		hint := resources.Key{Kind: store.FilesKind, Name: "main.go"}
		s.changes = nil
		s.hint(m, hint)
		assert.Empty(t, s.changes, "nothing changed")
		require.NoError(t, os.WriteFile(path, []byte("two"), 0o644))
		s.hint(m, hint)
		require.Len(t, s.changes, 2)
		assert.Equal(t, hint, s.changes[0].Key)
		assert.Equal(t, anchor, s.changes[1].Key)
		_, after, _ := m.world.SourceFile("main.go")
		assert.NotEqual(t, before, after)
		require.NoError(t, os.Remove(path))
		s.hint(m, hint)
		_, _, exists := m.world.SourceFile("main.go")
		assert.False(t, exists)
	})
}

// Who moves a function may take it out of one file before it stands in the other.
func TestWhatIsGoneIsLookedForAgain(t *testing.T) { synctest.Test(t, lookForWhatIsGone) }

func lookForWhatIsGone(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	const limit = "package a\n\nfunc Limit() int { return 3 }\n"
	require.NoError(t, os.Mkdir(filepath.Join(root, layout.Dir), 0o700))
	require.NoError(t, exec.Command("git", "-C", root, "init", "-q").Run())
	write("a.go", limit)
	files, err := filestore.Open(root)
	require.NoError(t, err)
	var again []time.Duration
	s := newSources(files)
	s.scheduleRefresh = func(name string, after time.Duration) { assert.Equal(t, "a.go", name); again = append(again, after) }
	sum := s.section("a.go", "Limit").SHA256
	write("a.go", "package a\n")
	require.True(t, s.refresh("a.go"))
	for range 3 {
		assert.Empty(t, s.moved("a.go", "Limit", sum), "it is known")
	}
	require.Equal(t, searchDelays[:1], again)
	began := time.Now()
	for _, due := range searchDelays[:len(searchDelays)-1] {
		for range 5 { // hints, which do not use up what is waited for
			require.True(t, s.refresh("a.go"))
			assert.Empty(t, s.moved("a.go", "Limit", sum))
			require.Equal(t, due, time.Since(began)+again[len(again)-1])
		}
		time.Sleep(due - time.Since(began))
	}
	write("b.go", limit)
	require.True(t, s.refresh("a.go"))
	for range 2 {
		assert.Equal(t, "b.go", s.moved("a.go", "Limit", sum))
		assert.True(t, s.refresh("a.go"), "who heard that it is gone hears of it too")
	}
	assert.Equal(t, "b.go", s.moved("a.go", "Limit", sum))
	write("b.go", "package a\n")
	require.True(t, s.refresh("b.go"))
	assert.Equal(t, []string{"b.go", "a.go"}, s.citationNames("b.go"))
	assert.Empty(t, s.moved("a.go", "Limit", sum))
	time.Sleep(2 * searchDelays[len(searchDelays)-1])
	asked := len(again)
	assert.False(t, s.refresh("a.go"), "and then it is gone")
	assert.Empty(t, s.moved("a.go", "Limit", sum))
	assert.Len(t, again, asked)
}

func TestContextFilesStayBelowTheirFolder(t *testing.T) {
	s := newStage(t)
	c := New(s, nil, Options{}).Client("test").Scratch()
	for _, test := range []struct {
		name string
		ok   bool
	}{
		{"context/context.xml", true},
		{"context/sessions/ses-1.xml", true},
		{"", false}, {".", false}, {"..", false}, {"../tasks/a.json", false}, {"a/../../x", false},
		{"/etc/passwd", false}, {"a//b", false}, {`a\b`, false}, {"./a", false},
	} {
		err := c.Write(test.name, []byte("x"))
		assert.Equal(t, test.ok, err == nil, "%q: %v", test.name, err)
		assert.Equal(t, !test.ok, IsTerminal(err), "%q: %v", test.name, err)
		err = c.Remove(test.name)
		assert.Equal(t, test.ok, err == nil, "%q: %v", test.name, err)
	}
}
