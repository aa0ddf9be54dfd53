package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Documents is what the chain of documents is followed over.
type Documents interface {
	Artifacts
	// Exists reports whether there is an object of that key, readable or not.
	Exists(key resources.Key) bool
	// SourceDocument reads a Markdown file of the repository.
	SourceDocument(path string) resources.Document
	// SourceMoved returns the file that stands in the place of one that is gone, as WideView does.
	SourceMoved(path, section, sha256 string) string
	// Now is the one clock of a computation.
	Now() time.Time
}

// StaleLink is a link of spec.derivedFrom that does not hold any more: what it leads to, or
// something before that in the chain, is another one than it was when it was confirmed.
type StaleLink struct {
	Of      string // the section that hangs on it; "" for the whole document
	Because string // the first cause in the chain, in words
}

// StaleLinks returns the links of an artifact that are stale, in the order of its spec. A link is
// stale by its position: because of what stands before it in the chain, not because of any time.
func StaleLinks(a *resources.Artifact, v Documents) []StaleLink {
	if len(a.Spec.DerivedFrom) == 0 {
		return nil
	}
	return chainBefore(a, v).stale[a.Metadata.Name]
}

// chain is what was found out about the artifacts before one.
type chain struct {
	v     Documents
	all   map[string]*resources.Artifact
	order []string // each behind those that it derives from, but for circles
	stale map[string][]StaleLink
}

func chainBefore(a *resources.Artifact, v Documents) *chain {
	c := &chain{v: v, all: map[string]*resources.Artifact{a.Metadata.Name: a}, stale: map[string][]StaleLink{}}
	c.collect(a.Metadata.Name)
	for changed := true; changed; { // once more than it is long only where there is a circle
		changed = false
		for _, name := range c.order {
			stale := c.links(c.all[name])
			changed = changed || len(stale) > len(c.stale[name])
			c.stale[name] = stale
		}
	}
	return c
}

// collect finds all that stand before an artifact.
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

// derivedFrom names the artifacts that one derives from, in their order; none for nil.
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

// links are the stale links of an artifact, by what is known of those before it so far.
func (c *chain) links(a *resources.Artifact) []StaleLink {
	var stale []StaleLink
	for _, link := range a.Spec.DerivedFrom {
		if because := c.because(link); because != "" {
			stale = append(stale, StaleLink{link.Of, because})
		}
	}
	return stale
}

// because is why a link does not hold: the first cause in the chain; "" if it holds.
func (c *chain) because(link resources.ArtifactDerived) string {
	before := c.all[link.Artifact]
	if before == nil {
		if c.v.Exists(resources.Key{Kind: resources.Artifacts, Name: link.Artifact}) {
			return "" // its file cannot be read, so nobody knows
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
		if resources.Overlap(earlier.Of, section) {
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

// artifactEnded says how an artifact ended, so that nothing may be derived from it any more; ""
// if it did not. A completed one still says what was wanted.
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
