package filestore

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// died makes the lock look as after a writer that was killed while it held it.
func died(t *testing.T, s *Store) {
	t.Helper()
	require.NoError(t, os.MkdirAll(s.root.Abs(layout.RunDir), 0o700))
	require.NoError(t, os.WriteFile(s.root.Abs(layout.WriteLock), []byte("4711 \"idumb apply\"\n"), 0o600))
}

// What a writer leaves behind that is killed between two steps.
func TestTheNextWriterCleansUp(t *testing.T) {
	old, ours, editors := "old", "ours", "the editor's"
	for _, test := range []struct {
		name    string
		temp    string // what the temporary file holds
		old     string // "": there was no file
		spec    string // "": there was to be none
		file    string // what the object's file holds; "": there is none
		want    string
		nothing bool // want no file
	}{
		{name: "before the swap", temp: ours, old: old, spec: ours, file: old, want: old},
		{name: "half written", temp: "ou", old: old, spec: ours, file: old, want: old},
		{name: "after the swap", temp: old, old: old, spec: ours, file: ours, want: ours},
		{name: "after the swap with an editor's save", temp: editors, old: old, spec: ours, file: ours, want: editors},
		{name: "the same, and the editor saved again", temp: "first", old: old, spec: ours, file: editors, want: editors},
		{name: "before the link", temp: ours, spec: ours, nothing: true},
		{name: "after the link", temp: ours, spec: ours, file: ours, want: ours},
		{name: "a removed file", temp: old, old: old, nothing: true},
		{name: "a removed file that was an editor's save", temp: editors, old: old, want: editors},
		{name: "a removed file that was made again", temp: "first", old: old, file: editors, want: editors},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := empty(t)
			require.NoError(t, os.Mkdir(s.root.Abs(".idumb/tasks"), 0o755))
			if test.file != "" {
				overwrite(t, s, task("a"), test.file)
			}
			temp := tempName("a.json", orNil(test.old), orNil(test.spec))
			require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/"+temp), []byte(test.temp), 0o644))
			died(t, s)
			put(t, s, task("b"), "1", "")
			if test.nothing {
				assert.Equal(t, []string{"b.json"}, filesIn(t, s, ".idumb/tasks"))
				return
			}
			assert.Equal(t, []string{"a.json", "b.json"}, filesIn(t, s, ".idumb/tasks"))
			assert.Equal(t, test.want, read(t, s, task("a")))
		})
	}
}

func orNil(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// After a power cut nothing says that somebody died; who sees litter has it swept.
func TestLitterThatIsSeenIsSwept(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "1", "")
	young, old := ".idumb/tasks/.tmp-0011", ".idumb/tasks/.tmp-2233"
	for _, path := range []string{young, old, ".idumb/tasks/.keep"} {
		require.NoError(t, os.WriteFile(s.root.Abs(path), nil, 0o644))
	}
	before := time.Now().Add(-2 * litterAge)
	require.NoError(t, os.Chtimes(s.root.Abs(old), before, before))
	for range s.List(t.Context(), "tasks") {
		continue
	}
	put(t, s, task("a"), "2", rev)
	assert.Equal(t, []string{".keep", ".tmp-0011", "a.json"}, filesIn(t, s, ".idumb/tasks"))
}
