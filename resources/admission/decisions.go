package admission

import (
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// DecideTool is the entry in spec.tools.allow of roles whose agents may accept and reject
// decisions. It must be listed explicitly: an empty list or a glob is not enough.
const DecideTool = "decide"

// Decides reports whether agents in a role may accept and reject decisions; r may be nil.
func Decides(r *resources.Role) bool {
	names := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return strings.EqualFold(strings.TrimSpace(p), DecideTool) })
	}
	return r != nil && names(r.Spec.Tools.Allow) && !names(r.Spec.Tools.Deny)
}

// judgeDecision checks an agent's change of a decision. Agents may propose decisions. Other
// changes need a person, a deciding role or a person's approval. old is nil for a new
// decision, next for a deleted one.
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
	return apierrors.Refuse(Persons, "cannot "+what+" decision/"+one.Metadata.Name, "a user decides, or a role whose tools.allow names "+DecideTool,
		"leave it proposed, and ask the user: idumb decide accept "+one.Metadata.Name)
}

// decidesAbout returns the part of a change that the proposer of a decision may not make,
// or "".
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
		state := resources.DecisionState(will)
		if state == resources.DecisionProposed {
			return "reopen"
		}
		return stateVerb(state)
	case !reflect.DeepEqual(was.Spec, will.Spec):
		return "change the content of"
	}
	return ""
}

// goes checks the deletion of a proposal by an agent. Proposals by agents may be deleted.
func goes(was *resources.Decision) string {
	if was.Metadata.Annotations[resources.AnnotationMadeBy] != "" {
		return ""
	}
	return "remove"
}

// stateVerb returns the verb that changes a proposal to a state. It returns "" if it stays
// a proposal.
func stateVerb(state string) string {
	return map[string]string{resources.DecisionAccepted: "accept", resources.DecisionRejected: "reject", resources.DecisionDeprecated: "deprecate"}[state]
}

// mayDecide reports whether the caller may make a decision.
func (e *evaluation) mayDecide(name string) bool {
	return Decides(e.caller().role) || e.call.Agreed != nil && e.call.Agreed(name)
}

// MayDecide reports whether the caller may accept, reject or change the named Decision, by its role or with the
// person's approval of the call.
func MayDecide(call Call, decision string, view View) bool {
	return (&evaluation{call: call, view: view}).mayDecide(decision)
}

// DecidesBy reports whether an idumb command makes decisions or changes ones that may be
// accepted.
func DecidesBy(words []string) bool {
	d, _ := ownCommandOf(words)
	_, only := d.aboutDecisions()
	return !d.dry && only != nil
}

// aboutDecisions returns the words of a command that can name decisions, and a filter for
// the decisions that it decides. Both are nil for other commands.
func (d ownCommand) aboutDecisions() (words []string, only func(*resources.Decision) bool) {
	all := func(*resources.Decision) bool { return true }
	switch {
	case !d.namesKind(resources.Decisions):
	case d.verb == decideVerb && len(d.names) > 0 && containsWord(decideVerbs, d.names[0]):
		return d.names[1:], all
	case containsWord("accept reject deprecate", d.verb):
		return d.names, all
	case containsWord("edit patch delete archive replace apply supersede", d.verb):
		return d.names, resources.Decided
	}
	return nil, nil
}

// decidedBy returns the existing decisions that a command decides.
func (e *evaluation) decidedBy(d ownCommand) (names []string) {
	words, only := d.aboutDecisions()
	if d.several && only != nil { // the names cannot be determined here
		words = e.view.Names(resources.Decisions)
	}
	for _, name := range words {
		if decision, ok := e.view.Decision(name); ok && only(decision) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// decideVerbs lists the subcommands of "idumb decide". Other words are a title.
const decideVerbs = "accept reject supersede"

// DecidesVerb reports whether a subcommand of "idumb decide", or an action of the tool,
// makes a decision.
func DecidesVerb(word string) bool { return word != "" && containsWord(decideVerbs, word) }

// askToDecide requests a person's decision. An earlier question has precedence.
func (e *evaluation) askToDecide(d ownCommand, name string) {
	if e.asks == nil || len(e.decisions) > 0 {
		e.decisions = append(e.decisions, name)
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
