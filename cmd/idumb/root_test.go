package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/acts/actstest"
)

func TestNarrow(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"one two":                     "one two",
		"one two three\nfour":         "one two\nthree four",
		"one\ntwo\n\nthree four five": "one\ntwo\n\nthree four\nfive",
		"  one two three four":        "  one two three four",
		"incomprehensibilities x":     "incomprehensibilities\nx",
	} {
		assert.Equal(t, want, narrow(text, 10), text)
	}
}

// TestHelpIsNarrow asks every command for its help.
func TestHelpIsNarrow(t *testing.T) {
	asked := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.Runnable() && !c.HasSubCommands() {
			return // a topic is printed as it is, tables included
		}
		words := append(strings.Fields(c.CommandPath())[1:], "--help")
		var out bytes.Buffer
		root := newRoot(&app{stdout: &out, stderr: &out}, words)
		require.NoError(t, root.Execute(), words)
		for line := range strings.Lines(out.String()) {
			assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), helpWidth, "%s:\n%s", strings.Join(words, " "), line)
		}
		assert.NotEmpty(t, c.Short, "help.txt has no section for %s", c.CommandPath())
		asked++
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&app{}, nil))
	assert.Greater(t, asked, len(verbs))
}

// Words that people type lead to a verb that there is, and are none themselves.
// An act that is added to the table is a verb, with its help and flags, and is done by it.
func TestAnActOfTheTableIsAVerb(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"workplans/p": `{"spec": {"title": "P", "acceptance": ["a"]}}`, "tasks/a": `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".idumb", filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".idumb", name+".json"), []byte(text), 0o600))
	}
	polish := func(args ...string) string {
		var out bytes.Buffer
		a := &app{stdout: &out, stderr: &out, dir: dir, acts: append(acts.All(), actstest.Toy())}
		require.NoError(t, newRoot(a, args).ExecuteContext(t.Context()), out.String())
		return out.String()
	}
	assert.Regexp(t, `(?s)Tasks:.*\n  polish +Polish tasks\n.*Overview:`, polish("--help"))
	assert.Regexp(t, `(?s)until they shine.*--reason string +the reason \(required\)`, polish("polish", "--help"))
	assert.Contains(t, polish("polish", "a", "-C", dir, "--reason", "brightly"), "task.idumb.dev/a polished\n")
	data, err := os.ReadFile(filepath.Join(dir, ".idumb/tasks/a.json"))
	require.NoError(t, err)
	assert.Contains(t, string(data), `"notes": "brightly"`)
}

func TestOtherWords(t *testing.T) {
	root := newRoot(&app{}, []string{"frobnicate"})
	for word, verb := range verbAliases {
		c, rest, err := root.Find(strings.Fields(verb))
		assert.NoError(t, err, word)
		if len(rest) > 0 { // what get lists
			_, isRecord := recordOf(rest[0])
			assert.True(t, isRecord && c.Name() == "get" && len(rest) == 1, verb)
		}
		assert.NotEqual(t, root, c, verb)
		meant, _, _ := root.Find([]string{word})
		assert.Equal(t, root, meant, "%s is a verb", word)
		err = noVerb(root, []string{word})
		assert.ErrorContains(t, err, "\t"+verb)
	}
	assert.ErrorContains(t, noVerb(root, []string{"task"}), "\tadd")
	assert.ErrorContains(t, noVerb(root, []string{"anchors"}), "\tget anchors")
	assert.ErrorContains(t, noVerb(root, []string{"complet"}), "\tcomplete")
	assert.ErrorContains(t, noVerb(root, []string{"frobnicate"}), "See 'idumb --help'")
}
