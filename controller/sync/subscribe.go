package sync

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// subscribeFile records the user's own subscription, in addition to the team's.
// It is in the sync directory of the clone, because the choices of one user do
// not belong in the repository's config.
const subscribeFile = "subscribe.json"

// Keywords in spec.sync.subscribe, besides names of plans.
const (
	subscribeActive = "active"
	subscribeAll    = "all"
)

// UserSubscription is the difference between a clone's subscription and the team's.
type UserSubscription struct {
	Plans []string `json:"plans,omitempty"` // additional plans
	Not   []string `json:"not,omitempty"`   // excluded plans
}

// subscription returns the subscription of a clone from the team's setting and
// the user's choices.
func subscription(agreed []string, c UserSubscription) *exchange.Subscription {
	s := exchange.Subscription{Active: len(agreed) == 0, Plans: slices.Clone(c.Plans), Not: c.Not}
	for _, word := range agreed {
		switch word {
		case subscribeActive:
			s.Active = true
		case subscribeAll:
			s.All = true
		default:
			s.Plans = append(s.Plans, word)
		}
	}
	return &s
}

// Chosen returns the user's choices for this clone. It ignores an unreadable file.
func (t *Team) Chosen() UserSubscription {
	var c UserSubscription
	data, err := os.ReadFile(filepath.Join(t.dir, subscribeFile))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return UserSubscription{}
	}
	return c
}

// Choose subscribes this clone to a plan or unsubscribes it, regardless of the
// team's setting, from the next round on. It does not check that the plan
// exists.
func (t *Team) Choose(plan string, follow bool) error {
	c := t.Chosen()
	is := func(name string) bool { return name == plan }
	c.Plans, c.Not = slices.DeleteFunc(c.Plans, is), slices.DeleteFunc(c.Not, is)
	if follow {
		c.Plans = append(c.Plans, plan)
	} else {
		c.Not = append(c.Not, plan)
	}
	data, err := json.Marshal(c)
	if err == nil {
		err = exchange.Replace(filepath.Join(t.dir, subscribeFile), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("which plans this clone follows cannot be written down: %w", err)
	}
	t.subscribe(t.agreedPlans)
	return nil
}

// subscribe sets the subscription of this clone and returns a text that
// identifies it.
func (t *Team) subscribe(agreed []string) string {
	t.agreedPlans = agreed
	s := subscription(agreed, t.Chosen())
	t.follows.Store(s)
	return fmt.Sprintf(" %+v", *s)
}

// PlanSubscription is a remote plan.
type PlanSubscription struct {
	Plan    string `json:"plan"`
	State   string `json:"state"`         // remote state
	Follows bool   `json:"follows"`       // this clone follows it, or would if objects were shared
	Reason  string `json:"why,omitempty"` // reason for Follows
}

// Plans returns the remote plans and whether this clone follows them, by name.
func (t *Team) Plans(ctx context.Context) ([]PlanSubscription, error) {
	found, err := exchange.PlansOf(ctx, t.engine)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, key := range t.ownTasks() {
		if task, ok := t.root.Object(key, t.root.Locate(key)).(*resources.Task); ok {
			own[task.Spec.WorkPlan] = true
		}
	}
	var all []PlanSubscription
	for _, name := range slices.Sorted(maps.Keys(found)) {
		f := PlanSubscription{Plan: name, State: cmp.Or(found[name].State, resources.PlanDraft)}
		f.Follows, f.Reason = t.follows.Load().Judge(name, found[name].Finished)
		if own[name] && !f.Follows {
			f.Follows, f.Reason = true, "a task of it is held here"
		}
		all = append(all, f)
	}
	for again := true; again; {
		again = false
		for _, f := range all {
			again = f.Follows && markDependencies(all, found[f.Plan].Waits, found) || again
		}
	}
	return all, nil
}

// markDependencies marks plans on which a followed plan depends. It returns false if all
// were marked.
func markDependencies(all []PlanSubscription, waits []string, found map[string]exchange.PlanState) (some bool) {
	for i := range all {
		if f := &all[i]; !f.Follows && slices.Contains(waits, f.Plan) && !found[f.Plan].Finished {
			f.Follows, f.Reason, some = true, "a followed plan waits for it", true
		}
	}
	return some
}

// Tasks returns the number of remote objects of a plan, which a clone pulls
// when it subscribes.
func (t *Team) Tasks(ctx context.Context, plan string) (int, error) {
	return exchange.CountOf(ctx, t.engine, plan)
}

// ownTasks returns the tasks that this clone owns.
func (t *Team) ownTasks() (keys []resources.Key) {
	all, _ := t.leases.All()
	for _, l := range all {
		if t.leases.InEffect(l) {
			keys = append(keys, resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name})
		}
	}
	return keys
}
