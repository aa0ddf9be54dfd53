package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startLine is the line that a host runs at a session's start.
func startLine(t *testing.T, host, file string) (root, line string) {
	root = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	install(t, host, root)
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	require.NoError(t, err)
	var s struct{ Hooks map[string][]group }
	require.NoError(t, json.Unmarshal(text, &s))
	require.Len(t, s.Hooks["SessionStart"], 1)
	return root, s.Hooks["SessionStart"][0].Hooks[0].Command
}

// Whoever has the settings and not the program is told, once a session, and no more
// stands in the way.
func TestAnAgentIsToldWhereTheHookIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	for host, file := range map[string]string{"claude": ".claude/settings.json", "codex": ".codex/hooks.json"} {
		t.Run(host, func(t *testing.T) {
			root, line := startLine(t, host, file)
			bin := t.TempDir()
			run := func() string {
				cmd := exec.Command("/bin/sh", "-c", line)
				cmd.Env = []string{"PATH=" + bin}
				out, err := cmd.Output()
				require.NoError(t, err)
				return string(out)
			}
			assert.Equal(t, goneText+"\n", run())
			require.NoError(t, os.WriteFile(filepath.Join(bin, "idumb-hook"), []byte("#!/bin/sh\necho \"context for $1\"\n"), 0o755))
			assert.Equal(t, "context for "+host+"\n", run())

			uninstall(t, host, root)
			assert.NoFileExists(t, filepath.Join(root, filepath.FromSlash(file)), "the line is known as ours")
		})
	}
}
