package mutate

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Cascade determines the treatment of objects that belong or refer to a removed
// object.
type Cascade string

// Values of Cascade.
const (
	// Guarded refuses the removal while another object belongs or refers to the
	// object.
	Guarded Cascade = ""
	// Owned also removes dependents: a plan's tasks, a task's parts and
	// delegations. It refuses the removal while another object refers to one of
	// them.
	Owned Cascade = "background"
	// Orphan removes only the object and leaves dangling references.
	Orphan Cascade = "orphan"
)

// ParseCascade parses a value of kubectl's --cascade flag.
func ParseCascade(word string) (Cascade, error) {
	switch word {
	case "":
		return Guarded, nil
	case "background", "foreground", "true":
		return Owned, nil
	case "orphan", "false":
		return Orphan, nil
	}
	return "", fmt.Errorf("invalid cascade value (%v); must be \"background\", \"foreground\" or \"orphan\"", word)
}

// Delete removes objects, readable or not, and returns their keys, the
// requested ones first. Comments on them are removed too, unless cascade is
// Orphan.
func (r Repo) Delete(ctx context.Context, keys []resources.Key, cascade Cascade) ([]resources.Key, error) {
	return r.remove(ctx, keys, cascade, resources.References, false, store.Tx.Delete)
}

// Archive archives objects. A plan's tasks and a task's parts and delegations
// are archived too. It refuses while a live task depends on one of them, unless
// cascade is Orphan.
func (r Repo) Archive(ctx context.Context, keys []resources.Key, cascade Cascade) ([]resources.Key, error) {
	return r.remove(ctx, keys, cascade, taskDependencies, true, store.Tx.Archive)
}

// remove removes objects, with or without their dependents, unless a remaining
// object holds one of them.
func (r Repo) remove(ctx context.Context, keys []resources.Key, cascade Cascade, holds holdFunc, owned bool, take func(store.Tx, resources.Key, string) error) (gone []resources.Key, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	r.request = &requests.Args{Names: requests.NamesOf(keys...), Cascade: string(cascade)}
	stones, err := sync.OpenTombstones(r.Store.Root(), os.Getenv)
	if err != nil {
		return nil, err
	}
	var went []sync.Tombstone
	err = r.Run(ctx, func(tx *Tx) error {
		went = nil
		revs := map[resources.Key]string{}
		switch gone = keys; {
		case owned || cascade == Owned:
			gone = withOwned(tx.View(), keys, owners)
		case cascade == Guarded:
			gone = withOwned(tx.View(), keys, subjectOf)
		}
		for _, key := range gone {
			record, err := tx.Record(key)
			if apierrors.IsNotFound(err) {
				record, err = tx.restoreLastGood(key)
			}
			if err != nil {
				return err
			}
			revs[key] = record.Rev
		}
		if err := tx.checkRemoval(gone, cascade, holds); err != nil || tx.files == nil {
			return err
		}
		for _, key := range gone {
			old, _ := tx.View().Get(key)
			if err := take(tx.files, key, revs[key]); err != nil {
				return err
			}
			if stones != nil {
				went = append(went, r.tombstone(key, old, revs[key], owned))
			}
			tx.View().remove(key)
			tx.noteEnded(old, nil)
			if t, ok := old.(*resources.Task); ok {
				_ = tx.repo.leases.Release(t) // doctor reports remaining ones
			}
			if r.OnWrite != nil {
				r.OnWrite(key, nil)
			}
		}
		return nil
	})
	if err == nil && stones != nil {
		if err = stones.Add(went...); err != nil {
			err = fmt.Errorf("it was deleted here, but the team could not be notified: %w; repeat the command when the team is reachable", err)
		}
	}
	return gone, err
}

// tombstone returns the delete request for the team.
func (r Repo) tombstone(key resources.Key, old resources.Object, rev string, archived bool) sync.Tombstone {
	stone := sync.Tombstone{Kind: key.Kind, Name: key.Name, Revision: rev, Archived: archived, Requester: r.holder().Brief(), Time: resources.NewTime(r.Now())}
	if old != nil {
		stone.UID = old.Head().Metadata.UID
	}
	return stone
}

