package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/resources"
)

// completeSpecFlags completes the flags of create from the table of the kind's
// fields: names where a field refers to objects, words where it takes only these.
func (a *app) completeSpecFlags(c *cobra.Command, kind *resources.Kind) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		c.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			return a.completeSpecFlag(kind, f.Name, word)
		})
	})
}

func (a *app) completeSpecFlag(kind *resources.Kind, flag, word string) ([]string, cobra.ShellCompDirective) {
	done, last := word[:strings.LastIndexByte(word, ',')+1], word[strings.LastIndexByte(word, ',')+1:]
	var fit []string
	switch field := fieldOfFlag(kind, flag); {
	case flag == "output":
		fit = withPrefix([]string{"json", "yaml", "name"}, last)
	case slices.Contains([]string{"assign", "delegates-to", "from", "to"}, flag):
		fit = a.namesOf(resources.Roles, last, nil)
	case field == nil || field.Format == "glob":
		return nil, cobra.ShellCompDirectiveDefault
	case field.Ref != "":
		fit = a.namesOf(field.Ref, last, nil)
	default:
		fit = withPrefix(field.Enum, last)
	}
	for i := range fit {
		fit[i] = done + fit[i]
	}
	return fit, noFiles
}

// fieldOfFlag returns the field of a kind's spec that a flag of create sets; nil if
// none is known.
func fieldOfFlag(kind *resources.Kind, flag string) *resources.Field {
	paths := []string{camel(flag)}
	switch flag {
	case "plan":
		paths = []string{"workPlan"}
	case "after":
		paths = []string{"temporalGate.after"}
	case "task":
		paths = []string{"task", "originTask", "source.task"}
	}
	for _, path := range paths {
		if field, known := kind.LookupField("spec." + path); known {
			return field
		}
	}
	return nil
}

// camel makes dependsOn of depends-on.
func camel(flag string) string {
	words := strings.Split(flag, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}
