package agents

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

func commandsOf(host string) Commands {
	return Commands{Hook: Command{Program: "idumb-hook", Args: []string{host}}, MCP: Command{Program: "idumb-mcp"}}
}

// project makes a repository that holds one file; no text for none.
func project(t *testing.T, file, text string) (root, path string) {
	root = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".idumb"), 0o755))
	path = filepath.Join(root, filepath.FromSlash(file))
	if text != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o640))
	}
	return root, path
}

// tree reads everything in a repository but .idumb.
func tree(t *testing.T, root string) map[string]string {
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case rel == ".idumb":
			return filepath.SkipDir
		case d.IsDir():
			found[rel+"/"] = ""
		default:
			text, err := os.ReadFile(path)
			found[rel] = string(text)
			return err
		}
		return nil
	}))
	return found
}

func install(t *testing.T, host, root string) []Change {
	t.Helper()
	h, err := HostNamed(host)
	require.NoError(t, err)
	all, err := Install(h, root, commandsOf(host), Options{})
	require.NoError(t, err)
	return all
}

func uninstall(t *testing.T, host, root string) []Change {
	t.Helper()
	h, err := HostNamed(host)
	require.NoError(t, err)
	all, err := Uninstall(h, root, commandsOf(host), Options{})
	require.NoError(t, err)
	return all
}

func summary(t *testing.T, host, root string) string {
	t.Helper()
	h, err := HostNamed(host)
	require.NoError(t, err)
	return Status(h, root, commandsOf(host)).Summary()
}

// standard is a text without comments and without commas before a bracket.
func standard(text []byte) []byte {
	plain, err := hujson.Standardize(append(bytes.Clone(text), '\n'))
	if err != nil {
		return text
	}
	return plain
}

// strict are settings in the many forms that people and formatters leave.
var strict = map[string]string{
	"none":           "",
	"empty object":   "{}",
	"with newline":   "{\n}\n",
	"blanks":         " \n\n",
	"other keys":     "{\n  \"model\": \"opus\",\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"], \"deny\": []}\n}\n",
	"four spaces":    "{\n    \"env\": {\n        \"A\": \"1\"\n    }\n}\n",
	"tabs, no end":   "{\n\t\"env\": {}\n}",
	"one line":       `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]},"mcpServers":{"other":{"command":"x"}},"mcp":{"x":{"enabled":false}}}`,
	"CRLF":           "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"empty hooks":    "{\n  \"hooks\": {}\n}\n",
	"empty list":     "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n",
	"empty servers":  "{\n  \"mcpServers\": {  },\n  \"mcp\": {\n  },\n  \"command\": {}, \"agent\": {}\n}\n",
	"own hooks":      "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"check \\\"x\\\"\" }\n        ]\n      }\n    ]\n  },\n  \"z\": [1, 2]\n}\n",
	"own servers":    "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"a\" } },\n  \"mcp\": {\"b\": {\"type\": \"local\", \"command\": [\"b\"]}},\n  \"z\": 1\n}\n",
	"odd characters": "{\n  \"a\\u0062\": \"\\\\\\\" ] } ,\",\n  \"n\": -1.5e3, \"<&>\": \"// no comment, /* none */\"\n}\n",
}

// commented are forms that only some hosts read.
var commented = map[string]string{
	"comments":        "// mine\n{\n  // the model\n  \"model\": \"x\", // why\n  /* servers */\n  \"mcp\": {\n    // none yet\n  }\n  // the end\n}\n// behind\n",
	"last commas":     "{\n\t\"model\": \"x\",\n\t\"agent\": {\n\t\t\"a\": {\"mode\": \"all\",},\n\t},\n}\n",
	"comma, comment":  "{\n  \"model\": \"x\", // last\n  \"command\": {\n    \"c\": {\"template\": \"t\"}, // one\n    /* two */\n  },\n}\n",
	"comment only":    "{\n  /* nothing yet */\n}\n",
	"comment, no end": "{ \"a\": 1 // one\n}",
	"inline":          "{\"a\": /* b, } */ 1, \"mcp\": {/**/}}",
	"CRLF comments":   "{\r\n  // one\r\n  \"a\": 1,\r\n}\r\n",
}

