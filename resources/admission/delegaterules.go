package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// recalled: a delegate whose delegation is over hands back. Reading, recording what was learned and asking stay
// open. It neither starts nor ends a task, nor changes a plan, by whichever tool.
func recalled(e *evaluation) *Reason {
	if e.call.Action == Read || e.call.Action == Governance && !slices.ContainsFunc(e.ownCommands(), ownCommand.changesWork) {
		return nil
	}
	for _, t := range e.caller().under {
		if is, why, cite := e.over(t); is != "" {
			return &Reason{
				What:       tried(e.call) + " but delegation " + quote(t.name) + ", under which you work, " + is + ".",
				Why:        []string{why},
				UseInstead: HandBack,
				Evidence:   []string{cite},
			}
		}
	}
	return nil
}

// HandBack is the one step for a delegate whose work is over. It works in every host: a subagent reports by ending
// its turn.
const HandBack = "Hand back: end your turn now with a report to the agent that started you of what you did and what is left."

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
		if t.d == nil || len(t.d.Spec.AllowedTools) == 0 || e.among(t.d.Spec.AllowedTools) {
			continue
		}
		tools := t.d.Spec.AllowedTools
		return &Reason{
			What:       tried(e.call) + " but delegation " + quote(t.name) + ", under which you work, does not allow that tool.",
			Why:        []string{"It hands over task " + quote(t.d.Spec.Task) + " with " + list(tools) + " only. idumb commands, its MCP tools and asking the user are always open."},
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
		e.call.writes() && slices.ContainsFunc(e.call.Paths, func(p Path) bool { // it makes the file of one
			kind, name, ok := object(p)
			if !ok || kind != "delegation" {
				return false
			}
			_, there := e.view.Delegation(name)
			return !there
		})
}

// mayStart: a role starts agents of the roles that it delegates to, of none above its
// own, and of none that only a person talks to. An agent that no role names acts in the
// least role, or as one without a name: starting that is nobody's privilege.
func mayStart(e *evaluation) *Reason {
	c := e.caller()
	if e.call.Action != Delegate || c.role == nil {
		return nil
	}
	taker, ok := e.view.Role(RoleNamed(e.call.To, e.view))
	if !ok {
		return nil
	}
	why, at := cannotStart(c.role, taker)
	if why == "" {
		return nil
	}
	instead := "Do it yourself as far as you may, and report what is left."
	if agents := e.agentsFor(c, func(*resources.Role) bool { return true }); len(agents) > 0 {
		instead = "Start the agent " + orList(agents) + ", or do it yourself as far as you may."
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + ", which acts in the role " + quote(taker.Metadata.Name) + ", but the role " + quote(c.roleName) + " may not.",
		Why:        []string{why},
		UseInstead: instead,
		Evidence:   []string{at},
	}
}

// cannotStart says why a role does not start agents of another one, and where that is
// written; "" if it does.
func cannotStart(giver, taker *resources.Role) (why, at string) {
	from, to := giver.Metadata.Name, taker.Metadata.Name
	switch resources.MayDelegate(giver, taker) {
	case resources.ToPrimary:
		return "An agent of the role " + quote(to) + " talks to the user, and is started by nobody else.", "roles/" + to + " spec.mode = primary"
	case resources.Upwards:
		return "The role " + quote(to) + " stands above " + quote(from) + ", and nobody delegates upwards.", "roles/" + to + " spec.level = " + digits(taker.Spec.Level) + "; roles/" + from + " spec.level = " + digits(giver.Spec.Level)
	case resources.NotAmong:
		return "The role " + quote(from) + " delegates to " + orList(giver.Spec.DelegatesTo) + " only.", "roles/" + from + " spec.delegatesTo = " + list(giver.Spec.DelegatesTo)
	}
	return "", ""
}

// addressee: a delegation in the prompt of a subagent is addressed to that agent or to its role.
func addressee(e *evaluation) *Reason {
	if e.call.Action != Delegate {
		return nil
	}
	b := Permitted(Call{Agent: e.call.To, Names: e.call.Names}, Take, nil, e.view)
	if b == nil {
		return nil
	}
	d := b.Delegation
	name, tag := d.Metadata.Name, "delegation/"+d.Metadata.Name
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + " with " + tag + " in its prompt but that delegation is addressed to " + quote(d.Spec.To) + ".",
		Why:        []string{b.Why + "."},
		UseInstead: "Start the agent " + quote(AgentOf(d.Spec.To, e.call.Host, e.view)) + " with " + tag + " in its prompt. To mention the delegation only, write " + quote(name) + " without " + quote("delegation/") + ".",
		Evidence:   b.evidence,
	}
}

// todo: where config asks for it, a subagent is started only for something that is
// written down as a task.
func todo(e *evaluation) *Reason {
	if e.call.Action != Delegate || !e.view.Settings().RequireTodo || e.writtenDown() {
		return nil
	}
	none := "the prompt names none."
	if len(e.call.Names) > 0 {
		none = "the prompt names none that is there and not over yet."
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + " for something that is no task: " + none,
		Why:        []string{"What is handed to a subagent is written down first, so that it can be followed."},
		UseInstead: e.nameTask(),
		Evidence:   []string{"config spec.requireTodo = true"},
	}
}

// nameTask says how the start of a subagent comes to name a task.
func (e *evaluation) nameTask() string {
	name, may := "", e.mayRun("idumb create task")
	if t := e.work().task; t != nil {
		name = t.Metadata.Name
	} else {
		name = e.other("")
	}
	part, partName := e.newPart(name)
	switch {
	case name != "" && may:
		return "Repeat the call with task/" + name + " in its prompt if that is what it is for; else plan the part first: " + part + "."
	case name != "":
		return "Repeat the call with task/" + name + " in its prompt if that is what it is for. " + e.askFor("another task")
	case may:
		return "Write the part down: " + part + ", and repeat the call with task/" + partName + " in its prompt."
	}
	return e.askFor("a task")
}

// newPart returns the commands that plan a part of a task, or of the plan that is worked on, and the
// part's name.
func (e *evaluation) newPart(parent string) (commands, name string) {
	plan, flags := "", ""
	if t, ok := e.view.Task(parent); ok {
		plan, flags = t.Spec.WorkPlan, " --parent "+parent
	} else {
		plan = PlanInFocus(e.view)
	}
	return e.create(plan, "next-part", flags)
}

// writtenDown reports whether the prompt of a subagent names a task, or a delegation of
// one, that can be worked on.
func (e *evaluation) writtenDown() bool {
	for _, key := range e.call.Names {
		name := key.Name
		if key.Kind == resources.Delegations {
			d, ok := e.view.Delegation(name)
			if !ok || !status.LiveDelegation(d) {
				continue
			}
			name = d.Spec.Task
		}
		if t, ok := e.view.Task(name); ok && status.LiveTask(t) {
			return true
		}
	}
	return false
}
