package layout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
)

// What a session was told counts before what a controller packed for it.
func TestLastPack(t *testing.T) {
	root := Root(t.TempDir())
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(root.Abs(name)), 0o700))
		require.NoError(t, os.WriteFile(root.Abs(name), []byte(text), 0o600))
	}
	assert.Nil(t, root.LastPack(""))
	assert.Nil(t, root.LastPack("s"))
	write(PackPath(""), "the repository's")
	write(PackPath("s"), "the session's")
	assert.Equal(t, "the repository's", string(root.LastPack("")))
	assert.Equal(t, "the session's", string(root.LastPack("s")))
	write(NotesPath("s", store.BasePack), "told once")
	assert.Equal(t, "told once", string(root.LastPack("s")))
	write(NotesPath("s", store.KnownPack), "told last")
	assert.Equal(t, "told last", string(root.LastPack("s")))
	assert.Nil(t, root.LastPack("another"))
}
