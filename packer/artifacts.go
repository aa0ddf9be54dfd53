package packer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// artifacts adds the documents that cover the active tasks and the plan, the plan's source
// document, and the document that superseded it.
func (g *gatherer) artifacts() {
	met := map[string]bool{}
	add := func(a *resources.Artifact) {
		name := a.Metadata.Name
		if met[name] {
			return
		}
		met[name] = true
		if entry, _, ok := withStatus(g.source, a.Key(), status.AssessArtifact); ok {
			g.in.Artifacts = append(g.in.Artifacts, entry)
		}
	}
	for _, key := range g.in.covered() {
		for _, a := range g.source.ArtifactsNaming(key) {
			if slices.Contains(resources.CoveredKeys(a), key) {
				add(a)
			}
		}
	}
	if p := g.in.Plan; p != nil && p.Object.Spec.SOTDocument != "" {
		for _, a := range g.source.ArtifactsAt(p.Object.Spec.SOTDocument) {
			add(a)
			if _, head := status.Replaced(a, g.source); head != "" {
				if by, ok := g.source.Artifact(head); ok {
					add(by)
				}
			}
		}
	}
}

// covered returns the keys of the active tasks and the plan.
func (in *Input) covered() []resources.Key {
	var keys []resources.Key
	for _, name := range in.Active {
		keys = append(keys, resources.Key{Kind: resources.Tasks, Name: name})
	}
	if in.Plan != nil {
		keys = append(keys, in.Plan.Object.Key())
	}
	return keys
}

// Limits on the documents of a pack, and on the sections of each.
const (
	maxDocuments = 5
	maxSections  = 5
)

// documentsToRender returns the first documents with a line, sorted by name.
func (d *packing) documentsToRender() []Artifact {
	told := slices.Clone(d.in.Artifacts)
	slices.SortFunc(told, func(a, b Artifact) int { return strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name) })
	told = slices.DeleteFunc(told, func(a Artifact) bool { return d.documentText(&a) == "" })
	return told[:min(maxDocuments, len(told))]
}

// documentText returns the line of a document, empty if it is no longer in effect or missing.
func (d *packing) documentText(a *Artifact) string {
	s, name := &a.Status, a.Object.Metadata.Name
	text := fmt.Sprintf("Document %s [%s]: %s", name, s.Phase, placeOf(a))
	switch s.Phase {
	case resources.StalePhase:
		return text + "; not to be relied on: " + listed(s.Stale) + "; read it against that, mend it, then: idumb confirm artifact " + name
	case resources.SuspectPhase:
		if !s.GoneSince.IsZero() {
			return text + "; the file is not there"
		}
		return text + "; it links to missing files: " + listed(s.Gone) + "; check which parts are still valid"
	case resources.ArtifactCurrent, resources.ArtifactDraft:
		if sections := d.sectionsOf(a); len(sections) > 0 {
			text += "; sections: " + strings.Join(sections, ", ")
		}
		return text
	}
	return ""
}

// placeOf returns the title of a document, if it has one, and its path; the new
// path if the file was renamed.
func placeOf(a *Artifact) string {
	path := a.Object.Spec.Path
	if a.Status.MovedTo != "" {
		path = a.Status.MovedTo
	}
	if a.Status.Title == "" {
		return path
	}
	return a.Status.Title + ", " + path
}

// sectionsOf returns the sections of a document whose heading is the name or
// title of an active task; if no section matches, its top-level sections with
// open boxes. It returns at most maxSections, each with its line number.
func (d *packing) sectionsOf(a *Artifact) []string {
	var named, open []string
	for _, s := range a.Status.Sections {
		told := fmt.Sprintf("%s (line %d)", s.Path, s.Line)
		if s.TasksDone < s.TasksTotal && !strings.Contains(s.Path, resources.SectionSeparator) {
			open = append(open, told)
		}
		for _, t := range d.active {
			if calledAs(s.Path, t.Object) {
				named = append(named, told)
			}
		}
	}
	if len(named) > 0 {
		open = named
	}
	return open[:min(maxSections, len(open))]
}

// calledAs reports whether the heading of a section is the name or the title of a task.
func calledAs(path string, t *resources.Task) bool {
	_, last, found := strings.Cut(path, resources.SectionSeparator)
	for found {
		path = last
		_, last, found = strings.Cut(path, resources.SectionSeparator)
	}
	heading := resources.NameOf(path)
	return heading != "" && (heading == t.Metadata.Name || heading == resources.NameOf(t.Spec.Title))
}

// sourceOfTruthText names the plan's source document by its path, or by the path of the document that superseded it
// and a remark. It returns "" if no document is in effect.
func (d *packing) sourceOfTruthText() string {
	document := d.in.Plan.Object.Spec.SOTDocument
	for i := range d.in.Artifacts {
		a := &d.in.Artifacts[i]
		if a.Object.Spec.Path != document {
			continue
		}
		switch a.Status.Phase {
		case resources.Superseded:
			for j := range d.in.Artifacts {
				if by := &d.in.Artifacts[j]; by.Object.Metadata.Name == a.Status.Head {
					return by.Object.Spec.Path + " (in place of " + document + ")"
				}
			}
			return ""
		case resources.ArtifactAbandoned, resources.Purged, resources.ArtifactMissing, resources.StalePhase, resources.SuspectPhase:
			return ""
		}
	}
	return document
}
