package main

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/resources/admission"
)

// help contains a section for each command: the heading "== PATH: USAGE", a line for
// lists of commands, the paragraphs that follow this line in the full help, and examples.
//
//go:embed help.txt
var help string

// newCommand returns the command of a path, the words after idumb, with its texts from help.
func newCommand(path string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	c := &cobra.Command{Args: args, RunE: run}
	setHelp(c, section(help, path+": "))
	return c
}

// setHelp sets a command's texts to those of a section of help.
func setHelp(c *cobra.Command, text string) {
	c.Use, text, _ = strings.Cut(text, "\n")
	c.Short, text, _ = strings.Cut(text, "\n")
	long, example, _ := strings.Cut(text, "\nExamples:\n")
	c.Long, c.Example = strings.TrimSpace(c.Short+".\n"+long), strings.TrimRight(example, "\n")
}

// newHelp returns the command that prints help.
func newHelp(a *app) *cobra.Command {
	var all bool
	c := newCommand("help", nil, func(c *cobra.Command, args []string) error {
		root := c.Root()
		if all {
			return a.helpAll(root, args)
		}
		found, rest, err := root.Find(args)
		if err == nil {
			err = wrongWord(found, rest)
		}
		if err != nil {
			return err
		}
		found.InitDefaultHelpFlag()
		return found.Help()
	})
	c.Hidden = true
	c.Flags().BoolVar(&all, "all", false, "list all commands, including hidden ones")
	c.ValidArgsFunction = func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		found, _, err := c.Root().Find(args)
		if err != nil {
			return nil, noFiles
		}
		var names []string
		for _, sub := range found.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return withPrefix(names, word), noFiles
	}
	return c
}

// helpAll prints the help of idumb and its hidden commands.
func (a *app) helpAll(root *cobra.Command, args []string) error {
	if len(args) > 0 {
		return errors.New("--all takes no command: idumb help --all")
	}
	if err := root.Help(); err != nil {
		return err
	}
	a.outf("\nFurther commands:\n")
	for _, c := range root.Commands() {
		if c.Hidden {
			a.outf("  %-13s %s\n", c.Name(), c.Short)
		}
	}
	a.outf("\nOld names, supported for two more releases:\n")
	for _, r := range admission.Renames() {
		a.outf("  %-18s now: idumb %s\n", r.Old, r.New)
	}
	return nil
}

// withVerbs returns a command with verbs below it.
func withVerbs(c *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	for _, sub := range subs {
		sub.DisableFlagsInUseLine = true
		c.AddCommand(sub)
	}
	return c
}

// builtFor returns the commands that the builders build.
func builtFor(a *app, builders ...func(*app) *cobra.Command) (all []*cobra.Command) {
	for _, build := range builders {
		all = append(all, build(a))
	}
	return all
}

// addOldName adds a hidden flag with an old name.
func addOldName(c *cobra.Command, name, old string) {
	f := *c.Flags().Lookup(name)
	f.Name, f.Shorthand, f.Hidden = old, "", true
	c.Flags().AddFlag(&f)
}

// section returns the text after a heading, up to the next one. It is empty if the heading does not
// exist.
func section(text, heading string) string {
	_, text, _ = strings.Cut(text, "== "+heading)
	text, _, _ = strings.Cut(text, "\n== ")
	return text
}

// newSetup returns a command without arguments that has the flag --dry-run.
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

// bareCommand returns the builder of a command without arguments and flags.
func bareCommand(path string, run func(*app, context.Context) error) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		return newCommand(path, cobra.NoArgs, func(c *cobra.Command, _ []string) error { return run(a, c.Context()) })
	}
}
