package main

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/records"
	"github.com/idumb-dev/idumb/resources"
)

// eventsStep is how often events -w looks at the log: it is a file that grows,
// which the store does not watch.
const eventsStep = 500 * time.Millisecond

// followEvents shows the events that there are, and then each new one.
func (a *app) followEvents(ctx context.Context, log *records.EventLog, p *printers.Printer, now []resources.Event) error {
	known := map[string]bool{}
	table := newEventTable(a, p)
	clock := time.NewTicker(eventsStep)
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

// showFresh shows the events that were not shown yet.
func (a *app) showFresh(p *printers.Printer, table *eventTable, events []resources.Event, known map[string]bool) error {
	fresh := events[:0:0]
	for _, e := range events {
		if line := eventLine(e); !known[line] {
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
