package mutate

import (
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// NotValidated is the cause of a refusal to validate an object.
const NotValidated apierrors.Cause = "NotValidated"

// Validate returns a plan, task or anchor as confirmed: its staleness period
// restarts, and the hash of its source is updated. It returns a
// *apierrors.Refusal for kinds that do not become stale, and for objects that
// are stale for a reason that a confirmation cannot resolve.
func Validate(o resources.Object, v *View) (resources.Object, error) {
	refuse := func(why, step string) error {
		kind, _ := resources.KindOf(o.Key().Kind)
		return apierrors.Refuse(NotValidated, fmt.Sprintf("cannot validate %s %q", kind.Singular, o.Key().Name), why, step)
	}
	switch o := o.(type) {
	case *resources.Anchor:
		next := markConfirmed(o, v.Now())
		if source := next.(*resources.Anchor).Spec.Source; source != nil && source.File != "" {
			_, sum, exists := v.SourceFile(source.File)
			if !exists {
				return nil, refuse(fmt.Sprintf("its file %q does not exist", source.File), "name another one: idumb edit anchor "+o.Metadata.Name+", or idumb archive anchor/"+o.Metadata.Name)
			}
			source.SHA256 = sum
		}
		return next, nil
	case *resources.WorkPlan:
		if state := resources.PlanState(o); state != resources.PlanActive && state != resources.PlanDraft {
			return nil, refuse("it is "+state, "an ended plan does not become stale")
		}
		return markConfirmed(o, v.Now()), nil
	case *resources.Task:
		if !status.LiveTask(o) {
			return nil, refuse("it is "+resources.TaskState(o), "an ended task does not become stale")
		}
		return markConfirmed(o, v.Now()), nil
	}
	return nil, refuse("only plans, tasks, anchors and mems become stale over time", "list the stale objects: idumb review")
}

// markConfirmed returns an object with the time of its confirmation.
func markConfirmed(o resources.Object, now time.Time) resources.Object {
	next := resources.Clone(o)
	meta := &next.Head().Metadata
	if meta.Annotations == nil {
		meta.Annotations = map[string]string{}
	}
	meta.Annotations[resources.AnnotationValidatedAt] = now.UTC().Format(time.RFC3339)
	return next
}
