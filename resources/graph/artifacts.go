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