var tomls = map[string]string{
	"none":            "",
	"a table":         "model = \"x\"\n\n[mcp_servers.other]\ncommand = \"o\"\n",
	"no end":          "model = \"x\"",
	"CRLF":            "model = \"x\"\r\n",
	"blank lines":     "model = \"x\"\n\n\n",
	"only a comment":  "# mine\n",
	"only blank line": "\n",
}

// zoo is every file that we merge into, with the forms that it may have.
var zoo = []struct {
	host, file string
	forms      []map[string]string
}{
	{"claude", ".claude/settings.json", []map[string]string{strict}},
	{"claude", ".mcp.json", []map[string]string{strict}},
	{"opencode", "opencode.json", []map[string]string{strict, commented}},
	{"opencode", "opencode.jsonc", []map[string]string{commented}},
	{"opencode", ".opencode/opencode.jsonc", []map[string]string{commented}},
	{"opencode", ".opencode/.npmrc", []map[string]string{tomls}},
	{"codex", ".codex/hooks.json", []map[string]string{strict}},
	{"copilot", ".github/hooks/idumb.json", []map[string]string{strict}},
	{"copilot", ".github/mcp.json", []map[string]string{strict}},
	{"gemini", ".gemini/settings.json", []map[string]string{strict, commented}},
	{"codex", ".codex/config.toml", []map[string]string{tomls}},
}

// inZoo runs a test for each form of each file.
func inZoo(t *testing.T, test func(t *testing.T, host, file, text string)) {
	for _, row := range zoo {
		for _, forms := range row.forms {
			for name, text := range forms {
				t.Run(row.host+" "+strings.ReplaceAll(row.file, "/", "_")+" "+name, func(t *testing.T) {
					t.Parallel()
					test(t, row.host, row.file, text)
				})
			}
		}
	}
}

func TestUninstallUndoesInstall(t *testing.T) {
	inZoo(t, func(t *testing.T, host, file, text string) {
		root, path := project(t, file, text)
		before := tree(t, root)
		first := install(t, host, root)
		assert.True(t, first[0].Changed())
		installed, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.Count(text, "\r\n") > 0 {
			assert.Equal(t, strings.Count(string(installed), "\n"), strings.Count(string(installed), "\r\n"), "lines end as they did")
		}
		if !strings.HasSuffix(file, ".toml") && !strings.HasSuffix(file, ".npmrc") {
			assert.True(t, json.Valid(standard(installed)), string(installed))
		}
		assert.Equal(t, Installed, summary(t, host, root))
		for _, again := range install(t, host, root) {
			assert.False(t, again.Changed(), "installing twice changes nothing: %s", again.File)
		}
		uninstall(t, host, root)
		assert.Equal(t, before, tree(t, root))
		assert.Equal(t, NotInstalled, summary(t, host, root))
		for _, again := range uninstall(t, host, root) {
			assert.False(t, again.Changed(), "uninstalling twice changes nothing: %s", again.File)
		}
		assert.NoFileExists(t, filepath.Join(root, recordFile(host)))
	})
}

// TestUninstallOnAnotherMachine: there nobody remembers what was there before.
func TestUninstallOnAnotherMachine(t *testing.T) {
	inZoo(t, func(t *testing.T, host, file, text string) {
		root, path := project(t, file, text)
		install(t, host, root)
		require.NoError(t, os.RemoveAll(filepath.Join(root, ".idumb", "run")))
		uninstall(t, host, root)
		assert.Equal(t, NotInstalled, summary(t, host, root))
		after, err := os.ReadFile(path)
		if text == "" {
			assert.ErrorIs(t, err, os.ErrNotExist)
			assert.Empty(t, tree(t, root)["opencode.json"])
			return
		}
		h, _ := HostNamed(host)
		for _, f := range h.Files(root, commandsOf(host)) {
			if f.Path == file && after != nil {
				assert.True(t, f.content.equivalent([]byte(text), after) || f.content.isEmpty([]byte(text)), "%s\n%s", text, after)
			}
		}
	})
}

func TestInstallBringsEntriesUpToDate(t *testing.T) {
	inZoo(t, func(t *testing.T, host, file, text string) {
		root, path := project(t, file, text)
		before := tree(t, root)
		h, _ := HostNamed(host)
		old := Commands{Hook: Command{Program: "/opt/old one's/idumb-hook", Args: []string{host}}, MCP: Command{Program: "/opt/old one's/idumb-mcp"}}
		_, err := Install(h, root, old, Options{})
		require.NoError(t, err)
		install(t, host, root)
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.NotContains(t, string(now), "/opt/old")
		assert.Equal(t, Installed, summary(t, host, root))
		uninstall(t, host, root)
		assert.Equal(t, before, tree(t, root))
	})
}

