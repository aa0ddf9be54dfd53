package admission

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Agents may not undo decisions of a user by command, tool, API or file. They may not relax
// a user's plan (loosened), restore an archived object (judgeArchived), change a decision
// (judgeDecision), or resume a deferred task (judgeDeferred).

// JudgeRestore returns a *apierrors.Refusal if the caller may not restore an object from
// the archive, otherwise nil. Users may restore all objects, agents none.
func JudgeRestore(o resources.Object, who Author, v status.View) error {
	if err := judgeAgent(nil, o, who, v); err != nil || who.Kind != Agent {
		return err
	}
	return restoreRefusal(o)
}

// judgeArchived rejects a new object if the archive contains one with this name.
// Session records are not checked.
func judgeArchived(next resources.Object, archived bool) error {
	if next == nil || !archived {
		return nil
	}
	if kind, known := resources.KindOf(next.Key().Kind); !known || kind.Local {
		return nil
	}
	return restoreRefusal(next)
}

// judgeReused rejects a new task with the name of a removed one: it would inherit the
// checkpoints of that task, or meet a dependency of a task that a user planned.
func judgeReused(next resources.Object, v planTasksView) error {
	t, ok := next.(*resources.Task)
	if !ok {
		return nil
	}
	why := ""
	if seen := v.Evidence(t.Metadata.Name); seen != nil && seen.Count > 0 {
		why = "checkpoints of a removed task with that name exist, and would count for the new one"
	}
	for _, name := range v.PlanTasks(t.Spec.WorkPlan) {
		if other, found := v.Task(name); found && status.LiveTask(other) && !madeByAgent(other) && slices.Contains(resources.ComesFirst(other), t.Metadata.Name) {
			why = "task/" + name + ", which a user planned, depends on a task with that name"
		}
	}
	if why == "" {
		return nil
	}
	return apierrors.Refuse(Persons, "cannot create task/"+t.Metadata.Name, why, "choose another name, or ask the user: idumb restore task/"+t.Metadata.Name)
}

// restoreRefusal returns the refusal to an agent that restores an archived object or creates it
// again.
func restoreRefusal(o resources.Object) error {
	ref, why := singular(o)+"/"+o.Key().Name, "it is in the archive, and only users restore objects"
	if abandoned(o) {
		why = givenUp
	}
	return apierrors.Refuse(Persons, "only a user can restore "+ref, why, "make a new "+singular(o)+" with another name for the remaining work, or ask the user: idumb restore "+ref)
}

// judgeDeferred rejects a change that begins a task that a user deferred, or
// that undoes the deferral.
func judgeDeferred(old, next resources.Object) error {
	was, _ := old.(*resources.Task)
	will, _ := next.(*resources.Task)
	if was == nil || will == nil || !deferredByUser(was) {
		return nil
	}
	before, after := resources.TaskState(was), resources.TaskState(will)
	begun := before != after && (after == resources.TaskActive || after == resources.TaskReview || after == resources.TaskCompleted)
	if deferredByUser(will) && !begun {
		return nil
	}
	return apierrors.Refuse(Persons, "only a user can take up task/"+was.Metadata.Name, byUser, undoDeferral(was.Metadata.Name))
}

const byUser = "a user deferred it"

// undoDeferral returns the step for an agent that may not work on a task because a user deferred
// it.
func undoDeferral(task string) string {
	return "work on another task, or ask the user: idumb defer " + task + " --undo"
}

// deferredByUser reports whether a user, and not an agent, deferred a task.
func deferredByUser(t *resources.Task) bool {
	return t.Spec.PlanAhead && t.Metadata.Annotations[resources.AnnotationDeferredBy] == ""
}
