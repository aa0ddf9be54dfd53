package filestore

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// content is everything that a Snapshot says, as text that can be compared.
func content(t *testing.T, s *Store) string {
	t.Helper()
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	var b strings.Builder
	for _, k := range resources.Kinds() {
		for _, key := range snapshot.List(k.Plural) {
			object, ok := snapshot.Get(key)
			fmt.Fprintln(&b, key, ok)
			if ok {
				text, err := resources.Encode(object)
				require.NoError(t, err)
				fmt.Fprintln(&b, string(text), object.Source().Revision, object.Source().ModTime.UnixNano())
				derived, err := json.Marshal(snapshot.Derived(key))
				require.NoError(t, err)
				fmt.Fprintln(&b, string(derived))
			}
			if m, isMem := object.(*resources.Mem); isMem {
				same := snapshot.MemsSaying(resources.NormalText(m.Spec.Content))
				require.Contains(t, same, m, "it is found by its words")
				fmt.Fprintln(&b, len(same), len(snapshot.MemsOnTopic(m.Spec.TopicKey)))
			}
			if k.Plural == resources.Tasks {
				seen, err := json.Marshal(snapshot.Evidence(key.Name))
				require.NoError(t, err)
				fmt.Fprintln(&b, string(seen))
			}
		}
	}
	for _, p := range snapshot.Problems() {
		fmt.Fprintf(&b, "%+v\n", p)
	}
	fmt.Fprintln(&b, snapshot.ArchivedKeys())
	return b.String()
}

// withoutIndex is content of a store that has forgotten all it had read.
func withoutIndex(t *testing.T, s *Store) string {
	t.Helper()
	require.NoError(t, os.RemoveAll(s.root.Abs(layout.IndexDir)))
	defer os.RemoveAll(s.root.Abs(layout.IndexDir))
	return content(t, s)
}

// populated returns a store with n tasks, a plan, mems, a log and a broken file,
// all of them old enough for the index to trust their signatures.
func populated(t *testing.T, n int) *Store {
	t.Helper()
	s := withTasks(t, n)
	put(t, s, resources.Key{Kind: resources.WorkPlans, Name: "user-auth"}, `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`, "")
	put(t, s, resources.Key{Kind: resources.Mems, Name: "m"}, `{"spec": {"content": "c", "confidence": 0}}`, "")
	put(t, s, task("broken"), `{"spec": {`, "")
	require.NoError(t, s.AppendCheckpoint(t.Context(), "task-00001", resources.Checkpoint{Tool: "shell", Command: "go test ./...", Succeeded: new(bool)}))
	return s
}

// The index changes how long Load takes, never what it says. Edits of all sorts, in
// random order: among them ones of the same length, within one tick of the file
// system's clock and with the time of last change set back, as rsync and cp -p do.
func TestTheIndexNeverShows(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s := populated(t, 60)
	time.Sleep(racy) // or no signature would be trusted
	content(t, s)
	for range 60 {
		for range 1 + random.IntN(4) {
			changeSomething(t, s, random)
		}
		indexed := content(t, s)
		forget := withoutIndexKept(t, s)
		require.Equal(t, forget, indexed)
	}
}

// withoutIndexKept is withoutIndex, but leaves the index as it was.
func withoutIndexKept(t *testing.T, s *Store) string {
	t.Helper()
	aside := s.root.Abs(layout.RunDir + "/aside")
	if os.Rename(s.root.Abs(layout.IndexDir), aside) == nil {
		defer os.Rename(aside, s.root.Abs(layout.IndexDir))
	}
	return withoutIndex(t, s)
}

func changeSomething(t *testing.T, s *Store, random *rand.Rand) {
	t.Helper()
	key := task(fmt.Sprintf("task-%05d", random.IntN(70)))
	path := s.root.Abs(layout.Path(key))
	text, readErr := os.ReadFile(path)
	changed := strings.Replace(string(text), "Task number", [...]string{"Task nummer", "task number", "TASK number"}[random.IntN(3)], 1)
	switch random.IntN(9) {
	case 0:
		edit(t, s, key, string(taskFile(random.IntN(70))))
	case 1:
		overwrite(t, s, key, changed)
	case 2: // the same length, the same time
		info, err := os.Stat(path)
		overwrite(t, s, key, changed)
		if err == nil {
			require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		}
	case 3:
		os.Remove(path)
	case 4:
		overwrite(t, s, key, string(text[:len(text)/2]))
	case 5:
		require.NoError(t, s.AppendCheckpoint(t.Context(), key.Name, resources.Checkpoint{Tool: "edit", FilesModified: []string{"f"}}))
	case 6:
		if readErr == nil {
			require.NoError(t, s.Archive(t.Context(), key, resources.Revision(text)))
		}
	case 7:
		mark := store.Mark{LastGood: []byte(strings.Replace(string(taskFile(0)), "task-00000", key.Name, 1)), Revision: "good", ModTime: resources.NewTime(now)}
		require.NoError(t, s.Quarantine(t.Context(), key, mark))
	case 8:
		os.Chtimes(path, now, now.Add(-time.Duration(random.IntN(3))*time.Hour)) // if it is there
	}
}

