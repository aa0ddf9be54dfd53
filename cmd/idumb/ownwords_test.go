package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/admission"
)

// TestFlagsWithAValue: the gate knows each flag of idumb whose value may be the next word, so that no value is taken
// for the name of an object. A flag that needs no value anywhere is not among them.
func TestFlagsWithAValue(t *testing.T) {
	valued, bare := map[string]bool{}, map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		note := func(f *pflag.Flag) {
			for _, name := range []string{"--" + f.Name, "-" + f.Shorthand} {
				if name != "-" && f.NoOptDefVal == "" {
					valued[name] = true
				} else if name != "-" {
					bare[name] = true
				}
			}
		}
		c.Flags().VisitAll(note)
		c.PersistentFlags().VisitAll(note)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	var out bytes.Buffer
	walk(newRoot(&app{stdout: &out, stderr: &out}, nil))
	want := map[string]bool{}
	for name := range valued {
		if !bare[name] {
			want[name] = true
		}
	}
	have := map[string]bool{}
	for name := range strings.FieldsSeq(admission.ValuedFlags) {
		have[name] = true
	}
	assert.Equal(t, want, have)
}
