package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script makes a program of a shell script.
func script(t *testing.T, name, text string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell")
	}
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	return path
}

func TestSelfTest(t *testing.T) {
	hook := filepath.Join(t.TempDir(), "idumb-hook")
	out, err := exec.Command("go", "build", "-o", hook, "../../idumb-hook").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, h := range Hosts() {
		t.Run(h.Name, func(t *testing.T) {
			t.Setenv("IDUMB_ENFORCE", "off") // of the person's shell: it must not count
			_, err := SelfTest(h, Command{hook, []string{h.Name}})
			require.NoError(t, err)
			for name, tc := range map[string]struct{ script, want string }{
				"opens the gate":  {"cat >/dev/null", "no JSON"},
				"allows":          {`cat >/dev/null; echo '{"id":1}'`, "not denied"},
				"is another tool": {"echo 'usage: x' >&2; exit 1", "usage: x"},
			} {
				_, err := SelfTest(h, Command{script(t, "idumb-hook", tc.script), nil})
				require.ErrorContains(t, err, tc.want, name)
			}
		})
	}
}

func TestCompareVersions(t *testing.T) {
	for _, tc := range []struct {
		version string
		want    Distance
	}{{"2.1.329", SameVersion}, {"2.1.400", SameVersion}, {"2.2.0", SameVersion}, {"2.1.9", Older}, {"2.0.999", Older}, {"3.0.0", OtherMajor}, {"1.9.9", OtherMajor}} {
		assert.Equal(t, tc.want, CompareVersions(tc.version, "2.1.329"), tc.version)
	}
}

func TestVersion(t *testing.T) {
	program := script(t, "claude", `echo "2.1.329 (Claude Code)"`)
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	version, err := Version(Host{Program: "claude"})
	require.NoError(t, err)
	assert.Equal(t, "2.1.329", version)
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho none\n"), 0o755))
	_, err = Version(Host{Program: "claude"})
	require.ErrorContains(t, err, "names no version")
}

