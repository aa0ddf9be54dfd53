package lifecycle

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// The steps in the life of a delegation.
const (
	Accept Verb = "accept" // whoever takes it says so
	Recall Verb = "recall" // whoever gave it takes it back
	Return Verb = "done"   // whoever took it hands back
)

// Delegation returns the delegation as it is after accept, recall or done: a copy,
// or an *apierrors.Refusal. A step that was made before changes nothing.
func Delegation(d *resources.Delegation, verb Verb) (*resources.Delegation, error) {
	next := *d
	to := map[Verb]string{Accept: "accepted", Recall: "recalled", Return: "done"}[verb]
	if to == "" {
		return nil, refuse(verb, delegation(d), NotDelegated, "delegations do not know this step", "delegations are accepted, recalled or completed")
	}
	if !status.LiveDelegation(d) && d.Spec.State != to {
		return nil, refuse(verb, delegation(d), NotDelegated, "it is "+d.Spec.State, "delegate the task again: idumb create delegation")
	}
	next.Spec.State = to
	return &next, nil
}

func delegation(d *resources.Delegation) string { return fmt.Sprintf("delegation %q", d.Metadata.Name) }