// An index that is damaged, cut, of another version or no file is as good as none.
func TestADamagedIndexIsNone(t *testing.T) {
	s := populated(t, 40)
	want := content(t, s)
	path := s.root.Abs(layout.IndexDir + "/tasks")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	version := slices.Clone(whole)
	version[len(indexMagic)]++
	flipped := slices.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"empty", nil}, {"cut", whole[:len(whole)/2]}, {"one bit", flipped}, {"another version", version}, {"noise", []byte(strings.Repeat("x", 5000))},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, test.data, 0o600))
			assert.Equal(t, want, content(t, s))
		})
	}
	require.NoError(t, os.RemoveAll(path))
	require.NoError(t, os.Mkdir(path, 0o700))
	assert.Equal(t, want, content(t, s))
}

// A store that is opened briefly answers the same from a whole index, a damaged one
// and none.
func TestABriefStoreLoadsTheSame(t *testing.T) {
	s := populated(t, 40)
	brief, err := OpenBriefly(string(s.root))
	require.NoError(t, err)
	time.Sleep(racy)
	want := withoutIndex(t, s)
	for _, name := range []string{"none", "written", "read"} {
		assert.Equal(t, want, content(t, brief), name)
	}
	path := s.root.Abs(layout.IndexDir + "/tasks")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, data := range map[string][]byte{"empty": nil, "cut": whole[:len(whole)/2], "noise": []byte(strings.Repeat("x", 5000))} {
		require.NoError(t, os.Remove(path)) // what was read before must stay as it is
		require.NoError(t, os.WriteFile(path, data, 0o600))
		assert.Equal(t, want, content(t, brief), name)
	}
}

func TestTheIndexIsWrittenWhenItPays(t *testing.T) {
	s := withTasks(t, 40)
	content(t, s)
	index := s.root.Abs(layout.IndexDir + "/tasks")
	first, err := os.Stat(index)
	require.NoError(t, err, "40 new files are enough")
	assert.Equal(t, os.FileMode(0o600), first.Mode().Perm())
	edit(t, s, task("task-00003"), string(taskFile(3)))
	content(t, s)
	second, err := os.Stat(index)
	require.NoError(t, err)
	assert.True(t, os.SameFile(first, second), "one change is read again, not written")
	for i := range 30 {
		edit(t, s, task(fmt.Sprintf("task-%05d", i)), string(taskFile(i)))
	}
	content(t, s)
	third, err := os.Stat(index)
	require.NoError(t, err)
	assert.False(t, os.SameFile(second, third), "30 of 40 are")
}

// A file that changed a moment ago may change again without its signature showing
// it. Here the clock of the file system stands still.
func TestAnEditWithinOneTick(t *testing.T) {
	s := withTasks(t, 40)
	path := s.root.Abs(layout.Path(task("task-00007")))
	at := time.Now()
	require.NoError(t, os.Chtimes(path, at, at))
	content(t, s)
	changed := strings.Replace(string(taskFile(7)), "Task number", "TASK NUMBER", 1)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o644))
	require.NoError(t, os.Chtimes(path, at, at))
	assert.Contains(t, content(t, s), "TASK NUMBER")
}

// What stands in the index is believed if the signature is the same, unless the
// file had changed too recently when it was taken.
func TestARacyEntryIsNotBelieved(t *testing.T) {
	for _, test := range []struct {
		name  string
		flags byte
		want  string
	}{
		{"clean", 0, "from the index"}, {"racy", flagRacy, "from the file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := empty(t)
			put(t, s, task("a"), `{"spec": {"workPlan": "p", "expectedOutput": "from the file"}}`, "")
			d, err := s.root.Open(layout.Folder(resources.Tasks))
			require.NoError(t, err)
			defer d.Close()
			sig, _, err := lstat(d, "a.json")
			require.NoError(t, err)
			object, _, err := resources.Read(task("a"), []byte(`{"spec": {"workPlan": "p", "expectedOutput": "from the index"}}`))
			require.NoError(t, err)
			f := newForm(resources.Tasks)
			s.writeIndex(f, []entry{{name: "a.json", sig: sig, flags: test.flags, rev: "r", content: f.encodeObject(object)}})
			snapshot, err := s.LoadKinds(t.Context(), now, resources.Tasks)
			require.NoError(t, err)
			got, ok := snapshot.Task("a")
			require.True(t, ok)
			assert.Equal(t, test.want, got.Spec.ExpectedOutput)
		})
	}
}

