package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
)

// getEvents prints the events of objects, including the object of --for.
func (a *app) getEvents(ctx context.Context, g *getFlags, p *printers.Printer, objects []string) error {
	if g.object != "" {
		if _, err := parseKey(g.object); err != nil {
			return err
		}
		objects = append(objects, g.object)
	}
	return a.showEvents(ctx, p, eventObjects(objects), g.watch || g.watchOnly)
}

// showEvents prints the events about the given resources, of all resources if none is given. With
// watch it keeps printing new ones.
func (a *app) showEvents(ctx context.Context, p *printers.Printer, objects []string, watch bool) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	log := &records.EventLog{Root: root, Objects: objects}
	found, err := log.Events()
	a.warnUnread(err)
	switch {
	case watch:
		a.warnWithoutController(root)
		return a.followEvents(ctx, log, p, found)
	case !p.Format.Table():
		return p.PrintItems(a.stdout, items(found))
	case len(found) == 0:
		a.errf("No events found.\n")
		return nil
	}
	t := newEventTable(a, p)
	t.add(found, a.now())
	return t.Flush()
}

// eventTable is a table of events in kubectl's form.
type eventTable struct {
	*printers.Table
	wide bool
}

// newEventTable returns an empty table of events. It has the column FROM if the output format is
// wide.
func newEventTable(a *app, p *printers.Printer) *eventTable {
	headers := []string{"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"}
	wide := p.Format.Name == "wide"
	if wide {
		headers = slices.Insert(headers, 4, "FROM")
	}
	return &eventTable{p.Records(a.stdout, len(headers), headers...), wide}
}

// add adds a row for each event.
func (t *eventTable) add(events []resources.Event, now time.Time) {
	for _, e := range events {
		cells := []string{printers.LastSeen(e, now), e.Type, e.Reason, e.Object, e.Message}
		if t.wide {
			cells = slices.Insert(cells, 4, e.From)
		}
		t.Row(cells...)
	}
}

// eventsInterval is the polling interval of events -w. The store does not watch the log.
const eventsInterval = 500 * time.Millisecond

// followEvents prints the current events, and then each new one.
func (a *app) followEvents(ctx context.Context, log *records.EventLog, p *printers.Printer, now []resources.Event) error {
	known := map[string]bool{}
	table := newEventTable(a, p)
	clock := time.NewTicker(eventsInterval)
	defer clock.Stop()
	for fresh := now; ; {
		if err := a.showFresh(p, table, fresh, known); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-clock.C:
		}
		all, err := log.Events()
		if err != nil {
			continue // the store was moved away; it may come back
		}
		fresh = all
	}
}

// showFresh prints the events that were not printed yet.
func (a *app) showFresh(p *printers.Printer, table *eventTable, events []resources.Event, known map[string]bool) error {
	fresh := events[:0:0]
	for _, e := range events {
		if line := fmt.Sprint(e.Time.Unix(), e.Object, e.Reason, e.Count, e.Message); !known[line] {
			known[line] = true
			fresh = append(fresh, e)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if p.Format.Table() {
		table.add(fresh, a.now())
		return table.Flush()
	}
	for _, e := range fresh {
		if err := p.PrintValue(a.stdout, e); err != nil {
			return err
		}
	}
	return nil
}
