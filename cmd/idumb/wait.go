package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/selectors"
)

// waitFlags holds the flags of idumb wait.
type waitFlags struct {
	until   string
	timeout duration
	labels  string
	all     bool
}

func newWait(a *app) *cobra.Command {
	var f waitFlags
	c := newCommand("wait", nil, func(c *cobra.Command, args []string) error { return a.wait(c.Context(), &f, args) })
	c.ValidArgsFunction = a.completeObjects(completeNames)
	c.Flags().StringVar(&f.until, "for", "", "condition=NAME[=STATUS], phase=PHASE, jsonpath=...[=VALUE], create or delete (required)")
	f.timeout = duration(30 * time.Second)
	c.Flags().Var(&f.timeout, "timeout", "the timeout; 0 means check once")
	c.Flags().StringVarP(&f.labels, "selector", "l", "", "all resources of the kind with these labels")
	c.Flags().BoolVar(&f.all, "all", false, "all resources of the kind")
	completeFlag(c, "for", "condition=Ready", "phase=completed", "jsonpath=", "create", "delete")
	return c
}

// wait runs idumb wait: it waits until the condition of --for holds for all resources. It returns
// an error if none match.
func (a *app) wait(ctx context.Context, f *waitFlags, args []string) error {
	until, err := parseCondition(f.until)
	if err != nil {
		return err
	}
	if _, err := selectors.ParseLabels(f.labels); err != nil {
		return err
	}
	w := waiter{app: a, until: until, once: f.timeout <= 0}
	if w.keys, err = a.waitKeys(ctx, f, args); err != nil {
		return err
	}
	if len(w.keys) == 0 {
		return errors.New("no matching resources found")
	}
	for _, key := range w.keys {
		if err := until.CheckPhase(key.Kind); err != nil {
			return err
		}
	}
	return w.wait(ctx, time.Duration(f.timeout))
}

// waitKeys returns the objects to wait for. A selector is evaluated once.
func (a *app) waitKeys(ctx context.Context, f *waitFlags, args []string) ([]resources.Key, error) {
	if f.labels != "" && f.all {
		return nil, errors.New("cannot set --all and --selector at the same time")
	}
	if f.labels == "" && !f.all {
		return a.objectKeys(args)
	}
	request, err := parseRequest(args)
	if err != nil {
		return nil, err
	}
	if request.Keys != nil {
		return nil, errors.New("name cannot be provided when a selector is specified")
	}
	find := queries.Find{Kinds: plurals(request.Kinds), Labels: f.labels}
	by := a.answers(ctx)
	found, err := ask[queries.Tables](by, queries.AskTables, queries.Shape{Names: true}.Values(find.Values()))
	var keys []resources.Key
	for _, table := range found.Tables {
		for _, row := range table.Rows {
			keys = append(keys, resources.Key{Kind: table.Plural, Name: row.Cells[0]})
		}
	}
	return keys, err
}

// waiter waits until all objects meet a condition.
type waiter struct {
	app     *app
	until   waitCondition
	keys    []resources.Key // objects that do not meet it yet
	entries map[resources.Key]*queries.Entry
	once    bool // check only once
}

// wait waits until the condition holds for all keys, or checks once. After the timeout it returns
// an error for each key that remains.
func (w *waiter) wait(ctx context.Context, timeout time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, max(timeout, 0))
	defer cancel()
	if w.once {
		limited = ctx
	}
	w.entries = map[resources.Key]*queries.Entry{}
	f := follower{app: w.app, find: queries.Find{Keys: w.keys}, step: w.step}
	err := f.follow(limited)
	if ctx.Err() != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(err)
	}
	var late []error
	for _, key := range w.keys {
		late = append(late, fmt.Errorf("timed out waiting for the condition on %s", key))
	}
	return errors.Join(late...)
}

// step removes the objects that meet the condition. It returns true when none is left.
func (w *waiter) step(changes []change) (bool, error) {
	for _, c := range changes {
		e, err := queries.Decode(c.object)
		if err != nil {
			return true, err
		}
		if w.entries[c.key] = e; c.action == queries.Deleted {
			delete(w.entries, c.key)
		}
	}
	var left []resources.Key
	for _, key := range w.keys {
		e := w.entries[key]
		if e == nil && !w.until.MayBeMissing {
			return true, apierrors.NotFound(key)
		}
		if w.until.IsMet(e) {
			w.app.outf("%s condition met\n", qualified(key))
		} else {
			left = append(left, key)
		}
	}
	w.keys = left
	return w.once || len(left) == 0, nil
}
