package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Documents is the data needed to follow a chain of documents.
type Documents interface {
	Artifacts
	// Exists reports whether an object with that key exists, including unreadable objects.
	Exists(key resources.Key) bool
	// SourceDocument reads a Markdown file of the repository.
	SourceDocument(path string) resources.Document
	// SourceMoved returns the new path of a missing file. See WideView.
	SourceMoved(path, section, sha256 string) string
	// Now returns the time of the computation.
	Now() time.Time
}

// StaleLink is a link of spec.derivedFrom whose target, or an earlier document in the
// chain, changed after the confirmation.
type StaleLink struct {
	Section string // derived section; empty for the entire document
	Because string // first cause in the chain, as text
}

// StaleLinks returns the stale links of an artifact in the order of its spec. Only changes
// earlier in the chain make a link stale; its age does not matter.
func StaleLinks(a *resources.Artifact, v Documents) []StaleLink {
	if len(a.Spec.DerivedFrom) == 0 {
		return nil
	}
	return chainBefore(a, v).stale[a.Metadata.Name]
}

// chain contains the artifacts that one artifact derives from, directly or not.
type chain struct {
	v     Documents
	all   map[string]*resources.Artifact
	order []string // sources before the artifacts that derive from them, except in cycles
	stale map[string][]StaleLink
}

// chainBefore returns an artifact and all artifacts that it derives from, with the stale links of
// each.
func chainBefore(a *resources.Artifact, v Documents) *chain {
	c := &chain{v: v, all: map[string]*resources.Artifact{a.Metadata.Name: a}, stale: map[string][]StaleLink{}}
	c.collect(a.Metadata.Name)
	for changed := true; changed; { // repeats only if there is a cycle
		changed = false
		for _, name := range c.order {
			var stale []StaleLink
			for _, link := range c.all[name].Spec.DerivedFrom {
				if because := c.because(link); because != "" {
					stale = append(stale, StaleLink{link.Of, because})
				}
			}
			changed = changed || len(stale) > len(c.stale[name])
			c.stale[name] = stale
		}
	}
	return c
}

// collect finds all direct and indirect sources of an artifact.
func (c *chain) collect(first string) {
	const open, done = 1, 2
	met := map[string]int{}
	for todo := []string{first}; len(todo) > 0; {
		name := todo[len(todo)-1]
		if met[name] != 0 {
			todo = todo[:len(todo)-1]
			if met[name] == open && c.all[name] != nil {
				c.order = append(c.order, name)
			}
			met[name] = done
			continue
		}
		met[name] = open
		if c.all[name] == nil {
			c.all[name], _ = c.v.Artifact(name)
		}
		for _, before := range derivedFrom(c.all[name]) {
			if met[before] == 0 {
				todo = append(todo, before)
			}
		}
	}
}

// derivedFrom returns the names of the direct sources of an artifact, in order. It returns
// nil for nil.
func derivedFrom(a *resources.Artifact) []string {
	if a == nil {
		return nil
	}
	names := make([]string, len(a.Spec.DerivedFrom))
	for i, link := range a.Spec.DerivedFrom {
		names[i] = link.Artifact
	}
	return names
}

// because returns the first cause in the chain why a link is stale. It returns "" if the
// link is current.
func (c *chain) because(link resources.ArtifactDerived) string {
	before := c.all[link.Artifact]
	if before == nil {
		if c.v.Exists(resources.Key{Kind: resources.Artifacts, Name: link.Artifact}) {
			return "" // unreadable file; the state is unknown
		}
		return "artifact/" + link.Artifact + " is gone"
	}
	if ended := artifactEnded(before, c.v); ended != "" {
		return "artifact/" + link.Artifact + " " + ended
	}
	document, _ := documentOf(before, c.v)
	section, sum, found := document.Follow(link.Section, link.SHA256)
	if !found {
		section = link.Section
	}
	for _, earlier := range c.stale[link.Artifact] {
		if resources.Overlap(earlier.Section, section) {
			return earlier.Because
		}
	}
	switch {
	case !document.Exists: // for less than a day
		return ""
	case !found && (document.SHA256 != "" || len(document.Sections) > 0):
		return link.Names() + " is gone"
	case link.SHA256 != "" && sum != "" && sum != link.SHA256:
		return link.Names() + " changed"
	}
	return ""
}

// artifactEnded returns why no other artifact may derive from an artifact any longer. It
// returns "" if that is allowed. A completed artifact is still a valid source.
func artifactEnded(a *resources.Artifact, v Documents) string {
	switch by, _ := Replaced(a, v); {
	case !a.Spec.PurgedAt.IsZero():
		return "was purged"
	case a.Spec.State == resources.ArtifactAbandoned:
		return "was abandoned"
	case by != "":
		return "was superseded by artifact/" + by
	case a.Spec.State == resources.ArtifactSuperseded:
		return "was superseded"
	case lostFor(a, v):
		return "is lost: " + a.Spec.Path + " is not there"
	}
	return ""
}
