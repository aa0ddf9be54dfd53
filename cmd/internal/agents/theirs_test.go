package agents

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edited are changes that a person makes in between, each far from ours and of a
// form that each file has.
func edited(text string) map[string]string {
	return map[string]string{
		"first line": strings.Replace(text, "{\n", "{\n  \"new\": [1,\n 2],\n", 1),
		"a value":    strings.Replace(text, "\"model\": \"opus\"", "\"model\": \"haiku\"", 1),
		"a comment":  strings.Replace(text, "// the model", "// the new model", 1),
		"last line":  text + "\n\n",
		"toml":       strings.Replace(text, "model = ", "new = 1\nmodel = ", 1),
	}
}

func TestWhatPeopleChangeInBetweenStays(t *testing.T) {
	inZoo(t, func(t *testing.T, host, file, text string) {
		for name := range edited("") {
			want := edited(text)[name]
			if text == "" || want == text || json.Valid([]byte(text)) && !json.Valid([]byte(want)) || strings.TrimSpace(want) == "" {
				continue
			}
			if name == "last line" && !strings.HasSuffix(text, "\n") && !json.Valid(standard([]byte(text))) {
				continue // a line that did not end has to, before what is written behind ours
			}
			root, path := project(t, file, text)
			install(t, host, root)
			installed, err := os.ReadFile(path)
			require.NoError(t, err)
			change := edited(string(installed))[name]
			require.NoError(t, os.WriteFile(path, []byte(change), 0o640))
			uninstall(t, host, root)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, want, string(after), name)
		}
	})
}

func TestEntriesThatPeopleChangedStay(t *testing.T) {
	root, path := project(t, "opencode.json", "{}")
	install(t, "opencode", root)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := bytes.Replace(text, []byte(`"mode": "primary"`), []byte(`"mode": "primary", "model": "mine/best"`), 1)
	require.NotEqual(t, text, changed)
	require.NoError(t, os.WriteFile(path, changed, 0o644))

	again := install(t, "opencode", root)
	assert.Equal(t, []string{"agent.idumb-coordinator"}, again[1].Preserved)
	assert.False(t, again[1].Changed())

	h, _ := HostNamed("opencode") // an update keeps it as well, and still knows whose it is
	other := Commands{Hook: commandsOf("opencode").Hook, MCP: Command{Program: "/new/idumb-mcp"}}
	updated, err := Install(h, root, other, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"agent.idumb-coordinator"}, updated[1].Preserved)
	assert.Contains(t, string(updated[1].NewContent), "mine/best")
	assert.Contains(t, string(updated[1].NewContent), "/new/idumb-mcp")

	gone := uninstall(t, "opencode", root)
	assert.Equal(t, []string{"agent.idumb-coordinator"}, gone[1].Preserved)
	assert.Contains(t, string(gone[1].NewContent), "mine/best")
	assert.NotContains(t, string(gone[1].NewContent), "idumb-mcp")
	assert.NotContains(t, string(gone[1].NewContent), "idumb:status")
}

func TestFilesThatPeopleChangedStay(t *testing.T) {
	const file = ".claude/agents/idumb-executor.md"
	root, path := project(t, file, "")
	install(t, "claude", root)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	mine := append(text, "Be brief.\n"...)
	require.NoError(t, os.WriteFile(path, mine, 0o644))

	find := func(all []Change) Change {
		for _, c := range all {
			if c.File == file {
				return c
			}
		}
		t.Fatal("no such file")
		return Change{}
	}
	kept := find(install(t, "claude", root))
	assert.False(t, kept.Changed())
	assert.Equal(t, []string{"it"}, kept.Preserved)
	assert.Equal(t, []string{"it"}, find(uninstall(t, "claude", root)).Preserved)
	assert.FileExists(t, path)

	h, _ := HostNamed("claude")
	renewed, err := Install(h, root, commandsOf("claude"), Options{Renew: true})
	require.NoError(t, err)
	assert.Equal(t, file+".old", find(renewed).Backup)
	old, err := os.ReadFile(path + ".old")
	require.NoError(t, err)
	assert.Equal(t, string(mine), string(old))
	now, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(now))
}

func TestFilesOfOthersAreNotOurs(t *testing.T) {
	root, path := project(t, ".claude/commands/idumb/status.md", "mine\n")
	install(t, "claude", root)
	uninstall(t, "claude", root)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "mine\n", string(text))
}

func TestATableOfOnesOwnStays(t *testing.T) {
	const text = "[mcp_servers.\"idumb\"]\ncommand = \"mine\"\n"
	root, path := project(t, ".codex/config.toml", text)
	all := install(t, "codex", root)
	assert.Equal(t, []string{"mcp_servers.idumb"}, all[1].Preserved)
	uninstall(t, "codex", root)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, string(after))
}
