package main

import (
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/naming"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// newValidate makes the verb with which somebody says that objects still hold.
func newValidate(a *app) *cobra.Command {
	var w writeFlags
	var by string
	c := newCommand("validate", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		keys, err := naming.Keys(args)
		if err != nil {
			return err
		}
		return a.changeEach(c.Context(), &w, keys, done("validated"), func(o resources.Object, v *mutate.View) (resources.Object, error) {
			return mutate.Validated(o, by, v)
		})
	})
	c.Flags().StringVar(&by, "by", whoever(), "of a mem: who or what confirms it")
	c.Flags().Lookup("by").DefValue = "you"
	addWriteFlags(c, &w)
	return c
}
