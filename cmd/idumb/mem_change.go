package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
)

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

// newMemLinking returns the constructor of the verb that links a mem to other resources, or of the
// one that removes such links if linked is false.
func newMemLinking(path string, linked bool) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var w writeFlags
		c := newCommand(path, cobra.MinimumNArgs(2), func(c *cobra.Command, args []string) error { return a.linkMem(c, &w, linked, args) })
		c.ValidArgsFunction = a.completeMems()
		addWriteFlags(c, &w)
		return c
	}
}

// linkMem adds links from a mem to the resources that the other arguments name, or removes them if
// linked is false.
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

// relatedTo parses NAME of a mem, or KIND/NAME.
func relatedTo(arg string) (resources.Key, error) {
	if key, err := memNamed(arg); err == nil {
		return key, nil
	}
	return parseKey(arg)
}
