package mutate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Cascade says what happens to what belongs or refers to an object that goes.
type Cascade string

// Values of Cascade.
const (
	// Guarded refuses while anything else belongs to the object or refers to it.
	Guarded Cascade = ""
	// Owned takes along what belongs to it: a plan's tasks, a task's parts and
	// delegations. It refuses while anything else refers to what goes.
	Owned Cascade = "background"
	// Orphan takes the object alone; what refers to it is left dangling.
	Orphan Cascade = "orphan"
)

// Delete removes objects, whole or broken, and returns their keys, those that
// were asked for first.
func (r Repo) Delete(ctx context.Context, keys []resources.Key, cascade Cascade) ([]resources.Key, error) {
	var gone []resources.Key
	err := r.Run(ctx, func(tx *Tx) (err error) {
		gone, err = tx.leave(keys, cascade, resources.References)
		return tx.each(gone, err, func(key resources.Key, rev string) error { return tx.files.Delete(key, rev) })
	})
	return gone, err
}

// Archive sets objects aside; with a plan go its tasks, with a task its parts and
// delegations. It refuses while a live task waits for one of them, unless
// cascade is Orphan.
func (r Repo) Archive(ctx context.Context, keys []resources.Key, cascade Cascade) ([]resources.Key, error) {
	var gone []resources.Key
	err := r.Run(ctx, func(tx *Tx) (err error) {
		gone, err = tx.leave(withOwned(tx.View(), keys), cascade, waits)
		return tx.each(gone, err, func(key resources.Key, rev string) error { return tx.files.Archive(key, rev) })
	})
	return gone, err
}

// each does something to every object that leaves, unless err or a dry run.
func (t *Tx) each(keys []resources.Key, err error, do func(key resources.Key, rev string) error) error {
	if err != nil || t.files == nil {
		return err
	}
	for _, key := range keys {
		record, err := t.Record(key)
		if err != nil {
			return err
		}
		if err := do(key, record.Rev); err != nil {
			return err
		}
	}
	return nil
}

// leave returns what goes along with keys, or refuses.
func (t *Tx) leave(keys []resources.Key, cascade Cascade, holds hold) ([]resources.Key, error) {
	for _, key := range keys {
		if _, err := t.Record(key); err != nil {
			return nil, err
		}
	}
	if cascade == Orphan {
		return keys, nil
	}
	if cascade == Owned {
		keys = withOwned(t.View(), keys)
	}
	return keys, errors.Join(checkHeld(t.View(), keys, holds), checkReturning(t.View(), keys), t.View().shared.err)
}

// checkHeld refuses if an object that stays holds on to one that goes.
func checkHeld(view *View, keys []resources.Key, holds hold) error {
	going := map[resources.Key]bool{}
	for _, key := range keys {
		going[key] = true
	}
	held := map[resources.Key][]string{}
	for o := range view.Referring(keys...) {
		if going[o.Key()] {
			continue
		}
		for _, r := range holds(o) {
			if going[r.Key] {
				held[r.Key] = append(held[r.Key], fmt.Sprintf("%s (%s)", o.Key(), r.Field))
			}
		}
	}
	for _, key := range keys {
		if by := held[key]; by != nil {
			slices.Sort(by)
			return forbidden(key, Few(by, 8))
		}
	}
	return nil
}

// hold lists the references by which an object keeps others from going.
type hold func(resources.Object) []resources.Reference

// Few keeps messages readable: so many of a list at most, then how many more there are.
func Few(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(list[:most:most], fmt.Sprintf("and %d more", len(list)-most))
}

