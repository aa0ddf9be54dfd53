package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// record is a kind of get that is neither an object nor computed.
type record struct {
	words string // names, the plural first
	flags string // flags of get that apply, in addition to -o and --no-headers
	names string // what its arguments name; empty if it takes none
	form  string // an additional output format
	show  func(*app, context.Context, *getFlags, *printers.Printer, []string) error
}

// recorded returns all records. Package admission lists the restricted ones for the gate of idumb's
// commands.
func recorded() []record {
	return []record{
		{words: resources.CheckpointsKind + " checkpoint cp", names: "tasks", show: (*app).showCheckpoints},
		{words: resources.EventsKind + " event ev", flags: "for watch watch-only", names: "objects", show: (*app).getEvents},
		{words: "violations violation", flags: "since session rule", show: (*app).showViolations},
		{words: "grants grant", show: (*app).showGrants},
		{words: "claims claim", flags: "watch watch-only", show: (*app).showClaims},
		{words: "shellrules shellrule", flags: "as", names: "rules", form: "name", show: (*app).showShellRules},
	}
}

// recordOf returns the record that a word names, and whether there is one.
func recordOf(word string) (record, bool) {
	for _, r := range recorded() {
		if slices.Contains(strings.Fields(r.words), strings.ToLower(word)) {
			return r, true
		}
	}
	return record{}, false
}

// plural returns the first name of the record, as in "idumb get events".
func (r record) plural() string { return strings.Fields(r.words)[0] }

// getRecords prints records. It returns an error for flags that do not apply.
func (a *app) getRecords(c *cobra.Command, g *getFlags, r record, names []string) error {
	if err := refuseOthers(c, "--%s does not apply to "+r.plural()+", which are records; use -o jsonpath to pick", r.flags); err != nil {
		return err
	}
	if r.names == "" && len(names) > 0 {
		return fmt.Errorf("get %s takes no names, and not %q", r.plural(), names[0])
	}
	format, err := printers.ParseFormat(g.output, slices.Sorted(slices.Values(strings.Fields("json jsonpath wide yaml "+r.form)))...)
	if err != nil {
		return err
	}
	return r.show(a, c.Context(), g, &printers.Printer{Format: format, Colour: a.colour, NoHeaders: g.noHeaders}, names)
}

// refuseOthers returns the error for the first given flag of get that is not in takes, except -o
// and --no-headers. text contains %s for the flag's name.
func refuseOthers(c *cobra.Command, text, takes string) (err error) {
	all := strings.Fields(takes + " output no-headers namespace all-namespaces directory")
	c.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(all, f.Name) && !slices.Contains(bypassWords[:], f.Name) {
			err = fmt.Errorf(text, f.Name)
		}
	})
	return err
}

// refuseRecordFlags returns an error for flags that apply only to records.
func refuseRecordFlags(c *cobra.Command) error {
	for _, r := range recorded() {
		for _, name := range strings.Fields(r.flags) {
			if !strings.HasPrefix(name, "watch") {
				if err := refuseFlags(c, "is for "+r.plural()+": idumb get "+r.plural(), name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// showCheckpoints prints the checkpoints of the given tasks, of all tasks if none is given.
func (a *app) showCheckpoints(_ context.Context, _ *getFlags, p *printers.Printer, tasks []string) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	var found []records.Checkpoint
	for _, task := range tasks {
		some, err := records.Checkpoints(root, strings.TrimPrefix(task, "task/"))
		if err != nil {
			return err
		}
		found = append(found, some...)
	}
	if len(tasks) == 0 {
		found, err = records.AllCheckpoints(root)
		a.warnUnread(err)
	}
	table := recordTable[records.Checkpoint]{
		headers: []string{"TASK", "AGE", "TOOL", "OK", "SUMMARY", "SESSION", "FILES"}, always: 5, nothing: "No resources found",
		row: func(c records.Checkpoint) []string {
			return []string{c.Task, queries.Age(c.Time.Time, a.now()), c.Tool, succeeded(c.Succeeded), records.Summary(c.Checkpoint), c.Session, strings.Join(c.FilesModified, ",")}
		},
	}
	return table.print(a, p, found)
}

// succeeded returns yes or no. It returns "" if the result is unknown.
func succeeded(ok *bool) string {
	switch {
	case ok == nil:
		return ""
	case *ok:
		return "yes"
	}
	return "no"
}

// eventObjects converts the plural in tasks/foo to the form in events.
func eventObjects(args []string) []string {
	objects := slices.Clone(args)
	for i, arg := range args {
		word, name, ok := strings.Cut(arg, "/")
		if kind, known := resources.LookupKind(word); ok && known {
			objects[i] = kind.Singular + "/" + name
		}
	}
	return objects
}

// showViolations prints the calls that violated rules, newest last.
func (a *app) showViolations(_ context.Context, g *getFlags, p *printers.Printer, _ []string) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	table := recordTable[queries.Violation]{
		headers: []string{"AGE", "VERDICT", "RULE", "SESSION", "CALL", "TASK", "AGENT", "TOOL", "FROM", "DENIAL"}, always: 5, nothing: "No violations found.",
		row: func(v queries.Violation) []string {
			return []string{queries.Age(v.Time.Time, a.now()), v.Verdict, v.Rule, v.Session, v.Call, v.Task, v.Agent, v.Tool, v.Source, v.Denial}
		},
	}
	return table.print(a, p, a.violationsOf(root, g))
}

// violationsOf returns the stored violations that match the flags --session, --rule and --since.
func (a *app) violationsOf(root layout.Root, g *getFlags) []queries.Violation {
	all, err := records.Violations(root)
	a.warnUnread(err)
	session := strings.TrimPrefix(g.session, "session/")
	var found []queries.Violation
	for _, e := range all {
		v := queries.NewViolation(&e)
		if session != "" && v.Session != session || g.rule != "" && v.Rule != g.rule || g.since > 0 && a.now().Sub(e.Time.Time) > time.Duration(g.since) {
			continue
		}
		found = append(found, v)
	}
	return found
}
