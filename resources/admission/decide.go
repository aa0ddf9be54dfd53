package admission

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// rule is one thing that may object to a call. It returns nil if it does not.
type rule struct {
	name  string
	check func(*judgement) *Reason
}

// rules is the one table, in the order in which they are asked. What the agent
// cannot cure comes first; before all of it, that its work is over.
var rules = [...]rule{
	{"recalled", recalled},
	{"governed-shell", governedShell},
	{"governed-path", governedPath},
	{"governed-command", governedCommand},
	{"shell-gate", shellGate},
	{"role-known", roleKnown},
	{"role-tools", roleTools},
	{"role-shell", roleShell},
	{"role-paths", rolePaths},
	{"first-tool", firstTool},
	{"may-start", mayStart},
	{"own-terms", ownTerms},
	{"assignee", assigneeByCommand},
	{"depth", depth},
	{"todo", todo},
	{"write-gate", writeGate},
	{"assignee", assignee},
	{"task-phase", taskPhase},
	{"allowed-tools", allowedTools},
	{"delegated-tools", delegatedTools},
	{"task-paths", taskPaths},
	{"file-lock", fileLock},
	{"halted", halted},
	{"chain-rule", chainRules},
}

// Decide judges a call. It never fails: what a View cannot answer it must not
// claim, and the caller denies in its place (see Undecided).
func Decide(call Call, view View) Verdict {
	mode := view.Settings().Mode
	if mode == ModeOff || call.Action == Ask {
		return Verdict{}
	}
	j := &judgement{call: call, view: view}
	for _, r := range rules {
		if reason := r.check(j); reason != nil {
			reason.Rule = r.name
			return j.denied(mode, *reason)
		}
	}
	return j.passed()
}

// denied completes a reason; mode log records it and lets the call pass.
func (j *judgement) denied(mode string, reason Reason) Verdict {
	reason.Action = j.call.Action.String()
	if j.call.writes() {
		reason.Action = Write.String()
	}
	outcome := Deny
	if mode == ModeLog {
		outcome = Record
	}
	return Verdict{Outcome: outcome, Reason: reason, Task: j.taskName()}
}

func (j *judgement) passed() Verdict {
	if j.asks != nil {
		v := j.denied(j.view.Settings().Mode, *j.asks)
		v.Asks = true
		if v.Outcome == Deny {
			v.Outcome = AskPerson
		}
		v.Opens, v.Bypassed = j.opens, j.past
		return v
	}
	v := Verdict{Task: j.taskName(), Advice: j.advice, Opens: j.opens, Bypassed: j.past}
	switch {
	case j.call.Action == Governance && j.call.Own:
		v.Outcome = Allow
	case j.advice != "":
		v.Outcome = Advise
	}
	return v
}

// WorkOf returns the task that a call is work on: the one its session is on, or
// the only active one that is the caller's or nobody's.
func WorkOf(call Call, view View) (*resources.Task, bool) {
	w := assign(identify(call, view), view)
	return w.task, w.task != nil
}

// RoleOf returns the role that a call is made in, nil if there is no such role.
func RoleOf(call Call, view View) *resources.Role { return identify(call, view).role }

// Undecided is the verdict for a call that could not be judged: a write is
// denied while governance is enforced, everything else is left to the host.
// cause is a sentence; remedy is one step that works as printed.
func Undecided(call Call, mode, cause, remedy string) Verdict {
	if mode == ModeOff || call.Action != Write && !call.writes() {
		return Verdict{}
	}
	outcome := Deny
	if mode == ModeLog {
		outcome = Record
	}
	return Verdict{Outcome: outcome, Reason: Reason{
		Rule: "undecided", Action: Write.String(),
		What:       tried(call) + " but the gate cannot tell whether it may.",
		Why:        []string{cause},
		UseInstead: remedy,
	}}
}

// judgement is one call being judged: what several rules look up, once.
type judgement struct {
	call   Call
	view   View
	who    *caller
	job    *work
	does   []ownCommand // the commands of idumb in the call, once done says so
	done   bool
	advice string
	opens  bool    // Verdict.Opens
	asks   *Reason // what the person is to be asked, if nothing denies the call
	past   []Bypass
}

// caller returns who is calling.
func (j *judgement) caller() *caller {
	if j.who == nil {
		j.who = identify(j.call, j.view)
	}
	return j.who
}

// work returns which task the call is work on.
func (j *judgement) work() *work {
	if j.job == nil {
		j.job = assign(j.caller(), j.view)
	}
	return j.job
}

// taskName is the task the call was judged under, without looking one up for
// a call that no rule needed it for.
func (j *judgement) taskName() string {
	if j.job == nil || j.job.task == nil {
		return ""
	}
	return j.job.task.Metadata.Name
}

// gated reports whether the call writes something that needs an active task.
func (j *judgement) gated() bool {
	if !j.call.writes() {
		return false
	}
	for _, p := range j.call.Paths {
		if p.Repo != "" && !openToAll(p) {
			return true
		}
	}
	return false
}

// planless reports whether writes pass without a task because nobody plans
// anything here. A delegate was handed a task: it needs that one, whatever became
// of its plan.
func (j *judgement) planless() bool {
	return !j.caller().delegate() && !j.view.Settings().RequirePlan && len(j.view.ActivePlans()) == 0
}

// status returns a task's phase and the like, computed from the specs.
func (j *judgement) status(t *resources.Task) resources.TaskStatus {
	s, _ := status.DeriveTask(t, j.view)
	return s
}

// shown is a task's status as a denial tells it: one that came back from whoever it was
// handed to waits to be started again, whatever it says; but who has it knows better.
func (j *judgement) shown(t *resources.Task) resources.TaskStatus {
	s := j.status(t)
	name := t.Metadata.Name
	if s.Phase != resources.TaskActive || j.caller().says(name) || !status.Returned(name, j.view) {
		return s
	}
	again := *t
	again.Spec.State = resources.TaskPlanned
	return j.status(&again)
}
