package admission

import (
	"cmp"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// recalled denies work after the delegation ended. The delegate must report back. It can
// still read, record knowledge and put questions, but not start or end tasks or change plans with any
// tool.
func recalled(e *evaluation) *Reason {
	if e.call.Action == Read || e.call.Action == Governance && !slices.ContainsFunc(e.ownCommands(), ownCommand.changesWork) {
		return nil
	}
	for _, t := range e.caller().delegations {
		if is, why, cite := e.delegationEnded(t); is != "" {
			return &Reason{
				What:       triedText(e.call) + " but delegation " + quote(t.name) + ", under which you work, " + is + ".",
				Why:        []string{why},
				UseInstead: HandBack,
				Evidence:   []string{cite},
			}
		}
	}
	return nil
}

// HandBack is the step for a delegate whose delegation ended. It works in all hosts,
// because subagents report by ending their turn.
const HandBack = "Hand back: end your turn now, and report the completed and the remaining work to the agent that started you."

// delegationEnded returns the state of a delegation that is no longer in effect, the reason why that
// ends the work, and its source. It returns "" if the delegation is in effect.
func (e *evaluation) delegationEnded(t grant) (is, why, cite string) {
	switch at := "delegations/" + t.name; {
	case t.broken:
		return "cannot be read", "Your task and tools are unknown, because no readable version of the file exists.", at
	case t.d == nil:
		return "no longer exists", "Without the delegation you have no task.", at + " does not exist"
	case t.d.Spec.State == "recalled":
		return "was recalled", "Task " + quote(t.d.Spec.Task) + " was taken back from you.", at + " spec.state = recalled"
	case !status.LiveDelegation(t.d):
		return "is done", "Task " + quote(t.d.Spec.Task) + " is no longer yours to work on.", at + " spec.state = " + t.d.Spec.State
	}
	if task, ok := e.view.Task(t.d.Spec.Task); ok && !status.LiveTask(task) {
		return "is done", "Its task " + quote(t.d.Spec.Task) + " is " + e.status(task).Phase + ".", "tasks/" + t.d.Spec.Task + " spec.state = " + resources.TaskState(task)
	}
	return "", "", ""
}

// delegatedTools limits a delegate to the tools of its delegation. Tools must be granted by
// all delegations of the chain.
func delegatedTools(e *evaluation) *Reason {
	for _, t := range e.caller().delegations {
		if t.d == nil || len(t.d.Spec.AllowedTools) == 0 || e.among(t.d.Spec.AllowedTools) {
			continue
		}
		tools := t.d.Spec.AllowedTools
		return &Reason{
			What:       triedText(e.call) + " but delegation " + quote(t.name) + ", under which you work, does not allow that tool.",
			Why:        []string{"It hands over task " + quote(t.d.Spec.Task) + " with " + list(tools) + " only. idumb commands, its MCP tools and questions to the user are always allowed."},
			UseInstead: "Use " + orList(tools) + ", or run `idumb fail " + t.d.Spec.Task + " --reason \"needs " + clean(e.call.Tool) + "\"` to hand the task back.",
			Evidence:   []string{"delegations/" + t.name + " spec.allowedTools = " + list(tools)},
		}
	}
	return nil
}

// RuleDepth is the name of the rule that limits the depth of delegations.
const RuleDepth = "depth"

// depth limits hand-overs by subagents and delegations to three, because the original
// request is lost in longer chains.
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
		What:       e.attempt() + " but the work was delegated " + count(deep, "time") + " already.",
		Why:        []string{"Work may be delegated " + count(status.MaxDelegationDepth, "time") + " at most."},
		UseInstead: "Do it yourself, or end your turn and report the remaining work to the agent that started you.",
	}
	if c.hops > 0 {
		r.Evidence = append(r.Evidence, "sessions/"+e.call.Session+" has "+count(c.hops, "session")+" above it")
	}
	if c.delegate() {
		r.Evidence = append(r.Evidence, "delegations/"+c.delegations[0].name+" status.depth")
	}
	return r
}

// handsOn reports whether the call starts a subagent or creates a delegation.
func (e *evaluation) handsOn() bool {
	return e.call.Action == Delegate ||
		slices.ContainsFunc(e.ownCommands(), func(d ownCommand) bool { return d.gives || d.verb == "create" && d.namesKind(resources.Delegations) }) ||
		e.call.writes() && slices.ContainsFunc(e.call.Paths, func(p Path) bool { // creates the file of a delegation
			kind, name, ok := object(p)
			if !ok || kind != "delegation" {
				return false
			}
			_, there := e.view.Delegation(name)
			return !there
		})
}

// mayStart limits the agents that a role can start to the roles in its delegatesTo, not
// above its own, and not reserved for persons. Agents without a role act in the least
// privileged role or without one, so any role may start them.
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
	instead := "Do it yourself if your role allows it, and report the remaining work."
	if agents := e.agentsFor(c, func(*resources.Role) bool { return true }); len(agents) > 0 {
		instead = "Start the agent " + orList(agents) + ", or do it yourself if your role allows it."
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + ", which acts in the role " + quote(taker.Metadata.Name) + ", but the role " + quote(c.roleName) + " may not start it.",
		Why:        []string{why},
		UseInstead: instead,
		Evidence:   []string{at},
	}
}

