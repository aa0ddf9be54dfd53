package questions

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// decisions notes those that wait for a person's word, with what they hold back, and those that hold and
// rest on what is not as it was.
func (r *reviewer) decisions() {
	for _, key := range r.source.List(resources.Decisions) {
		d, found := r.source.Decision(key.Name)
		st, known := r.source.Derived(key).(*resources.DecisionStatus)
		if !found || !known || status.DecisionHead(d, r.source) != d {
			continue
		}
		if c := resources.FindCondition(st.Conditions, resources.Suspect); c != nil && st.Phase == resources.DecisionResolved {
			what, remedy, _ := strings.Cut(c.Message, "; ")
			r.add(4, key, st.Phase, c.Type, what, remedy, Answer{Fix, "idumb edit decision " + key.Name}, Answer{Drop, "idumb decide \"...\" --supersedes " + key.Name})
		}
		if resources.Decided(d) {
			continue
		}
		what := "proposed: " + d.Spec.Title
		if n := len(tasksOn(r.source, key.Name)) + len(r.source.Dependents(key)); n > 0 {
			what += fmt.Sprintf(" (holds back %d)", n)
		}
		r.add(3, key, resources.DecisionUnresolved, "Undecided", what, "",
			Answer{Keep, "idumb decide accept " + key.Name}, Answer{Drop, "idumb decide reject " + key.Name + " --reason \"...\""})
	}
}
