package exchange

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

func opened(t *testing.T, dir string) *Base {
	b, err := OpenBase(dir)
	require.NoError(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

// What was written last counts, and a line that a crash tore says nothing: the log lags, and never runs
// ahead.
func TestBaseLog(t *testing.T) {
	dir, key, now := t.TempDir(), task("login"), time.Now()
	b := opened(t, dir)
	require.NoError(t, b.RecordBase(key, "1", []byte("one"), now))
	require.NoError(t, b.RecordPush(key, []byte("ours"), []byte("two")))
	require.NoError(t, b.RecordBase(task("gone"), "1", []byte("x"), now))
	require.NoError(t, b.Forget(task("gone")))
	require.NoError(t, b.RecordLocal(task("new"), []byte("seen")))
	file := filepath.Join(dir, baseFile)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)

	for cut := range len(whole) { // a crash anywhere
		require.NoError(t, os.WriteFile(file, whole[:cut], 0o600))
		b := opened(t, dir)
		require.NoError(t, b.RecordBase(task("later"), "1", []byte("l"), now))
		b = opened(t, dir)
		require.NotNil(t, b.last(task("later")), "cut at %d", cut)
		if last := b.last(key); last != nil {
			r, err := b.read(last.position)
			require.NoError(t, err)
			assert.Equal(t, "one", r.Text)
		}
	}
	require.NoError(t, os.WriteFile(file, whole, 0o600))
	b = opened(t, dir)
	assert.Equal(t, hashOf("two"), b.entries[key].lastPush.text)
	assert.Nil(t, b.entries[task("gone")])
	r, err := b.read(b.entries[task("new")].lastLocal.position)
	require.NoError(t, err)
	assert.Equal(t, "seen", r.Ours)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// A log that grew long is written anew with what still counts.
func TestBaseIsCompacted(t *testing.T) {
	dir, key, long := t.TempDir(), task("login"), strings.Repeat("x", 100<<10)
	b := opened(t, dir)
	for n := range 15 {
		require.NoError(t, b.RecordBase(key, string(rune('a'+n)), []byte(long+string(rune('a'+n))), time.Now()))
	}
	require.NoError(t, b.RecordLocal(key, []byte("seen")))
	was := b.size
	b = opened(t, dir)
	assert.Less(t, b.size, was/4)
	assert.Equal(t, "o", b.last(key).rev)
	assert.Equal(t, hashOf("seen"), b.entries[key].lastLocal.ours)
	r, err := b.read(b.last(key).position)
	require.NoError(t, err)
	assert.Equal(t, long+"o", r.Text)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 1, "no temporary file is left")
}

// A program that had read a file before we wrote it, and saves it after, takes nothing back.
func TestSavedFromWhatWasReadBefore(t *testing.T) {
	a, b := two(t)
	key := task("login")
	a.write(key, plain)
	a.must()
	b.must()
	held := b.read(key) // an editor
	a.edit(key, `"T"`, `"A"`)
	a.must()
	b.must()
	b.write(key, strings.Replace(held, `"n"`, `"B"`, 1))
	b.must()
	a.must()
	assert.Contains(t, a.read(key), `"A"`)
	assert.Contains(t, a.read(key), `"B"`)
	assert.Equal(t, a.read(key), b.read(key))
	assert.Empty(t, append(a.marks(), b.marks()...))
}

// More objects than a clone takes are an error before anything is written.
func TestTooManyObjects(t *testing.T) {
	a, b := two(t)
	a.write(task("x"), plain)
	a.write(task("y"), plain)
	a.must()
	b.x.MaxObjects = 1
	_, err := b.round()
	require.ErrorContains(t, err, "the team has 2 objects that this clone follows, and accepts at most 1")
	assert.Empty(t, b.read(task("x")))
}

// The object that would take the team over what its clones take stays where it is made, until there is room.
func TestWhatIsOverIsNotSent(t *testing.T) {
	a, b := toldTwo(t)
	a.x.MaxObjects, b.x.MaxObjects = 2, 2
	for _, name := range []string{"x", "y", "z"} {
		a.write(task(name), plain)
	}
	r := a.must()
	assert.Len(t, r.Pushed, 2)
	require.Len(t, r.NotPushed, 1)
	assert.Contains(t, r.NotPushed[0].Reason, "shares at most 2")
	b.must()
	b.edit(task("x"), `"T"`, `"A"`) // what is there already goes on
	b.must()
	x, err := b.store.Get(t.Context(), task("x"))
	require.NoError(t, err)
	require.NoError(t, b.store.Archive(t.Context(), task("x"), x.Rev))
	b.touch(task("x"))
	b.must()
	r = a.must()
	assert.Equal(t, []resources.Key{task("z")}, r.Pushed)
	assert.Empty(t, r.NotPushed)
}

// A clone whose person does something else is not flooded.
func TestWhatComesInIsWrittenALittleAtATime(t *testing.T) {
	t.Parallel()
	a, b := two(t)
	for i := range writesPerSecond + 1 {
		a.write(task(fmt.Sprintf("t%d", i)), plain)
	}
	a.must()
	b.x.Slow = true
	began := time.Now()
	assert.Len(t, b.must().Pulled, writesPerSecond+1)
	assert.GreaterOrEqual(t, time.Since(began), time.Second)
}

// What git is about to change is waited for.
func TestGitIsAtWork(t *testing.T) {
	a, b := two(t)
	a.write(task("x"), plain)
	a.must()
	g := &busy{Store: b.x.Store, left: 3}
	b.x.Store = g
	assert.Equal(t, []resources.Key{task("x")}, b.must().Pulled)
	assert.Zero(t, g.left)
	g.tracked = []string{".idumb/tasks/x.json"}
	a.edit(task("x"), `"T"`, `"A"`)
	a.must()
	assert.Equal(t, 1, b.must().Tracked)
	assert.Equal(t, plain, b.read(task("x")), "what git tracks is git's")
	b.edit(task("x"), `"T"`, `"B"`)
	b.must()
	a.must()
	assert.Contains(t, a.read(task("x")), `"A"`, "both ways")
}

// busy is a store where git is at work for a while.
type busy struct {
	store.Store
	left    int
	tracked []string
}

func (b *busy) Indexing() bool {
	if b.left == 0 {
		return false
	}
	b.left--
	return true
}

func (b *busy) Tracked(context.Context) ([]string, error) { return b.tracked, nil }

// Whatever stands in a log, or with the team, is read without harm.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"tasks","name":"a","rev":"1","text":"x"}`+"\n"), "state/o/tasks/p/a", []byte(`{"v":1,"by":"a"}`+"\n{}"))
	f.Add([]byte(`{"kind":"tasks","name":"a","ours":"x"}`+"\n{"), "state/n/tasks/a", []byte("p"))
	f.Add([]byte("\n\x00\n"), "state//", []byte{})
	f.Fuzz(func(t *testing.T, log []byte, key string, value []byte) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, baseFile), log, 0o600))
		b := opened(t, dir)
		for _, key := range b.Keys() {
			require.NoError(t, resources.CheckName(key.Name))
			if last := b.last(key); last != nil {
				_, err := b.read(last.position)
				require.NoError(t, err)
			}
		}
		found := remoteStateOf([]engine.Item{{Key: key, Rev: "1", Value: value}})
		for key := range found.objects {
			require.NoError(t, resources.CheckName(key.Name))
			require.True(t, shared(key.Kind))
		}
	})
}
