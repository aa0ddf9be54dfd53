package sync

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/hack/memstore"
	"github.com/idumb-dev/idumb/resources"
)

func tombstone(kind, name string) Tombstone {
	return Tombstone{Kind: kind, Name: name, UID: "u-1", Revision: "r-1", Requester: "host/s", Time: resources.NewTime(noon)}
}

func TestTombstones(t *testing.T) {
	stones := NewTombstones(&memstore.Scratch{})
	task, mem := tombstone(resources.Tasks, "login"), tombstone(resources.Mems, "why")
	mem.Archived = true
	all, err := stones.All()
	require.NoError(t, err)
	assert.Empty(t, all)
	require.NoError(t, stones.Add(task, mem, tombstone(resources.Sessions, "s")))
	require.NoError(t, stones.Add(task), "twice is once")

	got, there := stones.Has(task.Key())
	task.Version, mem.Version = protocol, protocol
	assert.True(t, there)
	assert.Equal(t, task, got)
	all, err = stones.All()
	require.NoError(t, err)
	assert.Equal(t, []Tombstone{mem, task}, all, "sessions are nobody else's business")

	require.NoError(t, stones.Done(task.Key(), task.Key()))
	_, there = stones.Has(task.Key())
	assert.False(t, there)
}

// What was written there by others takes nothing away.
func TestForeignTombstones(t *testing.T) {
	kept := &memstore.Scratch{}
	stones := NewTombstones(kept)
	for _, text := range []string{"", "{", `{"kind":"tasks","name":"other"}`, `{"kind":"mems","name":"a"}`, "[]"} {
		require.NoError(t, kept.Write("tombstones/tasks/a.json", []byte(text)))
		_, there := stones.Has(resources.Key{Kind: resources.Tasks, Name: "a"})
		assert.False(t, there, text)
	}
	require.NoError(t, kept.Write("tombstones/tasks/junk", nil))
	all, err := stones.All()
	require.NoError(t, err)
	assert.Empty(t, all)
}

// They stand in git's common folder, for their owner alone, and only where sync is enabled.
func TestTombstonesOfAClone(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o700))
	env := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }
	root := layout.Root(dir)
	stones, err := OpenTombstones(root, env)
	require.NoError(t, err)
	require.Nil(t, stones)
	require.NoError(t, Save(root, env, &Settings{Engine: EngineGit, Remote: "r", Clone: "c-1"}))
	stones, err = OpenTombstones(root, env)
	require.NoError(t, err)
	require.NoError(t, stones.Add(tombstone(resources.Tasks, "login")))
	info, err := os.Stat(filepath.Join(Folder(filepath.Join(dir, ".git")), "trees/main/tombstones/tasks/login.json"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	_, there := stones.Has(resources.Key{Kind: resources.Tasks, Name: "login"})
	assert.True(t, there)
}

func FuzzTombstone(f *testing.F) {
	f.Add([]byte(`{"v":1,"kind":"tasks","name":"a","uid":"u","revision":"r","at":"2026-11-26T12:00:00Z"}`))
	f.Add([]byte(`{"kind":"tasks","name":"../a"}`))
	key := resources.Key{Kind: resources.Tasks, Name: "a"}
	f.Fuzz(func(t *testing.T, data []byte) {
		if one, err := decodeTombstone(data, key); err == nil {
			require.Equal(t, key, one.Key())
		}
	})
}
