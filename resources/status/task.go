package status

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveTask computes what holds about a task from its spec and what v says of the
// objects that it refers to, by the table of task phases. It reads no status, only
// specs and logs (and, for plans, PlanCounts), so that dependencies in a circle
// cannot make it run in circles. The time is the next moment at which the result
// changes by itself, zero if it never does. startedAt, completedAt and the
// transition times of conditions are not filled in: they are what was seen, not
// what can be computed.
func DeriveTask(t *resources.Task, v View) (resources.TaskStatus, time.Time) {
	d := newTaskDerivation(t, v)
	d.outline()
	d.conditions()
	return d.status, d.next
}

// TaskDone reports whether a task counts as completed for whatever waits for it:
// completed is claimed, and what proves it was seen. It does not depend on other
// tasks.
func TaskDone(t *resources.Task, s *Evidence) bool {
	if t.Spec.State != resources.TaskCompleted {
		return false
	}
	if len(t.Spec.Evidence) > 0 {
		return len(MissingEvidence(t, s)) == 0
	}
	return t.Spec.Result != nil && t.Spec.Result.Evidence != "" || s != nil && s.Count > 0
}

// LiveTask reports whether a task may still be worked on: it is neither claimed
// completed nor failed nor abandoned.
func LiveTask(t *resources.Task) bool {
	switch t.Spec.State {
	case resources.TaskCompleted, resources.TaskFailed, resources.TaskAbandoned:
		return false
	}
	return true
}

// Open reports whether an object is a task that may still be worked on, an active plan or an
// accepted decision. Removing one needs an explanation.
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

// taskDerivation is one run of DeriveTask.
type taskDerivation struct {
	task     *resources.Task
	view     View
	seen     *Evidence
	missing  []resources.EvidenceItem
	blockers blockers
	status   resources.TaskStatus
	next     time.Time
}

func newTaskDerivation(t *resources.Task, v View) taskDerivation {
	d := taskDerivation{task: t, view: v, seen: v.Evidence(t.Metadata.Name)}
	if d.seen == nil {
		d.seen = &Evidence{}
	}
	return d
}

// outline finds out all but the conditions.
func (d *taskDerivation) outline() {
	spec := &d.task.Spec
	if len(spec.Evidence) > 0 {
		d.missing = MissingEvidence(d.task, d.seen)
	}
	if state := resources.TaskState(d.task); state == resources.TaskPlanned || state == resources.TaskActive {
		d.blockers = taskBlockers(d.task, d.view)
		d.status.BlockedBy = d.blockers.names()
	}
	d.status.Phase = d.phase()
	d.status.Ready = d.status.Phase == resources.TaskPlanned
	d.status.Checkpoints = resources.TaskCheckpoints{Count: d.seen.Count, Last: d.seen.Last}
	d.status.Artifacts = d.seen.Files
}

// phase is the table of task phases.
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
		if !TaskDone(d.task, d.seen) {
			return resources.TaskReview
		}
	}
	return state
}

// satisfied reports whether evidence is asked for, and all of it was seen.
func (d *taskDerivation) satisfied() bool {
	return len(d.task.Spec.Evidence) > 0 && len(d.missing) == 0
}

// conditions adds the conditions that hold, sorted by type.
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
		all = append(all, resources.Condition{Type: resources.OutputSatisfied, Status: resources.True, Reason: "EvidenceSeen", Message: "everything that spec.evidence asks for was seen"})
	}
	if c, parked := d.parked(); parked {
		all = append(all, c)
	}
	all = append(all, d.ready())
	if c, stale := d.stale(); stale {
		all = append(all, c)
	}
	d.status.Conditions = all
}

// abandonedByDelegate reports whether whoever was handed an active task has been over for
// longer than the grace, and nobody else has it: it waits to be started again. Only who
// can look at whole kinds says so; the gate, which reads by name, asks Returned of the
// tasks that a session has not said to be its own.
func (d *taskDerivation) abandonedByDelegate() bool {
	wide, ok := d.view.(WideView)
	return ok && Returned(d.task.Metadata.Name, wide)
}

// delegateGone: whoever was handed the task is over, and nobody else has it.
func (d *taskDerivation) delegateGone() (resources.Condition, bool) {
	wide, ok := d.view.(WideView)
	if !ok || !LiveTask(d.task) {
		return resources.Condition{}, false
	}
	var found *resources.Condition
	for _, del := range wide.Delegations(d.task.Metadata.Name) {
		g := goneFrom(del, wide)
		if !g.next.IsZero() {
			d.at(g.next)
		}
		switch {
		case g.session != "":
			c := g.condition(del)
			found = &c
		case LiveDelegation(del):
			return resources.Condition{}, false // somebody has it
		}
	}
	if found == nil {
		return resources.Condition{}, false
	}
	return *found, true
}

// at notes a moment at which the result changes by itself.
func (d *taskDerivation) at(t time.Time) {
	if d.next.IsZero() || t.Before(d.next) {
		d.next = t
	}
}

