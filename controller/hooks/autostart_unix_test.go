//go:build unix

package hooks

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeProgram puts something that could be run into a folder.
func writeProgram(t *testing.T, dir string) {
	require.NoError(t, os.WriteFile(dir+"/idumb", []byte("#!/bin/sh\n"), 0o755))
	require.NoError(t, os.Mkdir(dir+"/idumb-controller", 0o755)) // a folder is no program
}

func TestAProgramOfTheRepositoryIsNotRun(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	for _, dir := range []string{root, elsewhere} {
		writeProgram(t, dir)
	}
	program, args := controllerProgram(strings.Join([]string{".", "node_modules/.bin", root, root + "/", elsewhere}, ":"), root)
	assert.Equal(t, elsewhere+"/idumb", program)
	assert.Equal(t, []string{"up", "--until-idle", "30m0s"}, args)
	program, _ = controllerProgram(root, root)
	assert.Empty(t, program)
}
