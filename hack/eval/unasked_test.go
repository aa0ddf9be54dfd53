package main

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheShopHasTheShapeOfRepositories holds what is played to what the figures need: files that many
// import, many more that few do, and exports that are taken away while others import them.
func TestTheShopHasTheShapeOfRepositories(t *testing.T) {
	p := shop(1)
	assert.Equal(t, p, shop(1), "the same every time")
	users, code := map[string]int{}, 0
	for file, text := range p.files {
		if path.Ext(file) != ".ts" || strings.HasSuffix(file, ".test.ts") {
			continue
		}
		code++
		for line := range strings.Lines(text) {
			if _, from, found := strings.Cut(line, "from '."); found {
				users[path.Join(path.Dir(file), "."+strings.TrimSuffix(strings.TrimSpace(from), "'"))+".ts"]++
			}
		}
	}
	many := 0
	for file, n := range users {
		assert.Contains(t, p.files, file)
		many += count(n >= 8)
	}
	assert.InDelta(t, 0.1, share(many, code), 0.06, "files that eight or more import")
	for _, c := range p.sessions {
		require.Len(t, c.exchanges[shopPrompts-1].Breaks, 1)
		broken := c.exchanges[shopPrompts-1].Breaks[0]
		assert.Positive(t, users[broken], broken)
		assert.Contains(t, p.files[broken], "export function "+exportOf(broken, 0))
	}
}

func TestWalkedHistory(t *testing.T) {
	dir := gitHistory(t, [3]string{"begin", "a.go", "package a\n"}, [3]string{"more", "b.go", "package a\n"}, [3]string{"read me", "README.md", "# A\n"}, [3]string{"again", "a.go", "package a\n\n"})
	p, err := walked(dir, 2)
	require.NoError(t, err)
	require.Len(t, p.sessions, 1)
	assert.Equal(t, []exchange{{Prompt: "Go on with again", Start: "t1", Edits: []string{"a.go"}}, {Prompt: "Go on with more", Edits: []string{"b.go"}}}, p.sessions[0].exchanges, "no code is touched between them")
	assert.Equal(t, "# A\n", p.files["README.md"])
}

func TestWhatCountsAsToldUnasked(t *testing.T) {
	u, seen, told := &unasked{}, map[string]bool{}, 0
	for _, text := range []string{"FILE a.ts:\n8 files import it.\n", "FILE a.ts:\n8 files import it.\n", "BROKEN:\na.ts no longer has x, which 1 place imports still: b.ts:1.\n"} {
		u.hear(text, seen, func() { told++ })
	}
	assert.Equal(t, []int{2, 1, 1}, []int{told, u.twice, u.brokenTold})
	assert.Equal(t, "<project>\nCode: Go\n</project>", section("<rules>\n</rules>\n<project>\nCode: Go\n</project>\n<plan>", "project"))
	assert.Empty(t, section("<project>", "project"))
}
