package memory

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// DeriveDecision computes what holds about a decision (see status.DeriveDecision), whether the map
// and the documents before it agree, and whether what it cites is as it was. One that cites something else now goes on to hold: people decide what
// follows. The time is always zero: nothing about a decision changes by itself.
func DeriveDecision(d *resources.Decision, v status.WideView) (resources.DecisionStatus, time.Time) {
	st := status.DeriveDecision(d, v)
	st.Conditions = append(st.Conditions, status.DecisionConditions(d, st.Phase, v)...)
	gone := false
	for _, e := range d.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		if seen := Look(e, v); !seen.Exists || seen.Changed {
			st.Suspect = append(st.Suspect, seen.What(e))
			gone = gone || !seen.Exists
		}
	}
	if len(st.Suspect) == 0 {
		return st, time.Time{}
	}
	c := resources.Condition{Type: resources.Suspect, Status: resources.True, Reason: "EvidenceChanged",
		Message: status.Listed(st.Suspect, ", ") + "; look whether it still holds, then put the new evidence in, or replace it: idumb supersede decision " + d.Metadata.Name + " --by ANOTHER"}
	if gone {
		c.Reason = "EvidenceGone"
	}
	st.Conditions = append(st.Conditions, c)
	return st, time.Time{}
}
