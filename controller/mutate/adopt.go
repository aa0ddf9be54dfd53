package mutate

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// Adopt writes what decide makes of a document (artifacts.Adopt or Supersede): a new artifact, for
// which a name is made up if it has none, or one that was there.
func (r Repo) Adopt(ctx context.Context, decide func(artifacts.View) (*resources.Artifact, error)) (result Result, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		next, err := decide(tx.View())
		if err != nil {
			return err
		}
		if next.Metadata.Name != "" && next.Source().Revision != "" {
			result, err = tx.Put(next)
			return err
		}
		if next.Metadata.Name == "" {
			if next.Metadata.Name, err = tx.freeName(resources.Artifacts, artifacts.Name(next.Spec.Path, tx.View())); err != nil {
				return err
			}
		}
		if next.Spec.Type == "" {
			next.Spec.Type = tx.classOf(next.Spec.Path)
		}
		c, err := tx.planOver(next, "")
		if err == nil {
			result, err = tx.commit(c)
		}
		return err
	})
	return result, err
}

// classOf is the type of a document by its front matter, name and place; "" for one that no artifact has.
func (tx *Tx) classOf(file string) string {
	text, _ := tx.repo.Store.SourceText(file)
	class := documents.Read(file, text, nil).Class
	if class == documents.Other || !slices.Contains(resources.Choices(resources.Artifacts, "spec.type"), class) {
		return ""
	}
	return class
}
