package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
)

func newMemSave(a *app) *cobra.Command {
	c := newCommand("mem save", nil, nil)
	var path falsePath
	a.makeSave(c, "the reason for the replacement; required for a false path", func(m *resources.Mem, text string) (err error) {
		if path != (falsePath{}) {
			return path.describe(m, text)
		}
		switch {
		case text != "" && m.Spec.Content != "":
			return errors.New("the text is given twice; use either an argument or --content")
		case text != "":
			m.Spec.Content = text
		case resources.CheckName(m.Metadata.Name) != nil && m.Spec.Content == "": // mem save "text"
			m.Spec.Content, m.Metadata.Name = m.Metadata.Name, ""
		}
		switch m.Spec.Content {
		case "":
			err = errors.New("the text is missing: idumb mem save \"...\", or --content - to read standard input")
		case "-":
			m.Spec.Content, err = readText(a.stdin)
		}
		return err
	})
	c.Args = cobra.MaximumNArgs(2)
	c.Flags().Lookup("content").Usage = "the text; - reads standard input"
	path.declare(c)
	c.MarkFlagsRequiredTogether("avoid", "because", "instead")
	c.MarkFlagsMutuallyExclusive("avoid", "content")
	return c
}

// falsePath contains the flags of a false path.
type falsePath struct{ avoid, because, instead string }

// declare adds the flags --avoid, --because and --instead.
func (p *falsePath) declare(c *cobra.Command) {
	c.Flags().StringVar(&p.avoid, "avoid", "", "for a false path: the failed approach")
	c.Flags().StringVar(&p.because, "because", "", "for a false path: the reason")
	c.Flags().StringVar(&p.instead, "instead", "", "for a false path: the alternative")
}

// describe fills in a mem of a false path.
func (p *falsePath) describe(m *resources.Mem, text string) error {
	if text != "" {
		return errors.New("a false path consists of --avoid, --because and --instead; remove the other text")
	}
	if m.Spec.Type != "" && m.Spec.Type != resources.FalsePath {
		return fmt.Errorf("--type %s: --avoid requires the type %s; omit --type", m.Spec.Type, resources.FalsePath)
	}
	m.Spec.Type, m.Spec.Content = resources.FalsePath, resources.FalsePathText(p.avoid, p.because, p.instead)
	return nil
}

// makeSave lets a command save the mem in its flags. finish completes the mem. The arguments may be
// a name and a text; reason is the usage of --reason.
func (a *app) makeSave(c *cobra.Command, reason string, finish func(m *resources.Mem, text string) error) {
	var w writeFlags
	object := resources.New[*resources.Mem](resources.Mems, "")
	read := a.specFlags(c, object)
	c.Flags().StringVar(&object.Spec.SupersedeReason, "reason", "", reason)
	c.Args, c.ValidArgsFunction = cobra.MaximumNArgs(1), cobra.NoFileCompletions
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := read(); err != nil {
			return err
		}
		args = append(args, "", "")
		object.Metadata.Name = args[0]
		if err := finish(object, args[1]); err != nil {
			return err
		}
		return a.saveMem(c, &w, object)
	}
	addWriteFlags(c, &w)
}

// saveMem saves a mem and prints the result.
func (a *app) saveMem(c *cobra.Command, w *writeFlags, m *resources.Mem) error {
	a.citeFromFolder(m)
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	result, saved, err := repo.SaveMem(c.Context(), m, mems.Save)
	if err != nil {
		return err
	}
	return a.echoSaved(w, result, saved)
}

// citeFromFolder converts notes that name files from the working directory to paths from the root.
func (a *app) citeFromFolder(m *resources.Mem) {
	for i := range m.Spec.Evidence {
		if e := &m.Spec.Evidence[i]; e.Path == "" {
			e.Note = a.fileFromRoot(e.Note)
		}
	}
}

// maxText is the maximal size of a text from standard input: a mem is a paragraph.
const maxText = 1 << 20

// readText returns the trimmed text of standard input, up to maxText bytes. Empty input is an
// error.
func readText(in io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxText))
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return "", errors.New("standard input is empty")
	}
	return text, nil
}

// textOf returns the text in the arguments of a command. A single "-" means standard input.
func (a *app) textOf(args []string) (string, error) {
	if len(args) == 1 && args[0] == "-" {
		return readText(a.stdin)
	}
	return strings.Join(args, " "), nil
}

// mustRequire makes flags required.
func mustRequire(c *cobra.Command, names ...string) {
	for _, name := range names {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // an unknown flag: any test detects it
		}
	}
}

// hideFlags hides flags that the command sets itself.
func hideFlags(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := f.MarkHidden(name); err != nil {
			panic(err) // an unknown flag
		}
	}
}
