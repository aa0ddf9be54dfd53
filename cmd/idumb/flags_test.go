package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
)

// maxFlags is the maximal number of names of flags that help shows. A new flag takes the name of one with the same meaning.
const maxFlags = 152

func TestFlagsAreFew(t *testing.T) {
	shown := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { shown[f.Name] = shown[f.Name] || !f.Hidden })
		for _, below := range c.Commands() {
			if !below.Hidden {
				walk(below)
			}
		}
	}
	walk(newRoot(&app{}, nil))
	maps.DeleteFunc(shown, func(_ string, is bool) bool { return !is })
	assert.LessOrEqual(t, len(shown), maxFlags, "%s", strings.Join(slices.Sorted(maps.Keys(shown)), " "))
	for old, name := range renamedFlags {
		assert.True(t, shown[name], "--%s stands for --%s, which no command has", old, name)
		assert.False(t, shown[old], old)
	}
}
