package hooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources/admission"
)

// git runs git in a repository of a test.
func gitIn(t testing.TB, root string, args ...string) {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
}

// gitRepo is a repository with two commits, work that is not committed, branches with and
// without .idumb, and patches and scripts to apply.
func gitRepo(t testing.TB) (root, home string) {
	base := effects.ResolveLinks(t.TempDir())
	root, home = filepath.Join(base, "repo"), filepath.Join(base, "home")
	write := func(files map[string]string) {
		for name, text := range files {
			file := filepath.Join(base, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
	}
	write(map[string]string{"home/.ssh/id_rsa": "key", "repo/go.mod": "module m\n", "repo/src/a.go": "package a\n"})
	gitIn(t, root, "init", "-q", "-b", "main")
	gitIn(t, root, "add", ".")
	gitIn(t, root, "commit", "-qm", "first")
	gitIn(t, root, "branch", "bare-branch")
	write(map[string]string{
		"repo/.gitignore":              "build/\n.env\n",
		"repo/.idumb/.gitignore":       "/run/\n/status/\n/sessions/\n/events/\n",
		"repo/.idumb/config.json":      "{\"spec\": {\"mode\": \"enforce\"}}\n",
		"repo/.idumb/roles/solo.json":  `{"spec": {"mode": "primary", "scope": "project", "level": 0, "tools": {"allow": ["*"]}}}`,
		"repo/.idumb/workplans/p.json": `{"spec": {"title": "t", "acceptance": ["a"], "state": "active"}}`,
		"repo/.idumb/tasks/t.json":     `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "active"}}`,
		"repo/.idumb/tasks/t1.json":    `{"spec": {"workPlan": "p", "expectedOutput": "o", "state": "planned"}}`,
		"repo/.claude/settings.json":   "{}\n",
		"repo/.codex/hooks.json":       "{}\n",
		"repo/src/a.go":                "package a\n// two\n",
		"repo/src/b.go":                "package a\n",
		"repo/src/deep/c.go":           "package deep\n",
		"repo/lib/one.txt":             "1\n",
		"repo/lib/two.txt":             "2\n",
		"repo/docs/guide.md":           "guide\n",
		"repo/docs/clean.md":           "clean\n",
		"repo/web/app.ts":              "app\n",
		"repo/main.py":                 "x = 1\n",
		"repo/list.txt":                ".idumb/tasks/t1.json\nsrc/a.go\n",
		"repo/files.txt":               "src/a.go\n", "repo/yes.txt": "y\n",
		"repo/drop.sql":      "DROP TABLE users;\n",
		"repo/load.sql":      "-- drop table users\nINSERT INTO users VALUES (1);\n",
		"repo/x.diff":        "diff --git a/src/b.go b/src/b.go\n--- a/src/b.go\n+++ b/src/b.go\n@@ -1 +1,2 @@\n package a\n+// x\n",
		"repo/governed.diff": "diff --git a/.idumb/config.json b/.idumb/config.json\n--- a/.idumb/config.json\n+++ b/.idumb/config.json\n@@ -1 +1 @@\n-{\"spec\": {}}\n+{\"spec\": {\"mode\": \"off\"}}\n",
		"repo/governed.mbox": "From 0000 Mon Sep 17 00:00:00 2001\nFrom: a <a@b>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] x\n\n---\ndiff --git a/.idumb/config.json b/.idumb/config.json\n--- a/.idumb/config.json\n+++ b/.idumb/config.json\n@@ -1 +1 @@\n-{\"spec\": {}}\n+{\"spec\": {\"mode\": \"off\"}}\n-- \n2.40\n",
		"repo/tasks.diff":    "--- a/tasks/t1.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-{}\n",
		"repo/cfg.diff":      "--- config.json\n+++ config.json\n@@ -1 +1 @@\n-{\"spec\": {}}\n+{\"spec\": {\"mode\": \"off\"}}\n",
		"repo/p.b64":         "eA==\n",
		"repo/data.csv":      "a\n1\n",
	})
	gitIn(t, root, "add", ".")
	gitIn(t, root, "commit", "-qm", "second")
	gitIn(t, root, "branch", "feature")
	gitIn(t, root, "tag", "v1")
	write(map[string]string{
		"repo/src/a.go": "package a\n// two\n// of an hour\n", "repo/docs/guide.md": "guide, longer\n", "repo/web/app.ts": "app and more\n",
		"repo/.idumb/tasks/t1.json": `{"spec": {"workPlan": "p", "expectedOutput": "what a user wants", "state": "planned"}}`,
		"repo/notes.txt":            "n\n", "repo/.env": "TOKEN=x\n", "repo/build/app": "x", "repo/a.tmp": "x",
	})
	return root, home
}

// effectSets are the corpora that are judged in a repository as git has it.
var effectSets = []string{"effects1", "effects2", "effects3", "effects4"}

// TestEffectsCorpus holds the goals on lines whose effect depends on what git has.
func TestEffectsCorpus(t *testing.T) {
	root, home := gitRepo(t)
	for _, file := range effectSets {
		data, err := os.ReadFile("../../resources/admission/command/testdata/corpus/" + file + ".txt")
		require.NoError(t, err)
		class, right, all := "", map[string]int{}, map[string]int{}
		for line := range strings.Lines(string(data)) {
			line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "␤", "\n")
			if rest, heading := strings.CutPrefix(line, "# "); heading {
				class = rest
			}
			if line == "" || strings.HasPrefix(line, "#") && !strings.Contains(line, "\n") {
				continue
			}
			all[class]++
			call, v, err := judge(root, home, line)
			passes := err == nil && v.Outcome != admission.Deny && v.Outcome != admission.AskPerson
			if passes == (class == "harmless") {
				right[class]++
				continue
			}
			rule := ""
			if v.Reason.Rule != "" {
				rule = v.Reason.Rule + ": " + v.Reason.What
			}
			t.Logf("%s: %q: %s %v (gate %+v)", class, line, rule, err, call.Gate)
		}
		t.Log(file, right, all)
		for class, percent := range map[string]int{"plain": 99, "disguised": 95, "harmless": 99} {
			assert.GreaterOrEqual(t, right[class]*100, all[class]*percent, "%s of %s", class, file)
		}
	}
}

// TestBlanksAroundAPath: a file with blanks around its name is judged as the one without as well.
func TestBlanksAroundAPath(t *testing.T) {
	root, home := gitRepo(t)
	env := environment{"HOME=" + home, trust.Variable + "=/"}
	for file, denied := range map[string]bool{" .idumb/config.json": true, "\t.claude/settings.json": true, ".idumb/config.json ": true, " src/a.go": false} {
		e := hosts.Event{Type: hosts.BeforeTool, Host: "claude", Session: "s", Tool: "Write", Cwd: root, Action: admission.Write, Paths: []string{file}}
		h := &handler{repo: openPacking(layout.Root(root), env, time.Now()), event: e, env: env}
		call, err := h.call()
		require.NoError(t, err)
		assert.Equal(t, denied, h.decide(call).Outcome == admission.Deny, "%q", file)
	}
}

// TestLinesByWhatGitHas: the rule that a verdict names, of lines that differ only in what git has.
func TestLinesByWhatGitHas(t *testing.T) {
	root, home := gitRepo(t)
	for line, rule := range map[string]string{
		"git checkout src/a.go": "git-discard-some", "git checkout src/b.go": "", "git checkout src": "git-discard", "git checkout lib": "",
		"git rm -f src/a.go": "git-discard-some", "git rm -f src/b.go": "", "git checkout-index -fu src/a.go": "git-discard-some",
		"git stash": "plan-edits", "git stash push -- . ':!.idumb'": "", "git stash push -u -- . ':!.idumb'": "", "git stash push src": "", "git clean -fd": "git-discard", "git clean -fd build": "",
		"git checkout bare-branch": "plan-leaves", "git checkout feature": "", "git sparse-checkout set src": "plan-sparse", "git sparse-checkout set .idumb src": "",
		"git apply x.diff": "", "git apply gone.diff": "unknown-files", ": > .idumb/tasks/t1.json": "", "rm -f \"$X\"": "",
	} {
		call, _, err := judge(root, home, line)
		require.NoError(t, err, line)
		assert.Equal(t, rule, call.Gate.Rule, line)
	}
	for _, line := range []string{
		"git apply governed.diff", "patch -p1 < governed.diff", "git rm -r --cached .idumb", "find . -name config.json | xargs rm", "while read f; do rm $f; done < list.txt",
		": > .idumb/tasks/t1.json", "while read f; do : > $f; done < list.txt", "env -C .idumb rm config.json", "cd .idumb && cd .. && cd - && rm config.json",
	} {
		_, v, _ := judge(root, home, line)
		assert.Contains(t, []admission.Outcome{admission.Deny, admission.AskPerson}, v.Outcome, line)
	}
}
