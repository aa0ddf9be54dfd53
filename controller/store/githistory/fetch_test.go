package githistory

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A repository may call itself a partial clone whose remote is reached by a program of its
// own: git would run that as soon as it misses a tree.
func TestNothingIsFetched(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	r := newRepo(t)
	mem := r.root.Abs(".idumb/mems/a.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(mem), 0o700))
	require.NoError(t, os.WriteFile(mem, []byte("{}"), 0o600))
	r.git(day(1), "add", "-f", ".idumb/mems")
	r.commit(day(1), "a mem")
	tree := r.git(day(1), "rev-parse", "HEAD^{tree}")
	r.git(day(2), "rm", "-q", ".idumb/mems/a.json")
	r.commit(day(2), "out")

	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n: >'"+ran+"'\n"), 0o700))
	for _, setting := range [][2]string{
		{"core.repositoryformatversion", "1"}, {"extensions.partialClone", "origin"}, {"remote.origin.promisor", "true"},
		{"remote.origin.partialclonefilter", "blob:none"}, {"remote.origin.url", "ext::" + program}, {"protocol.ext.allow", "always"},
	} {
		r.git(day(3), "config", setting[0], setting[1])
	}
	require.NoError(t, os.Remove(r.root.Abs(".git/objects/"+tree[:2]+"/"+tree[2:])))

	_, err := Deleted(context.Background(), r.root, Head(r.root))
	assert.Error(t, err, "the tree is missing")
	assert.NoFileExists(t, ran)
}
