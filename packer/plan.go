package packer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// plan offers the state of the work: the plan, its documents and delegations, the tasks ahead, the
// chain around the active tasks, progress, next and completed tasks, and warnings. Volatile parts
// come last.
func (d *packing) plan() {
	d.planHead()
	// A stale or suspect document offers only what to confirm, because its text cannot be relied on.
	for i, a := range d.documentsToRender() {
		d.planLine(a.Object.Key().String(), chainTier, 940-i, d.documentText(&a))
	}
	d.delegations()
	d.planAhead()
	d.chain()
	d.progress()
	d.next()
	d.done()
	d.warnings()
}

// planLine offers a line of the plan's section, outside of any group.
func (d *packing) planLine(id string, t tier, score int, text string) {
	d.candidates.add(candidate{section: plan, id: id, tier: t, score: score, text: line(text)})
}

// planHead offers the lines about the active plan itself: title, stage, source of truth,
// acceptance criteria and the plans that it waits for. It also offers the intent.
func (d *packing) planHead() {
	if d.in.Plan != nil {
		p := d.in.Plan
		id := "workplans/" + p.Object.Metadata.Name
		d.planLine(id, reserved, planScore, fmt.Sprintf("Plan %s [%s]: %s", p.Object.Metadata.Name, p.Status.Phase, p.Object.Spec.Title))
		if d.in.ActivePhase != "" {
			d.planLine(id+" stage", chainTier, 1000, "Stage: "+stageOf(p.Object.Spec.Phases, d.in.ActivePhase))
		}
		if document := d.sourceOfTruthText(); document != "" {
			d.planLine(id+" document", chainTier, 960, "Source of truth: "+document)
		}
		open := status.OpenCriteria(p.Object)
		for i, criterion := range p.Object.Spec.Acceptance {
			text := "Accept when: " + criterion
			if !slices.Contains(open, i+1) {
				text = "Shown to hold: " + criterion
			} else if p.Status.Phase == resources.PlanReview {
				text = fmt.Sprintf("Open criterion %d: %s", i+1, criterion)
			}
			d.planLine(id+" acceptance", chainTier, 900-i, text)
		}
		if p.Status.Phase == resources.PlanReview {
			d.planLine(id+" met", reserved, planScore, "Its tasks are done. Show that each open criterion holds: govern_plan complete, with met and evidence")
		}
		for i, name := range slices.Sorted(slices.Values(p.Status.BlockedBy)) {
			d.planLine(id+" blockedBy", chainTier, 950-i, "Waits for plan "+d.planName(name))
		}
	}
	if d.in.Intent != "" {
		text := intentLabel + d.in.Intent
		if !d.in.IntentSince.IsZero() {
			text += " (since " + date(d.in.IntentSince) + ")"
		}
		d.planLine("trajectory intent", reserved, planScore, text)
	}
}

// progress offers a line with the numbers of done tasks and of all tasks of the plan.
func (d *packing) progress() {
	if p := d.in.Plan; p != nil {
		d.planLine("workplans/"+p.Object.Metadata.Name+" progress", reserved, planScore,
			fmt.Sprintf("Progress: %d of %d tasks done", p.Status.Progress.ByPhase[resources.TaskCompleted], p.Status.Progress.Total))
	}
}

// stageOf returns the stage's title and its position among the stages.
func stageOf(phases []resources.PlanPhase, name string) string {
	sorted := slices.SortedFunc(slices.Values(phases), func(a, b resources.PlanPhase) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Name, b.Name))
	})
	i := slices.IndexFunc(sorted, func(p resources.PlanPhase) bool { return p.Name == name })
	if i < 0 {
		return name
	}
	return fmt.Sprintf("%s (%d of %d)", cmp.Or(sorted[i].Title, name), i+1, len(sorted))
}

// planName returns a plan's name with phase and title, if the plan is in the input.
func (d *packing) planName(name string) string {
	name = strings.TrimPrefix(name, "workplan/")
	for i := range d.in.Plans {
		if p := &d.in.Plans[i]; p.Object.Metadata.Name == name {
			return fmt.Sprintf("%s [%s] %s", name, p.Status.Phase, p.Object.Spec.Title)
		}
	}
	return name
}

// Limits on lists that can be as long as the plan.
const (
	maxChain     = 8
	maxDone      = 4
	maxPlanAhead = 4
	maxWarnings  = 8
	maxNext      = 3 // while a task is active
)

// chain offers the tasks around the active ones, or around the first startable one, dependencies
// first. It omits abandoned tasks and completed ones more than one step back.
func (d *packing) chain() {
	var around []*Task
	for name, distance := range d.chainDistances {
		t := d.pool[name]
		done := t.Status.Phase == resources.TaskCompleted && distance < -1
		if !done && t.Status.Phase != resources.TaskAbandoned && len(d.chainDistances) > max(1, len(d.active)) {
			around = append(around, t)
		}
	}
	slices.SortFunc(around, func(a, b *Task) int {
		return cmp.Or(cmp.Compare(d.distance(a), d.distance(b)), d.inChain(a, b))
	})
	more := len(around) > maxChain
	around = around[:min(maxChain, len(around))]
	slices.SortFunc(around, d.inChain)
	for _, t := range around {
		d.planItem("chain", "tasks/"+t.Object.Metadata.Name, 800-d.distance(t), d.chainText(t))
	}
	if more { // without the number, which would change with each step
		d.planItem("chain", "chain", 1, "and more tasks further along: idumb tree")
	}
}

