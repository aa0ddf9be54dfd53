package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is the most columns that help takes: half a wide screen, all of a small one.
const helpWidth = 80

// narrowHelp lets help keep to helpWidth: the sentences of each command are broken anew
// where one of their lines is longer.
func narrowHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = narrow(c.Long, helpWidth)
		help(c, args)
	})
}

// narrow breaks the paragraphs of a text that have a line wider than width. Lines that are
// indented stand as they are.
func narrow(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if tooWide(p, width) {
			paragraphs[i] = filled(strings.Fields(p), width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// tooWide reports whether a paragraph is one of sentences, with a line that is too wide.
func tooWide(paragraph string, width int) bool {
	wide := false
	for line := range strings.SplitSeq(paragraph, "\n") {
		if strings.HasPrefix(line, " ") {
			return false
		}
		wide = wide || len(line) > width
	}
	return wide
}

// filled puts words into lines.
func filled(words []string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range words {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