// ready is the condition Ready, which every task has.
func (d *taskDerivation) ready() resources.Condition {
	c := resources.Condition{Type: resources.Ready, Status: resources.False}
	switch d.status.Phase {
	case resources.TaskPlanned:
		c.Status, c.Reason, c.Message = resources.True, "NothingUnmet", "nothing that comes first is open"
		if d.task.Spec.PlanAhead {
			c.Reason, c.Message = "PlannedAhead", "nothing that comes first is open; it is not proposed because spec.planAhead is set"
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

// WithReason is what happened, and why if that is known.
func WithReason(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

func (d *taskDerivation) evidenceMissing() resources.Condition {
	c := resources.Condition{Type: resources.EvidenceMissing, Status: resources.True, Reason: "NothingRecorded",
		Message: "completed is claimed without anything that shows it; say what does: idumb complete " + d.task.Metadata.Name + ` --evidence "..."`}
	if len(d.missing) == 0 {
		return c
	}
	c.Reason = "EvidenceNotSeen"
	c.Message = "completed is claimed, but not seen: " + ListedEvidence(d.missing) + "; " + Bring(d.missing[0], d.task.Metadata.Name, true)
	return c
}

// Bring is how a piece of evidence of a task is brought, by whoever reads it. What files are is
// noted at the start: of a task that is claimed to be completed none is seen until it starts again.
func Bring(item resources.EvidenceItem, task string, claimed bool) string {
	step := "change a file that matches " + item.File + " and complete it again"
	switch {
	case item.Command != "":
		step = "run it: idumb run --task " + task + " -- " + item.Command
	case claimed:
		step = "take it up again: idumb start " + task + ", then " + step
	}
	return step + ", or ask for something else: idumb edit task " + task
}

// BringCommand is the command that brings what is missing of the evidence of a task in review, or is next to do.
func BringCommand(missing []resources.EvidenceItem, task string) string {
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

// ListedEvidence lists items of evidence in words.
func ListedEvidence(list []resources.EvidenceItem) string {
	items := make([]string, len(list))
	for i, item := range list {
		items[i] = item.String()
	}
	return Listed(items, ", ")
}

// stale says that nobody seems to work on an active task, and notes when that
// will be the case.
func (d *taskDerivation) stale() (resources.Condition, bool) {
	if d.status.Phase != resources.TaskActive {
		return resources.Condition{}, false
	}
	since, limit := restsSince(d.task, d.seen, d.view)
	if at := since.Add(limit); d.view.Now().Before(at) {
		d.at(at)
		return resources.Condition{}, false
	}
	return resources.Condition{Type: resources.Stale, Status: resources.True, Reason: "NothingRecorded",
		Message: "active, and nothing was recorded for it since " + since.UTC().Format(time.RFC3339) + "; go on with it, or hand it back: idumb fail|abandon " + d.task.Metadata.Name}, true
}

// restsSince is since when nothing was recorded for a task, and how long that may last.
func restsSince(t *resources.Task, seen *Evidence, v View) (since time.Time, limit time.Duration) {
	since = resources.Later(resources.Later(seen.Newest, t.Origin.ModTime), resources.AnnotatedAt(t))
	return since, resources.Duration(t.Spec.StaleAfter, resources.Duration(v.Settings().TaskStaleAfter, 0))
}

// SoonStale is when an active task turns stale, if four fifths of the time until then have passed; else the
// zero time.
func SoonStale(t *resources.Task, v View) time.Time {
	since, limit := restsSince(t, v.Evidence(t.Metadata.Name), v)
	at := since.Add(limit)
	if t.Spec.State != resources.TaskActive || limit == 0 || v.Now().Before(at.Add(-limit/5)) || !v.Now().Before(at) {
		return time.Time{}
	}
	return at
}

// chainBroken says which dependencies can never be met as things stand, for a
// task that may still be worked on.
func (d *taskDerivation) chainBroken() (resources.Condition, bool) {
	if !LiveTask(d.task) {
		return resources.Condition{}, false
	}
	if circle := d.view.Circle(resources.Key{Kind: resources.Tasks, Name: d.task.Metadata.Name}); circle != nil {
		return brokenByCircle(circle, d.view), true
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

// LossRemedy says whom to ask where a task waits for one that no waiting brings, of those that block it: it is
// abandoned, in the archive or not there. "" if there is none.
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
		return "ask the person about its dependency " + strconv.Quote(name) + ", which is " + is + ": `idumb edit task " + task + "`" + more
	}
	return ""
}

func brokenByLoss(task string, archived, abandoned []string) (resources.Condition, bool) {
	c := resources.Condition{Type: resources.ChainBroken, Status: resources.True}
	switch {
	case len(archived) > 0:
		c.Reason = "DependencyArchived"
		c.Message = Quoted(archived) + " " + isAre(archived) + " in the archive; edit dependsOn, abandon " + strconv.Quote(task) + " as well, or have the person bring it back (idumb restore task/" + archived[0] + ")"
	case len(abandoned) > 0:
		c.Reason = "DependencyAbandoned"
		c.Message = Quoted(abandoned) + " " + isAre(abandoned) + " abandoned; edit dependsOn, take it up again, or abandon " + strconv.Quote(task) + " as well"
	default:
		return c, false
	}
	return c, true
}

// brokenByCircle writes the circle out, cut after maxNamed names.
func brokenByCircle(circle []resources.Key, v View) resources.Condition {
	kind := circle[0].Kind
	names := make([]string, 0, maxNamed+1)
	for _, key := range circle[:min(len(circle), maxNamed)] {
		names = append(names, stepName(key, kind))
	}
	around := strings.Join(names, " -> ") // of a long one not even a text is made
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

// linked reports whether one field of tasks, or dependsOn of plans, leads from each object of a cycle to the next.
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
