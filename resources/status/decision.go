package status

import (
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Decisions finds decisions by name. What it returns is shared and read-only.
type Decisions interface {
	// Decision returns the last good version of a decision.
	Decision(name string) (*resources.Decision, bool)
	// DecisionsReplacing returns the decisions whose spec.supersedes names that one, sorted by name.
	DecisionsReplacing(name string) []*resources.Decision
}

// DeriveDecision computes what holds about a decision, but for its evidence (see package memory).
// The first of these that is true is its phase:
//
//	superseded  an accepted one took its place
//	rejected    it is rejected, or deprecated
//	unresolved  it is proposed, or a decision that it depends on is not resolved
//	resolved
//
// Decisions that replace each other in a circle replace nothing.
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

func ownPhase(d *resources.Decision, blocked bool) string {
	switch state := resources.DecisionState(d); {
	case state == resources.DecisionRejected || state == resources.DecisionDeprecated:
		return resources.DecisionRejected
	case state == resources.DecisionProposed || blocked:
		return resources.DecisionUnresolved
	}
	return resources.DecisionResolved
}

// DecisionPhase is the phase of a decision.
func DecisionPhase(d *resources.Decision, v Decisions) string {
	if DecisionHead(d, v) != d {
		return resources.DecisionSuperseded
	}
	return ownPhase(d, len(decisionsAhead(d, v)) > 0)
}

// DecisionHead follows a decision to the one that holds in its place: itself, most often.
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

// replacement is the decision that took the place of one: of several the one that was decided last;
// nil for none. A proposal takes nothing's place.
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

// decisionsAhead names what a decision depends on and is not resolved, as kind/name.
func decisionsAhead(d *resources.Decision, v Decisions) []string {
	var ahead []string
	for _, name := range resources.DecisionsBefore(d) {
		if !accepted(name, v) {
			ahead = append(ahead, decisionPrefix+name)
		}
	}
	return ahead
}

// accepted reports whether a decision, or the one in its place, and all that it depends on, are
// accepted. Each is looked at once: they may stand in a circle.
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

func decisionConditions(d *resources.Decision, st *resources.DecisionStatus, v View) []resources.Condition {
	var all []resources.Condition
	if st.Phase == resources.DecisionUnresolved {
		c := resources.Condition{Type: resources.Blocked, Status: resources.True, Reason: "NotAccepted", Message: "it is proposed; a person decides: idumb decide accept " + d.Metadata.Name}
		if len(st.BlockedBy) > 0 && resources.Decided(d) {
			c.Reason, c.Message = decisionUnresolved, "it depends on "+Quoted(st.BlockedBy)+", which "+isAre(st.BlockedBy)+" not resolved"
		}
		all = append(all, c)
	}
	o := Orphan{View: v}
	for i, key := range resources.UpstreamOf(d) {
		o.Check("spec.dependsOn["+strconv.Itoa(i)+"]", key.Kind, key.Name)
	}
	o.Check("spec.supersedes", resources.Decisions, d.Spec.Supersedes)
	return append(all, o.conditions()...)
}

// decisionPrefix begins the name of a decision in status.blockedBy.
const decisionPrefix = "decision/"

// decisionBlockers are the linked decisions that do not hold.
func decisionBlockers(t *resources.Task, v View) (found blockers) {
	for _, name := range t.Spec.Decisions {
		if why := decisionTrouble(name, v); why != "" {
			found = append(found, blocker{decisionPrefix + name, decisionUnresolved, why})
		}
	}
	return found
}

// decisionTrouble says why a linked decision does not hold, and what helps; "" if it does.
func decisionTrouble(name string, v View) string {
	d, ok := v.Decision(name)
	if !ok {
		return Absence(resources.Key{Kind: resources.Decisions, Name: name}, v) + "; " + relink
	}
	head := DecisionHead(d, v)
	who := ""
	if head != d {
		who = head.Metadata.Name + ", which took its place, is "
	}
	switch ahead := decisionsAhead(head, v); ownPhase(head, len(ahead) > 0) {
	case resources.DecisionResolved:
		return ""
	case resources.DecisionRejected:
		return who + resources.DecisionState(head) + "; " + relink
	default:
		if !resources.Decided(head) {
			return who + "proposed; a person accepts it: idumb decide accept " + head.Metadata.Name
		}
		return who + "waiting for " + Listed(ahead, ", ")
	}
}

const relink = "link another one, or take it out of spec.decisions"

// DecisionRemedy is what helps a task that waits for decisions, a sentence without its first capital
// and its full stop; "" where none of what it waits for is a decision.
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
		return "ask the person to decide: `idumb decide accept " + head.Metadata.Name + "`, or `idumb decide reject " + head.Metadata.Name + " --reason \"...\"`"
	}
	return "ask the person to see to what decision/" + head.Metadata.Name + " waits for: `idumb describe decision " + head.Metadata.Name + "`"
}

func relinked(task, decision string) string {
	return "ask the person to link another decision, or take decision/" + decision + " out of spec.decisions: `idumb edit task " + task + "`"
}

// BlockerKey is the object that an entry of a task's status.blockedBy names: a task by its name,
// a plan or a decision as kind/name.
func BlockerKey(entry string) resources.Key {
	if name, ok := strings.CutPrefix(entry, "workplan/"); ok {
		return resources.Key{Kind: resources.WorkPlans, Name: name}
	}
	if name, ok := strings.CutPrefix(entry, decisionPrefix); ok {
		return resources.Key{Kind: resources.Decisions, Name: name}
	}
	return resources.Key{Kind: resources.Tasks, Name: entry}
}
