package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPatterns checks that each pattern finds its example and has a replacement.
func TestPatterns(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range phrases() {
		assert.True(t, p.matches(p.example), "%s does not find %q", p.name, p.example)
		assert.NotEmpty(t, p.instead, p.name)
		assert.False(t, seen[p.name], "%s is listed twice", p.name)
		seen[p.name] = true
	}
}

func TestExceptions(t *testing.T) {
	c := counter{patterns: phrases(), words: words()}
	for text, want := range map[string]string{
		"it stands for the name":             "",
		"it stands for what stands there":    "free-what",
		"limits are required":                "",
		"returns the name":                   "",
		`returns "" if the task is missing`:  "",
		`the name; "" if it is missing`:      "empty-for",
		"it goes on to the next":             "",
		"the decision is allow, ask or deny": "",
		"a row is over 80 columns":           "",
		"so long as the lock exists":         "",
	} {
		assert.Equal(t, want, firstWord(c.find(line{class: comments, text: text})), text)
	}
	assert.Empty(t, c.find(line{class: helps, text: "of a delegation. Labels are merged."}), "a wrapped line")
	assert.Empty(t, c.find(line{class: literals, text: "hooks are not installed"}), "an error that begins with its subject")
	assert.Equal(t, []line{{class: literals, text: "Sends the text.", number: 1}}, goLines("`json:\"asks\" idumb:\"a,b,c\" doc:\"Sends the text.\"`"), "only the doc of a tag")
	assert.NotEmpty(t, c.find(line{class: names, text: "given"}))
	assert.Empty(t, c.find(line{class: names, text: "delivery"}))
}

// TestExceptedLines checks that each exception has a reason and excuses a line that a pattern finds.
func TestExceptedLines(t *testing.T) {
	c := counter{patterns: phrases()}
	for _, e := range exceptions() {
		assert.NotEmpty(t, e.reason, e)
		data, err := os.ReadFile(filepath.Join("..", "..", e.file))
		require.NoError(t, err)
		assert.True(t, slices.ContainsFunc(linesOf(filepath.Base(e.file), string(data)), func(l line) bool {
			return excepted(filepath.Join("checkout", e.file), l.text) && len(c.find(l)) > 0
		}), "nothing in %s needs the exception %q", e.file, e.text)
	}
	assert.False(t, excepted("destructive.go", "nobody root daemon www-data"), "another file")
	assert.False(t, excepted("resources/admission/command/destructive.go", "nobody"), "another text")
}

func firstWord(found []string) string {
	if len(found) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(found[0], ":")
	return name
}

// TestRun counts files of each class and fails above a limit.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":            "// Package a is told.\npackage a\n\n// Given is told.\nfunc Given() error { return err(\"nobody works on it\") }\n",
		"a_test.go":       "package a // told\n",
		"help.txt":        "nobody\n  idumb told\n",
		"README.md":       "told\n```\ntold\n```\n",
		"testdata/b.go":   "// told\npackage b\n",
		"vendor/c/doc.md": "told\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var out strings.Builder
	require.NoError(t, run([]string{dir}, &out))
	for _, want := range []string{"comments       2 of      2", "strings        1 of      1", "help           1 of      1", "md             1 of      1", "names          1 of      1"} {
		assert.Contains(t, out.String(), want)
	}
	for _, class := range []string{comments, literals, helps, markdown, names} {
		assert.ErrorContains(t, run([]string{"-max", class + "=999", dir}, &out), class+": 1000 hits in 1,000 lines, limit 999")
	}
	assert.NoError(t, run([]string{"-max", "names=1000", dir}, &out))
	assert.ErrorContains(t, run([]string{"-max", "nouns=1", dir}, &out), `invalid limit "nouns=1"`)
	limits := filepath.Join(dir, "limits.tsv")
	require.NoError(t, os.WriteFile(limits, []byte("md\t10\n"), 0o600))
	assert.ErrorContains(t, run([]string{"-limits", limits, dir}, &out), "md: 1000 hits")
}
