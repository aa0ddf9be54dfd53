package controllerprocess

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// notifiedTree is a working tree with a teller who knows it.
type notifiedTree struct {
	*CodeNotifier
	t     *testing.T
	dir   string
	tasks []string
}

func newTree(t *testing.T, files map[string]string) *notifiedTree {
	s := &notifiedTree{t: t, dir: t.TempDir()}
	require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
	require.NoError(t, os.MkdirAll(filepath.Join(s.dir, layout.RunDir), 0o755))
	for path, text := range files {
		s.write(path, text)
	}
	known := inventory.New(layout.Root(s.dir), 1)
	require.NoError(t, known.Ask(context.Background(), func(k inventory.Snapshot) { k.Graph() }))
	s.CodeNotifier = NewCodeNotifier(layout.Root(s.dir), known, func() []string { return s.tasks })
	return s
}

func (s *notifiedTree) write(path, text string) {
	s.t.Helper()
	abs := filepath.Join(s.dir, path)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(abs), 0o755))
	require.NoError(s.t, os.WriteFile(abs, []byte(text), 0o644))
}

func textOf(told []hooks.Snippet) string {
	var lines []string
	for _, one := range told {
		lines = append(lines, one.Text)
	}
	return strings.Join(lines, "\n")
}

func nobody(hooks.Snippet) bool { return false }

func TestCode(t *testing.T) {
	files := map[string]string{
		"package.json": `{"workspaces": ["api", "web"]}`, "api/package.json": `{"name": "api"}`, "web/package.json": `{"name": "web"}`,
		"api/few.ts": "export const a = 1", "api/many.ts": "export const a = 1", "api/far.ts": "export const a = 1", "api/user.ts": "import {a} from './few'",
		"web/far.ts": "import {a} from '../api/far'", "api/many.test.ts": "import {a} from './many'",
	}
	for i := range 8 {
		files[fmt.Sprintf("api/u%d.ts", i)] = "import {a} from './many'\nimport {a as b} from './many'"
	}
	s := newTree(t, files)
	assert.Empty(t, s.Code("api/few.ts", nobody), "one importer beside it is no news")
	assert.Equal(t, "8 files import it (api 8; 1 test).", textOf(s.Code("api/many.ts", nobody)))
	assert.Empty(t, s.Code("api/many.ts", func(told hooks.Snippet) bool { return told.ID == "src/api/many.ts" }), "who was told is not told again")
	assert.Equal(t, "1 file imports it (web 1).", textOf(s.Code("api/far.ts", nobody)))
	assert.Empty(t, s.Code("api/nothing.ts", nobody))
	assert.Empty(t, s.Code("package.json", nobody))
	s.write("web/more.ts", "import {a} from '../api/few'")
	assert.Empty(t, s.Code("api/few.ts", nobody), "who was not looked at is not known yet")
	s.Code("web/more.ts", nobody)
	assert.Equal(t, "2 files import it (api 1, web 1).", textOf(s.Code("api/few.ts", nobody)))
}

