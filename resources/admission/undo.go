package admission

import (
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
	return refuseArchived(o)
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
	return refuseArchived(next)
}

func refuseArchived(o resources.Object) error {
	ref, why := singular(o)+"/"+o.Key().Name, "it is in the archive, and only users restore objects"
	if abandoned(o) {
		why = givenUp
	}
	return apierrors.Refuse(Persons, "agents do not restore "+ref, why, "make a new "+singular(o)+" with another name for the remaining work, or ask the user: idumb restore "+ref)
}

// judgeDeferred rejects starting or suggesting a task that a user deferred.
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
	return apierrors.Refuse(Persons, "agents do not take up task/"+was.Metadata.Name, byUser, undoDeferral(was.Metadata.Name))
}

const byUser = "a user deferred it"

func undoDeferral(task string) string {
	return "work on another task, or ask the user: idumb defer " + task + " --undo"
}

// deferredByUser reports whether a user deferred a task.
func deferredByUser(t *resources.Task) bool {
	return t.Spec.PlanAhead && t.Metadata.Annotations[resources.AnnotationDeferredBy] == ""
}
