package main

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"
)

// topics contains documents about parts of the product. The README links to them.
//
//go:embed topics/*.md
var topics embed.FS

// sourceFiles is the address of the files that the topics link to.
const sourceFiles = "https://github.com/idumb-dev/idumb/blob/main/"

// withAddresses replaces relative links by addresses, because users of the binary do not have the
// files.
func withAddresses(text string) string {
	return strings.NewReplacer("](../../../", "]("+sourceFiles, "](../../", "]("+sourceFiles+"cmd/").Replace(text)
}

// newTopics returns a command without a function for each topic: "idumb help TOPIC" prints its text.
func newTopics() []*cobra.Command {
	files, err := topics.ReadDir("topics")
	if err != nil {
		panic(err) // the files are embedded
	}
	var commands []*cobra.Command
	for _, file := range files {
		text, err := topics.ReadFile(path.Join("topics", file.Name()))
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		c := &cobra.Command{Use: strings.TrimSuffix(file.Name(), ".md"), Short: title, Long: string(text)}
		c.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), withAddresses(c.Long)) }) // without wrapping, to preserve tables
		commands = append(commands, c)
	}
	return commands
}
