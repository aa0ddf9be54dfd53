package onboarding

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// rank is where a class of documents stands in the chain from requirements to tasks; false for
// those that are in no chain.
func rank(class string) (int, bool) {
	at := slices.Index([]string{documents.PRD, documents.Spec, documents.Architecture, documents.Roadmap, documents.Plan, documents.Tasks}, class)
	return at, at >= 0
}

// inOrder is documents with those first that others derive from.
func inOrder(all []documents.Document) []documents.Document {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b documents.Document) int {
		first, _ := rank(a.Class)
		second, _ := rank(b.Class)
		return cmp.Compare(first, second)
	})
	return all
}

// mostBefore is how many documents one is taken to derive from: of more, which of them it is only a
// person can say.
const mostBefore = 3

// shelf is where documents of one framework stand; classes are apart in it.
type shelf struct {
	framework, folder string
	rank              int
}

// shelves are the documents that others may derive from, by where they stand.
func shelves(all []documents.Document) map[shelf][]string {
	by := map[shelf][]string{}
	for _, d := range all {
		if r, _ := rank(d.Class); !over(d.State) && !strings.ContainsAny(d.Path, "#=") {
			at := shelf{d.Framework, path.Dir(d.Path), r}
			by[at] = append(by[at], d.Path)
		}
	}
	return by
}

// before are the documents that one derives from: those of the nearest class before its own, in its
// folder or the nearest one around it that has any, of the same framework.
func before(d documents.Document, by map[shelf][]string) []string {
	own, _ := rank(d.Class)
	for folder := path.Dir(d.Path); ; folder = path.Dir(folder) {
		for r := own - 1; r >= 0; r-- {
			if paths := by[shelf{d.Framework, folder, r}]; len(paths) > mostBefore {
				return nil
			} else if len(paths) > 0 {
				return slices.Clone(paths)
			}
		}
		if folder == "." {
			return nil
		}
	}
}

// over reports whether a document says that it does not hold any more, and nothing hangs on it.
func over(state string) bool {
	return slices.Contains([]string{"superseded", "abandoned", "rejected", "deprecated"}, state)
}

// adoption plans that a document is known as an artifact.
func adoption(d documents.Document, by map[shelf][]string) Step {
	s := Step{Do: "adopt", What: d.Path, Why: d.Class, Adoption: &artifacts.Adoption{Path: d.Path, Type: d.Class}}
	switch {
	case d.State == "draft" || d.State == "proposed":
		s.Adoption.Draft = true
	case d.State == "completed":
		s.State = resources.ArtifactCompleted
	case d.State == "superseded":
		s.State = resources.ArtifactSuperseded
	case over(d.State):
		s.State = resources.ArtifactAbandoned
	}
	if !over(d.State) {
		s.Adoption.DerivedFrom = before(d, by)
	}
	if d.State != "" {
		s.Why += ", " + d.State
	}
	if len(s.Adoption.DerivedFrom) > 0 {
		s.Why += ", from " + strings.Join(s.Adoption.DerivedFrom, ", ")
	}
	return s
}
