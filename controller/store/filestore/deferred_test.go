package filestore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

func memKey(i int) resources.Key {
	return resources.Key{Kind: resources.Mems, Name: fmt.Sprintf("m-%03d", i)}
}

// memFile is a mem that says something in every way.
func memFile(random *rand.Rand) string {
	var parts []string
	add := func(chance int, text string) {
		if random.IntN(chance) == 0 {
			parts = append(parts, text)
		}
	}
	add(3, fmt.Sprintf(`"supersedes": "%s"`, memKey(random.IntN(50)).Name))
	add(3, fmt.Sprintf(`"relatedTo": ["%s", "task/a"]`, memKey(random.IntN(50)).Name))
	add(3, `"evidence": [{"path": "src/a.go", "sha256": "aa"}, {"note": "seen"}, {"path": "gone.go", "section": "x"}]`)
	add(3, `"confirmations": [{"at": "2026-03-01T10:00:00Z", "by": "a"}, {"at": "2036-03-01T10:00:00Z"}]`)
	add(4, `"originTask": "a", "parent": "m-001", "source": "task/a"`)
	add(4, `"type": "false_path"`)
	add(6, `"purgedAt": "2026-03-02T10:00:00Z"`)
	add(6, `"pinned": true, "confidence": 40`)
	parts = append(parts, fmt.Sprintf(`"content": "%s %d"`, strings.Repeat("long text ", random.IntN(20)), random.IntN(10)))
	return fmt.Sprintf(`{"metadata": {"creationTimestamp": "2026-02-%02dT10:00:00Z"}, "spec": {%s}}`, 1+random.IntN(20), strings.Join(parts, ", "))
}

// facts is what finding mems looks at, as text.
func facts(t *testing.T, s *Store) string {
	t.Helper()
	snapshot, err := s.LoadKinds(t.Context(), now, resources.WorkKinds()...)
	require.NoError(t, err)
	var b strings.Builder
	fmt.Fprintln(&b, snapshot.WorkDays())
	snapshot.MemFacts(func(at int, f *resources.MemFacts) { fmt.Fprintf(&b, "%d %+v\n", at, *f) })
	for i := range 50 {
		fmt.Fprintln(&b, len(snapshot.Superseders(memKey(i).Name)))
	}
	return b.String()
}

// However a folder of mems changes, what stands in the index, and how often the folder's
// names were listed, never shows: adds, edits of the same length and time, renames, files
// that are broken for a while, foreign files, and writes through the store.
func TestWhatIsKeptOfMemsNeverShows(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s := empty(t)
	require.NoError(t, os.MkdirAll(filepath.Join(string(s.root), "src"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(string(s.root), "src/a.go"), []byte("package a\n"), 0o644))
	for i := range 60 {
		put(t, s, memKey(i), memFile(random), "")
	}
	s.crowd = 20
	brief, err := OpenBriefly(string(s.root))
	require.NoError(t, err)
	brief.crowd = 20
	names, listed := s.root.Abs(layout.IndexDir+"/mems"+namesSuffix), 0
	for round := range 30 {
		if round > 0 {
			for range random.IntN(4) {
				changeMem(t, s, random)
			}
		}
		if random.IntN(4) == 0 {
			time.Sleep(racyFine + 20*time.Millisecond) // or hardly a signature would be trusted
		}
		for _, opened := range []*Store{s, brief} {
			kept, all := facts(t, opened), content(t, opened)
			want, wantAll := factsWithoutIndex(t, s)
			require.Equal(t, want, kept, "round %d", round)
			require.Equal(t, wantAll, all, "round %d", round)
		}
		if _, err := os.Stat(names); err == nil {
			listed++
		}
	}
	if d, err := s.root.Open(layout.Folder(resources.Mems)); assert.NoError(t, err) && keepsNames(d) {
		assert.Positive(t, listed, "the names were never kept")
	}
}

// factsWithoutIndex is facts and content of a store that never read anything; the index stays.
func factsWithoutIndex(t *testing.T, s *Store) (string, string) {
	t.Helper()
	aside := s.root.Abs(layout.RunDir + "/aside")
	if os.Rename(s.root.Abs(layout.IndexDir), aside) == nil {
		defer os.Rename(aside, s.root.Abs(layout.IndexDir))
	}
	defer os.RemoveAll(s.root.Abs(layout.IndexDir))
	plain := facts(t, s)
	require.NoError(t, os.RemoveAll(s.root.Abs(layout.IndexDir)))
	return plain, content(t, s)
}

func changeMem(t *testing.T, s *Store, random *rand.Rand) {
	t.Helper()
	key := memKey(random.IntN(70))
	path := s.root.Abs(layout.Path(key))
	text, readErr := os.ReadFile(path)
	info, _ := os.Stat(path)
	switch random.IntN(8) {
	case 0:
		edit(t, s, key, memFile(random))
	case 1: // the same length, in place, the same time
		if readErr == nil {
			overwrite(t, s, key, strings.Replace(string(text), "2026-02", "2026-01", 1))
			require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		}
	case 2:
		if readErr == nil {
			overwrite(t, s, key, strings.Replace(string(text), "content", "Content", 1))
		}
	case 3:
		os.Remove(path)
	case 4:
		os.Rename(path, s.root.Abs(layout.Path(memKey(random.IntN(70)))))
	case 5:
		if readErr == nil {
			overwrite(t, s, key, string(text[:len(text)/2]))
		}
	case 6:
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), "notes.txt"), []byte("foreign"), 0o644))
	case 7:
		if readErr == nil {
			err := s.Archive(t.Context(), key, resources.Revision(text))
			if err != nil {
				require.ErrorIs(t, err, store.ErrUnreadable)
			}
		}
	}
}

