package main

import (
	"bytes"
	"cmp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/admission"
)

// TestFlagsWithAValue: the gate knows of each flag of each command whether its value may be the next word, so that no
// value is taken for the name of an object, and no name for a value.
func TestFlagsWithAValue(t *testing.T) {
	var walk func(c *cobra.Command, verb string)
	walk = func(c *cobra.Command, verb string) {
		note := func(f *pflag.Flag) {
			for _, name := range []string{"--" + f.Name, "-" + f.Shorthand} {
				if name != "-" {
					assert.Equal(t, f.NoOptDefVal == "", admission.TakesValue(verb, name), c.CommandPath()+" "+name)
				}
			}
		}
		c.Flags().VisitAll(note)
		c.PersistentFlags().VisitAll(note)
		for _, sub := range c.Commands() {
			walk(sub, cmp.Or(verb, sub.Name()))
		}
	}
	var out bytes.Buffer
	walk(newRoot(&app{stdout: &out, stderr: &out}, nil), "")
}