// Files that came by git or by a user since the last update count as importers.
func TestBrokeByWhatCameSince(t *testing.T) {
	s := newTree(t, map[string]string{"a.ts": "export const one = 1", "p/One.java": "package p;\npublic class One {}\n"})
	s.write("a.ts", "export const one = 1, two = 2")
	s.write("b.ts", "import {two} from './a'")
	s.Code("a.ts", nobody) // before the call
	s.write("a.ts", "export const one = 1")
	broken := func(file string) (text string) {
		assert.Eventually(t, func() bool { text = textOf(s.Broke([]string{file})); return text != "" }, 10*time.Second, time.Millisecond, file)
		return text
	}
	assert.Contains(t, broken("a.ts"), "a.ts no longer has two, which 1 place imports still: b.ts:1")

	git := func(args ...string) {
		out, err := exec.Command("git", append([]string{"-C", s.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	s.write("q/B.java", "package q;\nimport p.One;\nclass B { One x; }\n")
	git("add", "-A")
	git("commit", "-qm", "one")
	s.Code("a.ts", nobody)
	require.Eventually(t, func() bool { return strings.HasPrefix(s.Radius("p/One.java"), "1 file imports it") }, 10*time.Second, time.Millisecond, "a look at any file after git moved HEAD updates the map")
	require.NoError(t, os.Remove(filepath.Join(s.dir, "p/One.java")))
	assert.Contains(t, broken("p/One.java"), "q/B.java:2")
}

func TestBroke(t *testing.T) {
	s := newTree(t, map[string]string{
		"a.ts": "export const one = 1, two = 2\nexport function three() {}", "b.ts": "import {one} from './a'", "c.ts": "\nimport {three, one as x} from './a'\n",
	})
	assert.Empty(t, s.Broke([]string{"a.ts"}), "nothing was written")
	s.write("a.ts", "export const two = 2")
	told := s.Broke([]string{"a.ts", "b.ts"})
	assert.Equal(t, "a.ts no longer has one, three, which 2 places import still: b.ts:1, c.ts:2. Mend them, or bring the name back.", textOf(told))
	assert.Equal(t, told, s.Broke([]string{"a.ts"}), "who was told that knows it by its twin")
	s.write("b.ts", "")
	s.write("c.ts", "import {two} from './a'")
	assert.Empty(t, s.Broke([]string{"a.ts"}), "its importers were mended")
	require.NoError(t, os.Remove(filepath.Join(s.dir, "a.ts")))
	assert.Equal(t, "a.ts no longer has two, which 1 place imports still: c.ts:1. Mend them, or bring the name back.", textOf(s.Broke([]string{"a.ts"})))
}

// Names of files are data: they cannot forge a line or a tag.
func TestNamesAreData(t *testing.T) {
	s := newTree(t, map[string]string{"a.ts": "export const one = 1", "x<rules>\n<system>.ts": "import {one} from './a'"})
	s.write("a.ts", "")
	text := textOf(s.Broke([]string{"a.ts"}))
	assert.Contains(t, text, "no longer has one")
	assert.NotContains(t, text, "<")
	assert.NotContains(t, text, "\n")
}

// Whoever asks before anything is known is told nothing at once, and the map is made.
func TestNobodyWaits(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, layout.RunDir), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package x\n"), 0o644))
	s := NewCodeNotifier(layout.Root(dir), inventory.New(layout.Root(dir), 1), func() []string { return nil })
	assert.Empty(t, s.Code("a.go", nobody))
	require.Eventually(t, func() bool { return len(layout.Root(dir).ProjectLines()) > 0 }, 10*time.Second, time.Millisecond)
	assert.Equal(t, []string{"Code: Go", "Stack: go 1.26", "Commands: build `go build ./...`, lint `go vet ./...`, test `go test ./...`"}, layout.Root(dir).ProjectLines())
}

// The first session of a repository waits for its facts, and no longer than it allows.
func TestFirstScan(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, layout.RunDir), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n\ngo 1.26\n"), 0o644))
	files := inventory.New(layout.Root(dir), 1)
	s := NewCodeNotifier(layout.Root(dir), files, func() []string { return nil })
	s.UpdateTasks() // without a map it delays nothing
	begin := time.Now()
	s.FirstScan(time.Minute)
	assert.Less(t, time.Since(begin), combineDelay)
	assert.Equal(t, []string{"Stack: go 1.26", "Commands: build `go build ./...`, lint `go vet ./...`, test `go test ./...`"}, layout.Root(dir).ProjectLines())

	require.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(layout.ProjectFile))))
	other := NewCodeNotifier(layout.Root(dir), inventory.New(layout.Root(dir), 1), func() []string { return nil })
	other.isRunning.Store(true) // as if an update did not end
	other.FirstScan(time.Millisecond)
	assert.Empty(t, layout.Root(dir).ProjectLines())
}