// What is kept of the names is thrown away where it is damaged, of another index, or where
// the folder has changed since.
func TestNamesThatAreKept(t *testing.T) {
	s := empty(t)
	s.crowd = 20
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		put(t, s, memKey(i), memFile(random), "")
	}
	time.Sleep(racyFine + 20*time.Millisecond)
	names := s.root.Abs(layout.IndexDir + "/mems" + namesSuffix)
	for range 2 { // the index, then its names
		facts(t, s)
	}
	data, err := os.ReadFile(names)
	if d, openErr := s.root.Open(layout.Folder(resources.Mems)); openErr == nil && !keepsNames(d) {
		t.Skip("on this file system names are always listed")
	}
	require.NoError(t, err)
	info, err := os.Stat(names)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	put(t, s, memKey(41), memFile(random), "")
	for _, damaged := range [][]byte{nil, data[:20], append([]byte("x"), data[1:]...), data, append(data, 0)} {
		require.NoError(t, os.WriteFile(names, damaged, 0o600))
		assert.Contains(t, facts(t, s), "m-041")
	}
	require.NoError(t, os.Remove(s.root.Abs(layout.Path(memKey(41)))))
	assert.NotContains(t, facts(t, s), "m-041")
}

// A folder that has changed a moment ago proves nothing: it may change again within one tick
// of the file system's clock.
func TestAFolderThatChangedJustNowProvesNothing(t *testing.T) {
	s := empty(t)
	put(t, s, memKey(1), `{"spec": {"content": "c"}}`, "")
	d, err := s.root.Open(layout.Folder(resources.Mems))
	require.NoError(t, err)
	defer d.Close()
	sig, _, err := lstat(d, ".")
	require.NoError(t, err)
	if sig.changed == 0 {
		t.Skip("this system does not say when a folder changed")
	}
	looked := func(after time.Duration) bool {
		_, provable := newShelf(&loader{s: s, began: time.Unix(0, sig.changed).Add(after)}, resources.Mems, d).looks()
		return provable
	}
	assert.False(t, looked(time.Millisecond))
	assert.True(t, looked(racy+time.Millisecond))
}

// Any number of goroutines may ask for the same mems.
func TestMemsAreMadeByManyAtOnce(t *testing.T) {
	s := empty(t)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		put(t, s, memKey(i), memFile(random), "")
	}
	content(t, s)
	snapshot, err := s.Load(t.Context(), now)
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, key := range snapshot.List(resources.Mems) {
				assert.Equal(t, key.Name, snapshot.Mem(key.Name).Metadata.Name)
				assert.Same(t, snapshot.Mem(key.Name), snapshot.Mem(key.Name))
			}
			snapshot.MemFacts(func(at int, f *resources.MemFacts) { assert.Equal(t, f.Name, snapshot.MemAt(at).Metadata.Name) })
		})
	}
	all.Wait()
}

func BenchmarkLoadMems(b *testing.B) {
	for _, many := range []int{10_000} {
		root := b.TempDir()
		dir := filepath.Join(root, ".idumb", "mems")
		require.NoError(b, os.MkdirAll(dir, 0o755))
		random := rand.New(rand.NewPCG(1, 1))
		for i := range many {
			require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("m-%05d.json", i)), []byte(memFile(random)), 0o644))
		}
		s, err := OpenBriefly(root)
		require.NoError(b, err)
		time.Sleep(racyFine)
		for b.Loop() {
			snapshot, err := s.LoadKinds(b.Context(), time.Now(), resources.WorkKinds()...)
			require.NoError(b, err)
			snapshot.MemFacts(func(int, *resources.MemFacts) {})
		}
	}
}
