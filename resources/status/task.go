package status

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveTask computes the status of a task from its spec and from the objects that it
// refers to. It reads specs, logs and PlanCounts, but no statuses of other tasks, so that
// it terminates for cyclic dependencies. The time is the next time at which the status may
// change; it is zero if the status only changes with its inputs. DeriveTask does not set
// startedAt, completedAt and the transition times of conditions, because these are observed
// and cannot be computed.
func DeriveTask(t *resources.Task, v View) (resources.TaskStatus, time.Time) {
	d := taskDerivation{task: t, view: v, evidence: v.Evidence(t.Metadata.Name)}
	if d.evidence == nil {
		d.evidence = &Evidence{}
	}
	if spec := &d.task.Spec; len(spec.Evidence) > 0 {
		d.missing = MissingEvidence(d.task, d.evidence)
	}
	if state := resources.TaskState(d.task); state == resources.TaskPlanned || state == resources.TaskActive {
		d.blockers = taskBlockers(d.task, d.view)
		d.status.BlockedBy = d.blockers.names()
	}
	d.status.Phase = d.phase()
	d.status.Ready = d.status.Phase == resources.TaskPlanned
	d.status.Checkpoints = resources.TaskCheckpoints{Count: d.evidence.Count, Last: d.evidence.Last}
	d.status.Artifacts = d.evidence.Files
	d.conditions()
	return d.status, d.next
}

// TaskDone reports whether a task counts as completed for its dependents:
// spec.state is completed and the evidence is present: all of spec.evidence or,
// without that, a text of the result or a checkpoint of work. It does not
// depend on other tasks.
func TaskDone(t *resources.Task, s *Evidence) bool {
	if t.Spec.State != resources.TaskCompleted {
		return false
	}
	if len(t.Spec.Evidence) > 0 {
		return len(MissingEvidence(t, s)) == 0
	}
	return t.Spec.Result != nil && t.Spec.Result.Evidence != "" || s != nil && s.Count > s.Failed
}

// LiveTask reports whether a task is not completed, failed or abandoned.
func LiveTask(t *resources.Task) bool {
	switch t.Spec.State {
	case resources.TaskCompleted, resources.TaskFailed, resources.TaskAbandoned:
		return false
	}
	return true
}

// Open reports whether an object is a live task, an active plan or an accepted decision.
// Removing such an object requires a reason.
func Open(o resources.Object) bool {
	switch o := o.(type) {
	case *resources.Task:
		return LiveTask(o)
	case *resources.WorkPlan:
		return resources.PlanState(o) == resources.PlanActive
	case *resources.Decision:
		return resources.DecisionState(o) == resources.DecisionAccepted
	}
	return false
}

// taskDerivation computes the status of one task; see DeriveTask.
type taskDerivation struct {
	task     *resources.Task
	view     View
	evidence *Evidence
	missing  []resources.EvidenceItem
	blockers blockers
	status   resources.TaskStatus
	next     time.Time
}

// phase returns the phase of the task: the state in its spec or, because of
// blockers, evidence or an ended delegate, blocked, review or planned.
func (d *taskDerivation) phase() string {
	state := resources.TaskState(d.task)
	switch state {
	case resources.TaskPlanned, resources.TaskActive:
		switch {
		case len(d.blockers) > 0:
			return resources.TaskBlocked
		case state == resources.TaskActive && d.satisfied():
			return resources.TaskReview
		case state == resources.TaskActive && d.abandonedByDelegate():
			return resources.TaskPlanned
		}
	case resources.TaskCompleted:
		if !TaskDone(d.task, d.evidence) {
			return resources.TaskReview
		}
	}
	return state
}

// satisfied reports whether the task requires evidence and all of it is present.
func (d *taskDerivation) satisfied() bool {
	return len(d.task.Spec.Evidence) > 0 && len(d.missing) == 0
}

