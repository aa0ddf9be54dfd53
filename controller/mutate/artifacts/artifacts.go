// Package artifacts defines the effects of adopting, confirming, replacing and
// abandoning artifacts. Its functions return the new version of the object and
// write nothing.
package artifacts

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// View provides the documents: status.Documents.
type View = status.Documents

// Causes of refusals.
const (
	NoDocument apierrors.Cause = "NoDocument" // the file is not a Markdown document of the repository
	NoSection  apierrors.Cause = "NoSection"  // the document has no section with that name
	NoReason   apierrors.Cause = "NoReason"   // a reason is required
	EndedCause apierrors.Cause = "Over"       // the artifact is no longer valid
	Upstream   apierrors.Cause = "Upstream"   // a source of the artifact is no longer valid
)

// refuse returns a refusal to change an artifact, with the next step.
func refuse(verb, name string, cause apierrors.Cause, why, step string) error {
	return apierrors.Refuse(cause, fmt.Sprintf("cannot %s artifact %q", verb, name), why, step)
}

// Adoption describes a document to adopt as an artifact.
type Adoption struct {
	Path        string   // relative to the repository's root
	Name        string   // empty derives it from the file's name
	Type        string   // empty derives it from the front matter, name and path
	Draft       bool     // not valid yet
	Parent      string   // artifact of which it is a part
	Covers      []string // kind/name
	DerivedFrom []string // ARTIFACT, ARTIFACT#SECTION or OF=ARTIFACT#SECTION
}

// Adopt returns the artifact of a document: the valid one with the new
// properties, or a new one. The caller must generate a missing name (see Name).
func Adopt(a Adoption, v View) (*resources.Artifact, error) {
	if !v.SourceDocument(a.Path).Exists {
		return nil, refuse("adopt", a.Path, NoDocument, "there is no such file in the repository", "name an existing Markdown file")
	}
	next := validArtifact(a.Path, v)
	if next == nil {
		next = newArtifact(a.Name, resources.ArtifactSpec{Path: a.Path})
	}
	spec := &next.Spec
	if a.Type != "" {
		spec.Type = a.Type
	}
	if a.Parent != "" {
		spec.Parent = a.Parent
	}
	if a.Draft {
		spec.State = resources.ArtifactDraft
	}
	for _, entry := range a.Covers {
		spec.Covers = appendEntry(spec.Covers, entry)
	}
	for _, text := range a.DerivedFrom {
		link, err := linkTo(text, next, v)
		if err != nil {
			return nil, err
		}
		spec.DerivedFrom = withLink(spec.DerivedFrom, link)
	}
	return next, nil
}

func newArtifact(name string, spec resources.ArtifactSpec) *resources.Artifact {
	a := resources.New[*resources.Artifact](resources.Artifacts, name)
	a.Spec = spec
	return a
}

// validArtifact returns a copy of the valid artifact of a file, or nil.
func validArtifact(file string, v View) *resources.Artifact {
	for _, a := range v.ArtifactsAt(file) {
		if by, _ := status.Replaced(a, v); by == "" && resources.OpenArtifact(a) {
			return resources.Clone(a).(*resources.Artifact)
		}
	}
	return nil
}

// Name returns the name for an artifact of a file: derived from the file name,
// with the directory name if that is taken.
func Name(file string, v View) string {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	name := resources.NameOf(stem)
	if v.Exists(resources.Key{Kind: resources.Artifacts, Name: name}) && path.Dir(file) != "." {
		name = resources.NameOf(path.Base(path.Dir(file)) + " " + stem)
	}
	return name
}

// appendEntry adds an entry to a list, unless the list contains it.
func appendEntry(list []string, entry string) []string {
	if slices.Contains(list, entry) {
		return list
	}
	return append(list, entry)
}

// withLink adds a link to a list or replaces the link that it renews.
func withLink(list []resources.ArtifactDerived, link resources.ArtifactDerived) []resources.ArtifactDerived {
	for i, there := range list {
		if there.Artifact == link.Artifact && there.Of == link.Of && strings.EqualFold(there.Section, link.Section) {
			list[i] = link
			return list
		}
	}
	return append(list, link)
}

// linkTo parses ARTIFACT#SECTION, or OF=ARTIFACT#SECTION if only a section of
// the document depends on it, and adds the current hash. The artifact may be
// given by its file.
func linkTo(text string, of *resources.Artifact, v View) (link resources.ArtifactDerived, err error) {
	name, section, _ := strings.Cut(text, "#")
	if own, rest, found := strings.Cut(name, "="); found {
		name = rest
		if link.Of, _, err = sectionOf("adopt", of, own, v); err != nil {
			return link, err
		}
	}
	before, err := Find(name, v)
	if err != nil {
		return link, err
	}
	link.Artifact = before.Metadata.Name
	link.Section, link.SHA256, err = sectionOf("derive from", before, section, v)
	return link, err
}

// Find returns the artifact with a name, with kind/name, or of a file.
func Find(word string, v View) (*resources.Artifact, error) {
	name := word
	if kind, rest, found := strings.Cut(word, "/"); found {
		if k, ok := resources.LookupKind(kind); ok && k.Plural == resources.Artifacts {
			name = rest
		}
	}
	if a, ok := v.Artifact(name); ok {
		return a, nil
	}
	if a := validArtifact(word, v); a != nil {
		return a, nil
	}
	return nil, apierrors.NotFound(resources.Key{Kind: resources.Artifacts, Name: name})
}

// sectionOf finds a section of an artifact's document and its hash; "" is the
// whole document.
func sectionOf(verb string, a *resources.Artifact, name string, v View) (section, sum string, err error) {
	document := v.SourceDocument(a.Spec.Path)
	section, sum, ok := document.Section(name)
	if !ok {
		return "", "", refuse(verb, a.Metadata.Name, NoSection, fmt.Sprintf("%s has no section %q", a.Spec.Path, name), "name one of "+sections(document))
	}
	return section, sum, nil
}

// maxNamed is the maximum number of sections in a refusal.
const maxNamed = 8

// sections lists the sections of a document for an error.
func sections(d resources.Document) string {
	var names []string
	for _, s := range d.Sections {
		names = append(names, s.Path)
	}
	if len(names) == 0 {
		return "none: the document has no sections, so leave it out"
	}
	if len(names) > maxNamed {
		return strings.Join(names[:maxNamed], ", ") + ", .."
	}
	return strings.Join(names, ", ")
}
