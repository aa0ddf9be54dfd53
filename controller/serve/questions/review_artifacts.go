package questions

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ReviewArtifacts lists the documents that somebody should look at, what is most urgent first:
// those that are gone, whose chain is broken, that contradict another one, that are stale or
// suspect.
func ReviewArtifacts(s *Source) []Concern {
	r := newReviewer(s)
	r.artifacts()
	return r.sorted()
}

// artifactConcerns is the one table of conditions that make an artifact one to look at, the most
// urgent first.
var artifactConcerns = [...]string{resources.ChainBroken, resources.Conflict, resources.Stale, resources.Suspect, resources.Disagrees, resources.Orphaned}

func (r *reviewer) artifacts() {
	entries, _ := r.source.Entries([]string{resources.Artifacts}, nil, false)
	for _, e := range entries {
		s, _ := e.Status.(*resources.ArtifactStatus)
		if s == nil || e.Object == nil {
			continue
		}
		for i, condition := range artifactConcerns {
			if c := resources.FindCondition(s.Conditions, condition); c != nil {
				r.artifact(e, s, i, c)
				break
			}
		}
	}
}

func (r *reviewer) artifact(e *Entry, s *resources.ArtifactStatus, order int, c *resources.Condition) {
	name := e.Key.Name
	drop := Answer{Drop, fmt.Sprintf("idumb artifact abandon %s --reason WHY", name)}
	answers := []Answer{{Fix, "idumb edit artifact " + name}, drop}
	if c.Type == resources.Stale {
		answers = []Answer{{Keep, "idumb confirm artifact " + name}, {Fix, fmt.Sprintf("idumb supersede artifact %s --by FILE --reason WHY", name)}, drop}
	}
	at := strings.LastIndex(c.Message, "; ")
	if at < 0 {
		at = len(c.Message)
	}
	r.add(order, e.Key, s.Phase, c.Type, c.Message[:at], strings.TrimPrefix(c.Message[at:], "; "), answers...)
}

// boxes counts those of a document that are ticked, and all.
func boxes(sections []resources.ArtifactSection) string {
	done, total := 0, 0
	for _, s := range sections {
		if !strings.Contains(s.Path, resources.SectionSeparator) { // else it is counted with the one around it
			done, total = done+s.TasksDone, total+s.TasksTotal
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", done, total)
}
