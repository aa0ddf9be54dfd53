package graph

import "github.com/idumb-dev/idumb/resources"

// Artifact returns the last valid version of an artifact.
func (g *Graph) Artifact(name string) (*resources.Artifact, bool) {
	return get[*resources.Artifact](g, resources.Artifacts, name)
}

// ArtifactsNaming returns the artifacts with a reference to an object in their spec, sorted
// by name.
func (g *Graph) ArtifactsNaming(key resources.Key) []*resources.Artifact {
	return objects[*resources.Artifact](g, resources.Artifacts, g.lookupNames(resources.Artifacts, IndexRefers, key.String()))
}

// ArtifactsAt returns the artifacts with that spec.path, sorted by name.
func (g *Graph) ArtifactsAt(path string) []*resources.Artifact {
	return objects[*resources.Artifact](g, resources.Artifacts, g.lookupNames(resources.Artifacts, IndexSource, path))
}

// SourceDocument reads a Markdown file of the repository.
func (w Wide) SourceDocument(path string) resources.Document {
	if w.surroundings == nil {
		return resources.Document{}
	}
	return w.surroundings.SourceDocument(path)
}

// Comment returns the last valid version of a comment.
func (g *Graph) Comment(name string) (*resources.Comment, bool) {
	return get[*resources.Comment](g, resources.Comments, name)
}

// CommentsNaming returns the comments with a reference to an object in their spec, sorted
// by name and therefore by age.
func (g *Graph) CommentsNaming(key resources.Key) []*resources.Comment {
	return g.comments(IndexRefers, key.String())
}

// CommentsBy returns the comments of an author, sorted by name.
func (g *Graph) CommentsBy(author string) []*resources.Comment {
	return g.comments(IndexAuthor, author)
}

// comments returns the comments with an index term. It is fast for the common case of no
// comments.
func (g *Graph) comments(index, value string) []*resources.Comment {
	if len(g.reader.Names(resources.Comments)) == 0 {
		return nil
	}
	return objects[*resources.Comment](g, resources.Comments, g.lookupNames(resources.Comments, index, value))
}
