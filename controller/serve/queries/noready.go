package queries

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxReasons is the maximum number of reasons of each type.
const maxReasons = 5

// explainNoReady returns a few lines that explain why the client may not start
// any task, in one plan or, if plan is empty, in all plans. They list the
// active tasks, the main blockers and the remedies.
func explainNoReady(s *Source, rights admission.Rights, plan string, sharing planvisibility.Sharing) string {
	if err := unreadableFolder(s.Root, resources.Tasks); err != nil {
		return "The tasks cannot be read: " + err.Error() + "\n"
	}
	r := survey(s, rights, plan)
	in := ""
	if plan != "" {
		in = " in " + plan
	}
	switch {
	case r.total == 0 && sharing.Clause() != "":
		return fmt.Sprintf("No tasks are ready%s, and no plan is visible here: %s (%s)\n", in, sharing.Clause(), sharing.Commands())
	case r.total == 0:
		return fmt.Sprintf("No tasks are ready%s: no tasks exist. Add one: idumb add \"...\"\n", in)
	case r.total == r.phases[resources.TaskCompleted]:
		return fmt.Sprintf("All tasks%s are completed. Add one: idumb add \"...\"\n", in)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "No tasks are ready%s: %s\n", in, counts(r.phases))
	r.list(&b, "yours, active until you complete it", r.own)
	r.list(&b, "being worked on", r.working)
	if len(r.idle) > 0 {
		r.list(&b, "active, and no session works on them", r.idle)
		fmt.Fprintf(&b, "  continue one with: idumb start %s\n", r.idle[0])
	}
	r.list(&b, "not yours", r.otherTasks)
	r.list(&b, "completed without their evidence; idumb status shows the next step", r.unproved)
	r.list(&b, "waiting for acceptance", r.review)
	r.list(&b, "failed; idumb start starts them again", r.failed)
	r.list(&b, "unreadable; idumb doctor shows the reason", r.invalid)
	r.listBlockers(&b)
	r.listBroken(&b)
	r.list(&b, "planned ahead, so never proposed", r.nextTasks)
	for _, note := range r.drafts {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	return b.String()
}

// report is the result of a survey of all tasks.
type report struct {
	source  *Source
	rights  admission.Rights
	total   int
	phases  map[string]int
	workers map[string][]string // active task -> its workers

	own, working, idle, otherTasks, unproved, review, failed, invalid, nextTasks []string

	blocking map[string]int // blocker -> number of blocked tasks
	broken   []string       // broken chains with remedies
	drafts   []string       // draft plans of planned tasks, with the next step
}

// survey groups all tasks, or the tasks of a plan, by the reason for which the reader may not
// start them.
func survey(s *Source, rights admission.Rights, plan string) *report {
	r := &report{source: s, rights: rights, phases: map[string]int{}, blocking: map[string]int{}, workers: map[string][]string{}}
	for _, w := range activeTasks(s) {
		r.workers[w.Task] = w.Workers
	}
	for _, key := range s.List(resources.Tasks) {
		task, readable := s.Task(key.Name)
		if plan != "" && (!readable || task.Spec.WorkPlan != plan) {
			continue
		}
		r.total++
		if !readable {
			r.phases[resources.PhaseInvalid]++
			r.invalid = append(r.invalid, key.Name)
			continue
		}
		r.add(task)
	}
	return r
}

// add adds a task to the list for its phase and for the reader's rights.
func (r *report) add(task *resources.Task) {
	derived, ok := r.source.Derived(task.Key()).(*resources.TaskStatus)
	if !ok {
		return
	}
	r.phases[derived.Phase]++
	if b := r.rights.Bar(admission.Start, task); b != nil && (derived.Phase == resources.TaskActive || derived.Phase == resources.TaskPlanned) {
		text := task.Metadata.Name + " (" + b.Brief() + ")"
		if b.Cause == admission.HeldByOther {
			r.working = append(r.working, text)
		} else {
			r.otherTasks = append(r.otherTasks, text)
		}
		return
	}
	switch derived.Phase {
	case resources.TaskActive:
		if l := r.source.Holder(task); l != nil && l.Spec.Holder.Session != "" && !r.rights.Call.Person { // no other session holds it
			r.own = append(r.own, task.Metadata.Name)
			return
		}
		if len(r.workers[task.Metadata.Name]) == 0 {
			r.idle = append(r.idle, task.Metadata.Name)
			return
		}
		r.working = append(r.working, task.Metadata.Name)
	case resources.TaskReview:
		if resources.TaskState(task) == resources.TaskCompleted { // by hand
			r.unproved = append(r.unproved, task.Metadata.Name)
			return
		}
		r.review = append(r.review, task.Metadata.Name)
	case resources.TaskFailed:
		r.failed = append(r.failed, task.Metadata.Name)
	case resources.PhaseInvalid:
		r.invalid = append(r.invalid, task.Metadata.Name)
	case resources.TaskPlanned:
		if task.Spec.PlanAhead {
			r.nextTasks = append(r.nextTasks, task.Metadata.Name)
			return
		}
		if !r.rights.MayRun("idumb start " + task.Metadata.Name) {
			r.otherTasks = append(r.otherTasks, task.Metadata.Name+" (your role may not start it)")
		}
		if plan, ok := r.source.Plan(task.Spec.WorkPlan); ok {
			if note := status.DraftNote(plan); note != "" && !slices.Contains(r.drafts, note) {
				r.drafts = append(r.drafts, note)
			}
		}
	case resources.TaskBlocked:
		for _, name := range derived.BlockedBy {
			r.blocking[name]++
		}
		r.addBroken(task, derived)
	}
}

// addBroken adds a broken chain, which waiting does not resolve. It adds a
// cycle once.
func (r *report) addBroken(task *resources.Task, status *resources.TaskStatus) {
	if circle := r.source.Circle(task.Key()); len(circle) > 0 && circle[0] != task.Key() {
		return
	}
	for _, kind := range [...]string{resources.ChainBroken, resources.Orphaned} {
		if c := resources.FindCondition(status.Conditions, kind); c != nil {
			r.broken = append(r.broken, task.Metadata.Name+": "+c.Message)
		}
	}
}

// counts returns the number of tasks in each phase as text.
func counts(phases map[string]int) string {
	var parts []string
	for _, phase := range slices.Sorted(maps.Keys(phases)) {
		parts = append(parts, fmt.Sprintf("%d %s", phases[phase], phase))
	}
	return strings.Join(parts, ", ")
}

// list writes a line with a heading and the first names. It writes nothing for an empty list.
func (r *report) list(b *strings.Builder, what string, names []string) {
	if len(names) == 0 {
		return
	}
	more := ""
	if len(names) > maxReasons {
		more = fmt.Sprintf(" and %d more", len(names)-maxReasons)
		names = names[:maxReasons]
	}
	fmt.Fprintf(b, "  %s: %s%s\n", what, strings.Join(names, ", "), more)
}

// listBlockers writes the main blockers and their phases.
func (r *report) listBlockers(b *strings.Builder) {
	names := slices.SortedFunc(maps.Keys(r.blocking), func(x, y string) int {
		return cmp.Or(cmp.Compare(r.blocking[y], r.blocking[x]), strings.Compare(x, y))
	})
	for i, name := range names {
		if i == maxReasons {
			fmt.Fprintf(b, "  %d other objects also block tasks; idumb tree shows all\n", len(names)-maxReasons)
			return
		}
		fmt.Fprintf(b, "  %s [%s] holds back %d\n", name, PhaseOf(r.source, status.BlockerKey(name)), r.blocking[name])
	}
}

// listBroken writes the broken chains.
func (r *report) listBroken(b *strings.Builder) {
	for i, text := range r.broken {
		if i == maxReasons {
			fmt.Fprintf(b, "  and %d more broken chains; idumb doctor lists all\n", len(r.broken)-maxReasons)
			return
		}
		fmt.Fprintf(b, "  broken chain: %s\n", text)
	}
}

// PhaseOf returns the phase of an object, or Invalid if its file is unreadable.
// It returns missing or archived if the object does not exist.
func PhaseOf(s *Source, key resources.Key) string {
	if common := resources.CommonOf(s.Derived(key)); common != nil {
		return common.Phase
	}
	if s.Archived(key) {
		return "archived"
	}
	return "missing"
}
