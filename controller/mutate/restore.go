package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Restore restores an archived object, and the archived tasks of a plan. A
// shared object with a missing file is restored from the last sync. An
// abandoned task returns to state planned and an abandoned plan to draft, also
// if it was not archived yet; otherwise the controller would archive it again.
// It returns the keys of the restored objects.
func (r Repo) Restore(ctx context.Context, key resources.Key) (back []resources.Key, err error) {
	r.request = &requests.Args{Names: requests.NamesOf(key)}
	r.Store.FindLost(ctx, time.Now())
	kept, err := r.lastSynced(ctx, key)
	if err != nil {
		return nil, err
	}
	err = r.Run(ctx, func(tx *Tx) error {
		if kept != nil {
			back = []resources.Key{key}
			return tx.putBack(key, kept)
		}
		if o := tx.abandonedLive(key); o != nil {
			back = []resources.Key{key}
			return tx.reopenLive(o)
		}
		if back, err = tx.archivedWith(key); err != nil {
			return err
		}
		for _, key := range back {
			if err := tx.mayRestore(key); err != nil {
				return err
			}
		}
		if tx.files == nil {
			return nil
		}
		for _, key := range back {
			if _, err := tx.restoreLastGood(key); err == nil || !apierrors.IsNotFound(err) {
				if err != nil {
					return err
				}
				continue
			}
			switch err := tx.files.Restore(key); {
			case errors.Is(err, store.ErrExists):
				return apierrors.AlreadyExists(key)
			case errors.Is(err, store.ErrNotFound):
				return notArchived(key)
			case err != nil:
				return err
			}
			if err := tx.reopenAbandoned(key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	stones, err := sync.OpenTombstones(r.Store.Root(), os.Getenv)
	if err == nil && stones != nil && !r.DryRun {
		err = stones.Done(back...)
	}
	return back, err
}

// lastSynced returns the last synced version of a shared object with a
// missing file, or nil.
func (r Repo) lastSynced(ctx context.Context, key resources.Key) ([]byte, error) {
	if r.Store.MarkOf(key) != nil || !r.Store.Root().IsMissing(key) {
		return nil, nil
	}
	team, err := sync.Open(r.Store.Root(), os.Getenv)
	if team == nil || err != nil {
		return nil, err
	}
	defer team.Close()
	return team.LastVersion(ctx, key)
}

// putBack writes an object whose file is missing.
func (t *Tx) putBack(key resources.Key, text []byte) error {
	if t.files == nil {
		return nil
	}
	_, err := t.files.Put(key, text, "")
	if errors.Is(err, store.ErrExists) {
		return apierrors.AlreadyExists(key)
	}
	return err
}

// restoreLastGood writes the last good version of an object with a missing file and
// returns the new record. It returns NotFound if there is no such version.
func (t *Tx) restoreLastGood(key resources.Key) (store.Record, error) {
	mark := t.repo.Store.MarkOf(key)
	if mark == nil || t.files == nil {
		return store.Record{}, apierrors.NotFound(key)
	}
	rev, err := t.files.Put(key, mark.LastGood, "")
	if errors.Is(err, store.ErrExists) {
		err = apierrors.NotFound(key)
	}
	return store.Record{Key: key, Spec: mark.LastGood, Rev: rev}, err
}

// reopenAbandoned changes an abandoned object to its initial state. It leaves an
// unreadable file unchanged.
func (t *Tx) reopenAbandoned(key resources.Key) error {
	record, err := t.Record(key)
	if err != nil {
		return err
	}
	switch o := readable(record).(type) {
	case *resources.Task:
		if resources.TaskState(o) == resources.TaskAbandoned {
			o.Spec.State, o.Spec.Reason = resources.TaskPlanned, ""
			_, err = t.commit(t.plan(record, o))
		}
	case *resources.WorkPlan:
		if state := resources.PlanState(o); state == resources.PlanAbandoned || state == resources.PlanArchived {
			o.Spec.State = resources.PlanDraft
			_, err = t.commit(t.plan(record, o))
		}
	}
	return err
}

// abandonedLive returns an abandoned task or plan that is not in the archive, or nil.
func (t *Tx) abandonedLive(key resources.Key) resources.Object {
	if t.repo.Store.MarkOf(key) != nil {
		return nil
	}
	switch key.Kind {
	case resources.Tasks:
		if o, ok := t.View().Task(key.Name); ok && resources.TaskState(o) == resources.TaskAbandoned {
			return o
		}
	case resources.WorkPlans:
		if o, ok := t.View().Plan(key.Name); ok && resources.PlanState(o) == resources.PlanAbandoned {
			return o
		}
	}
	return nil
}

// reopenLive changes an abandoned object that is not in the archive to its initial
// state. It refuses an agent that may not restore the object.
func (t *Tx) reopenLive(o resources.Object) error {
	if t.repo.Author.Kind == admission.Agent {
		if err := admission.JudgeRestore(o, t.repo.Author, t.View()); err != nil {
			return err
		}
	}
	if t.files == nil {
		return nil
	}
	return t.reopenAbandoned(o.Key())
}

// archivedWith returns the key and, for a plan, the keys of its archived tasks. It
// returns NotFound if the object is neither archived nor lost.
func (t *Tx) archivedWith(key resources.Key) ([]resources.Key, error) {
	archived, err := t.repo.Store.ListArchived(t.ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(archived, key) && t.repo.Store.MarkOf(key) != nil {
		return []resources.Key{key}, nil
	}
	if !slices.Contains(archived, key) {
		return nil, notArchived(key)
	}
	back := []resources.Key{key}
	for _, other := range archived {
		if key.Kind == resources.WorkPlans && other.Kind == resources.Tasks && t.archivedPlan(other) == key.Name {
			back = append(back, other)
		}
	}
	return back, nil
}

// mayRestore returns an error if the caller may not restore an archived object.
// An unreadable object is an error for an agent.
func (t *Tx) mayRestore(key resources.Key) error {
	if t.repo.Author.Kind != admission.Agent || t.repo.Store.MarkOf(key) != nil {
		return nil
	}
	data, err := t.repo.Store.ReadArchived(t.ctx, key)
	if err != nil {
		return err
	}
	object, _, err := resources.DecodeFile(key, data)
	if err != nil {
		return err
	}
	return admission.JudgeRestore(object, t.repo.Author, t.View())
}

// archivedPlan returns the plan of an archived task, or "" if the task is
// unreadable.
func (t *Tx) archivedPlan(key resources.Key) string {
	data, err := t.repo.Store.ReadArchived(t.ctx, key)
	if err != nil {
		return ""
	}
	object, _, err := resources.DecodeFile(key, data)
	if err != nil {
		return ""
	}
	return object.(*resources.Task).Spec.WorkPlan
}

// notArchived returns the NotFound error for an object that is not in the
// archive.
func notArchived(key resources.Key) error {
	return &apierrors.Status{Reason: "NotFound", Message: fmt.Sprintf("%s.%s %q not found in .idumb/archive", key.Kind, resources.Group, key.Name)}
}
