package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A repository's settings must not have a program of its own run by who looks at it.
func TestMayTest(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	for _, dir := range []string{root, elsewhere} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "idumb-hook"), []byte("#!/bin/sh\n"), 0o755))
	}
	link := filepath.Join(elsewhere, "link")
	require.NoError(t, os.Symlink(filepath.Join(root, "idumb-hook"), link))
	self, err := os.Executable()
	require.NoError(t, err)
	own := Command{Program: filepath.Join(elsewhere, "idumb-hook")}
	for _, tc := range []struct {
		program   string
		trusted   bool
		forbidden string
	}{
		{own.Program, false, ""}, {self, false, ""}, {"/not/there", false, ""},
		{root + "/idumb-hook", true, "a program of the repository"}, {link, true, "a program of the repository"}, {root + "/idumb-hook", false, "a program of the repository"},
	} {
		err := MayTest(root, Command{Program: tc.program}, own, tc.trusted)
		if tc.forbidden == "" {
			assert.NoError(t, err, tc.program)
		} else {
			assert.ErrorContains(t, err, tc.forbidden, tc.program)
		}
	}
	other := Command{Program: "/not/there"}
	assert.ErrorContains(t, MayTest(root, own, other, false), "have not trusted")
	assert.NoError(t, MayTest(root, own, other, true))
}
