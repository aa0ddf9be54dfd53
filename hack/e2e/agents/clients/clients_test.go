package clients

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func program(t *testing.T, dir, name string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755))
	return file
}

func TestAnInstalledClientIsTakenFromTheCache(t *testing.T) {
	cache := t.TempDir()
	folder := filepath.Join(cache, "claude-code-"+Claude{}.Version())
	want := program(t, filepath.Join(folder, "node_modules", "@anthropic-ai", "claude-code-linux-x64"), "claude")
	require.NoError(t, os.WriteFile(filepath.Join(folder, marker), nil, 0o644))
	t.Setenv("PATH", t.TempDir()) // no npm
	got, err := Install(Claude{}, cache)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestAnInterruptedInstallationIsNotTaken(t *testing.T) {
	cache := t.TempDir()
	program(t, filepath.Join(cache, "claude-code-"+Claude{}.Version(), "node_modules", "@anthropic-ai", "claude-code-linux-x64"), "claude")
	t.Setenv("PATH", t.TempDir())
	_, err := Install(Claude{}, cache)
	assert.ErrorContains(t, err, "npm install @anthropic-ai/claude-code@")
}

// What hosts.md shows of each client is what its version here does: whoever changes one looks at the other.
func TestTheDocumentIsOfTheseVersions(t *testing.T) {
	data, err := os.ReadFile("../../../docs/hosts.md")
	require.NoError(t, err)
	sections := strings.Split(string(data), "\n## ")
	for title, c := range map[string]Client{"Claude Code": Claude{}, "OpenCode": OpenCode{}, "Codex": Codex{}, "Copilot CLI": Copilot{}, "Gemini CLI": Gemini{}} {
		i := slices.IndexFunc(sections, func(s string) bool { return strings.HasPrefix(s, title+"\n") })
		require.GreaterOrEqual(t, i, 0, title)
		found := regexp.MustCompile(`\((\d+\.\d+\.\d+)[,)]`).FindAllStringSubmatch(sections[i], -1)
		require.NotEmpty(t, found, title)
		for _, version := range found {
			assert.Equal(t, c.Version(), version[1], title)
		}
	}
}

func TestOnlyTheProgramsUnderTestAreInPATH(t *testing.T) {
	bin, old, other := t.TempDir(), t.TempDir(), t.TempDir()
	program(t, old, "idumb-hook")
	t.Setenv("PATH", old+string(filepath.ListSeparator)+other)
	for _, v := range (Place{Bin: bin, Home: t.TempDir()}).Environment() {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			assert.Equal(t, []string{bin, other}, filepath.SplitList(path))
			return
		}
	}
	t.Fatal("there is no PATH")
}

func TestAPatchAddsAFileOrReplacesItWhole(t *testing.T) {
	s := &codexSession{place: Place{Project: t.TempDir()}}
	assert.Equal(t, "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n", s.Write("a.txt", "one\ntwo\n").Freeform)
	require.NoError(t, os.WriteFile(filepath.Join(s.place.Project, "a.txt"), nil, 0o644))
	assert.Contains(t, s.Write("a.txt", "one\n").Freeform, "*** Begin Patch\n*** Add File: a.txt\n+one\n")
}

// printed hands out what a client prints line by line, and notes what it was sent
// before each.
type printed struct {
	lines []string
	sent  *[]string
}

func (p *printed) Read(b []byte) (int, error) {
	if len(p.lines) == 0 {
		return 0, os.ErrClosed
	}
	n := copy(b, p.lines[0])
	p.lines = p.lines[1:]
	return n, nil
}

func (p *printed) Write(b []byte) (int, error) {
	*p.sent = append(*p.sent, string(b))
	return len(b), nil
}

func (p *printed) Close() error {
	*p.sent = append(*p.sent, "end")
	return nil
}

func TestPromptsAreSentOneAfterTheOther(t *testing.T) {
	var sent []string
	client := &printed{lines: []string{`{"type":"assistant"}` + "\n", `{"type":"result"}` + "\n", `{"type":"result"}` + "\n"}, sent: &sent}
	output, err := converse(client, client, []string{"first", "second"})
	require.NoError(t, err)
	require.Len(t, sent, 3)
	assert.Contains(t, sent[0], "first")
	assert.Contains(t, sent[1], "second")
	assert.Equal(t, "end", sent[2])
	assert.Equal(t, 3, strings.Count(output, "\n"))
}
