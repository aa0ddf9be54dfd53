package status

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Against returns the current versions of the documents that a decision depends on. They
// are stored in spec.against to detect later changes. Missing documents have no entry.
func Against(d *resources.Decision, v Documents) (all []resources.DecisionAgainst) {
	for i, key := range resources.UpstreamOf(d) {
		a, ok := v.Artifact(key.Name)
		if key.Kind != resources.Artifacts || !ok {
			continue
		}
		entry := d.Spec.DependsOn[i]
		_, name, _ := strings.Cut(entry, "#")
		document, _ := documentOf(a, v)
		if section, sum, found := document.Section(name); found {
			all = append(all, resources.DecisionAgainst{On: entry, Section: section, SHA256: sum})
		}
	}
	return all
}

// upstreamStale returns a condition if a document of an accepted decision, or a source of
// such a document, changed after the decision was made. It returns nil otherwise.
func upstreamStale(d *resources.Decision, v Documents) *resources.Condition {
	var causes []string
	for _, link := range resources.DocumentsBefore(d) {
		before, ok := v.Artifact(link.Artifact)
		if !ok {
			continue // the condition Orphaned reports this
		}
		if document, _ := documentOf(before, v); link.SHA256 == "" { // the name may be only the last heading
			if section, _, found := document.Section(link.Section); found {
				link.Section = section
			}
		}
		if because := chainBefore(before, v).because(link); because != "" {
			causes = append(causes, because)
		}
	}
	if len(causes) == 0 {
		return nil
	}
	name := d.Metadata.Name
	return &resources.Condition{Type: resources.UpstreamStale, Status: resources.True, Reason: "DocumentChanged",
		Message: fmt.Sprintf("since it was decided, %s; review the change, then accept the decision again: idumb decide accept %s, or replace it: idumb supersede decision %s --by ANOTHER", Listed(causes, " and "), name, name)}
}