// conditions adds the conditions, sorted by type.
func (d *taskDerivation) conditions() {
	all := make([]resources.Condition, 0, 3)
	if len(d.blockers) > 0 {
		all = append(all, resources.Condition{Type: resources.Blocked, Status: resources.True, Reason: d.blockers.reason(), Message: d.blockers.message(d.task)})
	}
	if c, broken := d.chainBroken(); broken {
		all = append(all, c)
	}
	if c, gone := d.delegateGone(); gone {
		all = append(all, c)
	}
	if d.task.Spec.State == resources.TaskCompleted && d.status.Phase == resources.TaskReview {
		all = append(all, d.evidenceMissing())
	}
	if c, orphaned := orphanedTask(d.task, d.view); orphaned {
		all = append(all, c)
	}
	if d.satisfied() {
		all = append(all, resources.Condition{Type: resources.OutputSatisfied, Status: resources.True, Reason: "EvidenceSeen", Message: "all evidence of spec.evidence was recorded"})
	}
	if c, parked := d.parked(); parked {
		all = append(all, c)
	}
	all = append(all, d.ready())
	if c, stale := d.stale(); stale {
		all = append(all, c)
	}
	if c, deep := d.deep(); deep {
		all = append(all, c)
	}
	d.status.Conditions = all
}

// abandonedByDelegate reports whether the delegate of an active task ended more than the
// grace period ago and the task has no other delegate. The task can then be started again.
// It returns false for a View without access to entire kinds. The gate has such a View and
// calls WasReturned instead.
func (d *taskDerivation) abandonedByDelegate() bool {
	wide, ok := d.view.(WideView)
	return ok && WasReturned(d.task.Metadata.Name, wide)
}

// delegateGone returns the condition DelegateGone if the delegates of the task
// have ended. It records when that may change.
func (d *taskDerivation) delegateGone() (resources.Condition, bool) {
	wide, ok := d.view.(WideView)
	if !ok || !LiveTask(d.task) {
		return resources.Condition{}, false
	}
	var found *resources.Condition
	for _, del := range wide.Delegations(d.task.Metadata.Name) {
		g := goneFrom(del, wide)
		if !g.next.IsZero() {
			d.scheduleAt(g.next)
		}
		switch {
		case g.session != "":
			c := g.condition(del)
			found = &c
		case LiveDelegation(del):
			return resources.Condition{}, false // the task has a live delegate
		}
	}
	if found == nil {
		return resources.Condition{}, false
	}
	return *found, true
}

// scheduleAt records a time at which the status may change.
func (d *taskDerivation) scheduleAt(t time.Time) {
	if d.next.IsZero() || t.Before(d.next) {
		d.next = t
	}
}

// ready returns the condition Ready, which every task has.
func (d *taskDerivation) ready() resources.Condition {
	c := resources.Condition{Type: resources.Ready, Status: resources.False}
	switch d.status.Phase {
	case resources.TaskPlanned:
		c.Status, c.Reason, c.Message = resources.True, "NothingUnmet", "all of its dependencies are completed"
		if d.task.Spec.PlanAhead {
			c.Reason, c.Message = "PlannedAhead", "all of its dependencies are completed; it is not proposed because spec.planAhead is set"
		}
	case resources.TaskBlocked:
		c.Reason, c.Message = d.blockers.reason(), "something that comes first is not completed"
	case resources.TaskActive:
		c.Reason, c.Message = "InProgress", "it is being worked on"
	case resources.TaskReview:
		c.Reason, c.Message = "InReview", "it waits for being completed or taken up again"
	case resources.TaskCompleted:
		c.Reason, c.Message = "Completed", "it is done"
	case resources.TaskFailed:
		c.Reason, c.Message = "Failed", WithReason("it failed", d.task.Spec.Reason)
	default:
		c.Reason, c.Message = "Abandoned", WithReason("it was abandoned", d.task.Spec.Reason)
	}
	return c
}

