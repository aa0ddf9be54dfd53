//go:build unix

package lifecycle

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestAProgramOfTheRepositoryIsNotRun(t *testing.T) {
	root, elsewhere, folder := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{root, elsewhere} {
		require.NoError(t, os.WriteFile(dir+"/idumb-controller", []byte("#!/bin/sh\n"), 0o755))
	}
	require.NoError(t, os.Mkdir(folder+"/idumb-controller", 0o755)) // a folder is no program
	program, err := Program(strings.Join([]string{".", "node_modules/.bin", root, root + "/", folder, elsewhere}, ":"), layout.Root(root))
	require.NoError(t, err)
	assert.Equal(t, elsewhere+"/idumb-controller", program)
	_, err = Program(root, layout.Root(root))
	assert.Error(t, err)
}