// checkRemoval refuses if a remaining object holds a removed one, or if an
// object must not be removed.
func (t *Tx) checkRemoval(keys []resources.Key, cascade Cascade, holds holdFunc) error {
	who, rest := t.repo.Author, t.View().withoutKeys(keys)
	if who.Forced = cascade == Orphan; !who.Forced {
		held := t.holders(keys, holds)
		for _, key := range keys {
			if by := held[key]; by != nil {
				helps := cascade != Owned && len(t.holders(withOwned(t.View(), keys, owners), holds)) == 0
				return forbidden(key, slices.Sorted(slices.Values(by)), helps)
			}
		}
	}
	for _, key := range keys {
		old, _ := t.View().Get(key)
		if err := admission.Judge(old, nil, who, rest); err != nil {
			return err
		}
		if task, ok := old.(*resources.Task); ok && resources.TaskState(task) == resources.TaskActive {
			_ = t.requireQueried(task) // ask for all of them at once
		}
	}
	if len(t.unqueriedTasks) > 0 {
		return errNotQueried
	}
	return t.View().stored.err
}

// holders returns the objects that hold each of keys, with the referring
// fields.
func (t *Tx) holders(keys []resources.Key, holds holdFunc) map[resources.Key][]string {
	held := map[resources.Key][]string{}
	for o := range t.View().withoutKeys(keys).Referring(keys...) {
		if kind := o.Key().Kind; kind == resources.Comments || kind == resources.Sessions {
			continue // comments and sessions hold no object
		}
		for _, r := range holds(o) {
			if slices.Contains(keys, r.Key) && !resources.IsDerivedReference(o, r) {
				held[r.Key] = append(held[r.Key], fmt.Sprintf("%s (%s)", o.Key(), r.Field))
			}
		}
	}
	return held
}

// holdFunc returns the references through which an object prevents the removal of
// others.
type holdFunc func(resources.Object) []resources.Reference

// Shorten shortens a list for a message: at most most elements, then the number of
// the others.
func Shorten(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(list[:most:most], fmt.Sprintf("and %d more", len(list)-most))
}

// withOwned adds the dependents of keys, transitively.
func withOwned(view *View, keys []resources.Key, owners func(resources.Object) []resources.Key) []resources.Key {
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

// tasksFirst orders keys by kind, descending, so that tasks come before the
// comments on them, then by name.
func tasksFirst(a, b resources.Key) int {
	return cmp.Or(strings.Compare(b.Kind, a.Kind), strings.Compare(a.Name, b.Name))
}

// owners returns the objects without which o is meaningless.
func owners(o resources.Object) []resources.Key {
	switch spec := o.SpecPointer().(type) {
	case *resources.TaskSpec:
		return []resources.Key{{Kind: resources.WorkPlans, Name: spec.WorkPlan}, {Kind: resources.Tasks, Name: spec.Parent}}
	case *resources.DelegationSpec:
		return []resources.Key{{Kind: resources.Tasks, Name: spec.Task}}
	}
	return subjectOf(o)
}

// subjectOf returns the subject of a comment, with which the comment is
// removed.
func subjectOf(o resources.Object) []resources.Key {
	if c, ok := o.(*resources.Comment); ok {
		return []resources.Key{resources.CommentAbout(c)}
	}
	return nil
}

// taskDependencies returns the dependencies of a live task. Only these must not be
// archived; other references to an archived object stay valid.
func taskDependencies(o resources.Object) []resources.Reference {
	if task, isTask := o.(*resources.Task); !isTask || !status.LiveTask(task) {
		return nil
	}
	return slices.DeleteFunc(resources.References(o), func(r resources.Reference) bool {
		return !strings.HasPrefix(r.Field, "spec.dependsOn") && r.Field != "spec.temporalGate.after"
	})
}

// Present separates existing keys from missing ones, each with an error. An object
// whose file was lost exists if its last good version is kept.
func (r Repo) Present(ctx context.Context, keys []resources.Key) (present []resources.Key, absent []error) {
	if slices.ContainsFunc(keys, func(key resources.Key) bool { return store.IsPlanned(key.Kind) }) {
		r.Store.FindLost(ctx, time.Now())
	}
	for _, key := range keys {
		if _, err := r.Record(ctx, key); err != nil && r.Store.MarkOf(key) == nil {
			absent = append(absent, err)
			continue
		}
		present = append(present, key)
	}
	return present, absent
}
