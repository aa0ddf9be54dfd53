package admission

import (
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// DecideTool is the name in spec.tools.allow of a role whose agents accept and reject decisions. An
// empty allow, which allows all tools, does not say so, nor does a glob.
const DecideTool = "decide"

// Decides reports whether agents in a role accept and reject decisions; r may be nil.
func Decides(r *resources.Role) bool {
	names := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return strings.EqualFold(strings.TrimSpace(p), DecideTool) })
	}
	return r != nil && names(r.Spec.Tools.Allow) && !names(r.Spec.Tools.Deny)
}

// judgeDecision says what keeps an agent from a change of a decision: it proposes, and what comes
// after that is for people, for roles that decide, and for whom a person lets. old is nil for a new
// decision, next for one that goes.
func judgeDecision(old, next resources.Object, mayDecide func(decision string) bool) error {
	was, _ := old.(*resources.Decision)
	will, _ := next.(*resources.Decision)
	what := decidesAbout(was, will)
	if what == "" {
		return nil
	}
	one := will
	if one == nil {
		one = was
	}
	if mayDecide != nil && mayDecide(one.Metadata.Name) {
		return nil
	}
	return apierrors.Refuse(Persons, "agents do not "+what+" decision/"+one.Metadata.Name, "a user decides, or a role whose tools.allow names "+DecideTool,
		"leave it proposed, and ask the user: idumb decide accept "+one.Metadata.Name)
}

// decidesAbout says what a change does to a decision that is not the proposer's to do; "" for nothing.
func decidesAbout(was, will *resources.Decision) string {
	switch {
	case was == nil && will == nil:
		return ""
	case was == nil, resources.DecisionState(was) == resources.DecisionProposed && will != nil:
		return stateVerb(resources.DecisionState(will))
	case !resources.Decided(was):
		return goes(was)
	case will == nil:
		return "remove"
	case resources.DecisionState(was) != resources.DecisionState(will):
		return changeVerb(resources.DecisionState(will))
	case !reflect.DeepEqual(was.Spec, will.Spec):
		return "change the content of"
	}
	return ""
}

// goes is what an agent does that removes a proposal: one that an agent made may go.
func goes(was *resources.Decision) string {
	if was.Metadata.Annotations[resources.AnnotationMadeBy] != "" {
		return ""
	}
	return "remove"
}

// stateVerb is what brings a proposal into a state; "" for what leaves it one.
func stateVerb(state string) string {
	return map[string]string{resources.DecisionAccepted: "accept", resources.DecisionRejected: "reject", resources.DecisionDeprecated: "deprecate"}[state]
}

// changeVerb is what brings a decision into another state.
func changeVerb(state string) string {
	if state == resources.DecisionProposed {
		return "reopen"
	}
	return stateVerb(state)
}

// mayDecide reports whether the caller decides about a decision.
func (e *evaluation) mayDecide(name string) bool {
	return Decides(e.caller().role) || e.call.Agreed != nil && e.call.Agreed(name)
}

// MayDecide reports whether whoever makes a call decides about the decision of that name: its role
// does, or the person agreed to the call.
func MayDecide(call Call, decision string, view View) bool {
	return (&evaluation{call: call, view: view}).mayDecide(decision)
}

// judgeDeciding leaves commands that accept or reject decisions, or change those that are decided, to
// the person, unless the caller decides.
func (e *evaluation) judgeDeciding() {
	for _, d := range e.ownCommands() {
		if d.dry {
			continue
		}
		for _, name := range e.decidedBy(d) {
			if !e.mayDecide(name) {
				e.askToDecide(d, name)
			}
		}
	}
}

// DecidesBy reports whether a command of idumb decides about decisions, or changes what may be decided.
func DecidesBy(words []string) bool {
	d, _ := ownCommandOf(words)
	_, only := d.aboutDecisions()
	return !d.dry && only != nil
}

// aboutDecisions returns the words among which a command names the decisions that it decides about, and which of
// those it does decide about; nil for none.
func (d ownCommand) aboutDecisions() (words []string, only func(*resources.Decision) bool) {
	all := func(*resources.Decision) bool { return true }
	switch {
	case !d.about(resources.Decisions):
	case d.verb == decideVerb && len(d.names) > 0 && among(decideVerbs, d.names[0]):
		return d.names[1:], all
	case among("accept reject deprecate", d.verb):
		return d.names, all
	case among("edit patch delete archive replace apply supersede", d.verb):
		return d.names, resources.Decided
	}
	return nil, nil
}

// decidedBy names the decisions that a command decides about, of those that are there.
func (e *evaluation) decidedBy(d ownCommand) (names []string) {
	words, only := d.aboutDecisions()
	if d.several && only != nil { // which they are is not known here
		words = e.view.Names(resources.Decisions)
	}
	for _, name := range words {
		if decision, ok := e.view.Decision(name); ok && only(decision) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// decideVerbs are the words behind "idumb decide" that are no title.
const decideVerbs = "accept reject supersede"

// DecidesVerb reports whether a word behind "idumb decide", or what our tool is to do, decides something.
func DecidesVerb(word string) bool { return word != "" && among(decideVerbs, word) }

// askToDecide leaves a decision to the person. What is asked already comes first.
func (e *evaluation) askToDecide(d ownCommand, name string) {
	if e.asks == nil || len(e.about) > 0 {
		e.about = append(e.about, name)
	}
	if e.asks == nil {
		role := e.caller().roleName
		e.asks = &Reason{
			Rule: "persons-plan", What: "You tried to run " + quote(d.text()) + ", which decides about decision " + quote(name) + ".",
			Why:        []string{"Agents propose; a user decides, or a role whose tools.allow names " + quote(DecideTool) + ". If no user can answer, the call is denied."},
			UseInstead: "Leave it proposed, and ask the user: `idumb decide accept " + name + "`.",
			Evidence:   []string{"decisions/" + name, "roles/" + role + " spec.tools.allow"},
		}
	}
}
