package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

func newSyncConflicts(a *app) *cobra.Command {
	return a.newPrinted("sync conflicts", a.syncConflicts, "wide", "json", "yaml", "jsonpath=")
}

// syncConflicts runs idumb sync conflicts: it prints the unresolved conflicts.
func (a *app) syncConflicts(ctx context.Context, p *printers.Printer) error {
	team, _, err := a.team()
	if err != nil {
		return err
	}
	marks, err := a.openMarks(ctx, team)
	if err != nil {
		return err
	}
	table := recordTable[exchange.Mark]{
		headers: []string{"OBJECT", "FIELDS", "THEIRS BY", "AGE", "REASON"}, always: 5, nothing: "No conflicts.",
		row: func(m exchange.Mark) []string {
			return []string{shortName(m.Key()), orNone(fieldsOf(m)), orNone(m.Author), queries.Age(m.Time.Time, a.now()), m.Reason}
		},
	}
	return table.print(a, p, marks)
}

// openMarks returns the unresolved conflicts of a clone.
func (a *app) openMarks(ctx context.Context, team *sync.Team) ([]exchange.Mark, error) {
	files, err := a.open()
	if err != nil {
		return nil, err
	}
	team.Share(files)
	return team.OpenMarks(ctx)
}

// shortName returns the name of an object in the form for the command line.
func shortName(key resources.Key) string {
	if kind, ok := resources.KindOf(key.Kind); ok {
		return kind.Singular + "/" + key.Name
	}
	return key.String()
}

// orNone returns text, or <none> if it is empty.
func orNone(text string) string {
	if text == "" {
		return "<none>"
	}
	return text
}

// maxValue is the maximal length of a value in the table, in characters.
const maxValue = 24

// fieldsOf describes the fields that both sides changed, with both values.
func fieldsOf(m exchange.Mark) string {
	var fields []string
	for _, c := range m.Fields {
		fields = append(fields, fmt.Sprintf("%s (yours %s, theirs %s)", c.Field, resources.Shortened(inline(c.Ours), maxValue, "…"), resources.Shortened(inline(c.Theirs), maxValue, "…")))
	}
	return strings.Join(fields, ", ")
}

// resolveFlags select the version of an object.
type resolveFlags struct{ ours, theirs, edit, send bool }

func newSyncResolve(a *app) *cobra.Command {
	var f resolveFlags
	c := newCommand("sync resolve", cobra.RangeArgs(1, 2), func(c *cobra.Command, args []string) error { return a.resolve(c.Context(), &f, args) })
	c.Flags().BoolVar(&f.ours, "ours", false, "use the local values")
	c.Flags().BoolVar(&f.theirs, "theirs", false, "use the team's values")
	c.Flags().BoolVar(&f.edit, "edit", false, "merge both versions in your editor")
	c.Flags().BoolVar(&f.send, "send", false, "send the local version although it seems to contain a secret")
	c.MarkFlagsOneRequired("ours", "theirs", "edit", "send")
	c.MarkFlagsMutuallyExclusive("ours", "theirs", "edit", "send")
	return c
}

// resolve runs idumb sync resolve: it resolves the conflicts of one resource with the local
// values, the team's or edited ones, or permits to send a version that seems to contain a secret.
func (a *app) resolve(ctx context.Context, f *resolveFlags, args []string) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "sync resolve")
	}
	if err != nil {
		return err
	}
	keys, err := parseKeys(args)
	if err != nil {
		return err
	}
	if len(keys) != 1 {
		return errors.New("name one resource: idumb sync resolve task/login --theirs")
	}
	team, _, err := a.team()
	if err != nil {
		return err
	}
	if f.send {
		return a.agreeToSend(ctx, team, keys[0])
	}
	marks, err := a.openMarks(ctx, team)
	if err != nil {
		return err
	}
	marks = slices.DeleteFunc(marks, func(m exchange.Mark) bool { return m.Key() != keys[0] })
	if len(marks) == 0 {
		return fmt.Errorf("%s has no conflict; idumb sync conflicts lists all conflicts", shortName(keys[0]))
	}
	return a.resolveOne(ctx, f, team, keys[0], marks)
}

// resolveOne applies the user's choice and removes the conflicts of an object.
func (a *app) resolveOne(ctx context.Context, f *resolveFlags, team *sync.Team, key resources.Key, marks []exchange.Mark) error {
	if f.edit {
		if changed, err := a.editConflict(ctx, key, marks); err != nil || !changed {
			return err
		}
	}
	for _, m := range marks {
		if f.ours {
			if err := a.restoreOurs(ctx, m); err != nil {
				return err
			}
		}
		if err := team.Settle(m); err != nil {
			return err
		}
	}
	a.outf("%s resolved\n", qualified(key))
	return nil
}

// agreeToSend allows sending the local version of an object to the team.
func (a *app) agreeToSend(ctx context.Context, team *sync.Team, key resources.Key) error {
	files, err := a.open()
	if err != nil {
		return err
	}
	r, err := files.Get(ctx, key)
	if err != nil {
		return err
	}
	if err := team.AgreeToSend(r.Spec); err != nil {
		return err
	}
	a.outf("%s: the current version will be sent\n", qualified(key))
	return nil
}

// restoreOurs writes the saved local version of a conflict over the current one. It is sent like any
// change.
func (a *app) restoreOurs(ctx context.Context, m exchange.Mark) error {
	key := m.Key()
	if _, known := resources.KindOf(key.Kind); m.Ours == "" || !known {
		return nothingKept(key)
	}
	files, err := a.open()
	if err != nil {
		return err
	}
	now, err := files.Get(ctx, key)
	text := []byte(m.Ours)
	switch {
	case errors.Is(err, store.ErrNotFound):
		now.Rev = ""
	case err != nil:
		return err
	default:
		if text, err = m.OnTop(now.Spec); err != nil {
			return err
		}
	}
	if _, _, err := resources.Read(key, text); err != nil {
		return err
	}
	_, err = files.Put(ctx, key, text, now.Rev)
	return err
}

// nothingKept returns the error for a conflict without a saved local version.
func nothingKept(key resources.Key) error {
	return fmt.Errorf("no local version of %s is saved: delete it again with idumb delete, or keep the team's version with --theirs", terminal.EscapeLine(key.String()))
}
