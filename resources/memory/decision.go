package memory

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// DeriveDecision computes the status of a decision: status.DeriveDecision, the conditions
// from the code map and the documents, and changes of its evidence. A decision with changed
// evidence stays in effect until a user decides. The time is always zero, because the
// status does not change by time.
func DeriveDecision(d *resources.Decision, v status.WideView) (resources.DecisionStatus, time.Time) {
	st := status.DeriveDecision(d, v)
	st.Conditions = append(st.Conditions, status.DecisionConditions(d, st.Phase, v)...)
	gone := false
	for _, e := range d.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		if seen := Look(e, v); !seen.Exists || seen.Changed {
			st.Suspect = append(st.Suspect, seen.Describe(e))
			gone = gone || !seen.Exists
		}
	}
	if len(st.Suspect) == 0 {
		return st, time.Time{}
	}
	c := resources.Condition{Type: resources.Suspect, Status: resources.True, Reason: "EvidenceChanged",
		Message: status.Listed(st.Suspect, ", ") + "; check whether it is still valid, then put the new evidence in, or replace it: idumb supersede decision " + d.Metadata.Name + " --by ANOTHER"}
	if gone {
		c.Reason = "EvidenceGone"
	}
	st.Conditions = append(st.Conditions, c)
	return st, time.Time{}
}
