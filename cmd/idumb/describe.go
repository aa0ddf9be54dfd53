package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/show/describe"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

func newDescribe(a *app) *cobra.Command {
	var labels string
	c := newCommand("describe", nil, func(c *cobra.Command, args []string) error { return a.describe(c.Context(), labels, args) })
	c.ValidArgsFunction = a.completeObjects(completeNames)
	c.Flags().StringVarP(&labels, "selector", "l", "", "only resources with these labels")
	return c
}

// describe runs idumb describe: it prints a description of each given resource, with related
// resources and events.
func (a *app) describe(ctx context.Context, labels string, args []string) error {
	if len(args) == 0 {
		return errors.New("you must specify the type of resource to describe; idumb api-resources lists them")
	}
	word, name, _ := strings.Cut(args[0], "/")
	if kind, is := computedOf(word); is {
		if name != "" {
			args = append([]string{word, name}, args[1:]...)
		}
		return a.showComputed(ctx, kind, &getFlags{output: "yaml"}, args[1:])
	}
	v := &view{}
	var err error
	if v.request, err = parseRequest(a.bareTasks(args)); err != nil {
		return err
	}
	v.find = queries.Find{Kinds: plurals(v.request.Kinds), Keys: v.request.Keys, Labels: labels}
	if _, err := v.find.Choice(); err != nil {
		return err
	}
	by := a.answers(ctx) // all kinds, because any kind may belong to a task or a plan
	found, err := ask[queries.Descriptions](by, queries.AskDescribe, v.find.Values())
	if err != nil {
		return err
	}
	missing := v.notFound(found.Missing)
	if len(found.Objects) == 0 && missing == nil {
		a.errf("No resources found\n")
		return nil
	}
	return errors.Join(a.describeAll(found.Objects), missing)
}

// describeAll prints each resource with its events and, for a task, its checkpoints.
func (a *app) describeAll(found []queries.Description) error {
	root, err := a.root()
	if err != nil || len(found) == 0 {
		return err
	}
	entries := make([]*queries.Entry, len(found))
	for i := range found {
		if entries[i], err = found[i].Entry(); err != nil {
			return err
		}
	}
	events, err := records.Events(root, namesOf(entries)...)
	a.warnUnread(err)
	byObject := map[string][]resources.Event{}
	for _, e := range events {
		byObject[e.Object] = append(byObject[e.Object], e)
	}
	for i, e := range entries {
		if i > 0 {
			a.outf("\n\n")
		}
		subject := describe.Subject{Entry: e, File: root.Locate(e.Key), Details: &found[i], Events: byObject[e.Kind().Singular+"/"+e.Key.Name], Now: a.now()}
		if e.Key.Kind == resources.Tasks {
			subject.Checkpoints, err = records.Checkpoints(root, e.Key.Name)
			a.warnUnread(err)
		}
		if err := describe.Print(a.stdout, subject); err != nil {
			return err
		}
	}
	return nil
}

// namesOf returns the names of objects in events. It returns nil for many objects, because then
// reading all events is faster than searching each.
func namesOf(found []*queries.Entry) []string {
	const few = 16
	if len(found) > few {
		return nil
	}
	names := make([]string, 0, len(found))
	for _, e := range found {
		names = append(names, e.Kind().Singular+"/"+e.Key.Name)
	}
	return names
}

// warnUnread prints which logs could not be read. The output is useful without them.
func (a *app) warnUnread(err error) {
	if err != nil {
		a.errf("Warning: %s\n", strings.ReplaceAll(err.Error(), "\n", "\nWarning: "))
	}
}
