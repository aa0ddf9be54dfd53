package status

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Decisions finds decisions by name. Its results are shared and must not be modified.
type Decisions interface {
	// Decision returns the last valid version of a decision.
	Decision(name string) (*resources.Decision, bool)
	// DecisionsReplacing returns the decisions whose spec.supersedes is name, sorted by
	// name.
	DecisionsReplacing(name string) []*resources.Decision
}

// DeriveDecision computes the status of a decision, without its evidence (see package
// memory). The phase is the first one in this list that applies:
//
//	superseded  replaced by an accepted decision
//	rejected    rejected or deprecated
//	unresolved  proposed, or a decision that it depends on is not resolved
//	resolved
//
// Decisions that replace each other in a cycle do not count as replacements.
func DeriveDecision(d *resources.Decision, v View) resources.DecisionStatus {
	st := resources.DecisionStatus{}
	st.BlockedBy = decisionsAhead(d, v)
	st.Phase = ownPhase(d, len(st.BlockedBy) > 0)
	if head := DecisionHead(d, v); head != d {
		st.Phase, st.Head = resources.DecisionSuperseded, head.Metadata.Name
		st.SupersededBy = replacement(d, v).Metadata.Name
	}
	st.Conditions = decisionConditions(d, &st, v)
	return st
}

// ownPhase returns the phase of a decision from its state and from whether its dependencies block
// it. It ignores replacements.
func ownPhase(d *resources.Decision, blocked bool) string {
	switch state := resources.DecisionState(d); {
	case state == resources.DecisionRejected || state == resources.DecisionDeprecated:
		return resources.DecisionRejected
	case state == resources.DecisionProposed || blocked:
		return resources.DecisionUnresolved
	}
	return resources.DecisionResolved
}

// DecisionPhase returns the phase of a decision.
func DecisionPhase(d *resources.Decision, v Decisions) string {
	if DecisionHead(d, v) != d {
		return resources.DecisionSuperseded
	}
	return ownPhase(d, len(decisionsAhead(d, v)) > 0)
}

// DecisionHead follows the replacements of a decision and returns the decision
// in effect. It returns d if d was not replaced or is in a cycle of
// replacements.
func DecisionHead(d *resources.Decision, v Decisions) *resources.Decision {
	seen := map[string]bool{}
	for at := d; ; {
		seen[at.Metadata.Name] = true
		next := replacement(at, v)
		if next == nil {
			return at
		}
		if seen[next.Metadata.Name] {
			if next.Metadata.Name == d.Metadata.Name {
				return d
			}
			return next
		}
		at = next
	}
}

// replacement returns the decision that replaced d, or nil if none did. If several did, it
// returns the last one that was decided. A proposed decision does not replace another one.
func replacement(d *resources.Decision, v Decisions) (newest *resources.Decision) {
	for _, by := range v.DecisionsReplacing(d.Metadata.Name) {
		state := resources.DecisionState(by)
		if state != resources.DecisionAccepted && state != resources.DecisionDeprecated || by.Metadata.Name == d.Metadata.Name {
			continue
		}
		if newest == nil || !by.Spec.DecidedAt.Before(newest.Spec.DecidedAt.Time) {
			newest = by
		}
	}
	return newest
}

// decisionsAhead returns the unresolved dependencies of a decision, as kind/name.
func decisionsAhead(d *resources.Decision, v Decisions) []string {
	var ahead []string
	for _, name := range resources.DecisionsBefore(d) {
		if !accepted(name, v) {
			ahead = append(ahead, decisionPrefix+name)
		}
	}
	return ahead
}

