package findings

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// decisions finds what resolved decisions avoid: packages that manifests name, and technologies.
func (t *Tree) decisions() (all []Finding) {
	if len(t.Decisions) == 0 {
		return nil
	}
	vendored := project.Vendored(t.Files)
	for _, path := range t.Files.Paths() {
		if !packages.IsManifest(path) || vendored(path) || project.IsFixture(path) || !t.covers(path) {
			continue
		}
		data, err := t.Files.Read(path)
		if err != nil {
			continue
		}
		for _, p := range packages.In(path, data) {
			all = append(all, t.avoided(p, path, lineWith(data, p.Name))...)
		}
	}
	for _, found := range technologies.Find(t.Files) {
		if len(found.Evidence) == 0 {
			continue
		}
		file, line, _ := strings.Cut(found.Evidence[0], ":")
		if n, err := strconv.Atoi(line); err == nil && t.covers(file) {
			all = append(all, t.avoided(packages.Package{Name: found.Name, Version: found.Version}, file, n)...)
		}
	}
	return all
}

// avoided are the findings of one package: of each decision that avoids it where it is.
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

// lineWith is the first line that holds a text; 1 if none does.
func lineWith(data []byte, text string) int {
	before, _, found := strings.Cut(string(data), text)
	if !found {
		return 1
	}
	return 1 + strings.Count(before, "\n")
}
