package main

import (
	"context"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/resources/attention"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// needsTable returns the table of needs. now is the time for ages.
func needsTable(now time.Time, next string) recordTable[queries.NeedRecord] {
	t := computedTable[queries.NeedRecord](code.Needs(terminal.Unicode()), now)
	t.nothing = attention.Nothing(next)
	return t
}

// userValues returns the parameters of a query that depends on its reader, for a user.
func userValues() url.Values { return queries.WithEnv(url.Values{}, frame.RelevantEnv(os.Environ())) }

// readerValues returns userValues for the reader who runs the command: an agent or a user.
func (a *app) readerValues() url.Values {
	v := userValues()
	if root, err := a.root(); err == nil {
		if agent, found := callers.AgentOf(root, os.Getpid()); found {
			v = queries.WithSession(v, agent.Session)
		}
	}
	return v
}

// showNeeds prints the needs with the given names, or all.
func showNeeds(a *app, ctx context.Context, g *getFlags, names []string) error {
	p, fields, err := g.computedPrinter(a.colour)
	if err != nil {
		return err
	}
	look := func() (queries.Needs, error) { return a.needs(ctx, fields, names) }
	if g.watch || g.watchOnly {
		return a.watchNeeds(ctx, g, p, look)
	}
	found, err := look()
	if err != nil {
		return err
	}
	texts := ""
	for i := range found.Items {
		texts += found.Items[i].Status.Text + "\n"
	}
	a.warnOfHidden(texts)
	table := needsTable(a.now(), found.Next)
	if fields != nil || len(names) > 0 {
		table.nothing = "No resources found"
	}
	return table.print(a, p, found.Items)
}

// needs queries the needs of the user and filters them by fields and names.
func (a *app) needs(ctx context.Context, fields selectors.Fields, names []string) (queries.Needs, error) {
	found, err := ask[queries.Needs](a.answers(ctx), queries.AskNeeds, a.readerValues())
	found.Items = slices.DeleteFunc(found.Items, func(r queries.NeedRecord) bool {
		named := len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return strings.TrimPrefix(name, "need/") == r.Metadata.Name })
		return !named || fields != nil && !fields.Matches(r)
	})
	return found, err
}

// watchNeeds prints the current needs, and then their changes.
func (a *app) watchNeeds(ctx context.Context, g *getFlags, p *printers.Printer, look func() (queries.Needs, error)) error {
	files, err := a.open()
	if err != nil {
		return err
	}
	changed := make(chan struct{}, 1)
	go watchFiles(ctx, files, changed)
	clock := time.NewTicker(pollInterval)
	defer clock.Stop()
	seen := needsSeen{}
	for first := true; ; first = false {
		found, err := look()
		if err != nil && first {
			return err
		}
		if err == nil { // otherwise the store was moved away; it may come back
			if err := a.showChanges(g, p, seen.update(found.Items), first); err != nil {
				return err
			}
		}
		if err := nextChange(ctx, changed, clock.C); err != nil {
			return err
		}
	}
}

// needChange is a change of a need.
type needChange struct {
	Type   string             `json:"type"` // such as queries.Added
	Object queries.NeedRecord `json:"object"`
}

// needsSeen contains the printed needs by name.
type needsSeen map[string]queries.NeedRecord

// update records the current needs and returns the needs that were added, modified and removed
// since the last call. A removed need has the sign of a done one.
func (seen needsSeen) update(now []queries.NeedRecord) []needChange {
	var changes []needChange
	there := map[string]bool{}
	for _, r := range now {
		there[r.Metadata.Name] = true
		switch before, known := seen[r.Metadata.Name]; {
		case !known:
			changes = append(changes, needChange{queries.Added, r})
		case before.Status.Text != r.Status.Text || before.Status.Why != r.Status.Why:
			changes = append(changes, needChange{queries.Modified, r})
		}
		seen[r.Metadata.Name] = r
	}
	var gone []needChange
	for name, r := range seen {
		if !there[name] {
			r.Status.Sign = attention.SignDone
			gone = append(gone, needChange{queries.Deleted, r})
			delete(seen, name)
		}
	}
	slices.SortFunc(gone, func(a, b needChange) int { return strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name) })
	return append(changes, gone...)
}

// showChanges prints changes as rows, with the change in the first column if requested, or as
// documents.
func (a *app) showChanges(g *getFlags, p *printers.Printer, changes []needChange, first bool) error {
	if len(changes) == 0 || first && g.watchOnly {
		return nil
	}
	table := needsTable(a.now(), "")
	if p.Format.NeedsDocument() {
		for _, c := range changes {
			var document any = c.Object
			if g.watchEvents {
				document = c
			}
			if err := p.PrintValue(a.stdout, document); err != nil {
				return err
			}
		}
		return nil
	}
	if g.watchEvents {
		of := map[string]string{}
		for _, c := range changes {
			of[c.Object.Metadata.Name] = c.Type
		}
		row := table.row
		table.headers, table.always = append([]string{"EVENT"}, table.headers...), table.always+1
		table.row = func(r queries.NeedRecord) []string { return append([]string{of[r.Metadata.Name]}, row(r)...) }
	}
	records := make([]queries.NeedRecord, len(changes))
	for i, c := range changes {
		records[i] = c.Object
	}
	plain := *p
	plain.NoHeaders = p.NoHeaders || !first
	return table.print(a, &plain, records)
}