// WithReason returns an event with its reason, if there is one.
func WithReason(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

// evidenceMissing returns the condition EvidenceMissing of a task that is claimed to be completed.
func (d *taskDerivation) evidenceMissing() resources.Condition {
	c := resources.Condition{Type: resources.EvidenceMissing, Status: resources.True, Reason: "NothingRecorded",
		Message: "completed is claimed without anything that shows it; idumb complete " + d.task.Metadata.Name + ` --evidence "..."`}
	if len(d.missing) == 0 {
		return c
	}
	c.Reason = "EvidenceNotSeen"
	c.Message = "completed is claimed, but not seen: " + ListedEvidence(d.missing) + "; " + EvidenceStep(d.missing[0], d.task.Metadata.Name, true)
	return c
}

// EvidenceStep returns the next step to provide missing evidence. claimed means that spec.state is
// completed: file evidence then requires a restart of the task, because written files are
// only recorded for active tasks.
func EvidenceStep(item resources.EvidenceItem, task string, claimed bool) string {
	step := "change a file that matches " + item.File + " and complete it again"
	switch {
	case item.Command != "":
		step = "run it: idumb run --task " + task + " -- " + item.Command
	case claimed:
		step = "start it again: idumb start " + task + ", then " + step
	}
	return step + ", or change the required evidence: idumb edit task " + task
}

// EvidenceCommand returns the command that provides the missing evidence of a task in review,
// or the next command towards it.
func EvidenceCommand(missing []resources.EvidenceItem, task string) string {
	for _, item := range missing {
		switch {
		case item.Command != "" && len(missing) == 1:
			return "idumb run --complete " + task + " -- " + item.Command
		case item.Command != "":
			return "idumb run --task " + task + " -- " + item.Command
		}
	}
	return "idumb start " + task
}

// ListedEvidence returns items of evidence as text.
func ListedEvidence(list []resources.EvidenceItem) string {
	items := make([]string, len(list))
	for i, item := range list {
		items[i] = item.String()
	}
	return Listed(items, ", ")
}

// stale returns the condition Stale if an active task had no recent activity. Otherwise it
// records when the task becomes stale.
func (d *taskDerivation) stale() (resources.Condition, bool) {
	if d.status.Phase != resources.TaskActive {
		return resources.Condition{}, false
	}
	since, limit := lastActivity(d.task, d.evidence, d.view)
	if at := since.Add(limit); d.view.Now().Before(at) {
		d.scheduleAt(at)
		return resources.Condition{}, false
	}
	return resources.Condition{Type: resources.Stale, Status: resources.True, Reason: "NothingRecorded",
		Message: "active, and nothing was recorded for it since " + since.UTC().Format(time.RFC3339) + "; continue it, or hand it back: idumb fail|abandon " + d.task.Metadata.Name}, true
}

// lastActivity returns the time of the last activity of a task, and its staleness limit.
func lastActivity(t *resources.Task, seen *Evidence, v View) (since time.Time, limit time.Duration) {
	since = resources.Later(resources.Later(seen.Newest, t.Origin.ModTime), resources.AnnotatedAt(t))
	return since, resources.Duration(t.Spec.StaleAfter, resources.Duration(v.Settings().TaskStaleAfter, 0))
}

// SoonStale returns the time at which an active task becomes stale if at least four
// fifths of its limit have passed. Otherwise it returns the zero time.
func SoonStale(t *resources.Task, v View) time.Time {
	since, limit := lastActivity(t, v.Evidence(t.Metadata.Name), v)
	at := since.Add(limit)
	if t.Spec.State != resources.TaskActive || limit == 0 || v.Now().Before(at.Add(-limit/5)) || !v.Now().Before(at) {
		return time.Time{}
	}
	return at
}

// chainBroken returns a condition if a live task has dependencies that can never be
// completed.
func (d *taskDerivation) chainBroken() (resources.Condition, bool) {
	if !LiveTask(d.task) {
		return resources.Condition{}, false
	}
	if circle := d.view.Circle(resources.Key{Kind: resources.Tasks, Name: d.task.Metadata.Name}); circle != nil {
		return brokenByCycle(circle, d.view), true
	}
	var archived, abandoned []string
	for _, name := range resources.ComesFirst(d.task) {
		if first, ok := d.view.Task(name); ok {
			if first.Spec.State == resources.TaskAbandoned {
				abandoned = append(abandoned, name)
			}
		} else if key := (resources.Key{Kind: resources.Tasks, Name: name}); !d.view.Exists(key) && d.view.Archived(key) {
			archived = append(archived, name)
		}
	}
	return brokenByLoss(d.task.Metadata.Name, archived, abandoned)
}

// LossRemedy returns the next step if one of the blocking tasks is abandoned, archived or
// missing. It returns "" otherwise.
func LossRemedy(task string, blockedBy []string, v View) string {
	for _, name := range blockedBy {
		key := BlockerKey(name)
		if key.Kind != resources.Tasks {
			continue
		}
		var is, more string
		if first, ok := v.Task(key.Name); !ok && v.Exists(key) || ok && first.Spec.State != resources.TaskAbandoned {
			continue
		} else if ok {
			is = "abandoned"
		} else if is = Absence(key, v); v.Archived(key) {
			more = ", or `idumb restore task/" + name + "`"
		}
		return "ask the user about its dependency " + strconv.Quote(name) + ", which is " + is + ": `idumb edit task " + task + "`" + more
	}
	return ""
}

// brokenByLoss returns the condition ChainBroken of a task with archived or abandoned dependencies.
// It returns false if both lists are empty.
func brokenByLoss(task string, archived, abandoned []string) (resources.Condition, bool) {
	c := resources.Condition{Type: resources.ChainBroken, Status: resources.True}
	switch {
	case len(archived) > 0:
		c.Reason = "DependencyArchived"
		c.Message = Quoted(archived) + " " + isAre(archived) + " in the archive; edit dependsOn, abandon " + strconv.Quote(task) + " as well, or have the user bring it back (idumb restore task/" + archived[0] + ")"
	case len(abandoned) > 0:
		c.Reason = "DependencyAbandoned"
		c.Message = Quoted(abandoned) + " " + isAre(abandoned) + " abandoned; edit dependsOn, take it up again, or abandon " + strconv.Quote(task) + " as well"
	default:
		return c, false
	}
	return c, true
}

// brokenByCycle returns the condition for a cycle. The message lists at most maxNamed
// names.
func brokenByCycle(circle []resources.Key, v View) resources.Condition {
	kind := circle[0].Kind
	names := make([]string, 0, maxNamed+1)
	for _, key := range circle[:min(len(circle), maxNamed)] {
		names = append(names, stepName(key, kind))
	}
	around := strings.Join(names, " -> ") // only the first names, because formatting a long cycle is expensive
	if len(circle) > maxNamed {
		around += " -> ... (" + strconv.Itoa(len(circle)) + " in all)"
	} else {
		around += " -> " + names[0]
	}
	what, remedy := "depends on itself", "change the dependsOn, temporalGate, parent or workPlan of one of them"
	switch {
	case linked(circle, v, func(t *resources.TaskSpec) []string { return t.DependsOn }):
		remedy = "take one of them out of another one's dependsOn"
	case linked(circle, v, func(t *resources.TaskSpec) []string { return []string{t.Parent} }):
		what, remedy = "is a part of itself", "change the parent of one of them"
	}
	return resources.Condition{Type: resources.ChainBroken, Status: resources.True, Reason: "Circle", Message: what + ": " + around + "; " + remedy}
}

// linked reports whether each object of a cycle refers to the next one by the same task
// field, or by dependsOn of a plan.
func linked(circle []resources.Key, v View, field func(*resources.TaskSpec) []string) bool {
	for i, key := range circle[:min(len(circle), maxNamed)] {
		next, named := circle[(i+1)%len(circle)], []string(nil)
		if t, ok := v.Task(key.Name); ok && key.Kind == resources.Tasks {
			named = field(&t.Spec)
		} else if p, ok := v.Plan(key.Name); ok && key.Kind == resources.WorkPlans {
			named = p.Spec.DependsOn
		}
		if next.Kind != key.Kind || !slices.Contains(named, next.Name) {
			return false
		}
	}
	return true
}
