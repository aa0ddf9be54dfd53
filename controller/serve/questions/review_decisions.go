package questions

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// decisions notes those that wait for a person's word, with what they hold back.
func (r *reviewer) decisions() {
	for _, key := range r.source.List(resources.Decisions) {
		d, found := r.source.Decision(key.Name)
		if !found || resources.Decided(d) || status.DecisionHead(d, r.source) != d {
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
