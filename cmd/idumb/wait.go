package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/waiting"
	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/selectors"
)

const waitDoc = `Wait until something holds about objects.

--for takes
  condition=NAME[=STATUS]        a condition, True unless said otherwise
  phase=PHASE                    status.phase
  jsonpath='{PATH}'[=VALUE]      any field; without a value: that it is there
  create, delete                 that the object exists, or no longer does

It looks at the files as they change. What a controller does (archiving a broken
chain) happens only while one runs; wait says so if none does.`

type waitFlags struct {
	until   string
	timeout time.Duration
	labels  string
	all     bool
}

func newWait(a *app) *cobra.Command {
	var f waitFlags
	c := &cobra.Command{
		Use: "wait (KIND NAME...|KIND/NAME...|KIND -l SELECTOR) --for=...", Short: "Wait until something holds", Long: waitDoc,
		Example: "  idumb wait task/login-form --for=phase=completed --timeout=10m\n  idumb wait tasks -l area=web --for=condition=Ready\n  idumb wait task/old --for=delete",
		RunE:    func(c *cobra.Command, args []string) error { return a.wait(c.Context(), &f, args) },

		ValidArgsFunction: a.completeObjects(completeNames),
	}
	c.Flags().StringVar(&f.until, "for", "", "condition=NAME[=STATUS], phase=PHASE, jsonpath=...[=VALUE], create or delete (required)")
	c.Flags().DurationVar(&f.timeout, "timeout", 30*time.Second, "give up after this long; 0: look once")
	c.Flags().StringVarP(&f.labels, "selector", "l", "", "all objects of the kind with these labels")
	c.Flags().BoolVar(&f.all, "all", false, "all objects of the kind")
	completeFlag(c, "for", "condition=Ready", "phase=completed", "jsonpath=", "create", "delete")
	return c
}

func (a *app) wait(ctx context.Context, f *waitFlags, args []string) error {
	until, err := waiting.Parse(f.until)
	if err != nil {
		return err
	}
	if _, err := selectors.ParseLabels(f.labels); err != nil {
		return err
	}
	files, err := a.open()
	if err != nil {
		return err
	}
	w := waiter{app: a, until: until}
	if w.keys, err = a.waitKeys(ctx, f, files, f.labels, args); err != nil {
		return err
	}
	if len(w.keys) == 0 {
		return errors.New("no matching resources found")
	}
	return w.wait(ctx, files, f.timeout)
}

// waitKeys are the objects to wait for; those that a selector finds now.
func (a *app) waitKeys(ctx context.Context, f *waitFlags, files *filestore.Store, labels string, args []string) ([]resources.Key, error) {
	if labels == "" && !f.all {
		return naming.Keys(args)
	}
	request, err := naming.Parse(args)
	if err != nil {
		return nil, err
	}
	if request.Keys != nil {
		return nil, errors.New("name cannot be provided when a selector is specified")
	}
	w, err := a.reload(ctx, files)
	if err != nil {
		return nil, err
	}
	found, err := (&questions.Find{Kinds: plurals(request.Kinds), Labels: labels}).In(w.source())
	var keys []resources.Key
	for _, e := range found.Entries {
		keys = append(keys, e.Key)
	}
	return keys, err
}

// waiter waits for objects, and ticks off those that are there.
type waiter struct {
	app    *app
	until  waiting.Condition
	keys   []resources.Key // still waited for
	looked bool
}

func (w *waiter) wait(ctx context.Context, files *filestore.Store, timeout time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, max(timeout, 0))
	defer cancel()
	if timeout <= 0 { // look once
		limited = ctx
	}
	err := w.app.follow(limited, files, func(now *world) (bool, error) {
		done, err := w.step(now)
		return done || timeout <= 0, err
	})
	if ctx.Err() != nil || err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(err)
	}
	var late []error
	for _, key := range w.keys {
		late = append(late, fmt.Errorf("timed out waiting for the condition on %s", key))
	}
	return errors.Join(late...)
}

// step ticks off what holds now; done when nothing is left.
func (w *waiter) step(now *world) (bool, error) {
	var left []resources.Key
	for _, key := range w.keys {
		e := now.entry(key)
		if e == nil && !w.until.MayBeMissing() {
			return true, apierrors.NotFound(key)
		}
		if w.until.Holds(e) {
			w.app.outf("%s condition met\n", qualified(key))
		} else {
			left = append(left, key)
		}
	}
	w.keys = left
	if !w.looked && len(left) > 0 {
		w.app.warnWithoutController(now.root)
	}
	w.looked = true
	return len(left) == 0, nil
}
