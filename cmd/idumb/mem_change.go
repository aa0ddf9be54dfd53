package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func newMemConfirm(a *app) *cobra.Command {
	var w writeFlags
	var f mems.Confirmation
	c := newCommand("mem confirm", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		for i := range f.Evidence {
			f.Evidence[i] = a.fileFromRoot(f.Evidence[i])
		}
		return a.eachMem(c, &w, args, "confirmed", func(m *resources.Mem, v *mutate.View) (*resources.Mem, error) {
			return mems.Confirm(m, f, v)
		})
	})
	c.ValidArgsFunction = a.completeMems()
	c.Flags().StringVar(&f.By, "by", whoever(), "who or what confirms it")
	c.Flags().StringVar(&f.Note, "note", "", "what was seen")
	c.Flags().BoolVar(&f.Check, "check", false, "only if nothing that it cites has changed")
	c.Flags().StringArrayVar(&f.Evidence, "evidence", nil, "FILE, FILE#HEADING or FILE#DECLARATION, in place of what it cites and what is gone")
	c.Flags().Lookup("by").DefValue = "you"
	addWriteFlags(c, &w)
	return c
}

// eachMem changes several mems, one after the other.
func (a *app) eachMem(c *cobra.Command, w *writeFlags, args []string, what string, change func(*resources.Mem, *mutate.View) (*resources.Mem, error)) error {
	keys, err := allNamedOf(resources.Mems, args, notMem)
	if err != nil {
		return err
	}
	return a.changeEach(c.Context(), w, keys, done(what), func(o resources.Object, v *mutate.View) (resources.Object, error) {
		return change(o.(*resources.Mem), v)
	})
}

func newMemPurge(a *app) *cobra.Command {
	var w writeFlags
	var reason string
	c := newCommand("mem purge", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return a.eachMem(c, &w, args, "purged", func(m *resources.Mem, v *mutate.View) (*resources.Mem, error) {
			return mems.Purge(m, reason, v)
		})
	})
	c.ValidArgsFunction = a.completeMems()
	c.Flags().StringVar(&reason, "reason", "", "why it is of no use any more")
	addWriteFlags(c, &w)
	return c
}

// newMemLinking makes the verb that relates a mem to others, or takes that back.
func newMemLinking(path string, linked bool) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var w writeFlags
		c := newCommand(path, cobra.MinimumNArgs(2), func(c *cobra.Command, args []string) error { return a.linkMem(c, &w, linked, args) })
		c.ValidArgsFunction = a.completeMems()
		addWriteFlags(c, &w)
		return c
	}
}

func (a *app) linkMem(c *cobra.Command, w *writeFlags, linked bool, args []string) error {
	done := "unlinked"
	if linked {
		done = "linked"
	}
	var others []resources.Key
	for _, arg := range args[1:] {
		key, err := relatedTo(arg)
		if err != nil {
			return err
		}
		others = append(others, key)
	}
	return a.eachMem(c, w, args[:1], done, func(m *resources.Mem, v *mutate.View) (next *resources.Mem, err error) {
		next = m
		for _, key := range others {
			if next, err = mems.Link(next, key, linked, v); err != nil {
				return nil, err
			}
		}
		return next, nil
	})
}

// relatedTo reads NAME of a mem, or KIND/NAME.
func relatedTo(arg string) (resources.Key, error) {
	if key, err := memNamed(arg); err == nil {
		return key, nil
	}
	return naming.Key(arg)
}

func newMemSupersede(a *app) *cobra.Command {
	var w writeFlags
	var with, reason string
	object := resources.New[*resources.Mem](resources.Mems, "")
	c := newCommand("mem supersede", cobra.ExactArgs(1), nil)
	c.ValidArgsFunction = a.completeMems()
	finish := memFlags(c.Flags(), object)
	hideFlags(c.Flags(), "supersedes")
	c.Flags().Lookup("content").Usage = "what holds in its place"
	c.Flags().StringVar(&with, "with", "", "a mem that is there")
	c.Flags().StringVar(&reason, "reason", "", "why; needed for a false path")
	name := c.Flags().String("name", "", "how the new mem is called; default: one is made up")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := finish(); err != nil {
			return err
		}
		if (with == "") == (object.Spec.Content == "") {
			return errors.New("say what takes its place: either --content TEXT or --with MEM")
		}
		key, err := memNamed(args[0])
		if err != nil {
			return err
		}
		if with != "" {
			return a.supersedeWith(c, &w, key, with, reason)
		}
		object.Metadata.Name, object.Spec.Supersedes, object.Spec.SupersedeReason = *name, key.Name, reason
		return a.saveMem(c, &w, object)
	}
	addWriteFlags(c, &w)
	a.completeFlagNames(c, "with", resources.Mems)
	a.completeMemFlags(c)
	return c
}

// supersedeWith lets a mem that is there take the place of another one.
func (a *app) supersedeWith(c *cobra.Command, w *writeFlags, old resources.Key, with, reason string) error {
	key, err := memNamed(with)
	if err != nil {
		return err
	}
	var replaced string
	called := func(r mutate.Result) string { return done("takes the place of mem/" + replaced)(r) }
	return a.changeEach(c.Context(), w, []resources.Key{key}, called, func(o resources.Object, v *mutate.View) (resources.Object, error) {
		before := v.Mem(old.Name)
		switch {
		case before == nil && !v.Exists(old):
			return nil, apierrors.NotFound(old)
		case before == nil:
			return nil, fmt.Errorf("%s cannot be read; mend its file first: idumb doctor", old)
		}
		next, err := mems.Supersede(o.(*resources.Mem), before, reason, v)
		if err == nil {
			replaced = next.Spec.Supersedes
		}
		return next, err
	})
}
