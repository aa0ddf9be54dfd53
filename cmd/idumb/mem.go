package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
)

// memVerbs lists the subcommands of mem.
var memVerbs = [...]func(*app) *cobra.Command{
	newMemSave, newMemSearch, newMemLinking("mem link", true), newMemLinking("mem unlink", false), newMemTree,
}

func newMem(a *app) *cobra.Command {
	c := withVerbs(newCommand("mem", nil, noSubVerb), append(builtFor(a, memVerbs[:]...), a.actsBelow("mem")...)...)
	var path falsePath
	flag := newCommand("mem flag-false-path", nil, nil)
	path.declare(flag)
	a.makeSave(flag, "the reason for the replacement", path.describe)
	hideFlags(flag.Flags(), "content", "type")
	mustRequire(flag, "avoid", "because", "instead")
	flag.Hidden = true // replaced by save
	c.AddCommand(flag)
	return c
}

// notMem is the error for the name of another kind.
const notMem = "%s is not a mem; use idumb get or describe for other kinds"

// memNamed parses NAME or mem/NAME.
func memNamed(arg string) (resources.Key, error) {
	return namedOf(resources.Mems, arg, fmt.Sprintf(notMem, arg))
}

// userName returns the name of the user from the environment, or "person".
func userName() string { return cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME"), "person") }

// asOf is the flag --as-of.
type asOf struct{ text string }

func (f *asOf) declare(flags *pflag.FlagSet) {
	flags.StringVar(&f.text, "as-of", "", "show mems as of this date: 2026-11-21, or an RFC 3339 time")
}

// time returns the requested moment, zero for now. A day means its end.
func (f *asOf) time() (time.Time, error) {
	if f.text == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, f.text); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Second), nil
	}
	at, err := time.Parse(time.RFC3339, f.text)
	if err != nil {
		return at, fmt.Errorf("invalid --as-of %q; write 2026-11-21 or 2026-11-21T07:50:00Z", f.text)
	}
	return at, nil
}

// memAnswers returns the source of answers about mems at a moment. The files answer for the past.
func (a *app) memAnswers(c *cobra.Command, f *asOf, kinds ...string) answers {
	by := a.answers(c.Context(), kinds...)
	if at, err := f.time(); f.text != "" {
		by.lookBack(at, err)
	}
	return by
}

// echoSaved prints the result of saving a mem.
func (a *app) echoSaved(w *writeFlags, result mutate.Result, saved mems.Saved) error {
	a.tellSaved(saved)
	what := saved.Operation
	switch saved.Operation {
	case mems.Duplicate:
		count := result.New.(*resources.Mem).Spec.Duplicates
		what = fmt.Sprintf("unchanged (duplicate, counted: %d)", count)
		if saved.Replaced != "" {
			what = fmt.Sprintf("unchanged (duplicate, counted: %d), replaces mem/%s", count, saved.Replaced)
		}
	case mems.Revision:
		what = "saved, replaces mem/" + saved.Replaced
	}
	if saved.Operation != mems.Duplicate {
		a.echoUID(w, result.New)
		// Cues contain the words of later tasks that find the mem.
		if when := result.New.(*resources.Mem).Spec.AppliesWhen; when == nil || len(when.Cues) < mems.FewestCues {
			a.errf("%s\n", mems.CueAdvice)
		}
	}
	return a.echo(w, result.New, what)
}

// tellSaved prints the warnings and hints about a saved mem's citations.
func (a *app) tellSaved(saved mems.Saved) {
	for _, note := range saved.Notes {
		a.errf("Warning: %s\n", terminal.EscapeLine(note))
	}
	for _, hint := range saved.Hints {
		a.errf("hint: %s\n", terminal.EscapeLine(hint))
	}
}

func (a *app) completeMems() completer { return a.completeNamesOf(resources.Mems) }

// fileFromRoot converts a path of --path and --evidence to a path from the repository's root. The
// command may run in a subdirectory.
func (a *app) fileFromRoot(arg string) string {
	root, err := a.root()
	if err != nil {
		return arg
	}
	file, section, cited := strings.Cut(arg, "#")
	if file == "" || strings.ContainsAny(file, " \n") {
		return arg
	}
	abs, err := filepath.Abs(a.fromFolder([]string{file})[0])
	if err != nil {
		return arg
	}
	rel, inside := root.Rel(abs)
	if _, err := os.Lstat(abs); err != nil || !inside {
		return arg
	}
	if cited {
		return rel + "#" + section
	}
	return rel
}
