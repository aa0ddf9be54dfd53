package admission

import (
	"slices"
	"strconv"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// assigned returns the denial for a task of another role.
func (e *evaluation) assigned(t *resources.Task, b *Bar, tried, instead string) *Reason {
	return &Reason{
		What:       tried + " but task " + quote(t.Metadata.Name) + " is assigned to " + quote(t.Spec.AssignedTo) + ".",
		Why:        []string{"You act as " + e.caller().name() + "."},
		UseInstead: instead,
		Evidence:   b.evidence,
		Chain:      e.chain(t, "assigned to "+clean(t.Spec.AssignedTo)),
	}
}

// assigneeByCommand limits agents to start tasks of their role or unassigned ones.
// Agents with an own role may not complete other tasks. See caller.bar.
func assigneeByCommand(e *evaluation) *Reason {
	for _, d := range e.ownCommands() {
		act := Start
		switch {
		case d.dry || d.verb != "start" && d.verb != "complete":
			continue
		case d.verb == "complete":
			act = Complete
		}
		for _, name := range d.names {
			t, ok := e.view.Task(name)
			if !ok {
				continue
			}
			switch b := e.caller().bar(act, t, e.view); {
			case b == nil:
			case b.Cause == Assigned:
				return e.assigned(t, b, "You tried to run "+quote(d.text()), e.leaveTo(t))
			case b.Cause == Delegated:
				return &Reason{
					What: "You tried to run " + quote(d.text()) + " but task " + quote(name) + " is delegated to another agent.", Why: []string{capital(b.Why) + "."},
					UseInstead: e.insteadOf(name), Evidence: b.evidence,
				}
			}
		}
	}
	return nil
}

// taskPhase requires an active task. A task with all evidence that is still marked active
// is in phase review, but may be changed until it is completed.
func taskPhase(e *evaluation) *Reason {
	t, status := e.work().task, e.work().status
	active := resources.TaskState(t) == resources.TaskActive
	if status.Phase == resources.TaskActive || active && status.Phase == resources.TaskReview {
		return nil
	}
	if e.planless() {
		e.advise()
		return nil
	}
	if status.Phase == resources.TaskBlocked {
		return e.blocked(t, status)
	}
	return e.notActive(t, status.Phase)
}

// notActive returns the denial for a session whose task is planned or in review.
func (e *evaluation) notActive(t *resources.Task, phase string) *Reason {
	name := t.Metadata.Name
	r := &Reason{
		What:       triedText(e.call) + " but task " + quote(name) + " is " + phaseText(phase) + ".",
		Why:        []string{"It has not been started."},
		UseInstead: e.nextStep(name),
		Evidence:   []string{"tasks/" + name + " spec.state = " + resources.TaskState(t)},
		Chain:      e.chain(t, "your task"),
	}
	if lack := e.objectionOnceStarted(t); lack != nil && phase == resources.TaskPlanned {
		r.Why, r.Evidence = lack.Why, append(r.Evidence, lack.Evidence...)
	}
	if phase == resources.TaskReview {
		r.Why = []string{"It was submitted and waits for review."}
		if e.opensWith(t) {
			r.UseInstead = "Run `idumb start " + name + "` to continue it, then write; or `idumb complete " + name + " --evidence \"...\"` if it is done."
		}
	}
	return r
}

// blocked returns the denial for a blocked task.
func (e *evaluation) blocked(t *resources.Task, status resources.TaskStatus) *Reason {
	name := t.Metadata.Name
	return &Reason{
		What:       triedText(e.call) + " but task " + quote(name) + " is blocked.",
		Why:        e.causes(t, status),
		UseInstead: e.insteadOfWaiting(t, status),
		Evidence:   e.blockEvidence(t, status),
		Chain:      e.chain(t, "your task"),
	}
}

// allowedTools limits a call to the tools in spec.allowedTools of its task.
func allowedTools(e *evaluation) *Reason {
	t := e.work().task
	if len(t.Spec.AllowedTools) == 0 || e.among(t.Spec.AllowedTools) {
		return nil
	}
	name := t.Metadata.Name
	return &Reason{
		What:       triedText(e.call) + " but task " + quote(name) + " does not allow that tool.",
		Why:        []string{"The task is limited to " + list(t.Spec.AllowedTools) + ". idumb commands, its MCP tools and questions to the user are always allowed."},
		UseInstead: "Use " + orList(t.Spec.AllowedTools) + ", or run `idumb fail " + name + " --reason \"needs " + clean(e.call.Tool) + "\"` to hand the task back.",
		Evidence:   []string{"tasks/" + name + " spec.allowedTools = " + list(t.Spec.AllowedTools)},
	}
}

// among reports whether the call uses one of the tools in a list. Reading counts as reading
// whatever tool is used, because Codex reads with a shell.
func (e *evaluation) among(tools []string) bool {
	c := e.call
	reads := c.Action == Read || c.Action == Shell && !c.writes() && len(c.Runs) > 0 && !slices.ContainsFunc(c.Runs, func(r command.Run) bool { return !r.ReadOnly })
	return matchesTool(c.Tool, tools) || reads && matchesTool("read", tools)
}

// taskPaths limits writes to the files in spec.paths of the caller's task.
func taskPaths(e *evaluation) *Reason {
	t := e.work().task
	if len(t.Spec.Paths) == 0 {
		return nil
	}
	for _, p := range e.call.Paths {
		if p.Repo == "" || p.Unchanged || openToAll(p) || resources.MatchesAny(p.Repo, t.Spec.Paths) || e.isRequired(p) {
			continue
		}
		name := t.Metadata.Name
		what, instead := triedText(e.call), e.outsideStep(t)
		if p.Below {
			what = "You tried to run " + quote(p.By) + ", which may change each file below a folder,"
			instead = "Give it only files and folders of the task: " + list(t.Spec.Paths) + "."
		}
		return &Reason{
			What:       what + " but " + p.Repo + " is outside task " + quote(name) + ".",
			Why:        []string{"The task is limited to " + list(t.Spec.Paths) + "."},
			UseInstead: instead,
			Evidence:   []string{"tasks/" + name + " spec.paths = " + list(t.Spec.Paths)},
		}
	}
	return nil
}

// Loop is set for a call that continues a loop which a trigger detected: the same call, the same
// failure, or agents that start each other in turn. The host's adapter counts.
type Loop struct {
	Trigger string // name
	Event   string // resources.TriggerCall, ...
	Text    string // message for the session
	Count   int    // spec.count, or its default
	Stuck   bool   // the error also returned after changes, so a changed file does not lift the stop
	Spent   bool   // limit per turn: only reading calls are allowed
}

// halted denies the call that a trigger stops. Other calls stay allowed. A changed file or
// the next prompt of the person lifts the stop. If the limit of a turn is reached, only
// reading is allowed.
func halted(e *evaluation) *Reason {
	l := e.call.Loop
	if l == nil || e.call.Action == Governance || e.call.Action == Ask {
		return nil
	}
	open := "Make a different call, or change a file first: both are allowed."
	if l.Spent {
		open = "Review your results and report them: only reading is allowed."
	} else if l.Stuck {
		open = "Make a different call to find out why this one fails: it is allowed."
	}
	return &Reason{
		What:       triedText(e.call) + " but trigger " + quote(l.Trigger) + " halted it.",
		Why:        []string{"The trigger reports: " + clean(l.Text) + "."},
		UseInstead: open + " If you cannot continue, end your turn and tell the user what you tried; the user's next prompt lifts this.",
		Evidence:   []string{"triggers/" + l.Trigger + " spec.event = " + l.Event + ", spec.count = " + strconv.Itoa(l.Count)},
	}
}
