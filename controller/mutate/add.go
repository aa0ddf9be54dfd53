package mutate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// FirstPlan is the name of the plan that Add creates if there is no plan for a
// task.
const FirstPlan = "backlog"

// Add creates a task that needs only a title. It derives a missing name and
// expected output from the title. It assigns the task to the plan that
// status.DefaultPlan returns, or creates an active plan. The results are those
// of the task and of a created plan.
func (r Repo) Add(ctx context.Context, task *resources.Task) (results []Result, err error) {
	given := *task
	err = r.Run(ctx, func(tx *Tx) error {
		*task = given // Run may call this function again
		objects, err := tx.added(task)
		if err == nil {
			results, err = tx.putAll(objects, make([]string, len(objects)))
		}
		return err
	})
	return results, err
}

// added fills in a task and returns it with the plan that must be created for
// it.
func (t *Tx) added(task *resources.Task) (objects []resources.Object, err error) {
	spec, meta := &task.Spec, &task.Metadata
	if spec.ExpectedOutput == "" {
		spec.ExpectedOutput = spec.Title
	}
	if meta.Name == "" {
		if meta.Name, err = t.freeName(resources.Tasks, resources.NameOf(spec.Title)); err != nil {
			return nil, err
		}
	}
	objects = []resources.Object{task}
	if spec.WorkPlan != "" {
		return objects, nil
	}
	var several []string
	if spec.WorkPlan, several = t.defaultPlan(); len(several) > 0 {
		return nil, fmt.Errorf("several plans may be meant: %s; say which with --plan NAME, or for good with idumb focus NAME", strings.Join(Shorten(several, 5), ", "))
	}
	if spec.WorkPlan != "" {
		return objects, nil
	}
	plan, err := t.firstPlan()
	if err == nil {
		spec.WorkPlan = plan.Metadata.Name
		objects = append(objects, plan)
	}
	return objects, err
}

// defaultPlan returns status.DefaultPlan of the stored objects. It does not
// read tasks if at most one plan is open.
func (t *Tx) defaultPlan() (plan string, several []string) {
	view := t.View()
	plans := view.stored.load(resources.WorkPlans)
	if len(plans.PlansInState(resources.PlanActive))+len(plans.PlansInState(resources.PlanDraft)) > 1 {
		plans = view.stored.all()
	}
	return status.DefaultPlan(plans, view.Settings().Plan)
}

// firstPlan returns a plan for tasks without a plan.
func (t *Tx) firstPlan() (*resources.WorkPlan, error) {
	name, err := t.freeName(resources.WorkPlans, FirstPlan)
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, name)
	plan.Spec = resources.WorkPlanSpec{Title: "Tasks of no other plan", State: resources.PlanActive}
	return plan, err
}

// freeName returns an unused name of a kind: want, or want with a number. If
// want is "", it generates a name.
func (t *Tx) freeName(kind, want string) (string, error) {
	if want == "" {
		key, err := t.newName(kind, "")
		return key.Name, err
	}
	for n, name := 2, want; ; n, name = n+1, want+"-"+strconv.Itoa(n) {
		key := resources.Key{Kind: kind, Name: name}
		switch _, err := t.Record(key); {
		case apierrors.IsNotFound(err) && !t.View().stored.archived(key):
			return name, nil
		case err != nil && !apierrors.IsNotFound(err) && !store.IsOccupied(err):
			return "", err
		}
	}
}