// cannotStart returns the reason why a role may not start agents of another role, and its
// source. It returns "" if it may.
func cannotStart(giver, taker *resources.Role) (why, at string) {
	from, to := giver.Metadata.Name, taker.Metadata.Name
	switch resources.MayDelegate(giver, taker) {
	case resources.ToPrimary:
		return "An agent of the role " + quote(to) + " talks to the user, and only the user starts it.", "roles/" + to + " spec.mode = primary"
	case resources.Upwards:
		return "The role " + quote(to) + " is above " + quote(from) + ", and agents do not delegate upwards.", "roles/" + to + " spec.level = " + digits(taker.Spec.Level) + "; roles/" + from + " spec.level = " + digits(giver.Spec.Level)
	case resources.NotAmong:
		return "The role " + quote(from) + " delegates to " + orList(giver.Spec.DelegatesTo) + " only.", "roles/" + from + " spec.delegatesTo = " + list(giver.Spec.DelegatesTo)
	}
	return "", ""
}

// addressee checks that a delegation in a subagent's prompt is addressed to that agent or
// its role.
func addressee(e *evaluation) *Reason {
	if e.call.Action != Delegate {
		return nil
	}
	b := Permitted(Call{Agent: e.call.To, Names: e.call.Names}, Take, nil, e.view)
	if b == nil {
		e.adviseOnNoDelegation()
		return nil
	}
	d := b.Delegation
	name, tag := d.Metadata.Name, "delegation/"+d.Metadata.Name
	other := e.call
	other.To, other.Loop = AgentOf(d.Spec.To, e.call.Host, e.view), nil
	start := quote(other.To) + " with " + tag + " in its prompt"
	instead := "Start the agent " + start + "."
	if (&evaluation{call: other, view: e.view, trial: true}).objection(0) != nil {
		instead = e.askFor("a start of " + start)
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + " with " + tag + " in its prompt but that delegation is addressed to " + quote(d.Spec.To) + ".",
		Why:        []string{b.Why + "."},
		UseInstead: instead + " To mention the delegation only, write " + quote(name) + " without " + quote("delegation/") + ".",
		Evidence:   b.evidence,
	}
}

// adviseOnNoDelegation sets the advice for a subagent whose prompt names only delegations that
// do not exist or have ended. The prompt may mean a path.
func (e *evaluation) adviseOnNoDelegation() {
	first := ""
	for _, key := range e.call.Names {
		if key.Kind != resources.Delegations {
			continue
		}
		d, ok := e.view.Delegation(key.Name)
		switch {
		case ok && status.LiveDelegation(d):
			return
		case first == "" && ok:
			first = "delegation/" + key.Name + " is " + d.Spec.State
		case first == "":
			first = "delegation/" + key.Name + " does not exist"
		}
	}
	if first != "" {
		e.advice = cmp.Or(e.advice, "iDumb: "+first+": the agent works under no delegation.")
	}
}

// todo requires a task for each subagent, if the config demands it.
func todo(e *evaluation) *Reason {
	if e.call.Action != Delegate || !e.view.Settings().RequireTodo || e.writtenDown() {
		return nil
	}
	none := "the prompt names no task."
	if len(e.call.Names) > 0 {
		none = "the prompt names no open task."
	}
	return &Reason{
		What:       "You tried to start " + quote(e.call.To) + " without a task: " + none,
		Why:        []string{"The work of a subagent is planned as a task first, so that it can be tracked."},
		UseInstead: e.nameTask(),
		Evidence:   []string{"config spec.requireTodo = true"},
	}
}

// nameTask returns the step that adds a task to the prompt of a subagent.
func (e *evaluation) nameTask() string {
	name, may := "", e.mayRun("idumb create task")
	if t := e.work().task; t != nil {
		name = t.Metadata.Name
	} else {
		name = e.otherTask("")
	}
	switch part, partName := e.newPart(name); {
	case name != "" && may:
		return "Repeat the call with task/" + name + " in its prompt if the work belongs to that task; else plan the part first: " + part + "."
	case name != "":
		return "Repeat the call with task/" + name + " in its prompt if the work belongs to that task. " + e.askFor("another task")
	case may:
		return "Plan the part first: " + part + ", and repeat the call with task/" + partName + " in its prompt."
	}
	return e.askFor("a task")
}

// newPart returns the commands that plan a subtask of a task, or a task of the current
// plan, and its name.
func (e *evaluation) newPart(parent string) (commands, name string) {
	plan, flags := "", ""
	if t, ok := e.view.Task(parent); ok {
		plan, flags = t.Spec.WorkPlan, " --parent "+parent
	} else {
		plan = PlanInFocus(e.view)
	}
	return e.create(plan, "next-part", flags)
}

// writtenDown reports whether the prompt of a subagent names an open task or a
// delegation of one.
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
