package admission

import (
	"cmp"
	"iter"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxCandidates is the maximum number of tasks that are tried for a step.
const maxCandidates = 40

// ready yields the ready tasks that the caller may start, best first.
func (e *evaluation) ready(yield func(string) bool) {
	if e.trial {
		return
	}
	for name := range e.view.ReadyTasks() {
		if t, ok := e.view.Task(name); ok && !t.Spec.PlanAhead && e.canStart(t) && !yield(name) {
			return
		}
	}
}

// candidates returns tasks that may open the denied files to the caller, best first: tasks
// whose paths or locks contain a denied file, active tasks and ready tasks. Tasks outside
// the focus come last.
func (e *evaluation) candidates() []string {
	if e.trial {
		return nil
	}
	var names []string
	if c := e.caller(); c.delegate() {
		names = append(names, c.task())
	}
	var outside []string
	for _, more := range []iter.Seq[string]{slices.Values(e.namers()), slices.Values(e.view.ActiveTasks()), e.view.ReadyTasks()} {
		for name := range more {
			if len(names)+len(outside) >= maxCandidates {
				break
			}
			switch t, ok := e.view.Task(name); {
			case slices.Contains(names, name) || slices.Contains(outside, name):
			case ok && !status.InFocus(t, e.view):
				outside = append(outside, name)
			default:
				names = append(names, name)
			}
		}
	}
	return append(names, outside...)
}

// reviewed returns the tasks in review. Starting one resumes it.
func (e *evaluation) reviewed() (names []string) {
	if e.trial {
		return nil
	}
	for _, plan := range e.view.ActivePlans() {
		for _, name := range e.view.PlanTasks(plan) {
			if t, ok := e.view.Task(name); ok && len(names) < maxCandidates && e.status(t).Phase == resources.TaskReview {
				names = append(names, name)
			}
		}
	}
	return names
}

// namers returns the tasks whose paths or locks contain a file of the call, in order.
func (e *evaluation) namers() []string {
	if e.trial || !e.call.writes() {
		return nil
	}
	var tasks []*resources.Task
	for _, p := range e.call.Paths {
		if p.Repo == "" || openToAll(p) {
			continue
		}
		for _, c := range newFilesOf(nil, e.view).claims(p.Repo) {
			if c.field != byEvidence && !slices.Contains(tasks, c.task) {
				tasks = append(tasks, c.task)
			}
		}
	}
	slices.SortStableFunc(tasks, first)
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = t.Metadata.Name
	}
	return names
}

// opener returns the best task among some that the caller may start and whose start allows
// the call, or "".
func (e *evaluation) opener(among []string) string {
	for _, name := range among {
		if t, ok := e.view.Task(name); ok && !t.Spec.PlanAhead && e.canStart(t) && e.opensWith(t) {
			return name
		}
	}
	return ""
}

// opensWith reports whether the call is allowed after the caller starts a task. It
// evaluates the task rules for that state.
func (e *evaluation) opensWith(t *resources.Task) bool {
	return !e.trial && e.objectionOnceStarted(t) == nil
}

// objectionOnceStarted returns the objection of the task rules after the caller starts a
// task, or nil. It also returns nil while no step is searched.
func (e *evaluation) objectionOnceStarted(t *resources.Task) *Reason {
	if e.trial {
		return nil
	}
	started := *t
	started.Spec.State = resources.TaskActive
	call := e.call
	call.Opened, call.Loop = nil, nil
	after := &evaluation{call: call, view: afterStart(e, &started), trial: true}
	return after.objection(onTask | onGated)
}

// nextStep returns one step that allows the call: starting the best task, with prefer
// first, or planning one. Otherwise it explains that there is no step.
func (e *evaluation) nextStep(prefer ...string) string {
	if e.trial {
		return ""
	}
	if e.caller().delegate() {
		if name := e.opener(append(prefer, e.caller().task())); name != "" {
			return startThenWrite(name)
		}
		return HandBack // a delegate only has its own task
	}
	if e.opener(append(slices.Clone(prefer), e.namers()...)) == "" {
		if step := e.draftStep(); step != "" {
			return step
		}
	}
	if name := e.opener(append(prefer, e.candidates()...)); name != "" {
		return startThenWrite(name)
	}
	if step := e.agentStep(); step != "" {
		return step
	}
	plan := PlanInFocus(e.view)
	decide, step := e.decisionStep(), e.planStep(plan, "next-step")
	switch {
	case decide == "":
		return cmp.Or(step, e.lastStep())
	case step == "":
		return decide
	}
	return decide + " If this is other work, plan it: " + e.planThenStart(plan, "next-step")
}

