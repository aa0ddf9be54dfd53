package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/naming"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/records"
	"github.com/idumb-dev/idumb/resources"
)

const eventsDoc = `Show what the controller and the hook did and saw, the newest last.`

func newEvents(a *app) *cobra.Command {
	var output, object string
	var noHeaders, watch bool
	c := &cobra.Command{
		Use: "events [--for KIND/NAME] [flags]", Short: "Show what happened", Long: eventsDoc, Args: cobra.NoArgs,
		Example: "  idumb events\n  idumb events --for task/login-form -w",
		RunE: func(c *cobra.Command, _ []string) error {
			format, err := printers.ParseFormat(output, "json", "jsonpath", "wide", "yaml")
			if err != nil {
				return err
			}
			var only []string
			if object != "" {
				if _, err := naming.Key(object); err != nil {
					return err
				}
				only = []string{object}
			}
			return a.showEvents(c.Context(), &printers.Printer{Format: format, NoHeaders: noHeaders}, eventObjects(only), watch)
		},
	}
	c.Flags().StringVar(&object, "for", "", "only events about this object: task/login-form")
	c.Flags().StringVarP(&output, "output", "o", "", "wide, json, yaml, jsonpath=...")
	c.Flags().BoolVar(&noHeaders, "no-headers", false, "leave out the names of the columns")
	c.Flags().BoolVarP(&watch, "watch", "w", false, "go on, with each new event")
	return c
}

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

// eventTable is the table of events, as kubectl prints it.
type eventTable struct {
	*printers.Table
	wide bool
}

func newEventTable(a *app, p *printers.Printer) *eventTable {
	headers := []string{"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"}
	wide := p.Format.Name == "wide"
	if wide {
		headers = []string{"LAST SEEN", "TYPE", "REASON", "OBJECT", "FROM", "MESSAGE"}
	}
	t := &eventTable{printers.NewTable(a.stdout, len(headers)), wide}
	if !p.NoHeaders {
		t.Header(headers...)
	}
	return t
}

func (t *eventTable) add(events []resources.Event, now time.Time) {
	for _, e := range events {
		t.Cell(seen(e, now))
		t.Cell(e.Type)
		t.Cell(e.Reason)
		t.Cell(e.Object)
		if t.wide {
			t.Cell(e.From)
		}
		t.Cell(e.Message)
	}
}

// eventLine identifies a line of the log, for telling new ones.
func eventLine(e resources.Event) string {
	return fmt.Sprint(e.Time.Unix(), e.Object, e.Reason, e.Count, e.Message)
}
