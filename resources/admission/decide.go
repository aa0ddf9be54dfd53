package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// rule is a rule that may object to a call. check returns nil for no objection.
type rule struct {
	name  string
	check func(*evaluation) *Reason
	scope ruleScope
}

// ruleScope describes which calls a rule concerns and what text its reasons contain. Text that
// is not from this package, an object's name or the call may contain instructions of
// strangers.
type ruleScope uint16

const (
	onWrite    ruleScope = 1 << iota // calls that write
	onGated                          // calls that write files that need an active task
	onTool                           // tool calls, except of idumb's tools and edits of plans as files
	onTask                           // calls that work on a task
	onPlan                           // calls in repositories with plans or delegations
	aboutLines                       // effects of a command line, independent of ongoing work
	ownWhat                          // no other text in Reason.What
	ownInstead                       // Reason.UseInstead has no other text
	tasksOnly                        // quotes tasks and similar objects, but no governed file
	fixed                            // cannot be lifted by a person

	ownWords = ownWhat | ownInstead
)

// rules is the table of rules in evaluation order. Objections that the agent cannot resolve
// come first, and before them the end of its work.
var rules []rule

// init fills the table of rules in the order of evaluation.
func init() { // avoids an initialization cycle: denials evaluate the rules again to find a step
	rules = []rule{
		{"recalled", recalled, ownWords | tasksOnly | fixed},
		{"governed-shell", governedShell, aboutLines | ownWords | tasksOnly | fixed},
		{"governed-path", governedPath, onWrite | aboutLines | ownWords | tasksOnly | fixed},
		{"governed-key", governedKey, aboutLines | ownWords | tasksOnly | fixed},
		{"governed-command", governedCommand, aboutLines | ownWords | tasksOnly | fixed},
		{"shell-gate", shellGate, aboutLines},
		{"role-known", roleKnown, onWrite | ownWords | fixed},
		{"role-tools", roleTools, onPlan | onTool | ownWords},
		{"role-shell", roleShell, onPlan | aboutLines | ownWords},
		{"role-paths", rolePaths, onWrite | aboutLines | ownWords},
		{"first-tool", firstTool, onPlan | ownWords},
		{"may-start", mayStart, onPlan | ownWords},
		{"delegation-taker", addressee, ownWords | tasksOnly | fixed},
		{"own-terms", ownTerms, ownWords | tasksOnly | fixed},
		{"owner", owner, tasksOnly | fixed},
		{"secrets", secretInFile, ownWords | tasksOnly | fixed},
		{"persons-plan", personsPlan, ownWords | tasksOnly | fixed},
		{"decision", avoided, ownWhat | tasksOnly | fixed},
		{"assignee", assigneeByCommand, ownInstead | tasksOnly},
		{RuleDepth, depth, ownWords | tasksOnly | fixed},
		{"todo", todo, onPlan | ownWords | tasksOnly},
		{"read-head", readHead, onWrite | ownWords | tasksOnly | fixed},
		{"file-owner", fileOwner, onGated | onPlan | ownWords | tasksOnly},
		{LeftOut, leftOut, onGated | ownWords | tasksOnly | fixed},
		{SharedPlans, hiddenPlans, onGated | ownWords | tasksOnly | fixed},
		{"write-gate", writeGate, onGated | ownWords | tasksOnly},
		{"task-phase", taskPhase, onGated | onTask | ownWords | tasksOnly},
		{"claim", lapsedClaim, onGated | onTask | ownWords | tasksOnly | fixed},
		{"allowed-tools", allowedTools, onTool | onTask | ownWhat | tasksOnly},
		{"delegated-tools", delegatedTools, onTool | ownWhat | tasksOnly},
		{"comment", heldByComment, onGated | onTask | ownInstead | tasksOnly},
		{"task-paths", taskPaths, onGated | onTask | ownWords | tasksOnly},
		{"halted", halted, ownWords},
		{"chain-rule", chainRules, 0},
	}
}