// decisionStep returns the decision that a person must make before a task of the active
// plans can continue, or "".
func (e *evaluation) decisionStep() string {
	var names []string
	for _, plan := range e.view.ActivePlans() {
		names = append(names, e.view.PlanTasks(plan)...)
	}
	for _, name := range names[:min(len(names), maxCandidates)] {
		t, ok := e.view.Task(name)
		if !ok || !status.LiveTask(t) {
			continue
		}
		if remedy := status.DecisionRemedy(name, e.status(t).BlockedBy, e.view); remedy != "" {
			return "Task " + quote(name) + " waits for a decision: " + remedy + "."
		}
	}
	return ""
}

// startThenWrite returns the step that starts a task and repeats the denied write.
func startThenWrite(name string) string { return "Run `idumb start " + name + "`, then write." }

// chooseStep returns the step for a session that has several active tasks and did not
// choose one.
func (e *evaluation) chooseStep(several []string) string {
	name := e.opener(append(e.namers(), several...))
	if name == "" {
		return e.nextStep()
	}
	return "Run `idumb start " + name + "`, then write: the session is on that task from then on."
}

// draftStep returns the commands that start a draft plan and then its task that names a
// denied file. It returns "" if they would not allow the call or the caller may not start
// the plan.
func (e *evaluation) draftStep() string {
	t := e.drafted()
	if t == nil {
		return ""
	}
	start := "idumb start workplan/" + t.Spec.WorkPlan
	if !e.mayRun(start) || !e.chainLets(start) {
		return ""
	}
	e.draft = t
	return "Run `" + start + "`, then `idumb start " + t.Metadata.Name + "`, then write."
}

