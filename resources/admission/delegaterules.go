package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// recalled: a delegate whose delegation is over hands back. Looking at files,
// governance and asking stay open: it has to be able to say how far it came.
func recalled(e *evaluation) *Reason {
	if e.call.Action == Governance || e.call.Action == Read {
		return nil
	}
	for _, t := range e.caller().under {
		if is, why, cite := e.over(t); is != "" {
			return &Reason{
				What:       tried(e.call) + " but delegation " + quote(t.name) + ", under which you work, " + is + ".",
				Why:        []string{why},
				UseInstead: handBack,
				Evidence:   []string{cite},
			}
		}
	}
	return nil
}

// handBack is the one step that is left to a delegate whose work is over. It works
// in every host: ending the turn is how a subagent reports.
const handBack = "Hand back: end your turn now with a report to the agent that started you of what you did and what is left."

// over says in what way a delegation does not hold any more, why that ends the
// work, and where it is written; "" if it holds.
func (e *evaluation) over(t grant) (is, why, cite string) {
	at := "delegations/" + t.name
	switch {
	case t.broken:
		return "cannot be read", "What was handed over is not known, and there is no good version of the file to go by.", at
	case t.d == nil:
		return "is gone", "Whoever handed the task over took the delegation away.", at + " does not exist"
	case t.d.Spec.State == "recalled":
		return "was recalled", quote(t.d.Spec.From) + " took task " + quote(t.d.Spec.Task) + " back from you.", at + " spec.state = recalled"
	case !status.LiveDelegation(t.d):
		return "is done", "Task " + quote(t.d.Spec.Task) + " is no longer yours to work on.", at + " spec.state = " + t.d.Spec.State
	}
	if task, ok := e.view.Task(t.d.Spec.Task); ok && !status.LiveTask(task) {
		return "is done", "Its task " + quote(t.d.Spec.Task) + " is " + e.status(task).Phase + ".", "tasks/" + t.d.Spec.Task + " spec.state = " + resources.TaskState(task)
	}
	return "", "", ""
}

// delegatedTools: a delegate uses the tools that it was given, of which whoever
// handed on to it must have been given each as well.
func delegatedTools(e *evaluation) *Reason {
	for _, t := range e.caller().under {
		if t.d == nil || len(t.d.Spec.AllowedTools) == 0 || matchesTool(e.call.Tool, t.d.Spec.AllowedTools) {
			continue
		}
		tools := t.d.Spec.AllowedTools
		return &Reason{
			What:       tried(e.call) + " but delegation " + quote(t.name) + ", under which you work, does not allow that tool.",
			Why:        []string{"It hands over task " + quote(t.d.Spec.Task) + " with " + list(tools) + " only. idumb commands, its MCP tools and asking the person are always open."},
			UseInstead: "Use " + orList(tools) + ", or run `idumb fail " + t.d.Spec.Task + " --reason \"needs " + clean(e.call.Tool) + "\"` to hand the task back.",
			Evidence:   []string{"delegations/" + t.name + " spec.allowedTools = " + list(tools)},
		}
	}
	return nil
}

// depth: work is handed on three times at most, by starting subagents and by
// delegations. Further down nobody knows any more what was asked for.
func depth(e *evaluation) *Reason {
	if !e.handsOn() {
		return nil
	}
	c := e.caller()
	if c.hops == 0 && !c.delegate() {
		return nil
	}
	deep := c.depth(e.view)
	if deep < status.MaxDelegationDepth {
		return nil
	}
	r := &Reason{
		What:       e.attempt() + " but the work was handed on " + count(deep, "time") + " already.",
		Why:        []string{"It may be handed on " + count(status.MaxDelegationDepth, "time") + " at most."},
		UseInstead: "Do it yourself, or end your turn with a report of what is left to the agent that started you.",
	}
	if c.hops > 0 {
		r.Evidence = append(r.Evidence, "sessions/"+e.call.Session+" has "+count(c.hops, "session")+" above it")
	}
	if c.delegate() {
		r.Evidence = append(r.Evidence, "delegations/"+c.under[0].name+" status.depth")
	}
	return r
}

// handsOn reports whether the call gives work to somebody else: it starts a
// subagent, or makes a delegation.
func (e *evaluation) handsOn() bool {
	return e.call.Action == Delegate ||
		slices.ContainsFunc(e.ownCommands(), func(d ownCommand) bool { return d.verb == "create" && d.about(resources.Delegations) }) ||
		e.call.writes() && slices.ContainsFunc(e.call.Paths, e.makesDelegation)
}

// makesDelegation reports whether writing a file makes a delegation that is not there.
func (e *evaluation) makesDelegation(p Path) bool {
	kind, name, ok := object(p)
	if !ok || kind != "delegation" {
		return false
	}
	_, there := e.view.Delegation(name)
	return !there
}
