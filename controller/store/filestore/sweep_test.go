package filestore

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
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

// After a power cut nothing says that somebody died; who sees temporary files has them swept.
func TestTemporaryFilesThatAreSeenAreSwept(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "1", "")
	young, old := ".idumb/tasks/.tmp-0011", ".idumb/tasks/.tmp-2233"
	for _, path := range []string{young, old, ".idumb/tasks/.keep"} {
		require.NoError(t, os.WriteFile(s.root.Abs(path), nil, 0o644))
	}
	before := time.Now().Add(-2 * tempAge)
	require.NoError(t, os.Chtimes(s.root.Abs(old), before, before))
	for range s.List(t.Context(), "tasks") {
		continue
	}
	put(t, s, task("a"), "2", rev)
	assert.Equal(t, []string{".keep", ".tmp-0011", "a.json"}, filesIn(t, s, ".idumb/tasks"))
}

// Whoever begins to watch, as a controller does when it starts, finds what was left anywhere.
func TestTemporaryFilesAreSweptAtTheStart(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), "1", "")
	folders := []string{
		layout.Dir, layout.ArchiveDir, layout.CheckpointsDir, layout.EventsDir, layout.RunDir, layout.HookDir,
		layout.ContextDir, layout.ContextDir + "/sessions", layout.QuarantineDir + "/queue", layout.Dir + "/sessions/exports",
	}
	for _, kind := range resources.Kinds() {
		for _, parent := range []string{layout.Dir, layout.ArchiveDir, layout.StatusDir, layout.QuarantineDir} {
			if !kind.Single || parent == layout.StatusDir {
				folders = append(folders, parent+"/"+kind.Plural)
			}
		}
	}
	const keep = ".keep"
	nearly := time.Now().Add(5*time.Second - tempAge)
	for _, folder := range folders {
		d, err := s.root.Make(folder)
		require.NoError(t, err)
		for _, name := range []string{keep, tempName("b.json", []byte("old"), []byte("new")), layout.TempName(), layout.TempName()} {
			require.NoError(t, d.Write(name, []byte("n"), 0o600))
			require.NoError(t, os.Chtimes(s.root.Abs(folder+"/"+name), nearly, nearly))
		}
		require.NoError(t, d.Close())
	}
	watchUntil(t, s, func() bool { return len(temps(t, s)) == 0 })
	assert.Empty(t, temps(t, s))
	for _, folder := range folders {
		assert.FileExists(t, s.root.Abs(folder+"/"+keep))
	}
	assert.Equal(t, "1", read(t, s, task("a")))
}

// Somebody may be writing what is young, also if its time lies in the future.
func TestYoungTemporaryFilesAreLeftAlone(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), "1", "")
	young, future := layout.RunDir+"/.tmp-0011", layout.RunDir+"/.tmp-2233"
	for file, age := range map[string]time.Duration{young: 0, future: -time.Hour, layout.RunDir + "/.tmp-4455": 2 * tempAge} {
		require.NoError(t, os.WriteFile(s.root.Abs(file), nil, 0o600))
		require.NoError(t, os.Chtimes(s.root.Abs(file), time.Now().Add(-age), time.Now().Add(-age)))
	}
	watchUntil(t, s, func() bool { return len(temps(t, s)) < 3 })
	assert.Equal(t, []string{young, future}, temps(t, s))
	_, wait := s.sweepBelow(layout.Dir)
	assert.LessOrEqual(t, wait, tempAge)
}

// A power cut leaves files, but not the note in the lock that says that somebody died.
func TestTemporaryFilesOfKilledWritersAreSweptAtTheStart(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), string(numbered(0)), "")
	left := 0
	for range 40 {
		runAndKill(t, string(s.root), time.Duration(rand.Int64N(int64(5*time.Millisecond))))
		require.NoError(t, os.Truncate(s.root.Abs(layout.WriteLock), 0))
		left = max(left, len(temps(t, s)))
	}
	require.Positive(t, left, "no writer was killed between two steps")
	watchUntil(t, s, func() bool { return len(temps(t, s)) == 0 })
	assert.Empty(t, temps(t, s))
	_, err := number(read(t, s, task("a")))
	require.NoError(t, err)
}

// watchUntil watches the store until done, or for 20 seconds.
func watchUntil(t *testing.T, s *Store, done func() bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Watch(ctx, func(resources.Key) {}) }()
	assert.Eventually(t, done, 20*time.Second, 5*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
}

// temps are the temporary files below .idumb.
func temps(t *testing.T, s *Store) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(s.root.Abs(layout.Dir), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(filepath.Base(path), layout.TempPrefix) {
			all = append(all, s.rel(path))
		}
		return nil
	}))
	return all
}

// A file that was half written when its writer died is nobody's save, whatever was written since.
func TestTornFileIsNeverASave(t *testing.T) {
	s := empty(t)
	rev := put(t, s, task("a"), "1", "")
	put(t, s, task("a"), "2", rev)
	for _, content := range []string{"", "2 and half of"} {
		require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/"+unflushedName()), []byte(content), 0o644))
	}
	died(t, s)
	put(t, s, task("b"), "1", "")
	assert.Equal(t, []string{"a.json", "b.json"}, filesIn(t, s, ".idumb/tasks"))
	assert.Equal(t, "2", read(t, s, task("a")))
}

// Whatever has the name of two versions is whole: what a killed writer left half written says so
// in its name, else the next one would take it for what an editor saved.
func TestKilledWritersLeaveTheirNamesOnWholeFilesOnly(t *testing.T) {
	s := empty(t)
	put(t, s, task("a"), string(numbered(0)), "")
	for range 40 {
		runAndKill(t, string(s.root), time.Duration(rand.Int64N(int64(5*time.Millisecond))))
		for _, temp := range temps(t, s) {
			data, err := os.ReadFile(s.root.Abs(temp))
			require.NoError(t, err)
			if _, err := number(string(data)); err != nil {
				require.Contains(t, temp, unflushedTag)
			}
		}
	}
}

// What earlier versions kept of all objects and of mems goes, and nothing that a link leads to.
func TestTheIndexOfEarlierVersionsGoes(t *testing.T) {
	s, elsewhere := empty(t), t.TempDir()
	index := s.root.Abs(layout.RunDir + "/index")
	require.NoError(t, os.MkdirAll(index, 0o700))
	require.NoError(t, os.WriteFile(index+"/tasks", []byte("old"), 0o600))
	require.NoError(t, os.WriteFile(s.root.Abs(layout.RunDir+"/search"), []byte("old"), 0o600))
	s.sweepAll(t.Context())
	assert.NoDirExists(t, index)
	assert.NoFileExists(t, s.root.Abs(layout.RunDir+"/search"))
	require.NoError(t, os.WriteFile(elsewhere+"/theirs", nil, 0o600))
	if err := os.Symlink(elsewhere, index); err != nil {
		t.Skip("no links here: ", err)
	}
	s.sweepAll(t.Context())
	assert.FileExists(t, elsewhere+"/theirs")
}
