package main

import (
	"context"
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// help is what the commands say of themselves: a section each, which begins with
// "== PATH: USAGE" and holds a line that says it in short, the whole, and examples.
//
//go:embed help.txt
var help string

// newCommand makes the command of that path, its words behind idumb, with what help says of it.
func newCommand(path string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	use, text, _ := strings.Cut(section(help, path+": "), "\n")
	short, text, _ := strings.Cut(text, "\n")
	long, example, _ := strings.Cut(text, "\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long), Example: strings.TrimRight(example, "\n"), Args: args, RunE: run}
}

// section is what stands behind a heading, up to the next one; "" if there is no such heading.
func section(text, heading string) string {
	_, text, _ = strings.Cut(text, "== "+heading)
	text, _, _ = strings.Cut(text, "\n== ")
	return text
}

// newSetup makes a command without words that takes --dry-run.
func newSetup(path string, run func(context.Context, *writeFlags) error) *cobra.Command {
	var w writeFlags
	c := newCommand(path, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		if err := w.check(); err != nil {
			return err
		}
		return run(c.Context(), &w)
	})
	addDryRun(c, &w)
	return c
}

// plain makes the command of a verb that takes neither words nor flags.
func plain(path string, run func(*app, context.Context) error) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		return newCommand(path, cobra.NoArgs, func(c *cobra.Command, _ []string) error { return run(a, c.Context()) })
	}
}
