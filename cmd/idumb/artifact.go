package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
)

// artifactVerbs lists the subcommands of artifact.
var artifactVerbs = [...]func(*app) *cobra.Command{
	newArtifactAdopt, newArtifactEnd("abandon", "abandoned", artifacts.Abandon), newArtifactEnd("complete", "completed", artifacts.Complete),
}

func newArtifact(a *app) *cobra.Command {
	return withVerbs(newCommand("artifact", nil, noSubVerb), builtFor(a, artifactVerbs[:]...)...)
}

// notArtifact is the error for the name of another kind.
const notArtifact = "%s is not an artifact; use idumb get or describe for other kinds"

// adoptionFlags declares the flags that describe a document.
func (a *app) adoptionFlags(c *cobra.Command) *artifacts.Adoption {
	var adoption artifacts.Adoption
	types := resources.Choices(resources.Artifacts, "spec.type")
	flags := c.Flags()
	a.derivationFlags(c, &adoption)
	flags.StringVar(&adoption.Name, "name", "", "the name of the artifact (default: derived from its file)")
	flags.StringVar(&adoption.Type, "type", "", strings.Join(types, ", "))
	flags.StringVar(&adoption.Parent, "parent", "", "the parent artifact")
	completeFlag(c, "type", types...)
	a.completeFlagNames(c, "parent", resources.Artifacts)
	return &adoption
}

// derivationFlags declares the flags that only artifacts have.
func (a *app) derivationFlags(c *cobra.Command, adoption *artifacts.Adoption) {
	c.Flags().BoolVar(&adoption.Draft, "draft", false, "mark the document as a draft")
	c.Flags().StringArrayVar(&adoption.Covers, "covers", nil, "KIND/NAME of a plan, task, mem or decision that the document covers")
	c.Flags().StringArrayVar(&adoption.DerivedFrom, "derived-from", nil, "ARTIFACT#SECTION, or OF=ARTIFACT#SECTION for a section of it")
	a.completeFlagNames(c, "derived-from", resources.Artifacts)
}

// adoptionOf returns the adoption of a file. It converts file names from the working directory.
func (a *app) adoptionOf(file string, from *artifacts.Adoption) artifacts.Adoption {
	adoption := *from
	adoption.Path = a.fileFromRoot(file)
	adoption.DerivedFrom = nil
	for _, link := range from.DerivedFrom {
		adoption.DerivedFrom = append(adoption.DerivedFrom, a.fileFromRoot(link))
	}
	return adoption
}

func newArtifactAdopt(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("artifact adopt", cobra.ExactArgs(1), nil)
	adoption := a.adoptionFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		file := a.adoptionOf(args[0], adoption)
		return a.adopt(c, &w, "adopted", func(v artifacts.View) (*resources.Artifact, error) { return artifacts.Adopt(file, v) })
	}
	addWriteFlags(c, &w)
	return c
}

// adopt writes the artifact of a document and prints the result.
func (a *app) adopt(c *cobra.Command, w *writeFlags, what string, decide func(artifacts.View) (*resources.Artifact, error)) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	result, err := repo.Adopt(c.Context(), decide)
	if err != nil {
		return err
	}
	if result.What == mutate.Created {
		a.echoUID(w, result.After)
	}
	return a.echo(w, result.After, done(what)(result))
}

// newArtifactEnd returns a command that ends artifacts.
func newArtifactEnd(verb, what string, end func(*resources.Artifact, string, artifacts.View) (*resources.Artifact, error)) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		var w writeFlags
		var reason string
		c := newCommand("artifact "+verb, cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
			keys, err := allNamedOf(resources.Artifacts, args, notArtifact)
			if err != nil {
				return err
			}
			return a.changeEach(c.Context(), &w, keys, done(what), func(o resources.Object, v *mutate.View) (resources.Object, error) {
				return end(o.(*resources.Artifact), reason, v)
			})
		})
		c.ValidArgsFunction = a.completeNamesOf(resources.Artifacts)
		c.Flags().StringVar(&reason, "reason", "", "why")
		addWriteFlags(c, &w)
		return c
	}
}