// Decide judges a call. It never fails. A View that cannot answer must not claim anything;
// the caller denies with Undecided then.
func Decide(call Call, view View) Verdict {
	mode := view.Settings().Mode
	if mode == ModeOff || call.Action == Ask {
		return Verdict{}
	}
	e := &evaluation{call: call, view: view}
	if reason := e.objection(0); reason != nil {
		return e.denied(mode, *reason)
	}
	return e.passed()
}

// DecideShell judges a command line in mode enforce, ignoring plans, tasks and delegations.
func DecideShell(call Call, view View) Verdict {
	e := &evaluation{call: call, view: view, standalone: true}
	if reason := e.objection(aboutLines); reason != nil {
		return e.denied(ModeEnforce, *reason)
	}
	if e.asks != nil {
		return e.askVerdict(ModeEnforce)
	}
	return Verdict{}
}

// objection returns the objection of the first objecting rule of the given kinds.
// Whether there are plans is only checked when needed, because it reads all tasks.
func (e *evaluation) objection(what ruleScope) *Reason {
	for _, r := range rules {
		if r.scope&what != what || !e.concerns(r.scope) || e.lifted(&r) {
			continue
		}
		if reason := r.check(e); reason != nil && (r.scope&onPlan == 0 || !e.planless()) {
			reason.Rule = r.name
			return reason
		}
	}
	return nil
}

// concerns reports whether a rule concerns the call.
func (e *evaluation) concerns(a ruleScope) bool {
	return (a&onWrite == 0 || e.call.writes()) &&
		(a&onGated == 0 || e.gated()) &&
		(a&onTool == 0 || e.call.Action != Governance && !e.planning()) &&
		(a&onTask == 0 || e.work().task != nil)
}

// lifted reports whether a person lifted the rule for the call.
func (e *evaluation) lifted(r *rule) bool {
	return len(e.call.Lifted) > 0 && r.scope&fixed == 0 && slices.Contains(e.call.Lifted, r.name)
}

// denied completes a reason. In mode log the call is recorded and allowed.
func (e *evaluation) denied(mode string, reason Reason) Verdict {
	reason.Action = e.call.Action.String()
	if e.call.writes() {
		reason.Action = Write.String()
	}
	e.placeInChain(&reason.Chain)
	if t := e.draft; t != nil {
		reason.Why = append(reason.Why, "Task "+quote(t.Metadata.Name)+" names the file, and its plan "+quote(t.Spec.WorkPlan)+" is a draft.")
		reason.Evidence = append(reason.Evidence, "workplans/"+t.Spec.WorkPlan+" spec.state = "+resources.PlanDraft)
	}
	reason.UseInstead, reason.Otherwise = InTools(reason.UseInstead, e.call.Tools), InTools(reason.Otherwise, e.call.Tools)
	return Verdict{Outcome: denyIn(mode), Reason: reason, Task: e.taskName()}
}

// denyIn returns the outcome of a denial in a mode.
func denyIn(mode string) Outcome {
	if mode == ModeLog {
		return Record
	}
	return Deny
}

// askVerdict returns the verdict for a decision of a person.
func (e *evaluation) askVerdict(mode string) Verdict {
	v := e.denied(mode, *e.asks)
	v.Decides = e.decisions
	if v.Outcome == Deny {
		v.Outcome = AskPerson
	}
	return v
}

// passed returns the verdict for a call that no rule denies.
func (e *evaluation) passed() Verdict {
	if e.asks != nil {
		v := e.askVerdict(e.view.Settings().Mode)
		v.Asks, v.Opens, v.Bypassed = true, e.opens, e.bypasses
		return v
	}
	v := Verdict{Task: e.taskName(), Advice: e.advice, Opens: e.opens, Bypassed: e.bypasses}
	switch {
	case e.call.Action == Governance && e.call.Own:
		v.Outcome = Allow
	case e.advice != "":
		v.Outcome = Advise
	}
	return v
}