// drafted returns the best task of a draft plan that names a file of the call and allows
// the call once both are started, or nil.
func (e *evaluation) drafted() *resources.Task {
	if e.trial || !e.call.writes() {
		return nil
	}
	var found []*resources.Task
	for _, p := range e.call.Paths {
		if p.Repo == "" || openToAll(p) {
			continue
		}
		for _, name := range e.view.FileTasks(p.Repo) {
			t, ok := e.view.Task(name)
			if !ok || !status.LiveTask(t) || t.Spec.PlanAhead || slices.Contains(found, t) {
				continue
			}
			plan, ok := e.view.Plan(t.Spec.WorkPlan)
			if of := claimsOf(t, p.Repo); !ok || resources.PlanState(plan) != resources.PlanDraft || len(of) == 0 || of[0].field == byEvidence {
				continue
			}
			begun := *plan
			begun.Spec.State = resources.PlanActive
			after := &evaluation{call: e.call, view: &begunView{e.view, &begun}}
			if after.canStart(t) && after.opensWith(t) {
				found = append(found, t)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return slices.MinFunc(found, first)
}

// planStep returns the commands that create a task of a plan, and the plan if it is
// missing. It returns "" if that would not allow the call or the caller's role may not
// plan.
func (e *evaluation) planStep(plan, task string) string {
	switch {
	case e.trial || !e.mayRun("idumb create task") || !e.mayRun("idumb start "+task):
		return ""
	case plan == "" && e.mayRun("idumb create workplan"):
		return e.planWork()
	case plan == "" || !e.opensWith(newTask(plan, task)) || !e.startsPlanned(plan, task):
		return ""
	}
	none := "No task is ready for you"
	if e.otherTask("") != "" {
		none = "No task of yours covers this"
	}
	return none + ". Plan one: " + e.planThenStart(plan, task)
}

// startsPlanned reports whether chain rules allow the caller to start a task after planning
// it.
func (e *evaluation) startsPlanned(plan, task string) bool {
	planned := &evaluation{call: e.call, view: &startedView{View: e.view, task: newTask(plan, task)}}
	return planned.chainLets("idumb start " + task)
}

// planWork returns the step for a repository without plans.
func (e *evaluation) planWork() string { return "Plan the work: " + e.planThenStart("", "next-step") }

// planThenStart returns the commands that create and start a task of a plan.
func (e *evaluation) planThenStart(plan, task string) string {
	commands, name := e.create(plan, task, ` --title "`+yourTitle+`"`)
	return commands + ", then `idumb start " + name + "`."
}

// create returns the commands that create a task of a plan, and the name of the task. An
// empty plan means a new one. The names are unused, so that the commands cannot fail with
// AlreadyExists.
func (e *evaluation) create(plan, task, flags string) (commands, name string) {
	if plan == "" {
		plan = e.freeName(resources.WorkPlans, "my-plan")
		commands = "`idumb create workplan " + plan + ` --title "` + yourPlan + `" --accept "` + yourCriterion + `" --state active` + "`, then "
	}
	name = e.freeName(resources.Tasks, task)
	return commands + "`idumb create task " + name + " --plan " + clean(plan) + flags + ` --expect "` + yourOutput + `"` + "`", name
}

// lastStep returns the step for a caller that can neither start nor plan a suitable task:
// resuming a task in review, or an explanation.
func (e *evaluation) lastStep() string {
	if name := e.opener(e.reviewed()); name != "" {
		return "Run `idumb start " + name + "` to continue it, then write."
	}
	switch t := e.drafted(); {
	case t != nil:
		return "You cannot write it now: task " + quote(t.Metadata.Name) + " names it, and its plan is a draft. " + e.askFor("the start of plan "+quote(t.Spec.WorkPlan))
	case e.mayRun("idumb create task") && e.mayRun("idumb start next-step"):
		return "You cannot write it now. " + e.askFor("a task that covers it")
	case e.otherTask("") != "":
		return "No task of yours covers this, and your role may not plan one. " + e.askFor("a task")
	}
	return "No task is ready for you, and your role may not plan one. " + e.askFor("a task")
}

// newTask returns a task as created by `create task`.
func newTask(plan, name string) *resources.Task {
	t := resources.New[*resources.Task](resources.Tasks, name)
	t.Spec.WorkPlan = plan
	return t
}

// freeName returns an unused name for an object of a kind.
func (e *evaluation) freeName(kind, name string) string {
	free := name
	for n := 2; e.view.Exists(resources.Key{Kind: kind, Name: free}); n++ {
		free = name + "-" + digits(n)
	}
	return free
}

// agentStep returns the step that hands a task with the denied file over to an agent of its
// assigned role, which the caller must be allowed to start. It returns "" without such a task.
func (e *evaluation) agentStep() string {
	for _, name := range e.namers() {
		if t, ok := e.view.Task(name); ok {
			if step := e.handTo(t); step != "" {
				return "You cannot write it yourself. " + step
			}
		}
	}
	return ""
}

// handTo returns the step that hands a task to an agent of its assigned role. It returns ""
// if the caller cannot do that.
func (e *evaluation) handTo(t *resources.Task) string {
	c, name := e.caller(), t.Metadata.Name
	b := c.bar(Start, t, e.view)
	if b == nil || b.Cause != Assigned || c.role == nil || c.bar(HandOver, t, e.view) != nil || !Restartable(t, e.view) {
		return ""
	}
	assignee := RoleNamed(t.Spec.AssignedTo, e.view)
	agents := e.agentsFor(c, func(r *resources.Role) bool { return r.Metadata.Name == assignee && takes(r, name) })
	if len(agents) == 0 {
		return ""
	}
	return "Hand the task over: start the agent " + orList(agents) + " with task/" + name + " in its prompt."
}

// insteadOf returns the step for an agent whose task has another holder.
func (e *evaluation) insteadOf(name string) string {
	if next := e.otherTask(name); next != "" {
		return "Leave it to its owner, and run `idumb start " + next + "` to work on another task."
	}
	return "Leave it to its owner; `idumb describe task " + name + "` shows its progress. Tell the user if it cannot wait."
}

// leaveTo returns the step for a task that is assigned to another role.
func (e *evaluation) leaveTo(t *resources.Task) string {
	role := RoleNamed(t.Spec.AssignedTo, e.view)
	if step := e.handTo(t); step != "" {
		return step
	}
	if name := e.otherTask(t.Metadata.Name); name != "" {
		return "Leave it to an agent in the role " + quote(role) + ", and run `idumb start " + name + "`."
	}
	return "Leave it to an agent in the role " + quote(role) + ": report what you found; `idumb describe task " + t.Metadata.Name + "` shows the task."
}

// otherTask returns the best ready task, except one, that the caller may start, or "".
func (e *evaluation) otherTask(except string) string {
	for name := range e.ready {
		if name != except {
			return name
		}
	}
	return ""
}

// outsideStep returns the step for a file outside of the task: starting the task that
// contains the file, or planning one.
func (e *evaluation) outsideStep(t *resources.Task) string {
	if e.caller().delegate() {
		if name := e.opener(e.candidates()); name != "" {
			return startThenWrite(name)
		}
		return "Write only files that the task names. " + e.askFor("a separate task for the rest")
	}
	outside := func(name string) bool {
		other, ok := e.view.Task(name)
		return ok && !status.InFocus(other, e.view)
	}
	if name := e.opener(slices.DeleteFunc(e.namers(), outside)); name != "" {
		return startThenWrite(name)
	}
	if step := e.draftStep(); step != "" {
		return step
	}
	if step := e.agentStep(); step != "" {
		return step
	}
	if rest := t.Metadata.Name + "-rest"; e.planStep(t.Spec.WorkPlan, rest) != "" {
		return "Write only files that the task names, or plan the rest: " + e.planThenStart(t.Spec.WorkPlan, rest)
	}
	if name := e.opener(append(e.candidates(), e.reviewed()...)); name != "" {
		return startThenWrite(name)
	}
	return "Write only files that the task names. " + e.askFor("a separate task for the rest")
}

// insteadOfWaiting returns the step for a blocked task.
func (e *evaluation) insteadOfWaiting(t *resources.Task, st resources.TaskStatus) string {
	remedy := "find out what blocks it: `idumb describe task " + t.Metadata.Name + "`."
	if len(st.BlockedBy) > 0 {
		first := st.BlockedBy[0]
		if plan, ok := planName(first); ok {
			remedy = "wait for plan " + quote(plan) + " to complete."
		} else if step := status.DecisionRemedy(t.Metadata.Name, st.BlockedBy[:1], e.view); step != "" {
			remedy = step + "."
		} else if step := status.LossRemedy(t.Metadata.Name, st.BlockedBy[:1], e.view); step != "" {
			remedy = step + "."
		} else if b, ok := e.view.Task(first); ok && resources.TaskState(b) == resources.TaskFailed {
			remedy = "wait until " + quote(first) + " is started again: it failed."
		} else {
			remedy = "wait for " + quote(first) + " to complete."
		}
	}
	before, name := e.startableBlocker(st), e.opener(e.namers())
	if name == "" && before == "" {
		name = e.opener(slices.Collect(e.ready))
	}
	switch {
	case name != "" && name != before:
		return "Work on a ready task (`idumb start " + name + "`), or " + remedy
	case e.caller().delegate():
		return HandBack
	case before != "":
		return "Work on what blocks it first: `idumb start " + before + "`."
	}
	if name := e.otherTask(t.Metadata.Name); name != "" {
		return "You cannot write it yet. Work on another task (`idumb start " + name + "`), or " + remedy
	}
	return "No other task is ready: " + remedy
}

// startableBlocker returns the first task that blocks another one and that the caller may
// start, or "".
func (e *evaluation) startableBlocker(st resources.TaskStatus) string {
	if e.trial {
		return ""
	}
	return StartableBlocker(st, e.view, e.canStart)
}

// StartableBlocker returns the first task that blocks another one, directly or through its
// own blockers, and that may be started. It returns "" without one.
func StartableBlocker(st resources.TaskStatus, v status.View, mayStart func(*resources.Task) bool) string {
	tried := slices.Clone(st.BlockedBy)
	for i := 0; i < len(tried) && i < maxCandidates; i++ {
		t, ok := v.Task(tried[i])
		if !ok {
			continue
		}
		now, _ := status.DeriveTask(t, v)
		if open := now.Ready || now.Phase == resources.TaskActive || now.Phase == resources.TaskFailed; open && !t.Spec.PlanAhead && mayStart(t) {
			return tried[i]
		}
		for _, name := range now.BlockedBy {
			if !slices.Contains(tried, name) {
				tried = append(tried, name)
			}
		}
	}
	return ""
}
