package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
)

func newArtifact(a *app) *cobra.Command {
	return withVerbs(newCommand("artifact", nil, noSubVerb), append(a.actsBelow("artifact"), newArtifactAdopt(a))...)
}

// adoptionFlags declares the flags that describe a document, and returns the adoption that they
// set.
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
	if result.Operation == mutate.Created {
		a.echoUID(w, result.New)
	}
	return a.echo(w, result.New, done(what)(result))
}
