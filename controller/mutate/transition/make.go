package transition

import (
	"fmt"
	"reflect"

	"github.com/idumb-dev/idumb/resources"
)

// Make makes a transition of a task or a plan, or completes a delegation, and
// computes its outcome. with returns the view after an object is written. Make
// returns an object equal to o if nothing changes, and an *apierrors.Refusal if
// the transition is refused.
func Make(o resources.Object, m Move, before View, with func(resources.Object) View) (resources.Object, Outcome, error) {
	var next resources.Object
	var err error
	switch o := o.(type) {
	case *resources.Task:
		next, err = Task(o, m, before)
	case *resources.WorkPlan:
		next, err = Plan(o, m, before)
	case *resources.Delegation:
		if m.Verb == Complete {
			next, err = Delegation(o, Return)
			return next, Outcome{}, err
		}
		err = fmt.Errorf("cannot %s %s: delegations can only be accepted, recalled or completed", m.Verb, o.Key())
	default:
		err = fmt.Errorf("cannot %s %s: only tasks and plans are started, completed or abandoned", m.Verb, o.Key())
	}
	if err != nil || reflect.DeepEqual(o, next) {
		return next, Outcome{}, err
	}
	return next, outcomeOf(m, o.Key(), before, with(next)), nil
}