// What manifests name is written down for decisions when the map is first brought up to date, and when one of
// them changes while sessions work, or a file that showed a technology; not for any other.
func TestStackIsWrittenDown(t *testing.T) {
	s := newTree(t, map[string]string{"package.json": "{\"dependencies\": {\"moment-timezone\": \"1\",\n\"moment\": \"^2.29\"}}", "a.ts": "export const a = 1", "go.mod": "module x\n"})
	file := filepath.Join(s.dir, filepath.FromSlash(layout.StackFile))
	has := func(text string) func() bool {
		return func() bool { data, _ := os.ReadFile(file); return strings.Contains(string(data), text) }
	}
	assert.NoFileExists(t, file, "nobody asked yet")
	s.Warm()
	require.Eventually(t, has(`{"name":"moment","version":"^2.29","line":2}`), 5*time.Second, time.Millisecond)
	require.Eventually(t, func() bool { return !s.isRunning.Load() }, 5*time.Second, time.Millisecond, "it goes on behind the file")
	before, err := os.Stat(file)
	require.NoError(t, err)
	s.write("a.ts", "export const b = 1")
	s.Broke([]string{"a.ts"})
	assert.False(t, s.isRunning.Load(), "code names no package")
	s.write("package.json", `{"dependencies": {"dayjs": "1"}}`)
	s.Broke([]string{"package.json"})
	require.Eventually(t, has(`{"name":"dayjs","version":"1","line":1}`), 5*time.Second, time.Millisecond)
	after, err := os.Stat(file)
	require.NoError(t, err)
	assert.False(t, os.SameFile(before, after))
	assert.False(t, has("moment")())
	require.Eventually(t, func() bool { return !s.isRunning.Load() }, 5*time.Second, time.Millisecond)
}

// A denial says what hangs on a file, where that is known.
func TestRadius(t *testing.T) {
	s := newTree(t, map[string]string{"a.ts": "export const a = 1", "b.ts": "import {a} from './a'", "b.test.ts": "import './b'", "README.md": "x"})
	assert.Equal(t, "1 file imports it (root 1)", s.Radius("a.ts"))
	assert.Equal(t, "1 test imports it", s.Radius("b.ts"))
	assert.Equal(t, "nothing imports it", s.Radius("b.test.ts"))
	assert.Empty(t, s.Radius("README.md"))
	cold := NewCodeNotifier(layout.Root(s.dir), inventory.New(layout.Root(s.dir), 1), func() []string { return nil })
	assert.Empty(t, cold.Radius("a.ts"))
	assert.False(t, cold.isRunning.Load(), "no map is made for it")
}

// What is known of the files that tasks name is written down with the map, when other tasks are worked on, and when
// one of those files changes; never where the map is not at hand.
func TestCodeOfTasksIsWrittenDown(t *testing.T) {
	s := newTree(t, map[string]string{"package.json": `{"name": "x"}`,
		"src/a.ts": "// TODO(ana): less\nexport function one(n: number): string { return '' }\nexport const two = 2", "src/b.ts": "import {one} from './a'\nexport {gone} from './a'", "src/a.test.ts": "import {one} from './a'", "web/c.ts": "export const c = 1"})
	s.tasks = []string{"src/*.ts", "web/c.ts", "no.ts"}
	known := func() (text string) {
		for _, f := range layout.Root(s.dir).CodeFiles() {
			text += fmt.Sprintf("%+v\n", f)
		}
		return text
	}
	becomes := func(part string) {
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(known(), part) }, 5*time.Second, time.Millisecond, part)
	}
	s.Warm()
	becomes("{Path:web/c.ts ")
	assert.True(t, strings.HasPrefix(known(), "{Path:src/a.ts Exports:[{Name:one Signature:function one(n: number): string} {Name:two Signature:const two = 2}] MoreExports:0 Users:[src/b.ts] MoreUse:0 Tests:1 Knot:0 Todos:[{Line:1 Text:less}] Findings:[]}\n"), known())
	assert.Contains(t, known(), "Findings:[{Line:2 Text:")
	s.tasks = []string{"web/c.ts"}
	s.UpdateTasks()
	require.Eventually(t, func() bool { return !strings.Contains(known(), "src/") }, 5*time.Second, time.Millisecond)
	s.write("web/c.ts", "export const other = 1")
	s.Broke([]string{"web/c.ts"})
	becomes("{Name:other ")
	require.Eventually(t, func() bool { return !s.isRunning.Load() }, 5*time.Second, time.Millisecond)
	cold := NewCodeNotifier(layout.Root(s.dir), inventory.New(layout.Root(s.dir), 1), func() []string { return []string{"src/a.ts"} })
	cold.UpdateTasks()
	require.Eventually(t, func() bool { return !cold.isRunning.Load() }, 5*time.Second, time.Millisecond)
	assert.NotContains(t, known(), "src/a.ts", "no map is made for it")
}
