package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mentioned finds commands of idumb's in a document: "idumb", one or two words, and flags.
var (
	mentioned = regexp.MustCompile("(?m)(?:`|^\\$ |^| )idumb ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)([^`\n|#]*)")
	flagged   = regexp.MustCompile(`(?:^|\s)(--[a-z][a-z-]*)`)
)

// TestDocumentsNameCommandsThatThereAre reads the commands and flags in the documents.
func TestDocumentsNameCommandsThatThereAre(t *testing.T) {
	files := []string{"../../README.md", "../../hack/docs/threat-model.md", "../../hack/docs/hosts.md", "../internal/scaffold/files/README.md"}
	about, err := filepath.Glob("topics/*.md")
	require.NoError(t, err)
	files = append(files, about...)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, code := range codeIn(t, string(text)) {
			for _, m := range mentioned.FindAllStringSubmatch(code, -1) {
				found++
				checkMention(t, file, m[0], strings.Fields(m[1]), m[2])
			}
		}
	}
	assert.Greater(t, found, 60)
}

// codeIn are the parts of a document that are commands: blocks that show a shell, and
// words in backquotes.
func codeIn(t *testing.T, text string) []string {
	var all []string
	block := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```") && block == "":
			block = strings.TrimSpace(line)
		case strings.HasPrefix(line, "```"):
			block = ""
		case block == "```sh" || block == "```console" && strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "    idumb "):
			all = append(all, strings.TrimSpace(line))
		case block == "":
			assert.Zero(t, strings.Count(line, "`")%2, "a command is broken over two lines, where nobody finds it: %s", line)
			for i, part := range strings.Split(line, "`") {
				if i%2 == 1 {
					all = append(all, part)
				}
			}
		}
	}
	return all
}

func checkMention(t *testing.T, file, mention string, words []string, rest string) {
	root := newRoot(&app{}, nil)
	if words[0] == "help" {
		words = words[1:] // of a topic or a verb
	}
	c, _, err := root.Find(words)
	if !assert.NoError(t, err, "%s: %s", file, mention) || !assert.True(t, c.HasParent(), "%s: %s", file, mention) {
		return
	}
	if c.HasSubCommands() && len(words) > 1 && c.Name() == words[0] && c.Name() != "create" {
		assert.Failf(t, "no such command", "%s: %s", file, mention)
	}
	rest, _, _ = strings.Cut(rest, " -- ")
	for _, m := range flagged.FindAllStringSubmatch(rest, -1) {
		name := strings.TrimPrefix(m[1], "--")
		assert.True(t, hasFlag(c, name), "%s: %s has no flag --%s", file, c.CommandPath(), name)
	}
}

func hasFlag(c *cobra.Command, name string) bool {
	return c.Flags().Lookup(name) != nil || c.InheritedFlags().Lookup(name) != nil
}