// WorkOf returns the task that a call works on: the task of the session, or the only active
// one that belongs to the caller or has no owner.
func WorkOf(call Call, view View) (*resources.Task, bool) {
	w := assign(identify(call, view), call.Paths, view)
	return w.task, w.task != nil
}

// RoleOf returns the role of the caller, or nil.
func RoleOf(call Call, view View) *resources.Role { return identify(call, view).role }

// undecided is the rule name in reasons of Undecided.
const undecided = "undecided"

// Undecided returns the verdict for a call that could not be judged. Writes are denied in
// mode enforce, other calls are left to the host. cause is a sentence; remedy is one
// working step.
func Undecided(call Call, mode, cause, remedy string) Verdict {
	if mode == ModeOff || call.Action != Write && !call.writes() {
		return Verdict{}
	}
	return Verdict{Outcome: denyIn(mode), Reason: Reason{
		Rule: undecided, Action: Write.String(),
		What:       triedText(call) + " but governance cannot check whether the call is allowed.",
		Why:        []string{cause},
		UseInstead: remedy,
	}}
}

// evaluation holds the state of judging one call. Shared lookups are cached.
type evaluation struct {
	call       Call
	view       View
	standalone bool // judge only the command line, ignoring plans
	trial      bool // only check for objections, without finding a step: see opensWith
	who        *caller
	job        *work
	fileOwners *filesOf     // cached owners of files
	does       []ownCommand // cached idumb commands of the call, valid if done
	done       bool
	advice     string
	opens      bool     // Verdict.Opens
	asks       *Reason  // question for the person, if nothing denies the call
	decisions  []string // decisions in that question
	bypasses   []Bypass
	draft      *resources.Task // task of a draft plan that the step starts first
}

// caller determines the agent or user that makes the call, once per evaluation.
func (e *evaluation) caller() *caller {
	if e.who == nil {
		e.who = identify(e.call, e.view)
	}
	return e.who
}

// work returns the work that the call belongs to.
func (e *evaluation) work() *work {
	if e.job == nil {
		e.job = assign(e.caller(), e.call.Paths, e.view)
	}
	return e.job
}

// taskName returns the task under which the call was judged. It does no lookup if no rule
// needed it.
func (e *evaluation) taskName() string {
	if e.job == nil || e.job.task == nil {
		return ""
	}
	return e.job.task.Metadata.Name
}

// gated reports whether the call writes something that needs an active task.
func (e *evaluation) gated() bool {
	return e.call.writes() && slices.ContainsFunc(e.call.Paths, func(p Path) bool { return p.Repo != "" && !openToAll(p) && !IsPlanFile(p) })
}

// planless reports whether writes need no task because there are no plans. Delegates always
// need the task they were given, even if its plan no longer exists.
func (e *evaluation) planless() bool {
	return !e.standalone && !e.caller().delegate() && Planless(e.view)
}

// Planless reports whether the rules of roles and tasks do not apply, because no plan is active.
func Planless(v View) bool { return !v.Settings().RequirePlan && len(v.ActivePlans()) == 0 }

// status returns the status of a task, computed from the specs.
func (e *evaluation) status(t *resources.Task) resources.TaskStatus {
	s, _ := status.DeriveTask(t, e.view)
	return s
}

// displayStatus returns the status of a task for a denial. A task that a delegate returned counts
// as ready, except for its holder.
func (e *evaluation) displayStatus(t *resources.Task) resources.TaskStatus {
	s := e.status(t)
	name := t.Metadata.Name
	if s.Phase != resources.TaskActive || e.caller().has(name) || !status.WasReturned(name, e.view) {
		return s
	}
	again := *t
	again.Spec.State = resources.TaskPlanned
	return e.status(&again)
}

// RuleNames returns the names of the rules in evaluation order.
func RuleNames() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}

// LiftableRules returns the rules that a person can lift. Rules that protect governance or
// ownership cannot be lifted.
func LiftableRules() []string {
	var names []string
	for _, r := range rules {
		if r.scope&fixed == 0 && !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	return names
}