// accepted reports whether a decision, or its replacement, and all its dependencies are
// accepted. It visits each decision once, because dependencies may form a cycle.
func accepted(name string, v Decisions) bool {
	seen := map[string]bool{name: true}
	for todo := []string{name}; len(todo) > 0; {
		d, ok := v.Decision(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if !ok {
			return false
		}
		head := DecisionHead(d, v)
		if resources.DecisionState(head) != resources.DecisionAccepted {
			return false
		}
		for _, before := range resources.DecisionsBefore(head) {
			if !seen[before] {
				seen[before] = true
				todo = append(todo, before)
			}
		}
	}
	return true
}

// decisionConditions returns the conditions Blocked and Orphaned of a decision.
func decisionConditions(d *resources.Decision, st *resources.DecisionStatus, v View) []resources.Condition {
	var all []resources.Condition
	if st.Phase == resources.DecisionUnresolved {
		c := resources.Condition{Type: resources.Blocked, Status: resources.True, Reason: "NotAccepted", Message: "it is proposed; a user decides: idumb decide accept " + d.Metadata.Name}
		if len(st.BlockedBy) > 0 && resources.Decided(d) {
			c.Reason, c.Message = decisionUnresolved, "it depends on "+Quoted(st.BlockedBy)+", which "+isAre(st.BlockedBy)+" not resolved"
		}
		all = append(all, c)
	}
	o := Orphan{View: v, Object: d.Key()}
	for i, key := range resources.UpstreamOf(d) {
		o.Check("spec.dependsOn["+strconv.Itoa(i)+"]", key.Kind, key.Name)
	}
	o.Check("spec.supersedes", resources.Decisions, d.Spec.Supersedes)
	return append(all, o.conditions()...)
}

// decisionPrefix begins the name of a decision in status.blockedBy.
const decisionPrefix = "decision/"

// decisionTrouble returns why a decision of a task is not in effect, with the next step. It
// returns "" if the decision is in effect.
func decisionTrouble(name string, v View) string {
	d, ok := v.Decision(name)
	if !ok {
		return Absence(resources.Key{Kind: resources.Decisions, Name: name}, v) + "; " + relink
	}
	head := DecisionHead(d, v)
	who := ""
	if head != d {
		who = head.Metadata.Name + ", which replaced it, is "
	}
	switch ahead := decisionsAhead(head, v); ownPhase(head, len(ahead) > 0) {
	case resources.DecisionResolved:
		return ""
	case resources.DecisionRejected:
		return who + resources.DecisionState(head) + "; " + relink
	default:
		if !resources.Decided(head) {
			return who + "proposed; a user accepts it: idumb decide accept " + head.Metadata.Name
		}
		return who + "waiting for " + Listed(ahead, ", ")
	}
}

const relink = "link another one, or take it out of spec.decisions"

// DecisionRemedy returns the next step for a task that waits for decisions, without initial
// capital and full stop. It returns "" if blockedBy contains no decision.
func DecisionRemedy(task string, blockedBy []string, v View) string {
	i := slices.IndexFunc(blockedBy, func(name string) bool { return strings.HasPrefix(name, decisionPrefix) })
	if i < 0 {
		return ""
	}
	name := strings.TrimPrefix(blockedBy[i], decisionPrefix)
	d, ok := v.Decision(name)
	if !ok {
		return relinked(task, name)
	}
	head := DecisionHead(d, v)
	for _, ahead := range decisionsAhead(head, v) {
		if first, there := v.Decision(strings.TrimPrefix(ahead, decisionPrefix)); there && resources.Decided(head) {
			head = DecisionHead(first, v)
			break
		}
	}
	switch {
	case ownPhase(head, false) == resources.DecisionRejected:
		return relinked(task, name)
	case !resources.Decided(head):
		return "ask the user to decide: `idumb decide accept " + head.Metadata.Name + "`, or `idumb decide reject " + head.Metadata.Name + " --reason \"...\"`"
	}
	return "ask the user to resolve the dependencies of decision/" + head.Metadata.Name + ": `idumb describe decision " + head.Metadata.Name + "`"
}

// relinked returns the next step for a task that depends on a decision which is not in effect.
func relinked(task, decision string) string {
	return "ask the user to link another decision, or take decision/" + decision + " out of spec.decisions: `idumb edit task " + task + "`"
}

// BlockerKey returns the object that an entry of a task's status.blockedBy names. A task is
// listed by name, and a plan or a decision as kind/name.
func BlockerKey(entry string) resources.Key {
	if name, ok := strings.CutPrefix(entry, "workplan/"); ok {
		return resources.Key{Kind: resources.WorkPlans, Name: name}
	}
	if name, ok := strings.CutPrefix(entry, decisionPrefix); ok {
		return resources.Key{Kind: resources.Decisions, Name: name}
	}
	return resources.Key{Kind: resources.Tasks, Name: entry}
}

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
