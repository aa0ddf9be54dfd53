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

// FirstPlan is the name of the plan that Add makes where there is none to put a task into.
const FirstPlan = "backlog"

// Add creates a task of which its title says enough: where they are missing it makes a name of
// the title, takes the title for what is expected, and finds the plan that it belongs to by
// status.DefaultPlan, or makes one, which is active. The results are those of the task and, if
// one was made, of its plan.
func (r Repo) Add(ctx context.Context, task *resources.Task) (results []Result, err error) {
	given := *task
	err = r.Run(ctx, func(tx *Tx) error {
		*task = given // this may be another attempt
		objects, err := tx.added(task)
		if err == nil {
			results, err = tx.putAll(objects, make([]string, len(objects)))
		}
		return err
	})
	return results, err
}

// added is a task with what it does not say itself, and the plan that has to be made for it.
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
		return nil, fmt.Errorf("several plans may be meant: %s; say which with --plan NAME, or for good with idumb focus NAME", strings.Join(Few(several, 5), ", "))
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

// defaultPlan is status.DefaultPlan of what is there. Where no more than one plan is open, tasks need not be read.
func (t *Tx) defaultPlan() (plan string, several []string) {
	view := t.View()
	plans := view.stored.load(resources.WorkPlans)
	if len(plans.PlansInState(resources.PlanActive))+len(plans.PlansInState(resources.PlanDraft)) > 1 {
		plans = view.stored.all()
	}
	return status.DefaultPlan(plans, view.Settings().Plan)
}

// firstPlan is a plan for tasks of no other one.
func (t *Tx) firstPlan() (*resources.WorkPlan, error) {
	name, err := t.freeName(resources.WorkPlans, FirstPlan)
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, name)
	plan.Spec = resources.WorkPlanSpec{Title: "Tasks of no other plan", State: resources.PlanActive}
	return plan, err
}

// freeName is a name that nothing of a kind has: want, or with a number behind it; where want is
// "", one that is made up.
func (t *Tx) freeName(kind, want string) (string, error) {
	if want == "" {
		key, err := t.newName(kind, "")
		return key.Name, err
	}
	for n, name := 2, want; ; n, name = n+1, want+"-"+strconv.Itoa(n) {
		key := resources.Key{Kind: kind, Name: name}
		_, err := t.Record(key)
		switch {
		case apierrors.IsNotFound(err) && !t.View().stored.archived(key):
			return name, nil
		case err != nil && !apierrors.IsNotFound(err) && !store.Occupied(err):
			return "", err
		}
	}
}
