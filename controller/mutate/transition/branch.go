package transition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Branch is the verb that splits a task into others.
const Branch Verb = "branch"

// HasParts is the cause of refusing to split a task that already has parts or
// that holds locks.
const HasParts apierrors.Cause = "HasParts"

// Branched returns the results of splitting a task into new tasks with these
// names: the new tasks, the tasks that depended on the old one and now depend
// on all new ones, and the task itself, abandoned with its recorded results. It
// does not modify its arguments.
func Branched(t *resources.Task, into []string, v View) (made, waiting []*resources.Task, old *resources.Task, err error) {
	name := t.Metadata.Name
	if now := state(t); now == resources.TaskCompleted || now == resources.TaskAbandoned {
		return nil, nil, nil, refuse(Branch, object(t), admission.TaskEnded, "it is "+now, admission.Reopen(t))
	}
	if distinct := union(into); len(distinct) < 2 || len(distinct) < len(into) || slices.Contains(into, name) {
		return nil, nil, nil, fmt.Errorf("cannot branch %s: it takes two new names or more, not %q; give --into %s-1,%s-2", object(t), strings.Join(into, ","), name, name)
	}
	if len(t.Spec.FileLocks) > 0 {
		return nil, nil, nil, refuse(Branch, object(t), HasParts, "it locks files, which only one task can", "take the locks out first: idumb edit task "+name)
	}
	for o := range v.Referring(t.Key()) {
		switch other, ok := o.(*resources.Task); {
		case !ok:
		case other.Spec.Parent == name:
			return nil, nil, nil, refuse(Branch, object(t), HasParts, fmt.Sprintf("it has parts, such as %q", other.Metadata.Name), "work on the parts, or give them another parent first")
		case waits(other, name):
			waiting = append(waiting, waitsFor(other, name, into))
		}
	}
	slices.SortFunc(waiting, func(a, b *resources.Task) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	for _, one := range into {
		made = append(made, branchOf(t, one))
	}
	old = resources.Clone(t).(*resources.Task)
	record(old, Move{}, v.Evidence(name))
	old.Spec.State, old.Spec.Reason = resources.TaskAbandoned, "branched into "+strings.Join(into, ", ")
	return made, waiting, old, nil
}

// branchOf returns a new task with the properties of t.
func branchOf(t *resources.Task, name string) *resources.Task {
	next := resources.New[*resources.Task](resources.Tasks, name)
	next.Spec = resources.Clone(t).(*resources.Task).Spec
	next.Spec.State, next.Spec.Reason, next.Spec.Result = resources.TaskPlanned, "", nil
	next.Spec.Notes = strings.TrimSpace(next.Spec.Notes + "\n\nBranched from task/" + t.Metadata.Name + ", which keeps the work done before.")
	return next
}

// waitsFor returns a task that depends on all of several tasks instead of one.
// A gate names one task, so the others become dependencies.
func waitsFor(t *resources.Task, instead string, all []string) *resources.Task {
	next := resources.Clone(t).(*resources.Task)
	var first []string
	for _, name := range next.Spec.DependsOn {
		if name == instead {
			first = append(first, all...)
		} else {
			first = append(first, name)
		}
	}
	if gate := next.Spec.TemporalGate; gate != nil && gate.After == instead {
		gate.After = all[0]
		first = append(first, all[1:]...)
	}
	var distinct []string
	for _, name := range first {
		if !slices.Contains(distinct, name) {
			distinct = append(distinct, name)
		}
	}
	next.Spec.DependsOn = distinct
	return next
}