// withOwned adds what belongs to keys, and to that in turn.
func withOwned(view *View, keys []resources.Key) []resources.Key {
	all, seen := slices.Clone(keys), map[resources.Key]bool{}
	for _, key := range keys {
		seen[key] = true
	}
	for layer := keys; len(layer) > 0; {
		owned := map[resources.Key][]resources.Key{}
		for o := range view.Referring(layer...) {
			for _, owner := range owners(o) {
				owned[owner] = append(owned[owner], o.Key())
			}
		}
		from := len(all)
		for _, owner := range layer {
			slices.SortFunc(owned[owner], tasksFirst)
			for _, key := range owned[owner] {
				if !seen[key] {
					seen[key] = true
					all = append(all, key)
				}
			}
		}
		layer = slices.Clone(all[from:])
	}
	return all
}

func tasksFirst(a, b resources.Key) int {
	return cmp.Or(strings.Compare(b.Kind, a.Kind), strings.Compare(a.Name, b.Name))
}

// owners are the objects without which this one makes no sense.
func owners(o resources.Object) []resources.Key {
	switch spec := o.SpecPointer().(type) {
	case *resources.TaskSpec:
		return []resources.Key{{Kind: resources.WorkPlans, Name: spec.WorkPlan}, {Kind: resources.Tasks, Name: spec.Parent}}
	case *resources.DelegationSpec:
		return []resources.Key{{Kind: resources.Tasks, Name: spec.Task}}
	}
	return nil
}

// waits lists what a live task waits for: only that is kept from the archive,
// where everything else that refers to an object still finds it.
func waits(o resources.Object) []resources.Reference {
	task, isTask := o.(*resources.Task)
	if !isTask || !status.LiveTask(task) {
		return nil
	}
	return slices.DeleteFunc(resources.References(o), func(r resources.Reference) bool {
		return !strings.HasPrefix(r.Field, "spec.dependsOn") && r.Field != "spec.temporalGate.after"
	})
}

// checkReturning refuses to let a mem go by which another one is out of use: what was
// replaced would hold again, in every context, and nobody would have said so. And it refuses
// to let a false path go that holds: it ends only by a mem that says why.
func checkReturning(v *View, keys []resources.Key) error {
	rest := remaining{v, map[string]bool{}}
	for _, key := range keys {
		if key.Kind == resources.Mems {
			rest.going[key.Name] = true
		}
	}
	for _, key := range keys {
		m := v.mem(key)
		if m != nil && m.Spec.Type == resources.FalsePath && memory.Live(m, v, v.Now()) {
			return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf(
				"%s.%s %q cannot go: a false path ends only by a mem that replaces it and says why (idumb mem supersede %s --content TEXT --reason WHY), or nobody knows any more what not to do; --cascade=orphan lets it go all the same",
				key.Kind, resources.Group, key.Name, key.Name)}
		}
		if m == nil || m.Spec.Supersedes == "" {
			continue
		}
		old := rest.Mem(m.Spec.Supersedes)
		if old == nil || memory.Live(old, v, v.Now()) || !memory.Live(old, rest, v.Now()) {
			continue
		}
		return &apierrors.Status{Reason: "Forbidden", Message: fmt.Sprintf(
			"%s.%s %q cannot go: it takes the place of mem/%s, which would hold again; idumb mem purge %s takes both out of use, --cascade=orphan lets that one come back",
			key.Kind, resources.Group, key.Name, old.Metadata.Name, key.Name)}
	}
	return nil
}

func (v *View) mem(key resources.Key) *resources.Mem {
	if key.Kind != resources.Mems {
		return nil
	}
	return v.Mem(key.Name)
}

// remaining are the mems that stay.
type remaining struct {
	*View
	going map[string]bool
}

// Mem is View.Mem of what stays.
func (r remaining) Mem(name string) *resources.Mem {
	if r.going[name] {
		return nil
	}
	return r.View.Mem(name)
}

// Superseders is View.Superseders of what stays.
func (r remaining) Superseders(name string) []*resources.Mem {
	var stay []*resources.Mem
	for _, m := range r.View.Superseders(name) {
		if !r.going[m.Metadata.Name] {
			stay = append(stay, m)
		}
	}
	return stay
}
