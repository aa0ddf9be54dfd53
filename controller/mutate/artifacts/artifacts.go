// Package artifacts says what becomes of an artifact when somebody adopts a document, confirms
// it, replaces it or gives it up. Its functions return the object as it is to be, and write
// nothing.
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

// View is what there is, as status.Documents has it.
type View = status.Documents

// Causes of refusals.
const (
	NoDocument apierrors.Cause = "NoDocument" // the file is no Markdown document of the repository
	NoSection  apierrors.Cause = "NoSection"  // a document has no section of that name
	NoReason   apierrors.Cause = "NoReason"   // it ends only with a reason
	Over       apierrors.Cause = "Over"       // it is over already
	Upstream   apierrors.Cause = "Upstream"   // what it derives from is over
)

func refuse(verb, name string, cause apierrors.Cause, why, step string) error {
	return apierrors.Refuse(cause, fmt.Sprintf("cannot %s artifact %q", verb, name), why, step)
}

// Adoption is a document that somebody wants to be known as an artifact, and what they say of it.
type Adoption struct {
	Path        string   // from the repository's root
	Name        string   // "": one is made of the file's name
	Type        string   // "": what its front matter, name and place say, else other
	Draft       bool     // it does not hold yet
	Parent      string   // the artifact that it is a part of
	Covers      []string // kind/name
	DerivedFrom []string // ARTIFACT, ARTIFACT#SECTION or OF=ARTIFACT#SECTION
}

// Adopt returns the artifact of a document: the one that holds, with what is said now, or a new
// one, whose name may be "" for being made up (see Name).
func Adopt(a Adoption, v View) (*resources.Artifact, error) {
	if !v.SourceDocument(a.Path).Exists {
		return nil, refuse("adopt", a.Path, NoDocument, "there is no such file in the repository", "name a Markdown file that is there")
	}
	next := holding(a.Path, v)
	if next == nil {
		next = made(a.Name, resources.ArtifactSpec{Path: a.Path})
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
		spec.Covers = with(spec.Covers, entry)
	}
	for _, text := range a.DerivedFrom {
		link, err := linkTo(text, next, v)
		if err != nil {
			return nil, err
		}
		spec.DerivedFrom = linked(spec.DerivedFrom, link)
	}
	return next, nil
}

// made is a new artifact.
func made(name string, spec resources.ArtifactSpec) *resources.Artifact {
	a := resources.New[*resources.Artifact](resources.Artifacts, name)
	a.Spec = spec
	return a
}

// holding is a copy of the artifact that holds for a file; nil if none does.
func holding(file string, v View) *resources.Artifact {
	for _, a := range v.ArtifactsAt(file) {
		if by, _ := status.Replaced(a, v); by == "" && resources.OpenArtifact(a) {
			return resources.Clone(a).(*resources.Artifact)
		}
	}
	return nil
}

// Name is what an artifact of a file is called, if nothing else has that name: its own name, or
// with the folder before it.
func Name(file string, v View) string {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	name := resources.NameOf(stem)
	if v.Exists(resources.Key{Kind: resources.Artifacts, Name: name}) && path.Dir(file) != "." {
		name = resources.NameOf(path.Base(path.Dir(file)) + " " + stem)
	}
	return name
}

func with(list []string, entry string) []string {
	if slices.Contains(list, entry) {
		return list
	}
	return append(list, entry)
}

// linked is a list of links with one more, or with it in the place of the one that it renews.
func linked(list []resources.ArtifactDerived, link resources.ArtifactDerived) []resources.ArtifactDerived {
	for i, there := range list {
		if there.Artifact == link.Artifact && there.Of == link.Of && strings.EqualFold(there.Section, link.Section) {
			list[i] = link
			return list
		}
	}
	return append(list, link)
}

// linkTo reads ARTIFACT#SECTION, or OF=ARTIFACT#SECTION where only a section of the document hangs
// on it, and takes the sum that it has now. The artifact may be named by its file.
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

// Find returns the artifact of a name, of kind/name, or of the file that it speaks of.
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
	if a := holding(word, v); a != nil {
		return a, nil
	}
	return nil, apierrors.NotFound(resources.Key{Kind: resources.Artifacts, Name: name})
}

// sectionOf finds a section of an artifact's document, with its sum; "" is the whole document.
func sectionOf(verb string, a *resources.Artifact, name string, v View) (section, sum string, err error) {
	document := v.SourceDocument(a.Spec.Path)
	section, sum, ok := document.Section(name)
	if !ok {
		return "", "", refuse(verb, a.Metadata.Name, NoSection, fmt.Sprintf("%s has no section %q", a.Spec.Path, name), "name one of "+sections(document))
	}
	return section, sum, nil
}

// mostNamed is how many sections a refusal names.
const mostNamed = 8

func sections(d resources.Document) string {
	var names []string
	for _, s := range d.Sections {
		names = append(names, s.Path)
	}
	if len(names) == 0 {
		return "none: the document has no sections, so leave it out"
	}
	if len(names) > mostNamed {
		return strings.Join(names[:mostNamed], ", ") + ", .."
	}
	return strings.Join(names, ", ")
}
