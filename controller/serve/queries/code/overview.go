package code

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/project/documents"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Overview summarizes a project.
type Overview struct {
	Scope        inventory.Scope           `json:"scope"`
	Languages    []Language                `json:"languages"`
	Workspaces   []technologies.Workspace  `json:"workspaces"`
	Technologies []technologies.Technology `json:"technologies"` // without duplicates and without those of documentation
	Commands     []technologies.Command    `json:"commands"`     // first command of each purpose in each directory
	Frameworks   []documents.Framework     `json:"frameworks"`   // planning frameworks
	Plans        []documents.Document      `json:"plans"`        // valid planning documents, without sections
	Classes      map[string]int            `json:"classes"`      // number of documents in each class
	HotSpots     []HotSpot                 `json:"hotSpots"`
	Knots        []int                     `json:"knots"` // sizes of the import cycles, largest first
	Notes        map[string]int            `json:"notes"` // number of notes, by keyword
}

// Language is the amount of code in a language.
type Language struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// HotSpot is a file with many importers.
type HotSpot struct {
	Path       string     `json:"path"`
	Dependents Dependents `json:"dependents"`
}

// maxHotSpots is the maximum number of files in HotSpots.
const maxHotSpots = 5

// OverviewOf summarizes the project.
func OverviewOf(s *queries.Source, _ url.Values) (o Overview, err error) {
	err = askFiles(s, func(k inventory.Snapshot) { o = Describe(k, technologies.Find(k)) })
	return o, err
}

// Describe summarizes a project. found lists its technologies.
func Describe(k inventory.Snapshot, found []technologies.Technology) Overview {
	o := Overview{
		Languages: languagesOf(k), Notes: notesOf(k), Scope: k.Scope(), HotSpots: hotSpots(k), Frameworks: documents.Frameworks(k),
		Workspaces: technologies.Workspaces(k), Technologies: technologies.Summary(found), Commands: firstCommands(technologies.Commands(k)),
	}
	o.Classes = map[string]int{}
	for _, d := range documents.Find(k, nil) {
		o.Classes[d.Class]++
		over := slices.Contains([]string{"superseded", "completed", "abandoned", "rejected", "deprecated"}, d.State)
		says := d.Framework != "" || d.State != "" || d.BoxesDone+d.BoxesOpen > 0 // otherwise it may be a template
		if slices.Contains([]string{documents.PRD, documents.Spec, documents.Architecture, documents.Plan, documents.Tasks, documents.Roadmap}, d.Class) && !over && says {
			d.Sections, d.Links = nil, nil
			o.Plans = append(o.Plans, d)
		}
	}
	for _, knot := range k.Graph().ImportCycles() {
		o.Knots = append(o.Knots, len(knot.Files))
	}
	return o
}

// languagesOf returns the languages of code, most lines first. It ignores
// hidden directories at the root (.opencode, .github), which contain settings
// of tools. Otherwise our plugin for an agent host would make JavaScript the
// language of a repository without code.
func languagesOf(k inventory.Snapshot) (all []Language) {
	at := map[string]int{}
	for _, path := range k.Paths() {
		f := k.Facts(path)
		if f.Language == "" || f.Generated || strings.HasPrefix(path, ".") {
			continue
		}
		if _, met := at[f.Language]; !met {
			at[f.Language] = len(all)
			all = append(all, Language{Name: f.Language})
		}
		l := &all[at[f.Language]]
		l.Files++
		l.Lines += f.Lines
	}
	slices.SortFunc(all, func(a, b Language) int { return cmp.Or(b.Lines-a.Lines, cmp.Compare(a.Name, b.Name)) })
	return all
}

// notesOf returns the number of notes in the code, such as TODO, by word.
func notesOf(k inventory.Snapshot) map[string]int {
	count := map[string]int{}
	for _, path := range k.Paths() {
		for _, n := range k.Facts(path).Notes {
			count[n.Word]++
		}
	}
	return count
}

// firstCommands returns the first command of each purpose in each directory.
func firstCommands(all []technologies.Command) (first []technologies.Command) {
	for _, c := range all {
		if !slices.ContainsFunc(first, func(f technologies.Command) bool { return f.Purpose == c.Purpose && f.Dir == c.Dir }) {
			first = append(first, c)
		}
	}
	return first
}

// hotSpots returns the files with the most importers.
func hotSpots(k inventory.Snapshot) (all []HotSpot) {
	for _, path := range k.Paths() {
		if k.Facts(path).Imports == nil && k.Facts(path).Symbols == nil {
			continue
		}
		if d := dependentsOf(k, path); d.Direct >= 8 {
			all = append(all, HotSpot{path, d})
		}
	}
	slices.SortStableFunc(all, func(a, b HotSpot) int { return b.Dependents.Direct - a.Dependents.Direct })
	return all[:min(len(all), maxHotSpots)]
}
