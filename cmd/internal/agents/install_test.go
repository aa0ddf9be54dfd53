package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var command = Command{Program: "idumb-hook", Args: []string{"claude"}}

// project makes a repository whose settings hold text; "" for none.
func project(t *testing.T, text string) (root, file string) {
	root = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb"), 0o755))
	file = filepath.Join(root, ".claude", "settings.json")
	if text != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o640))
	}
	return root, file
}

// settings in the many forms that people and formatters leave.
var settings = map[string]string{
	"none":           "",
	"empty object":   "{}",
	"with newline":   "{\n}\n",
	"other keys":     "{\n  \"model\": \"opus\",\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"], \"deny\": []}\n}\n",
	"four spaces":    "{\n    \"env\": {\n        \"A\": \"1\"\n    }\n}\n",
	"tabs, no end":   "{\n\t\"env\": {}\n}",
	"one line":       `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}`,
	"CRLF":           "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"empty hooks":    "{\n  \"hooks\": {}\n}\n",
	"empty list":     "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n",
	"own hooks":      "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"check \\\"x\\\"\" }\n        ]\n      }\n    ]\n  },\n  \"z\": [1, 2]\n}\n",
	"odd characters": "{\n  \"a\\u0062\": \"\\\\\\\" ] } ,\",\n  \"n\": -1.5e3\n}\n",
}

func TestUninstallUndoesInstall(t *testing.T) {
	for name, text := range settings {
		t.Run(name, func(t *testing.T) {
			root, file := project(t, text)
			first, err := Install("claude", root, command, false)
			require.NoError(t, err)
			assert.True(t, first.Changed())
			installed, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.True(t, json.Valid(installed), string(installed))
			if name == "CRLF" {
				assert.Equal(t, strings.Count(string(installed), "\n"), strings.Count(string(installed), "\r\n"), "lines end as they did")
			}
			state, err := Status("claude", root)
			require.NoError(t, err)
			assert.True(t, state.Installed(), "missing %v", state.Missing)

			again, err := Install("claude", root, command, false)
			require.NoError(t, err)
			assert.False(t, again.Changed(), "installing twice changes nothing")

			_, err = Uninstall("claude", root, false)
			require.NoError(t, err)
			after, err := os.ReadFile(file)
			if text == "" {
				assert.ErrorIs(t, err, os.ErrNotExist)
				assert.NoDirExists(t, filepath.Dir(file))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, text, string(after))
		})
	}
}

func TestUninstallWithoutBackupKeepsEverythingElse(t *testing.T) {
	for name, text := range settings {
		t.Run(name, func(t *testing.T) {
			root, file := project(t, text)
			_, err := Install("claude", root, command, false)
			require.NoError(t, err)
			require.NoError(t, os.RemoveAll(filepath.Join(root, ".idumb")))
			_, err = Uninstall("claude", root, false)
			require.NoError(t, err)
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			state, err := Status("claude", root)
			require.NoError(t, err)
			assert.Empty(t, state.Events)
			var was, is map[string]any
			if text == "" {
				text = "{}"
			}
			require.NoError(t, json.Unmarshal([]byte(text), &was))
			require.NoError(t, json.Unmarshal(after, &is))
			if name == "empty hooks" || name == "empty list" {
				delete(was, "hooks") // what is empty is not told from what we made
			}
			assert.Equal(t, was, is)
		})
	}
}

func TestInstallKeepsWhatPeopleChangeAfterwards(t *testing.T) {
	root, file := project(t, settings["own hooks"])
	_, err := Install("claude", root, command, false)
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := append([]byte("{\n  \"new\": true,"), text[1:]...)
	require.NoError(t, os.WriteFile(file, changed, 0o640))

	_, err = Uninstall("claude", root, false)
	require.NoError(t, err)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "{\n  \"new\": true,"+settings["own hooks"][1:], string(after))
}

func TestInstallBringsEntriesUpToDate(t *testing.T) {
	root, file := project(t, settings["own hooks"])
	_, err := Install("claude", root, Command{Program: "/opt/old/idumb-hook", Args: []string{"claude"}}, false)
	require.NoError(t, err)
	_, err = Install("claude", root, command, false)
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "/opt/old")
	_, err = Uninstall("claude", root, false)
	require.NoError(t, err)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, settings["own hooks"], string(after))
}

func TestDryRunTouchesNothing(t *testing.T) {
	root, file := project(t, settings["other keys"])
	c, err := Install("claude", root, command, true)
	require.NoError(t, err)
	assert.True(t, c.Changed())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, settings["other keys"], string(text))
	assert.NoDirExists(t, filepath.Join(root, ".idumb", "run"))
}

func TestInstallRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"broken":             "{\"a\": ",
		"a list":             "[]",
		"hooks is a list":    `{"hooks": []}`,
		"an event is a text": `{"hooks": {"Stop": "x"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			root, file := project(t, text)
			_, err := Install("claude", root, command, false)
			require.ErrorContains(t, err, ".claude/settings.json")
			after, readErr := os.ReadFile(file)
			require.NoError(t, readErr)
			assert.Equal(t, text, string(after))
		})
	}
	t.Run("unknown agent", func(t *testing.T) {
		_, err := Install("emacs", t.TempDir(), command, false)
		require.ErrorContains(t, err, "claude")
	})
}

func TestInstallDoesNotFollowALinkOut(t *testing.T) {
	root, file := project(t, "")
	outside := filepath.Join(t.TempDir(), "settings.json")
	require.NoError(t, os.WriteFile(outside, []byte("{}"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.Symlink(outside, file))
	_, err := Install("claude", root, command, false)
	require.ErrorContains(t, err, "out of the repository")
}

func TestInstallKeepsTheMode(t *testing.T) {
	root, file := project(t, "{}")
	_, err := Install("claude", root, command, false)
	require.NoError(t, err)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func FuzzEdit(f *testing.F) {
	for _, text := range settings {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		installed, err := addClaude(text, command)
		if err != nil {
			return
		}
		require.True(t, json.Valid(installed))
		removed, err := removeClaude(installed)
		require.NoError(t, err)
		require.True(t, json.Valid(removed))
		events, err := claudeEventsOf(removed)
		require.NoError(t, err)
		require.Empty(t, events)
	})
}
