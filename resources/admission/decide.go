package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// rule is one thing that may object to a call. It returns nil if it does not.
type rule struct {
	name  string
	check func(*evaluation) *Reason
	about about
}

// about says which calls a rule is about, and what its reasons hold: more than this package's
// own words, names of objects and what the call itself says may be a sentence of a stranger's.
type about uint16

const (
	onWrite    about = 1 << iota // calls that write
	onGated                      // calls that write what needs an active task
	onTool                       // calls of tools: neither of idumb's nor edits of plans as files
	onTask                       // calls that are work on a task
	onPlan                       // calls where something is planned, or somebody was handed work
	aboutLines                   // what a command line does, whatever work is going on
	ownWhat                      // Reason.What holds no more than that
	ownInstead                   // Reason.UseInstead holds no more than that
	tasksOnly                    // it quotes tasks and the like, and no file that governs
	fixed                        // no person lets a call pass it

	ownWords = ownWhat | ownInstead
)

// rules is the one table, in the order in which they are asked. What the agent
// cannot cure comes first; before all of it, that its work is over.
var rules []rule

func init() { // a denial asks the rules once more, for the step that it names
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
		{"depth", depth, ownWords | tasksOnly | fixed},
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

// Decide judges a call. It never fails: what a View cannot answer it must not
// claim, and the caller denies in its place (see Undecided).
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

// DecideShell judges a command line alone, as if no plan, task or delegation were in
// the way, and in no mode but enforce.
func DecideShell(call Call, view View) Verdict {
	e := &evaluation{call: call, view: view, alone: true}
	if reason := e.objection(aboutLines); reason != nil {
		return e.denied(ModeEnforce, *reason)
	}
	if e.asks != nil {
		return e.asked(ModeEnforce)
	}
	return Verdict{}
}

// objection is what the first rule says that objects, of those that are about something. Whether
// anything is planned takes a look at all tasks, and is asked once a rule objects, or would say more.
func (e *evaluation) objection(what about) *Reason {
	for _, r := range rules {
		if r.about&what != what || !e.concerns(r.about) || e.lifted(&r) {
			continue
		}
		if reason := r.check(e); reason != nil && (r.about&onPlan == 0 || !e.planless()) {
			reason.Rule = r.name
			return reason
		}
	}
	return nil
}

// concerns reports whether a rule is about the call.
func (e *evaluation) concerns(a about) bool {
	return (a&onWrite == 0 || e.call.writes()) &&
		(a&onGated == 0 || e.gated()) &&
		(a&onTool == 0 || e.call.Action != Governance && !e.planning()) &&
		(a&onTask == 0 || e.work().task != nil)
}

// lifted reports whether a person lets the call pass the rule.
func (e *evaluation) lifted(r *rule) bool {
	return len(e.call.Lifted) > 0 && r.about&fixed == 0 && slices.Contains(e.call.Lifted, r.name)
}

// denied completes a reason; mode log records it and lets the call pass.
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

// denyIn is what becomes of a denial in a mode.
func denyIn(mode string) Outcome {
	if mode == ModeLog {
		return Record
	}
	return Deny
}

// asked is the verdict on what a person decides.
func (e *evaluation) asked(mode string) Verdict {
	v := e.denied(mode, *e.asks)
	v.Decides = e.about
	if v.Outcome == Deny {
		v.Outcome = AskPerson
	}
	return v
}

// passed is the verdict on a call that no rule denies.
func (e *evaluation) passed() Verdict {
	if e.asks != nil {
		v := e.asked(e.view.Settings().Mode)
		v.Asks, v.Opens, v.Bypassed = true, e.opens, e.past
		return v
	}
	v := Verdict{Task: e.taskName(), Advice: e.advice, Opens: e.opens, Bypassed: e.past}
	switch {
	case e.call.Action == Governance && e.call.Own:
		v.Outcome = Allow
	case e.advice != "":
		v.Outcome = Advise
	}
	return v
}

// WorkOf returns the task that a call is work on: the one its session is on, or
// the only active one that is the caller's or nobody's.
func WorkOf(call Call, view View) (*resources.Task, bool) {
	w := assign(identify(call, view), call.Paths, view)
	return w.task, w.task != nil
}

// RoleOf returns the role that a call is made in, nil if there is no such role.
func RoleOf(call Call, view View) *resources.Role { return identify(call, view).role }

// undecided is the rule of Undecided's reasons.
const undecided = "undecided"

// Undecided is the verdict for a call that could not be judged: a write is
// denied while governance is enforced, everything else is left to the host.
// cause is a sentence; remedy is one step that works as printed.
func Undecided(call Call, mode, cause, remedy string) Verdict {
	if mode == ModeOff || call.Action != Write && !call.writes() {
		return Verdict{}
	}
	return Verdict{Outcome: denyIn(mode), Reason: Reason{
		Rule: undecided, Action: Write.String(),
		What:       tried(call) + " but the gate cannot tell whether it may.",
		Why:        []string{cause},
		UseInstead: remedy,
	}}
}

// evaluation is one call being judged: what several rules look up, once.
type evaluation struct {
	call   Call
	view   View
	alone  bool // a command line is judged alone, whatever is planned
	trial  bool // only whether a rule objects is asked, not what to do instead: see opensWith
	who    *caller
	job    *work
	others *filesOf     // whose files are, once it was asked
	does   []ownCommand // the commands of idumb in the call, once done says so
	done   bool
	advice string
	opens  bool     // Verdict.Opens
	asks   *Reason  // what the person is to be asked, if nothing denies the call
	about  []string // the decisions that this is about
	past   []Bypass
	draft  *resources.Task // the task of a draft plan whose start the step begins with
}

// caller returns who is calling.
func (e *evaluation) caller() *caller {
	if e.who == nil {
		e.who = identify(e.call, e.view)
	}
	return e.who
}

// work returns which task the call is work on.
func (e *evaluation) work() *work {
	if e.job == nil {
		e.job = assign(e.caller(), e.call.Paths, e.view)
	}
	return e.job
}

// taskName is the task the call was judged under, without looking one up for
// a call that no rule needed it for.
func (e *evaluation) taskName() string {
	if e.job == nil || e.job.task == nil {
		return ""
	}
	return e.job.task.Metadata.Name
}

// gated reports whether the call writes something that needs an active task.
func (e *evaluation) gated() bool {
	return e.call.writes() && slices.ContainsFunc(e.call.Paths, func(p Path) bool { return p.Repo != "" && !openToAll(p) })
}

// planless reports whether writes pass without a task because nobody plans
// anything here. A delegate was handed a task: it needs that one, whatever became
// of its plan.
func (e *evaluation) planless() bool {
	return !e.alone && !e.caller().delegate() && !e.view.Settings().RequirePlan && len(e.view.ActivePlans()) == 0
}

// status returns a task's phase and the like, computed from the specs.
func (e *evaluation) status(t *resources.Task) resources.TaskStatus {
	s, _ := status.DeriveTask(t, e.view)
	return s
}

// shown is a task's status as a denial tells it: one that came back from whoever it was
// handed to waits to be started again, whatever it says; but who has it knows better.
func (e *evaluation) shown(t *resources.Task) resources.TaskStatus {
	s := e.status(t)
	name := t.Metadata.Name
	if s.Phase != resources.TaskActive || e.caller().says(name) || !status.Returned(name, e.view) {
		return s
	}
	again := *t
	again.Spec.State = resources.TaskPlanned
	return e.status(&again)
}

// RuleNames lists the rules that may object to a call, in the order in which they are asked.
func RuleNames() []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.name
	}
	return names
}

// LiftableRules lists the rules that a person may let a call pass: none that keeps governance itself, and
// none about whose something is.
func LiftableRules() []string {
	var names []string
	for _, r := range rules {
		if r.about&fixed == 0 && !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	return names
}