// TestEarlierFormIsReplaced: what a version before this one wrote, whose record is gone.
func TestEarlierFormIsReplaced(t *testing.T) {
	root, path := project(t, ".claude/settings.json", `{
  "hooks": {
    "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "idumb hook claude"}, {"type": "command", "command": "mine"}]}],
    "SessionStart": [{"hooks": [{"type": "command", "command": "'/opt/a b/idumb-hook' claude || echo 'iDumb is off'"}]}, {"hooks": [{"type": "command", "command": "idumb-hook claude || notify me"}]}],
    "Notification": [{"hooks": [{"type": "command", "command": "/usr/bin/idumb-hook", "args": ["claude"]}]}]
  }
}
`)
	assert.Equal(t, InPart, summary(t, "claude", root))
	install(t, "claude", root)
	assert.Equal(t, Installed, summary(t, "claude", root))
	uninstall(t, "claude", root)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.JSONEq(t, `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "mine"}]}],
		"SessionStart": [{"hooks": [{"type": "command", "command": "idumb-hook claude || notify me"}]}]}}`, string(after))
}

func TestDryRunTouchesNothing(t *testing.T) {
	for _, h := range Hosts() {
		root, _ := project(t, "README", "x")
		before := tree(t, root)
		all, err := Install(h, root, commandsOf(h.Name), Options{DryRun: true})
		require.NoError(t, err)
		for _, c := range all {
			assert.True(t, c.Changed(), c.File)
		}
		assert.Equal(t, before, tree(t, root))
		assert.NoDirExists(t, filepath.Join(root, ".idumb", "run"))
	}
}

func TestInstallRefuses(t *testing.T) {
	for _, tc := range []struct{ name, host, file, text string }{
		{"broken", "claude", ".claude/settings.json", "{\"a\": "},
		{"a list", "claude", ".claude/settings.json", "[]"},
		{"hooks is a list", "claude", ".claude/settings.json", `{"hooks": []}`},
		{"an event is a text", "claude", ".claude/settings.json", `{"hooks": {"Stop": "x"}}`},
		{"comments where none are allowed", "claude", ".claude/settings.json", "{} // mine"},
		{"servers are a list", "claude", ".mcp.json", `{"mcpServers": []}`},
		{"agents are a text", "opencode", "opencode.jsonc", `{"agent": "x"}`},
		{"a comment without an end", "opencode", "opencode.jsonc", `{} /* `},
		{"brackets without an end", "opencode", "opencode.jsonc", strings.Repeat("[", 4<<20)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, _ := project(t, tc.file, tc.text)
			before := tree(t, root)
			h, _ := HostNamed(tc.host)
			_, err := Install(h, root, commandsOf(tc.host), Options{})
			require.ErrorContains(t, err, tc.file)
			assert.Equal(t, before, tree(t, root), "one file that cannot be changed, and none is")
			assert.Equal(t, Unreadable, summary(t, tc.host, root))
		})
	}
	_, err := HostNamed("emacs")
	require.ErrorContains(t, err, "claude")
}

func TestInstallDoesNotFollowALinkOut(t *testing.T) {
	for _, link := range []string{".claude/settings.json", ".claude", ".claude/agents"} {
		root, path := project(t, link, "")
		outside := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.Symlink(filepath.Join(outside, "x"), path))
		h, _ := HostNamed("claude")
		_, err := Install(h, root, commandsOf("claude"), Options{})
		require.Error(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(outside, "x"), 0o755))
		_, err = Install(h, root, commandsOf("claude"), Options{})
		require.ErrorContains(t, err, "outside the repository")
	}
}

func TestInstallFollowsALinkInside(t *testing.T) {
	root, path := project(t, ".claude/settings.json", "")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	shared := filepath.Join(root, "shared.json")
	require.NoError(t, os.WriteFile(shared, []byte("{}\n"), 0o644))
	require.NoError(t, os.Symlink("../shared.json", path))
	install(t, "claude", root)
	text, err := os.ReadFile(shared)
	require.NoError(t, err)
	assert.Contains(t, string(text), "idumb-hook")
	uninstall(t, "claude", root)
	text, err = os.ReadFile(shared)
	require.NoError(t, err)
	assert.Equal(t, "{}\n", string(text))
}

