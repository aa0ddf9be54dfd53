package lint

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// decisions finds packages and technologies that resolved decisions avoid.
func (t *Tree) decisions() (all []Finding) {
	if len(t.Decisions) == 0 {
		return nil
	}
	for _, f := range StackOf(t.Files, technologies.Find(t.Files)).Files {
		if !t.covers(f.Path) {
			continue
		}
		for _, use := range f.Uses {
			all = append(all, t.avoided(packages.Package{Name: use.Name, Version: use.Version}, f.Path, use.Line)...)
		}
	}
	return all
}

// avoided returns the findings for one package: one for each applicable decision that
// avoids it.
func (t *Tree) avoided(p packages.Package, file string, line int) (all []Finding) {
	for _, d := range t.Decisions {
		if len(d.Spec.Paths) > 0 && !resources.MatchesAny(file, d.Spec.Paths) {
			continue
		}
		for _, entry := range d.Spec.Avoids {
			if p.Is(packages.Named(entry)) {
				all = append(all, Finding{Rule: Decision, File: file, Line: line, Symbol: p.Name, Words: p.String(),
					Is: fmt.Sprintf("decision %s avoids %s", d.Metadata.Name, entry), Evidence: "decision/" + d.Metadata.Name})
				break
			}
		}
	}
	return all
}
