package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// getRecords shows logs: get checkpoints [TASK], get events.
func (a *app) getRecords(ctx context.Context, g *getFlags, kind string, args []string) error {
	if g.labels != "" || g.fields != "" || g.sortBy != "" {
		return errors.New(kind + " are records, not objects: selectors and --sort-by do not apply; use -o jsonpath to pick")
	}
	format, err := printers.ParseFormat(g.output, "json", "jsonpath", "wide", "yaml")
	if err != nil {
		return err
	}
	p := &printers.Printer{Format: format, NoHeaders: g.noHeaders}
	if kind == resources.EventsKind {
		return a.showEvents(ctx, p, eventObjects(args), g.watch || g.watchOnly)
	}
	if g.watch || g.watchOnly {
		return errors.New("-w does not know checkpoints; idumb get tasks -w shows the tasks that they change")
	}
	return a.showCheckpoints(p, args)
}

func (a *app) showCheckpoints(p *printers.Printer, tasks []string) error {
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
			return []string{c.Task, questions.Age(c.Time.Time, a.now()), c.Tool, succeeded(c.Succeeded), records.Summary(c.Checkpoint), c.Session, strings.Join(c.FilesModified, ",")}
		},
	}
	return table.print(a, p, found)
}

func succeeded(ok *bool) string {
	switch {
	case ok == nil:
		return ""
	case *ok:
		return "yes"
	}
	return "no"
}

// eventObjects are the objects that a person calls tasks/foo, as events name them.
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
