package grants

import (
	"encoding/json"
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

func repository(t *testing.T) layout.Root {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, layout.Dir), 0o700))
	return layout.Root(dir)
}

var (
	noon   = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	denied = resources.Violation{Session: "s", Rule: "shell-gate", Digest: "d"}
)

func grant() Grant {
	return Grant{Session: "s", Rule: "shell-gate", CallDigest: "d", Grantor: "person/ann"}
}

func TestAGrantIsUsedOnce(t *testing.T) {
	root := repository(t)
	_, found := Find(root, denied, true, noon)
	assert.False(t, found)
	require.NoError(t, Give(root, grant(), noon))
	info, err := os.Lstat(root.Abs(Dir + "/" + denied.ID() + ".json"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	assert.Len(t, List(root, noon), 1)
	for range 2 {
		_, found = Find(root, denied, true, noon)
		assert.True(t, found, "to look for it does not use it")
	}
	for _, other := range []resources.Violation{{Session: "t", Rule: "shell-gate", Digest: "d"}, {Session: "s", Rule: "task-paths", Digest: "d"}, {Session: "s", Rule: "shell-gate", Digest: "e"}, {}} {
		_, found = Take(root, other, noon)
		assert.False(t, found)
	}
	g, found := Take(root, denied, noon.Add(ValidFor-time.Second))
	assert.True(t, found)
	assert.Equal(t, "person/ann", g.Grantor)
	_, found = Take(root, denied, noon)
	assert.False(t, found)
	assert.Empty(t, List(root, noon))
}

// What is no grant, or none any more, admits nothing and is swept.
func TestWhatIsNoGrant(t *testing.T) {
	for name, change := range map[string]func(*Grant){
		"expired":        func(g *Grant) { g.Expires = resources.NewTime(noon) },
		"good for long":  func(g *Grant) { g.Expires = resources.NewTime(noon.Add(24 * time.Hour)) },
		"for ever":       func(g *Grant) { g.Expires = resources.Time{} },
		"for two":        func(g *Grant) { g.Uses = 2 },
		"nobody's":       func(g *Grant) { g.Grantor = "" },
		"another rule's": func(g *Grant) { g.Rule = "governed-path" },
		"another call's": func(g *Grant) { g.CallDigest = "e" },
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			g := grant()
			g.Uses, g.Expires = 1, resources.NewTime(noon.Add(ValidFor))
			change(&g)
			data, _ := json.Marshal(g)
			admitsNothing(t, root, data, 0o600)
		})
	}
	good := grant()
	good.Uses, good.Expires = 1, resources.NewTime(noon.Add(ValidFor))
	data, _ := json.Marshal(good)
	for name, text := range map[string][]byte{"torn": data[:20], "nothing": nil, "a list": []byte("[]"), "null": []byte("null"), "long": []byte(strings.Repeat(" ", maxFile+1))} {
		t.Run(name, func(t *testing.T) { admitsNothing(t, repository(t), text, 0o600) })
	}
	t.Run("others may write it", func(t *testing.T) { admitsNothing(t, repository(t), data, 0o666) })
	t.Run("came by git", func(t *testing.T) { admitsNothing(t, repository(t), data, 0o644) })
	t.Run("a link", func(t *testing.T) {
		root := repository(t)
		elsewhere := filepath.Join(t.TempDir(), "g.json")
		require.NoError(t, os.WriteFile(elsewhere, data, 0o600))
		require.NoError(t, os.MkdirAll(root.Abs(Dir), 0o700))
		require.NoError(t, os.Symlink(elsewhere, root.Abs(Dir+"/"+denied.ID()+".json")))
		_, found := Take(root, denied, noon)
		assert.False(t, found)
	})
}

func admitsNothing(t *testing.T, root layout.Root, data []byte, mode os.FileMode) {
	t.Helper()
	file := root.Abs(Dir + "/" + denied.ID() + ".json")
	put := func() {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, data, 0o600))
		require.NoError(t, os.Chmod(file, mode))
	}
	put()
	assert.Empty(t, List(root, noon))
	assert.Equal(t, 1, Stale(root, noon))
	_, found := Find(root, denied, false, noon)
	assert.False(t, found)
	assert.FileExists(t, file)
	_, found = Find(root, denied, true, noon)
	assert.False(t, found)
	assert.NoFileExists(t, file, "it is swept")
	put()
	_, found = Take(root, denied, noon)
	assert.False(t, found)
	assert.Zero(t, Stale(root, noon))
}

func TestLongReasonsAreRefused(t *testing.T) {
	root := repository(t)
	g := grant()
	g.Reason = strings.Repeat("x", maxReason+1)
	assert.Error(t, Give(root, g, noon))
	assert.Error(t, Give(root, Grant{}, noon))
	assert.NoDirExists(t, root.Abs(Dir))
}

func FuzzGrant(f *testing.F) {
	good := grant()
	good.Uses, good.Expires = 1, resources.NewTime(noon.Add(ValidFor))
	data, _ := json.Marshal(good)
	f.Add(data)
	f.Add([]byte(`{"session":"s","rule":"shell-gate","callDigest":"d","uses":1,"expires":"9999-01-01T00:00:00Z","by":"x"}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		root := repository(t)
		file := root.Abs(Dir + "/" + denied.ID() + ".json")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, data, 0o600))
		g, found := Take(root, denied, noon)
		if found {
			assert.Equal(t, denied.ID(), g.ID())
			assert.True(t, g.Expires.After(noon) && g.Expires.Sub(noon) <= ValidFor+time.Minute)
		}
		_, again := Take(root, denied, noon)
		assert.False(t, again)
	})
}