// TestConflictsInThePersonsSettings: what is switched off there is off in every repository.
func TestConflictsInThePersonsSettings(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", home)
	file := filepath.Join(home, "settings.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"disableAllHooks": true}`), 0o600))
	h, _ := HostNamed("claude")
	found := Conflicts(h, t.TempDir())
	require.Len(t, found, 1)
	assert.Equal(t, file, found[0].File)
}

func TestConflicts(t *testing.T) {
	t.Setenv("CLAUDE_CONFIG_DIR", t.TempDir())
	for _, tc := range []struct{ host, file, text, want string }{
		{"claude", ".claude/settings.local.json", `{"disableAllHooks": true}`, "no hook runs"},
		{"claude", ".claude/settings.json", `{"disabledMcpjsonServers": ["idumb"]}`, "no governance tools"},
		{"claude", ".claude/settings.json", `{"disableAllHooks": false}`, ""},
		{"opencode", "opencode.jsonc", `{"mcp": {"idumb": {"enabled": false, /* off */}}}`, "no governance tools"},
		{"opencode", "opencode.json", `{"mcp": {"idumb": {"enabled": true}}}`, ""},
	} {
		root, _ := project(t, tc.file, tc.text)
		h, _ := HostNamed(tc.host)
		found := Conflicts(h, root)
		if tc.want == "" {
			assert.Empty(t, found, tc.text)
			continue
		}
		require.Len(t, found, 1, tc.text)
		assert.Equal(t, tc.file, found[0].File)
		assert.Contains(t, found[0].Reason, tc.want)
		assert.NotEmpty(t, found[0].Remedy)
	}
}

// In a linked working tree Codex runs the main one's hooks.
func TestCodexInALinkedTree(t *testing.T) {
	h, _ := HostNamed("codex")
	main, linked := t.TempDir(), filepath.Join(t.TempDir(), "linked")
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "start"}, {"worktree", "add", "-q", linked}} {
		out, err := exec.Command("git", append([]string{"-C", main}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	install := func(root string) {
		require.NoError(t, os.Mkdir(filepath.Join(root, ".idumb"), 0o755))
		_, err := Install(h, root, commandsOf(h.Name), Options{})
		require.NoError(t, err)
	}
	install(linked)
	found := Conflicts(h, linked)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Remedy, "hook install codex")
	install(main)
	assert.Empty(t, Conflicts(h, linked))
	assert.Empty(t, Conflicts(h, main))
}

func TestConfiguredIn(t *testing.T) {
	for _, h := range Hosts() {
		root, _ := project(t, "README", "x")
		there := Commands{Hook: Command{"/opt/a b/idumb-hook", []string{h.Name}}, MCP: Command{Program: "/opt/a b/idumb-mcp"}}
		_, err := Install(h, root, there, Options{})
		require.NoError(t, err)
		got := ConfiguredIn(h, root, commandsOf(h.Name))
		assert.Equal(t, there.MCP.Program, got.MCP.Program, h.Name)
		if h.Name == "claude" {
			assert.Equal(t, there.Hook, got.Hook)
		}
	}
}

// appServer answers as Codex's app server does: other lines before, then the hooks.
const appServer = `
read a; echo '{"id":1,"result":{}}'; echo '{"method":"configWarning"}'; read b; read c
case "$c" in *hooks/list*) ;; *) exit 1;; esac
grep -q trusted "$CODEX_HOME/config.toml" || exit 2
test "$CODEX_HOME" != "$REAL" || exit 3
echo '{"id":2,"result":{"data":[{"hooks":[HOOKS]}]}}'
sleep 5`

func TestCodexTrust(t *testing.T) {
	const ours = `{"eventName":"preToolUse","command":"idumb-hook codex","source":"project","enabled":true,"trustStatus":"STATUS"}`
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, "config.toml"), []byte("# trusted\n"), 0o600))
	t.Setenv("CODEX_HOME", home)
	t.Setenv("REAL", home)
	for name, tc := range map[string]struct{ hooks, want string }{
		"trusted":         {strings.Replace(ours, "STATUS", "trusted", 1), ""},
		"changed since":   {strings.Replace(ours, "STATUS", "modified", 1), "preToolUse: they are not trusted"},
		"switched off":    {strings.Replace(strings.Replace(ours, "STATUS", "trusted", 1), "true", "false", 1), "preToolUse"},
		"not the project": {"", "does not trust the project"},
		"only others":     {strings.Replace(ours, "idumb-hook codex", "other", 1), "reads no hook"},
	} {
		problem, err := codexTrust(script(t, "codex", strings.Replace(appServer, "HOOKS", tc.hooks, 1)), t.TempDir())
		require.NoError(t, err, name)
		if tc.want == "" {
			assert.Empty(t, problem, name)
		}
		assert.Contains(t, problem, tc.want, name)
	}
	_, err := codexTrust(script(t, "codex", "exit 0"), t.TempDir())
	require.Error(t, err)
}

func TestShippedTexts(t *testing.T) {
	for _, folder := range []string{"agents", "commands"} {
		all := textsIn(folder, "claude", claudeTool)
		require.NotEmpty(t, all)
		for _, x := range all {
			assert.NotContains(t, x.body+x.description, "{{", x.name)
			assert.NotContains(t, x.description, ": ", "it stands in YAML as it is: %s", x.name)
			assert.NotEmpty(t, strings.TrimSpace(x.body), x.name)
		}
	}
}

func TestPluginNamesTheHookOutsideOfPath(t *testing.T) {
	text := openCodePlugin(Commands{Hook: Command{"/opt/a b/idumb-hook", []string{"opencode"}}})
	assert.Contains(t, text, `const INSTALLED = ["/opt/a b/idumb-hook"]`)
	assert.Contains(t, openCodePlugin(commandsOf("opencode")), notInPath)
}
