package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// shellCall is a command as a host's shell tool is about to run it.
func shellCall(host, command string) hosts.Event {
	return hosts.Event{Host: host, Type: hosts.BeforeTool, Session: "s", Tool: "Bash", Action: admission.Shell, Command: command}
}

// TestShellGateAsksWhereAHostCan: the person is asked in Claude Code, and nowhere else.
func TestShellGateAsksWhereAHostCan(t *testing.T) {
	for _, tc := range []struct{ host, command, ask, deny string }{
		{"claude", "git commit --no-verify -m x", "no-verify", ""},
		{"codex", "git commit --no-verify -m x", "", "no-verify"},
		{"opencode", "git commit --no-verify -m x", "", "no-verify"},
		{"claude", "sh -c 'git push -f'", "", "git-force-push"},
		{"claude", "git push", "", ""},
		{"codex", "go test ./...", "", ""},
	} {
		t.Run(tc.host+" "+tc.command, func(t *testing.T) {
			h := newHouse(t)
			a := h.run(shellCall(tc.host, tc.command))
			assert.Equal(t, tc.ask != "", a.Ask != "", a.Ask)
			assert.Equal(t, tc.deny != "", a.Deny != "", a.Deny)
			assert.Contains(t, a.Ask, tc.ask)
			assert.Contains(t, a.Deny, tc.deny)
		})
	}
}

// TestWritesOutsideTheRepository: a tool that writes a file is no way round what a
// redirection to it meets.
func TestWritesOutsideTheRepository(t *testing.T) {
	h := newHouse(t)
	require.NoError(t, os.Symlink("/etc/passwd", h.root.Abs("linked")))
	write := func(host string, files ...string) hosts.Answer {
		e := hosts.Event{Host: host, Type: hosts.BeforeTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: files, Cwd: string(h.root)}
		return (&handler{repo: openPacking(h.root, trusting(h.root), h.now), event: e, env: environment{"HOME=/home/somebody"}, limit: 10000}).handle()
	}
	for _, file := range []string{"/etc/passwd", "linked", "/etc/../etc/hosts", "~/.ssh/authorized_keys"} {
		assert.Contains(t, write("claude", "/tmp/a", file).Deny, "system-path", file)
	}
	for _, file := range []string{"~/.bashrc", "/home/somebody/.aws/credentials"} {
		assert.Contains(t, write("claude", file).Ask, "startup-file", file)
		assert.Contains(t, write("opencode", file).Deny, "startup-file", file)
	}
	for _, file := range []string{"/tmp/a", "~/notes.md", "~/.claude/plans/p.md", "/home/somebody/other/src/a.go"} {
		a := write("claude", file)
		assert.Empty(t, a.Deny+a.Ask, file)
	}
}

func TestClaudeIsAskedInItsOwnWords(t *testing.T) {
	out := string(host("claude").Encode(hosts.Event{Type: hosts.BeforeTool, Action: admission.Shell}, hosts.Answer{Ask: "why"}))
	assert.Contains(t, out, `"permissionDecision":"ask"`)
	assert.Contains(t, out, `"permissionDecisionReason":"why"`)
}

// TestShellGateSeesThroughWords: what a word stands for is held against the path policy.
func TestShellGateSeesThroughWords(t *testing.T) {
	h := newHouse(t)
	for _, command := range []string{
		`d=.idumb; echo x > $d/config.json`, `bash -c 'cp a .claude/settings.json'`, `f=settings.json; sed -i s/a/b/ .claude/$f`,
		`printf 'echo x > .git/hooks/pre-commit' | sh`, `f() { rm -rf "$1"; }; f .idumb`,
	} {
		assert.NotEmpty(t, h.run(shellCall("claude", command)).Deny, command)
	}
	for _, command := range []string{`d=/tmp; echo x > $d/none/a.txt`, `bash -c 'cat .claude/settings.json'`, `f() { echo "$1"; }; f .idumb`} {
		assert.Empty(t, h.run(shellCall("claude", command)).Deny, command)
	}
}

func TestIgnores(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(strings.Join([]string{
		"# made", "/out-here", "made/", "*.gen", "a/b/*.tmp", "**/deep", "keep*", "!keepsake", "*",
	}, "\n")), 0o600))
	g := &ignores{root: dir}
	for path, want := range map[string]bool{
		"out-here": true, "out-here/x": true, "src/out-here": false, "made": true, "src/made/x": true, "a.gen": true, "a/b/x.tmp": true, "a/x.tmp": false,
		"x/deep": true, "deep": true, "keeper": true, "keepsake": false, "src": false,
	} {
		assert.Equal(t, want, g.match(path), path)
	}
}

// TestShellGateTeachesStrangersToo: in a repository that nobody trusts, the shipped rules
// still say why; words of the repository's own are held back.
func TestShellGateTeachesStrangersToo(t *testing.T) {
	h := clonedHouse(t)
	assert.Contains(t, h.stranger(shellCall("claude", "git push -f")).Deny, `The rule "git-force-push" of the shell gate`)
	h.file("shell", `{"spec": {"commands": [{"match": "frobnicate", "verdict": "deny", "because": "EVIL"}]}}`)
	denied := h.stranger(shellCall("claude", "frobnicate all")).Deny
	assert.NotEmpty(t, denied)
	assert.NotContains(t, denied, "EVIL")
	held := ShellRules(h.root, "", []string{"HOME=" + t.TempDir()}, h.now)
	assert.Equal(t, "frobnicate", held[len(command.Shipped())].Name, "it makes the gate stricter")
	for _, r := range held {
		assert.NotContains(t, r.Because+r.UseInstead, "EVIL")
	}
}

// TestCorpusThroughTheWholeGate: what the interpreter is held to holds for the gate that
// a host asks, with the rules for governed files as well, in a repository with an active
// task. Those rules stop every command that would edit or end what governs.
func TestCorpusThroughTheWholeGate(t *testing.T) {
	root, home := shellRepo(t)
	env := []string{"HOME=" + home, "PATH=/usr/bin"}
	for _, file := range []string{"unseen2", "unseen3", "unseen4", "unseen5", "unseen6"} {
		right, all := map[string]int{}, map[string]int{}
		data, err := os.ReadFile("../../resources/admission/command/testdata/corpus/" + file + ".txt")
		require.NoError(t, err)
		class := ""
		for line := range strings.Lines(string(data)) {
			line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "␤", "\n")
			if rest, heading := strings.CutPrefix(line, "# "); heading {
				class = rest
			}
			if line == "" || strings.HasPrefix(line, "#") && !strings.Contains(line, "\n") {
				continue
			}
			all[class]++
			if v := CheckShell(layout.Root(root), "", root, line, env, time.Now()); (v.Verdict == command.Allow) == (class == "harmless") {
				right[class]++
			} else {
				t.Logf("%s: %q: %+v", class, line, v)
			}
		}
		t.Log(file, right, all)
		for class, percent := range map[string]int{"plain": 98, "disguised": 95, "governed": 100, "harmless": 99} { // the repository is below the temp folder, where more is free to go
			assert.GreaterOrEqual(t, right[class]*100, all[class]*percent, "%s of %s", class, file)
		}
	}
}
