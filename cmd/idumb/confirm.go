package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// newConfirm returns the command that confirms objects.
func newConfirm(a *app) *cobra.Command {
	var w writeFlags
	var f mems.Confirmation
	c := newCommand("confirm", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		keys, err := a.objectKeys(dropRepeatedKind(args))
		if err != nil {
			return err
		}
		for _, key := range keys {
			if key.Kind != resources.Mems {
				if err := refuseFlags(c, "requires a mem; "+key.String()+" is not a mem", "note", "evidence", "check"); err != nil {
					return err
				}
			}
		}
		for i := range f.Evidence {
			f.Evidence[i] = a.fileFromRoot(f.Evidence[i])
		}
		return each(keys, func(key resources.Key) error {
			section := ""
			if key.Kind == resources.Artifacts {
				key.Name, section, _ = strings.Cut(key.Name, "#")
			}
			return a.changeEach(c.Context(), &w, []resources.Key{key}, done("confirmed"), func(o resources.Object, v *mutate.View) (resources.Object, error) {
				switch o := o.(type) {
				case *resources.Mem:
					return mems.Confirm(o, f, v)
				case *resources.Artifact:
					next, left, err := artifacts.Confirm(o, section, f.Author, v)
					if err != nil {
						return nil, err
					}
					a.tellStillStale(left)
					return next, nil
				}
				return mutate.Validate(o, f.Author, v)
			})
		})
	})
	c.Flags().StringVar(&f.Author, "by", userName(), "the user or tool that confirms")
	c.Flags().StringVar(&f.Note, "note", "", "the observation")
	c.Flags().BoolVar(&f.Check, "check", false, "confirm only if no cited source has changed")
	c.Flags().StringArrayVar(&f.Evidence, "evidence", nil, "FILE, FILE#HEADING or FILE#DECLARATION; replaces missing sources")
	c.Flags().Lookup("by").DefValue = "you"
	addWriteFlags(c, &w)
	return c
}

// dropRepeatedKind converts KIND KIND/NAME... to KIND NAME....
func dropRepeatedKind(args []string) []string {
	if len(args) == 0 {
		return nil
	}
	short := slices.Clone(args)
	kind, known := resources.LookupKind(args[0])
	for i, name := range short {
		word, rest, slashed := strings.Cut(name, "/")
		if again, is := resources.LookupKind(word); known && slashed && is && again == kind {
			short[i] = rest
		}
	}
	return short
}

// tellStillStale prints the links that remain stale after a confirmation.
func (a *app) tellStillStale(left []status.StaleLink) {
	for _, link := range left {
		a.errf("Warning: %s\n", terminal.EscapeLine(artifacts.DescribeLink(link)))
	}
}
