package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
)

// screen is output that can be read while it is written.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// shows waits until a line of the output matches.
func (s *screen) shows(t *testing.T, pattern string) {
	t.Helper()
	line := regexp.MustCompile("(?m)" + pattern)
	require.Eventually(t, func() bool { return line.MatchString(s.text()) }, time.Minute, 5*time.Millisecond, "%s in\n%s", pattern, s.text())
}

// repository makes a repository with these files below .idumb.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, dir, name, text)
	}
	return dir
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, ".idumb", filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

var site = map[string]string{
	"workplans/site.json": `{"spec": {"title": "A site", "acceptance": ["It is up"], "state": "active"}}`,
	"tasks/schema.json":   `{"spec": {"workPlan": "site", "expectedOutput": "Tables"}}`,
	"tasks/api.json":      `{"spec": {"workPlan": "site", "expectedOutput": "An API", "dependsOn": ["schema"]}}`,
}

// get -w needs no controller to go on: it says that none runs, follows the files,
// and picks up a store that was moved away and back.
func TestWatchFollowsTheFiles(t *testing.T) {
	dir := repository(t, site)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, notices screen
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"-C", dir, "get", "tasks", "-w", "--output-watch-events"}, strings.NewReader(""), &out, &notices)
	}()
	out.shows(t, `^EVENT +NAME +PLAN +PHASE +PRIORITY +AGE$`)
	out.shows(t, `^ADDED +api +site +blocked `)
	out.shows(t, `^ADDED +schema +site +planned `)
	notices.shows(t, `^Warning: no controller is running`)

	writeFile(t, dir, "tasks/schema.json", `{"spec": {"workPlan": "site", "expectedOutput": "Tables", "state": "completed", "result": {"evidence": "seen"}}}`)
	out.shows(t, `^MODIFIED +schema +site +completed `)
	out.shows(t, `^MODIFIED +api +site +planned `)

	require.NoError(t, os.Rename(filepath.Join(dir, ".idumb"), filepath.Join(dir, "away")))
	require.NoError(t, os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, ".idumb")))
	writeFile(t, dir, "tasks/docs.json", `{"spec": {"workPlan": "site", "expectedOutput": "Docs"}}`)
	out.shows(t, `^ADDED +docs +site +planned `)
	require.NoError(t, os.Remove(filepath.Join(dir, ".idumb", "tasks", "docs.json")))
	out.shows(t, `^DELETED +docs `)

	interrupt()
	assert.Equal(t, terminal.Interrupted, <-code)
	assert.NotContains(t, notices.text(), "error:", "an interruption is no error")
}

func TestWatchJSON(t *testing.T) {
	dir := repository(t, site)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, notices screen
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"-C", dir, "get", "task", "api", "-o", "jsonpath={.status.phase}:", "-w"}, strings.NewReader(""), &out, &notices)
	}()
	out.shows(t, `^blocked:$`)
	writeFile(t, dir, "tasks/schema.json", `{"spec": {"workPlan": "site", "expectedOutput": "Tables", "state": "completed", "result": {"evidence": "seen"}}}`)
	out.shows(t, `^blocked:planned:$`)
	interrupt()
	<-done
}

// get needs -w shows what begins to need the person, and, with another sign, what ceases to.
func TestNeedsAreWatched(t *testing.T) {
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("LC_ALL", "")
	dir := repository(t, site)
	t.Setenv("IDUMB_TRUST", dir)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, rows, notices screen
	done := make(chan int)
	watch := func(out *screen, args ...string) {
		done <- run(ctx, append([]string{"-C", dir, "get", "needs", "-w"}, args...), strings.NewReader(""), out, &notices)
	}
	session := func(state string) {
		writeFile(t, dir, "sessions/s-1.json", `{"spec": {"host": "claude", "lastSeenAt": "`+time.Now().UTC().Format(time.RFC3339)+`", `+state+`}}`)
	}
	session(`"state": "waiting", "waitsFor": "permission", "asks": "Bash make"`)
	go watch(&out, "-o", "jsonpath={.type} {.object.status.sign} {.object.status.what};", "--output-watch-events")
	go watch(&rows)
	out.shows(t, `^ADDED \? wants permission: Bash make;$`)
	rows.shows(t, `^SIGN +WHO +WHAT +AGE +DO$`)
	rows.shows(t, `^\? +claude/s-1 +wants permission: Bash make `)
	session(`"state": "waiting", "waitsFor": "permission", "asks": "Bash make test"`)
	out.shows(t, `;MODIFIED \? wants permission: Bash make test;$`)
	rows.shows(t, `^\? +claude/s-1 +wants permission: Bash make test `) // each looks at its own time
	session(`"state": "working"`)
	out.shows(t, `;DELETED ✓ wants permission: Bash make test;$`)
	rows.shows(t, `^✓ +claude/s-1 +wants permission: Bash make test `)
	interrupt()
	assert.Equal(t, terminal.Interrupted, <-done)
	assert.Equal(t, terminal.Interrupted, <-done)
	assert.Equal(t, 1, strings.Count(rows.text(), "SIGN"))
}

// events -w shows what is added to the log.
func TestEventsFollowTheLog(t *testing.T) {
	dir := repository(t, map[string]string{"config.json": "{}",
		"events/2026-01-01.jsonl": `{"time":"2026-01-01T10:00:00Z","type":"Normal","reason":"First","object":"task/a","message":"m"}` + "\n"})
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out, notices screen
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"-C", dir, "events", "-w"}, strings.NewReader(""), &out, &notices)
	}()
	out.shows(t, ` First +task/a `)
	writeFile(t, dir, "events/2026-01-02.jsonl", `{"time":"2026-01-02T10:00:00Z","type":"Normal","reason":"Second","object":"task/a","message":"m"}`+"\n")
	out.shows(t, ` Second +task/a `)
	assert.Equal(t, 1, strings.Count(out.text(), "First"), "each event is shown once")
	interrupt()
	assert.Equal(t, terminal.Interrupted, <-done)
}
