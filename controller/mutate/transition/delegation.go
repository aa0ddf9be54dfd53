package transition

import (
	"fmt"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Transitions of a delegation.
const (
	Accept Verb = "accept" // the delegate accepts it
	Recall Verb = "recall" // the delegator revokes it
	Return Verb = "done"   // the delegate returns it
)

// Delegation returns a copy of the delegation after accept, recall or done, or
// an *apierrors.Refusal. A repeated transition changes nothing.
func Delegation(d *resources.Delegation, verb Verb) (*resources.Delegation, error) {
	next := *d
	to := map[Verb]string{Accept: "accepted", Recall: "recalled", Return: "done"}[verb]
	if to == "" {
		return nil, refuse(verb, delegation(d), NotDelegated, "delegations do not have this transition", "delegations can only be accepted, recalled or completed")
	}
	if !status.LiveDelegation(d) && d.Spec.State != to {
		return nil, refuse(verb, delegation(d), NotDelegated, "it is "+d.Spec.State, "delegate the task again: idumb create delegation")
	}
	next.Spec.State = to
	return &next, nil
}

// delegation names a delegation in errors: delegation "name".
func delegation(d *resources.Delegation) string { return fmt.Sprintf("delegation %q", d.Metadata.Name) }
