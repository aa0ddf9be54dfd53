package queries

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ReviewArtifacts returns the review items of documents, most urgent first:
// missing documents, broken chains, contradictions, stale and suspect
// documents.
func ReviewArtifacts(s *Source) []ReviewItem {
	r := newReviewer(s)
	r.artifacts()
	return r.sorted()
}

// artifactConcerns lists the conditions that make an artifact a review item,
// most urgent first.
var artifactConcerns = [...]string{resources.ChainBroken, resources.Conflict, resources.Stale, resources.Suspect, resources.Disagrees, resources.Orphaned}

// artifacts adds an item for each document with one of artifactConcerns, about its most urgent
// one.
func (r *reviewer) artifacts() {
	entries, _ := r.source.Entries([]string{resources.Artifacts}, nil, false)
	for _, e := range entries {
		s, _ := e.Status.(*resources.ArtifactStatus)
		if s == nil || e.Object == nil {
			continue
		}
		for i, condition := range artifactConcerns {
			if c := resources.FindCondition(s.Conditions, condition); c != nil {
				name := e.Key.Name
				drop := Resolution{Drop, fmt.Sprintf("idumb artifact abandon %s --reason WHY", name)}
				answers := []Resolution{{Fix, "idumb edit artifact " + name}, drop}
				if c.Type == resources.Stale {
					answers = []Resolution{{Keep, "idumb confirm artifact " + name}, {Fix, fmt.Sprintf("idumb supersede artifact %s --by FILE --reason WHY", name)}, drop}
				}
				at := strings.LastIndex(c.Message, "; ")
				if at < 0 {
					at = len(c.Message)
				}
				r.add(i, e.Key, s.Phase, c.Type, c.Message[:at], strings.TrimPrefix(c.Message[at:], "; "), answers...)
				break
			}
		}
	}
}

// boxes returns the number of ticked check boxes of a document and their total.
func boxes(sections []resources.ArtifactSection) string {
	done, total := 0, 0
	for _, s := range sections {
		if !strings.Contains(s.Path, resources.SectionSeparator) { // nested sections are included in their parent's count
			done, total = done+s.TasksDone, total+s.TasksTotal
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", done, total)
}
