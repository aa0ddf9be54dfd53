package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// tagging contains the differences between label and annotate.
type tagging struct {
	name, doneWord, removedWord string // labeled, unlabeled
	noun                        string // label or annotation
	field                       func(*resources.Meta) *map[string]string
	check                       func(name, value string) error
}

// labelsOf returns the labels, for the verb label.
func labelsOf(m *resources.Meta) *map[string]string { return &m.Labels }

// annotationsOf returns the annotations, for the verb annotate.
func annotationsOf(m *resources.Meta) *map[string]string { return &m.Annotations }

var (
	labels      = tagging{name: "label", doneWord: "labeled", removedWord: "unlabeled", noun: "label", field: labelsOf, check: admission.CheckLabel}
	annotations = tagging{name: "annotate", doneWord: "annotated", removedWord: "annotated", noun: "annotation", field: annotationsOf, check: admission.CheckAnnotation}
)

// tags are the requested changes.
type tags struct {
	set       map[string]string
	remove    []string
	overwrite bool
}

// tagFlags holds the flags of idumb label and idumb annotate.
type tagFlags struct {
	writeFlags
	selection
	overwrite bool
}

// newTagging returns the constructor of the verb label or annotate.
func newTagging(t tagging) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var w tagFlags
		c := newCommand(t.name, nil, func(c *cobra.Command, args []string) error { return a.tagAll(c.Context(), &w, t, args) })
		addSelectionFlags(c, &w.selection)
		c.Flags().BoolVar(&w.overwrite, "overwrite", false, "replace existing values")
		addWriteFlags(c, &w.writeFlags)
		return c
	}
}

// tagAll runs idumb label or idumb annotate: it sets and removes labels or annotations of each
// named resource.
func (a *app) tagAll(ctx context.Context, w *tagFlags, t tagging, args []string) error {
	names, changes, err := splitTags(args)
	if err != nil {
		return err
	}
	if len(changes.set)+len(changes.remove) == 0 {
		return fmt.Errorf("at least one %s update is required", t.noun)
	}
	for name, value := range changes.set {
		if err := t.check(name, value); err != nil {
			return err
		}
	}
	changes.overwrite = w.overwrite
	keys, err := a.keys(ctx, &w.selection, names)
	if err != nil {
		return err
	}
	var missing []string
	called := func(r mutate.Result) string {
		for _, name := range missing {
			a.errf("%s %q not found.\n", t.noun, name)
		}
		return t.resultWord(r, changes)
	}
	return a.changeEach(ctx, &w.writeFlags, keys, called, func(o resources.Object, _ *mutate.View) (_ resources.Object, err error) {
		field := t.field(&o.Head().Metadata)
		*field, missing, err = changes.apply(*field)
		return o, err
	})
}

// resultWord returns kubectl's word for the result.
func (t tagging) resultWord(result mutate.Result, changes tags) string {
	switch {
	case result.Operation == mutate.Unchanged && t.name == "label":
		return "not labeled"
	case len(changes.set) == 0:
		return t.removedWord
	}
	return t.doneWord
}

// apply returns the changed labels, and the names to remove that do not exist. Replacing a value
// requires --overwrite.
func (t tags) apply(old map[string]string) (next map[string]string, missing []string, err error) {
	next = maps.Clone(old)
	if next == nil {
		next = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(t.set)) {
		value := t.set[name]
		if before, found := old[name]; found && before != value && !t.overwrite {
			err = errors.Join(err, fmt.Errorf("'%s' already has a value (%s), and --overwrite is false", name, before))
		}
		next[name] = value
	}
	for _, name := range t.remove {
		if _, found := old[name]; !found {
			missing = append(missing, name)
		}
		delete(next, name)
	}
	return next, missing, err
}

// splitTags separates the names of objects from changes: k=v and k-. Names come first, so the first
// word never removes a label.
func splitTags(args []string) (names []string, t tags, err error) {
	t.set = map[string]string{}
	for _, arg := range args {
		name, value, isSet := strings.Cut(arg, "=")
		removal, isRemoval := strings.CutSuffix(arg, "-")
		switch started := len(t.set)+len(t.remove) > 0; {
		case isSet && name != "":
			t.set[name] = value
		case isRemoval && (started || len(names) > 0):
			t.remove = append(t.remove, removal)
		case started:
			return nil, t, fmt.Errorf("all resources must be specified before changes: %s", arg)
		default:
			names = append(names, arg)
		}
	}
	for name := range t.set {
		if slices.Contains(t.remove, name) {
			return nil, t, fmt.Errorf("can not both modify and remove %q in the same command", name)
		}
	}
	return names, t, nil
}
