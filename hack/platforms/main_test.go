package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What holds on one platform and not on another is found on the other.
func TestWhatDoesNotHoldElsewhereIsFound(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":       "module example.org/m\n\ngo 1.26\n",
		"m.go":         "package m\n\nimport \"os\"\n\nvar Name, _ = os.Hostname()\n\nvar Number int = number\n",
		"m_linux.go":   "package m\n\nimport \"syscall\"\n\nconst number = syscall.SYS_INOTIFY_INIT1\n",
		"m_darwin.go":  "package m\n\nimport \"syscall\"\n\nconst number = syscall.SYS_INOTIFY_INIT1\n",
		"m_freebsd.go": "package m\n\nimport \"example.org/m/missing\"\n\nconst number = missing.Number\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	own, err := check("linux")
	require.NoError(t, err)
	assert.Equal(t, 1, own)
	for system, says := range map[string]string{
		"darwin":  "m_darwin.go:5:24: undefined: syscall.SYS_INOTIFY_INIT1",
		"windows": "m.go:7:18: undefined: number",
		"freebsd": "example.org/m/missing",
	} {
		_, err := check(system)
		assert.ErrorContains(t, err, says)
	}
}
