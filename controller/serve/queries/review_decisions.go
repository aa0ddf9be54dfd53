package queries

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// decisions adds items for decisions that wait for the user, with the tasks
// that they block. It also adds items for valid decisions with changed
// foundations.
func (r *reviewer) decisions() {
	for _, key := range r.source.List(resources.Decisions) {
		d, found := r.source.Decision(key.Name)
		st, known := r.source.Derived(key).(*resources.DecisionStatus)
		if !found || !known || status.DecisionHead(d, r.source) != d {
			continue
		}
		for _, doubt := range doubts(st) {
			if c := resources.FindCondition(st.Conditions, doubt); st.Phase == resources.DecisionResolved {
				what, remedy, _ := strings.Cut(c.Message, "; ")
				r.add(4, key, st.Phase, c.Type, what, remedy, Resolution{Fix, fixOf(key, doubt)}, Resolution{Drop, "idumb decide \"...\" --supersedes " + key.Name})
			}
		}
		if resources.Decided(d) {
			continue
		}
		what := "proposed: " + d.Spec.Title
		if n := len(tasksOn(r.source, key.Name)) + len(r.source.Dependents(key)); n > 0 {
			what += fmt.Sprintf(" (holds back %d)", n)
		}
		r.add(3, key, resources.DecisionUnresolved, "Undecided", what, "",
			Resolution{Keep, "idumb decide accept " + key.Name}, Resolution{Drop, "idumb decide reject " + key.Name + " --reason \"...\""})
	}
}

// doubts returns the types of the true conditions that contradict a decision.
func doubts(st *resources.DecisionStatus) (types []string) {
	for _, doubt := range resources.DecisionDoubts() {
		if resources.IsTrue(st.Conditions, doubt) {
			types = append(types, doubt)
		}
	}
	return types
}

// fixOf returns the command that confirms a decision despite a doubt, or that
// explains the doubt.
func fixOf(key resources.Key, doubt string) string {
	switch doubt {
	case resources.UpstreamStale:
		return "idumb decide accept " + key.Name
	case resources.Contradicted:
		return "idumb map check"
	}
	return "idumb edit decision " + key.Name
}