func TestInstallKeepsTheMode(t *testing.T) {
	root, path := project(t, ".claude/settings.json", "{}")
	install(t, "claude", root)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

// TestRemoveLeavesTheRest: whoever wrote comments and commas around an entry of ours
// finds them again.
func TestRemoveLeavesTheRest(t *testing.T) {
	for _, tc := range []struct{ before, key, after string }{
		{`{"a": 1, "b": 2}`, "b", `{"a": 1}`},
		{`{"a": 1, "b": 2}`, "a", `{"b": 2}`},
		{"{\n  \"a\": 1, // one\n  \"b\": 2,\n}", "b", "{\n  \"a\": 1, // one\n}"},
		{"{\n  \"a\": 1, // one\n  \"b\": 2\n}", "b", "{\n  \"a\": 1 // one\n}"},
		{"{\n  \"a\": 1 /* one */ ,\n  \"b\": 2,\n}", "b", "{\n  \"a\": 1 /* one */ ,\n}"},
		{"{\n  // mine\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  // mine\n  \"b\": 2\n}"},
		{"{\n  // mine\n  \"a\": 1,\n  // two\n  \"b\": 2\n}", "a", "{\n  // mine\n  // two\n  \"b\": 2\n}"},
		{"{\n  \"a\": 1,\n}", "a", "{}"},
		{"{\n  // mine\n  \"a\": 1,\n}", "a", "{\n  // mine\n}"},
		{"{\"a\": 1} // no line end", "a", "{} // no line end"},
	} {
		d, err := parse([]byte(tc.before), true)
		require.NoError(t, err)
		d.remove([]any{tc.key})
		assert.Equal(t, tc.after, string(d.text()))
	}
}

// FuzzSettings: whatever a document looks like, what goes in comes out again, with
// the record byte for byte and without it in meaning; and it stays JSON in between.
func FuzzSettings(f *testing.F) {
	for _, forms := range []map[string]string{strict, commented} {
		for _, text := range forms {
			f.Add([]byte(text))
		}
	}
	host, _ := HostNamed("opencode")
	inOpenCode := host.Files("/nowhere", commandsOf("opencode"))[1]
	host, _ = HostNamed("claude")
	inClaude := host.Files("/nowhere", commandsOf("claude"))[0]
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, file := range []File{inOpenCode, inClaude} {
			clean, kept, err := undoInstall(file, text, nil, false)
			if err != nil || len(kept) > 0 || clean == nil {
				continue
			}
			installed, _, err := file.content.insert(clean, false)
			if err != nil {
				continue
			}
			require.True(t, json.Valid(standard(installed)), "%s", installed)
			missing, edited, err := file.content.missing(installed, nil)
			require.NoError(t, err)
			require.Empty(t, append(missing, edited...))
			back, _, err := undoInstall(file, installed, &recorded{Existed: true, Installed: installed, backup: clean}, false)
			require.NoError(t, err)
			require.Equal(t, string(clean), string(back))
			cut, _, err := file.content.remove(installed, nil, false)
			require.NoError(t, err)
			require.True(t, file.content.equivalent(clean, cut) || file.content.isEmpty(cut), "%s\n%s", clean, cut)
			require.False(t, file.content.contains(cut))
		}
	})
}

// FuzzBlock is the same for lines between marks.
func FuzzBlock(f *testing.F) {
	for _, text := range tomls {
		f.Add([]byte(text), []byte("more\n"))
	}
	b := block{body: "x = 1\n"}
	f.Fuzz(func(t *testing.T, text, more []byte) {
		if b.contains(text) || lineWith(text, blockStart) >= 0 || bytes.Contains(more, []byte("idumb")) || bytes.HasSuffix(text, []byte("\r")) {
			return // a lone CR at the end cannot be told from half a line end without the record
		}
		installed, _, err := b.insert(text, false)
		require.NoError(t, err)
		require.True(t, b.contains(installed))
		cut, _, err := b.remove(installed, nil, false)
		require.NoError(t, err)
		require.Equal(t, string(text), string(cut))
		cut, _, err = b.remove(bytes.Join([][]byte{more, installed}, []byte("\n")), nil, false)
		require.NoError(t, err)
		if len(text) > 0 {
			require.Equal(t, string(more)+"\n"+string(text), string(cut))
		}
	})
}