// distance returns the number of steps between a task and the nearest active one.
func (d *packing) distance(t *Task) int {
	distance := d.chainDistances[t.Object.Metadata.Name]
	return max(distance, -distance)
}

// inChain compares tasks by their position in the chain, then by creation.
func (d *packing) inChain(a, b *Task) int {
	x, y := a.Object.Metadata.Name, b.Object.Metadata.Name
	return cmp.Or(cmp.Compare(d.chainDistances[x], d.chainDistances[y]), a.Object.Created().Compare(b.Object.Created()), strings.Compare(x, y))
}

// planItem offers a line of one of the plan's groups.
func (d *packing) planItem(group, id string, score int, text string) {
	d.candidates.add(candidate{section: plan, group: group, id: id, tier: chainTier, score: score, text: "- " + line(text)})
}

// chainText renders a task of the chain.
func (d *packing) chainText(t *Task) string {
	text := heading(t, true) + afterText(t)
	if whose := d.in.Others[t.Object.Metadata.Name]; whose != "" && (t.Status.Phase == resources.TaskPlanned || t.Status.Phase == resources.TaskActive) {
		text = strings.Replace(text, " ["+t.Status.Phase+"]", " ["+t.Status.Phase+", "+whose+"]", 1)
	}
	if d.isActive(t.Object.Metadata.Name) {
		text += ", the task below"
	}
	return text
}

// afterText returns the dependencies of a task as text, empty without dependencies.
func afterText(t *Task) string {
	if before := resources.ComesFirst(t.Object); len(before) > 0 {
		return " (after " + listed(before) + ")"
	}
	return ""
}

// next offers the tasks to start or to hand over, best first, in the order of the plan's status.
func (d *packing) next() {
	if d.in.Plan == nil {
		return
	}
	shown := 0
	for i, name := range d.in.Plan.Status.Next {
		if d.isActive(name) || shown == maxNext && len(d.active) > 0 {
			continue
		}
		shown++
		text := name
		if t := d.pool[name]; t != nil {
			text = heading(t, false) + afterText(t)
		}
		text += admission.HandOverNote(d.in.HandTo[name], " (", ")")
		d.planItem("next", "tasks/"+name, 700-i, text)
	}
}

// done offers the tasks that were completed last in the plan: those with the latest checkpoints,
// then the youngest. It omits tasks of the chain.
func (d *packing) done() {
	if d.in.Plan == nil {
		return
	}
	told := map[string]bool{}
	for i := range d.candidates {
		if d.candidates[i].group == "chain" {
			told[strings.TrimPrefix(d.candidates[i].id, "tasks/")] = true
		}
	}
	var list []*Task
	for i := range d.in.Tasks {
		t := &d.in.Tasks[i]
		if t.Status.Phase == resources.TaskCompleted && !told[t.Object.Metadata.Name] && t.Object.Spec.WorkPlan == d.in.Plan.Object.Metadata.Name {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *Task) int {
		return cmp.Or(lastCheckpoint(a).Compare(lastCheckpoint(b)), strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name))
	})
	list = list[max(0, len(list)-maxDone):]
	for i, t := range list {
		d.planItem("done", "tasks/"+t.Object.Metadata.Name, i-maxDone, heading(t, false))
	}
}

// lastCheckpoint returns the time of a task's last checkpoint, otherwise its creation time. It ignores
// the completion time in the status, because a pack without a controller does not have it.
func lastCheckpoint(t *Task) time.Time {
	if last := t.Status.Checkpoints.Last; len(last) > 0 {
		return last[len(last)-1].Time.Time
	}
	return t.Object.Created()
}

// planAhead offers the tasks that are planned but must not start yet.
func (d *packing) planAhead() {
	if d.in.Plan == nil {
		return
	}
	var waiting []Task
	for i := range d.in.Tasks {
		t := &d.in.Tasks[i]
		if t.Object.Spec.PlanAhead && t.Object.Spec.WorkPlan == d.in.Plan.Object.Metadata.Name && (t.Status.Phase == resources.TaskPlanned || t.Status.Phase == resources.TaskBlocked) {
			waiting = append(waiting, *t)
		}
	}
	ahead := byCreation(waiting)
	for i, t := range ahead[:min(maxPlanAhead, len(ahead))] {
		d.planItem("plan_ahead", "tasks/"+t.Object.Metadata.Name, 600-i, heading(t, false))
	}
	if more := len(ahead) - maxPlanAhead; more > 0 {
		d.planItem("plan_ahead", "plan_ahead", 0, fmt.Sprintf("and %d more", more))
	}
}
