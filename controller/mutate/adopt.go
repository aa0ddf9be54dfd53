package mutate

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// Adopt writes the artifact that decide returns for a document (artifacts.Adopt
// or Supersede): a new one, with a generated name if it has none, or a changed
// one.
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

// classOf returns the type of a document from its front matter, name and path.
// It returns "" for a type that artifacts do not support.
func (tx *Tx) classOf(file string) string {
	text, _ := tx.repo.Store.SourceText(file)
	class := documents.Read(file, text, nil).Class
	if class == documents.Unclassified || !slices.Contains(resources.Choices(resources.Artifacts, "spec.type"), class) {
		return ""
	}
	return class
}
