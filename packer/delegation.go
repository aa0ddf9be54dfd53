package packer

import (
	"cmp"
	"fmt"
	"strings"
)

// delegations offers the delegations of the active tasks that are in effect, after the reader's
// delegation, even if that one has ended.
func (d *packing) delegations() {
	for _, del := range byCreation(d.in.Delegations) {
		if d.isOwn(del) {
			d.delegation(del, ownDelegationText(del))
		}
	}
	for _, del := range byCreation(d.in.Delegations) {
		if !d.isOwn(del) && d.isActive(del.Object.Spec.Task) && inEffect(del) {
			d.delegation(del, delegationText(del))
		}
	}
}

// delegation offers a reserved line about a delegation.
func (d *packing) delegation(del *Delegation, text string) {
	d.candidates.add(candidate{section: plan, group: "delegation", id: "delegations/" + del.Object.Metadata.Name, tier: reserved, score: delegationScore, text: "- " + line(text)})
}

// isOwn reports whether the reader works under a delegation.
func (d *packing) isOwn(del *Delegation) bool {
	return d.in.Session != nil && d.in.Session.Spec.Delegation == del.Object.Metadata.Name
}

// stateOf returns the phase of a delegation or, before its first status, the
// state in its spec.
func stateOf(del *Delegation) string {
	return cmp.Or(del.Status.Phase, del.Object.Spec.State, "assigned")
}

// inEffect reports whether a delegation is assigned or accepted.
func inEffect(del *Delegation) bool {
	return stateOf(del) == "assigned" || stateOf(del) == "accepted"
}

// delegationText renders a delegation for readers other than the delegate.
func delegationText(del *Delegation) string {
	spec := &del.Object.Spec
	text := fmt.Sprintf("%s: %s from %s to %s [%s]", del.Object.Metadata.Name, spec.Task, spec.From, spec.To, stateOf(del))
	return text + grant(del)
}

// grant renders the expected output, allowed tools and chain of a delegation.
func grant(del *Delegation) string {
	spec, text := &del.Object.Spec, ""
	if spec.ExpectedOutput != "" {
		text += ", expects: " + spec.ExpectedOutput
	}
	if len(spec.AllowedTools) > 0 {
		text += ", allowed tools: " + strings.Join(spec.AllowedTools, ", ")
	}
	if len(del.Status.Chain) > 2 {
		text += ", handed over along: " + strings.Join(del.Status.Chain, ", ")
	}
	return text
}

// ownDelegationText renders a delegation for the delegate: what to do, or that it must stop.
func ownDelegationText(del *Delegation) string {
	spec := &del.Object.Spec
	name := del.Object.Metadata.Name
	switch stateOf(del) {
	case "recalled":
		return fmt.Sprintf("%s RECALLED: the task %s was taken back from you; stop, and say how far you came", name, spec.Task)
	case "done":
		return fmt.Sprintf("%s is done: you handed the task %s back to %s", name, spec.Task, spec.From)
	}
	text := fmt.Sprintf("%s: you work under this delegation [%s]: %s handed the task %s over to you (%s)", name, stateOf(del), spec.From, spec.Task, spec.To)
	if len(spec.AllowedTools) > 0 {
		return text + grant(del) + "; the iDumb tools are always open"
	}
	return text + grant(del)
}
