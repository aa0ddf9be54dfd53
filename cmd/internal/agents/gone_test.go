package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watchedCommand is how a host starts our hook at an event, as words for exec.
func watchedCommand(t *testing.T, host, file, event string) (root string, words []string) {
	root = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
	install(t, host, root)
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	require.NoError(t, err)
	var s struct{ Hooks map[string][]group }
	require.NoError(t, json.Unmarshal(text, &s))
	require.Len(t, s.Hooks[event], 1)
	a := s.Hooks[event][0].Hooks[0]
	if len(a.Args) == 0 {
		return root, []string{"/bin/sh", "-c", a.Command}
	}
	return root, append([]string{a.Command}, a.Args...)
}

// Whoever has the settings and not the program is told once a session; whoever has one
// that hangs, at every turn; and nothing stands in the way.
func TestAnAgentIsToldWhereTheHookGivesNoAnswer(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	const answers, fails, hangs = "#!/bin/sh\necho \"context for $1: $(cat)\"\n", "#!/bin/sh\nexit 3\n", "#!/bin/sh\nexec sleep 60\n"
	for host, file := range map[string]string{"claude": ".claude/settings.json", "codex": ".codex/hooks.json"} {
		for event, told := range map[string]struct{ gone, silent string }{
			"SessionStart": {missingText + "\n", missingText + "\n"}, "UserPromptSubmit": {"", silentText + "\n"},
		} {
			t.Run(host+" "+event, func(t *testing.T) {
				t.Parallel()
				root, words := watchedCommand(t, host, file, event)
				bin := t.TempDir()
				run := func(program string) string {
					if program != "" {
						require.NoError(t, os.WriteFile(filepath.Join(bin, "idumb-hook"), []byte(program), 0o755))
					}
					cmd := exec.Command(words[0], words[1:]...)
					cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin"}
					cmd.Stdin = strings.NewReader("the event")
					out, err := cmd.Output()
					require.NoError(t, err)
					return string(out)
				}
				assert.Equal(t, told.gone, run(""))
				assert.Equal(t, "context for "+host+": the event\n", run(answers))
				assert.Equal(t, told.silent, run(fails))
				assert.Equal(t, told.silent, run(hangs))

				uninstall(t, host, root)
				assert.NoFileExists(t, filepath.Join(root, filepath.FromSlash(file)), "the line is known as ours")
			})
		}
	}
}
