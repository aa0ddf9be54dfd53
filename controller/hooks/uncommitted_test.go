package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// TestSingleFilesAreNotRestoredOverWork: what git's own index says decides, not the words.
func TestSingleFilesAreNotRestoredOverWork(t *testing.T) {
	h := newHouse(t)
	git := h.git
	git("init", "-q")
	require.NoError(t, os.WriteFile(h.root.Abs("a.txt"), []byte("one"), 0o600))
	git("add", "a.txt")
	git("commit", "-qm", "x")
	verdict := func(line string) string {
		handler := &handler{repo: openPacking(h.root, trusting(h.root), h.now), event: shellCall("claude", line)}
		return handler.interpreted(handler.repo.resolver(nil, string(h.root))).Verdict.Rule
	}
	for _, line := range []string{"git checkout -- a.txt", "git restore a.txt", "git restore gone.txt"} {
		assert.Empty(t, verdict(line), line)
	}
	require.NoError(t, os.WriteFile(h.root.Abs("a.txt"), []byte("of an hour"), 0o600))
	for _, line := range []string{"git checkout -- a.txt", "git restore a.txt", "git checkout HEAD -- ./a.txt"} {
		assert.Equal(t, "git-discard-some", verdict(line), line)
	}
}

func (h *house) git(args ...string) {
	out, err := exec.Command("git", append([]string{"-C", string(h.root), "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
	require.NoError(h.t, err, "%s", out)
}

// wroteMany writes files for task a, one call each, and returns all that was said.
func (h *house) wroteMany(from, to int) (said string) {
	h.file("sessions/s", `{"spec": {"activeTask": "a", "role": "executor"}}`)
	for i := from; i < to; i++ {
		file := fmt.Sprintf("f%d.txt", i)
		require.NoError(h.t, os.WriteFile(h.root.Abs(file), []byte("x"), 0o600))
		said += h.run(hosts.Event{Type: hosts.AfterTool, Session: "s", Tool: "Write", Action: admission.Write, Paths: []string{file}}).Context
	}
	return said
}

// TestMuchUncommittedIsToldOnce: from ten files on, once for the task, and not of what is committed.
// A write looks at every tenth file.
func TestMuchUncommittedIsToldOnce(t *testing.T) {
	const told = "14 files written for task \"a\" are not committed"
	h := newHouse(t)
	h.git("init", "-q")
	assert.NotContains(t, h.wroteMany(0, 6), "not committed")
	h.git("add", ".")
	h.git("commit", "-qm", "x")
	assert.NotContains(t, h.wroteMany(6, 19), "not committed", "of the tenth file 4 were not committed")
	assert.Contains(t, h.wroteMany(19, 20), told)
	assert.NotContains(t, h.wroteMany(20, 30)+h.ask(), "not committed", "told once")
}

func TestMuchUncommittedIsToldAtAPrompt(t *testing.T) {
	h := newHouse(t)
	assert.NotContains(t, h.wroteMany(0, 12)+h.ask(), "not committed", "there is no git")
	h.git("init", "-q")
	assert.Contains(t, h.ask(), "12 files written for task \"a\" are not committed")
	assert.NotContains(t, h.ask(), "not committed", "told once")
}

// TestReportsNeedNoTask: what a build or a test reports to a new or an ignored file is no write. In the place of a file
// that git tracks, or of source code, it is one.
func TestReportsNeedNoTask(t *testing.T) {
	h := newHouse(t)
	for _, task := range []string{"a", "b", "c"} {
		h.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	}
	h.git("init", "-q")
	for name, text := range map[string]string{".gitignore": "/out/\n", "src/a.go": "a", "c.out": "c", "src/new.go": "n", "out/r.xml": "r", "old.dat": "o"} {
		writeFile(t, string(h.root), name, text)
	}
	h.git("add", ".gitignore", "src/a.go")
	for _, line := range []string{
		"go test -count=1 ./...", "go test -coverprofile=c.out -cpuprofile cpu.prof ./...", "go test -coverprofile=fresh.out ./...", "go test -coverprofile=old.dat ./...", "pytest --junitxml=out/r.xml -q", "pytest --junitxml=reports/r.xml",
		"go build -o /dev/null ./...", "go build -o bin/app .", "npx jest --outputFile=out/r.json --json", "gcc -c -o src/a.o src/a.c", "tsc --outDir out", "coverage xml -o out/cov.xml", "cmake -B . -G Ninja", "javac -d . A.java",
	} {
		assert.Empty(t, h.run(shellCall("claude", line)).Deny, line)
	}
	for _, line := range []string{"pytest --junitxml=src/a.go", "go test -coverprofile=src/a.go ./...", "go test -coverprofile src/new.go ./...", "go build -o src/a.go .", "tsc --outDir src", "go build -o src/a.go . && ls"} {
		assert.Contains(t, h.run(shellCall("claude", line)).Deny, "src", line)
	}
	for _, line := range []string{"go test -coverprofile=.idumb/config.json ./...", "pytest --junitxml .claude/settings.json", "go build -o .git/hooks/pre-commit ."} {
		assert.NotEmpty(t, h.run(shellCall("claude", line)).Deny, line)
	}
}

// TestBuildOutputIsRemovedWithoutATask: a folder that a build fills is removed without a task though git does not
// ignore it, if git tracks nothing in it.
func TestBuildOutputIsRemovedWithoutATask(t *testing.T) {
	h := newHouse(t)
	for _, task := range []string{"a", "b", "c"} {
		h.file("tasks/"+task, `{"spec": {"workPlan": "p", "expectedOutput": "o"}}`)
	}
	h.git("init", "-q")
	for _, name := range []string{"src/a.go", "node_modules/x/i.js", "dist/f.js", "target/a", "web/dist/f.js", "build/kept.go"} {
		writeFile(t, string(h.root), name, "x")
	}
	h.git("add", "src", "build/kept.go")
	for _, line := range []string{"rm -rf node_modules", "rm -rf ./dist/ target", "rm -rf dist/*", "rm dist/f.js", "rm -rf node_modules && npm ci", "npx rimraf web/dist", "rm -rf out"} {
		assert.Empty(t, h.run(shellCall("claude", line)).Deny, line)
	}
	for _, line := range []string{"rm -rf build", "rm -rf build/*", "rm -rf dist src", "rm -rf dist src/a.go", "echo x > dist/new.js", "rm -rf .idumb/status .idumb/tasks"} {
		assert.NotEmpty(t, h.run(shellCall("claude", line)).Deny, line)
	}
}

// TestFormattersLeaveCommittedFilesAlone: a formatter over a folder is held to the paths of its task for files that have
// uncommitted changes, which it may rewrite, and not for committed ones. A program that rewrites each match is held for
// all of them.
func TestFormattersLeaveCommittedFilesAlone(t *testing.T) {
	h := newHouse(t)
	h.file("tasks/a", `{"spec": {"workPlan": "p", "expectedOutput": "x", "state": "active", "paths": ["src/**"]}}`)
	h.file("sessions/s", `{"spec": {"activeTask": "a", "role": "executor"}}`)
	for _, name := range []string{"src/a.go", "docs/b.go"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(h.root.Abs(name)), 0o755))
		require.NoError(t, os.WriteFile(h.root.Abs(name), []byte("package a\n"), 0o600))
	}
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-qm", "x")
	denied := func(line string) string {
		event := shellCall("claude", line)
		event.Session = "s"
		return h.run(event).Deny
	}
	require.NoError(t, os.WriteFile(h.root.Abs("src/a.go"), []byte("package  a\n"), 0o600))
	for _, line := range []string{"gofmt -w .", "go fmt ./...", "gofmt -w docs", "gofmt -w docs/b.go", "npx prettier --write docs/b.go src", "black docs/none.py"} {
		assert.Empty(t, denied(line), line)
	}
	assert.Contains(t, denied("gofmt -w -r 'a -> b' ."), "is outside task")
	assert.Contains(t, denied("fastmod --accept-all -e go package pack ."), "is outside task")
	require.NoError(t, os.WriteFile(h.root.Abs("docs/b.go"), []byte("package  b\n"), 0o600))
	for _, line := range []string{"gofmt -w .", "gofmt -w docs", "gofmt -w docs/b.go"} {
		assert.Contains(t, denied(line), "docs/b.go is outside task", line)
	}
	assert.Contains(t, denied("gofmt -w -r 'a -> b' docs/b.go"), "is outside task")
	assert.Empty(t, denied("gofmt -w src"))
}