func TestRacy(t *testing.T) {
	at := time.Unix(1000, 0)
	for _, test := range []struct {
		name           string
		mtime, changed int64 // seconds before
		want           bool
	}{
		{"long ago", 100, 100, false}, {"just now", 0, 0, true}, {"a second ago", 1, 1, true}, {"three seconds ago", 3, 3, false},
		{"the time was set back", 100, 1, true}, {"in the future", -100, 100, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			sig := signature{mtime: at.Add(-time.Duration(test.mtime) * time.Second).UnixNano(), changed: at.Add(-time.Duration(test.changed) * time.Second).UnixNano()}
			assert.Equal(t, test.want, sig.racyAt(at))
		})
	}
}

// A file system that keeps fractions of a second in the time that no tool can set
// has a clock that ticks often.
func TestRacyByTheFileSystemsClock(t *testing.T) {
	at := time.Unix(1000, 123456789)
	for _, test := range []struct {
		name           string
		mtime, changed time.Duration // before
		want           bool
	}{
		{"within a tick", time.Millisecond, time.Millisecond, true},
		{"many ticks ago", time.Second, time.Second, false},
		{"set back to a whole second", 100*time.Second + 123456789, time.Millisecond, true},
		{"set ahead", -time.Hour, time.Second, true},
		{"whole seconds", 123456789, time.Second + 123456789, true},
		{"no time of change", time.Second, 1000*time.Second + 123456789, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			sig := signature{mtime: at.Add(-test.mtime).UnixNano(), changed: at.Add(-test.changed).UnixNano()}
			assert.Equal(t, test.want, sig.racyAt(at))
		})
	}
}

func TestLoadKindsLeavesTheOthersAlone(t *testing.T) {
	s := populated(t, 3)
	snapshot, err := s.LoadKinds(t.Context(), now, resources.Tasks)
	require.NoError(t, err)
	assert.Len(t, snapshot.List(resources.Tasks), 4)
	assert.Empty(t, snapshot.List(resources.Mems))
	assert.Zero(t, snapshot.Evidence("task-00001").Count)
	_, err = s.LoadKinds(t.Context(), now, "nothings")
	assert.Error(t, err)
}

func TestWhatIsWrongIsAmongTheProblems(t *testing.T) {
	s := populated(t, 3)
	require.NoError(t, os.Mkdir(s.root.Abs(".idumb/tasks/folder.json"), 0o755))
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/tasks/Upper.json"), []byte("{}"), 0o644))
	require.NoError(t, os.WriteFile(s.root.Abs(".idumb/config.json"), []byte(`{"spec": {"mode": "loud"}}`), 0o644))
	require.NoError(t, os.Symlink("elsewhere", s.root.Abs(".idumb/anchors")))
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	var got []string
	for _, p := range snapshot.Problems() {
		assert.NotEmpty(t, p.Reason)
		assert.NotEmpty(t, p.Remedy)
		got = append(got, p.Object+" in "+p.File)
	}
	assert.Equal(t, []string{
		"anchors in .idumb/anchors", "config/config in .idumb/config.json", "tasks/Upper in .idumb/tasks/Upper.json",
		"tasks/broken in .idumb/tasks/broken.json", "tasks/folder in .idumb/tasks/folder.json",
	}, got)
}

func TestALastGoodVersionStandsIn(t *testing.T) {
	s := populated(t, 3)
	mark := store.Mark{LastGood: []byte(`{"spec": {"workPlan": "user-auth", "expectedOutput": "the last good one"}}`), Revision: "r"}
	require.NoError(t, s.Quarantine(t.Context(), task("broken"), mark))
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	got, ok := snapshot.Task("broken")
	require.True(t, ok)
	assert.Equal(t, "the last good one", got.Spec.ExpectedOutput)
	assert.Equal(t, "r", got.Origin.Revision)
	_, broken := snapshot.Problem(task("broken"))
	assert.True(t, broken)
}
