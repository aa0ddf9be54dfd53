package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A line of quoted words is split by a shell into the same words.
func TestQuotedSurvivesAShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err)
	words := []string{`a\b`, "[ab]c", "{a,b}", "{1..3}", "~", "~root/x", "#x", "a#b", "HEAD@{1}", "", "it's", "a b", "$x", "*", "a=~", "a:~", "HEAD~1", "x!y", "-n"}
	run := exec.Command(bash, "-c", `printf '%s\0' `+Quoted(words))
	run.Dir = t.TempDir()
	for _, file := range []string{"ac", "bc"} { // what a pattern would match
		require.NoError(t, os.WriteFile(filepath.Join(run.Dir, file), nil, 0o644))
	}
	out, err := run.Output()
	require.NoError(t, err)
	assert.Equal(t, words, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"))
}
