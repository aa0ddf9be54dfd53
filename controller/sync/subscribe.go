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

	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// subscribeFile holds, among a clone's notes, which plans its person follows besides what the team agreed on,
// and which not: what one person works on is no business of the repository's config.
const subscribeFile = "subscribe.json"

// What spec.sync.subscribe says besides the names of plans.
const (
	subscribeActive = "active"
	subscribeAll    = "all"
)

// Chosen is what a clone follows other than the team agreed on.
type Chosen struct {
	Plans []string `json:"plans,omitempty"` // these as well
	Not   []string `json:"not,omitempty"`   // and these not
}

// chosenIn reads it; what cannot be read chooses nothing.
func chosenIn(dir string) (c Chosen) {
	data, err := os.ReadFile(filepath.Join(dir, subscribeFile))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return Chosen{}
	}
	return c
}

// subscription is what a clone follows, given what the team agreed on.
func subscription(agreed []string, c Chosen) *plans.Subscription {
	s := plans.Subscription{Active: len(agreed) == 0, Plans: slices.Clone(c.Plans), Not: c.Not}
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

// Chosen returns what this clone follows other than the team agreed on.
func (t *Team) Chosen() Chosen { return chosenIn(t.dir) }

// Choose has this clone follow a plan, or follow it no more, whatever the team agreed on, from the next round on.
// It does not ask whether there is one.
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
		err = plans.Replace(filepath.Join(t.dir, subscribeFile), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("which plans this clone follows cannot be written down: %w", err)
	}
	t.subscribe(t.agreed)
	return nil
}

// subscribe has this clone follow what the team agreed on and its person chose, and names it.
func (t *Team) subscribe(agreed []string) string {
	t.agreed = agreed
	s := subscription(agreed, t.Chosen())
	t.follows.Store(s)
	return fmt.Sprintf(" %+v", *s)
}

// Followed is a plan of the team's.
type Followed struct {
	Plan    string `json:"plan"`
	State   string `json:"state"`         // as the team has it
	Follows bool   `json:"follows"`       // this clone does, or would if it was exchanged
	Why     string `json:"why,omitempty"` // it does or does not
}

// Plans asks the team for its plans, and says which of them this clone follows, by name.
func (t *Team) Plans(ctx context.Context) ([]Followed, error) {
	found, err := plans.PlansOf(ctx, t.engine)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, key := range t.own() {
		if task, ok := t.root.Object(key, t.root.Locate(key)).(*resources.Task); ok {
			own[task.Spec.WorkPlan] = true
		}
	}
	var all []Followed
	for _, name := range slices.Sorted(maps.Keys(found)) {
		f := Followed{Plan: name, State: cmp.Or(found[name].State, resources.PlanDraft)}
		f.Follows, f.Why = t.follows.Load().Judge(name, found[name].Over)
		if own[name] && !f.Follows {
			f.Follows, f.Why = true, "a task of it is held here"
		}
		all = append(all, f)
	}
	for again := true; again; {
		again = false
		for _, f := range all {
			again = f.Follows && first(all, found[f.Plan].Waits, found) || again
		}
	}
	return all, nil
}

// first marks plans that a followed one waits for; false if all were.
func first(all []Followed, waits []string, found map[string]plans.PlanState) (some bool) {
	for i := range all {
		if f := &all[i]; !f.Follows && slices.Contains(waits, f.Plan) && !found[f.Plan].Over {
			f.Follows, f.Why, some = true, "a followed plan waits for it", true
		}
	}
	return some
}

// Tasks counts what the team has of a plan: what a clone takes in that begins to follow it.
func (t *Team) Tasks(ctx context.Context, plan string) (int, error) {
	return plans.CountOf(ctx, t.engine, plan)
}

// own are the tasks that are held in this clone.
func (t *Team) own() (keys []resources.Key) {
	all, _ := t.book.All()
	for _, l := range all {
		if t.book.Stands(l) {
			keys = append(keys, resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name})
		}
	}
	return keys
}
