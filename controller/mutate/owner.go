package mutate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// holder returns the author of the change as a holder of a task.
func (r Repo) holder() resources.Holder { return r.leases.Session(r.Author.Session, r.Process) }

// OtherLease returns the lease of a session other than the given one that
// exclusively owns a task. See admission.Objects.
func (v *View) OtherLease(t *resources.Task, session string) *resources.Lease {
	repo := v.tx.repo
	return repo.leases.OtherLease(t, repo.leases.Session(session, repo.Process), repo.Now())
}

// CameActive reports whether a task arrived through git in state active and
// assigned to another user. See admission.Objects.
func (v *View) CameActive(t *resources.Task) bool {
	if resources.TaskState(t) != resources.TaskActive || t.Spec.AssignedTo == "" || v.tx.repo.leases.Get(t) != nil {
		return false
	}
	repo := v.tx.repo
	me := repo.holder()
	who, _, _ := strings.Cut(t.Spec.AssignedTo, "/") // in the format of enterAssignee
	return who != me.Person && (t.Spec.AssignedTo != me.Session || me.Session == "")
}

// enterAssignee sets an agent that starts a task as its assignee if there is
// none, or if an earlier start set the assignee. The name includes the agent's
// user, because roles in other clones have the same names. Roles treat such a
// name as a user's.
func (r Repo) enterAssignee(t *resources.Task, v *View) {
	entered := strings.Contains(t.Spec.AssignedTo, "/")
	if r.Author.Kind != admission.Agent || r.Author.Session == "" || t.Spec.AssignedTo != "" && !entered {
		return
	}
	me := r.holder()
	agent := cmp.Or(me.Agent, me.Host, "agent")
	if role := v.RoleNamed(me.Agent); role != nil {
		agent = role.Metadata.Name
	}
	t.Spec.AssignedTo = me.Person + "/" + agent
}

// NoteMaker records the agent's session as the maker of objects that the agent
// wrote as files, if the files still have these revisions. The rules do not
// check this change: Judge forbids agents to set the annotation.
func (r Repo) NoteMaker(ctx context.Context, keys []resources.Key, revs []string) error {
	err := r.Run(ctx, func(tx *Tx) error {
		var changes []*change
		for i, key := range keys {
			record, object, err := tx.get(key)
			switch {
			case err != nil && (apierrors.IsNotFound(err) || record.Rev != ""):
				continue // deleted or broken
			case err != nil:
				return err
			case record.Rev != revs[i] || object.Head().Metadata.Annotations[resources.AnnotationMadeBy] != "":
				continue
			}
			next := resources.Clone(object)
			tx.markMaker(next)
			tx.markDeferrer(nil, next)
			c := &change{Result: Result{key, Configured, object, next}, record: record, old: object}
			if c.data, err = c.encode(); err != nil {
				return err
			}
			changes = append(changes, c)
		}
		return errors.Join(tx.writeAll(changes)...)
	})
	if IsConflict(err) {
		return nil // the file is saved repeatedly
	}
	return err
}

// acquired is a lease acquired by a change.
type acquired struct {
	task *resources.Task
	leases.ClaimResult
}

// acquireLeases acquires the leases of the tasks that the changes make active. It must
// be called before they are written, so that only one of two concurrent starts
// succeeds, in whatever working tree.
func (t *Tx) acquireLeases(changes []*change) error {
	for _, c := range changes {
		task, ok := c.New.(*resources.Task)
		was, _ := c.old.(*resources.Task)
		if !ok || t.repo.Author.Kind == admission.Importer || resources.TaskState(task) != resources.TaskActive || was != nil && resources.TaskState(was) == resources.TaskActive {
			continue
		}
		if was == nil {
			was = &resources.Task{Header: task.Header} // the task did not exist before
		}
		if err := t.acquireLease(was); err != nil {
			return err
		}
	}
	return nil
}

// acquireLease acquires the lease of a task. was is its state before the change.
// It returns a refusal if another session holds the lease and this author may not
// work for it. It does nothing in a dry run.
func (t *Tx) acquireLease(was *resources.Task) error {
	if t.files == nil {
		return nil
	}
	claimed, err := t.repo.leases.Claim(was, t.repo.holder(), t.repo.Author.TakeOver, t.repo.Now())
	var held *leases.HeldError
	if errors.As(err, &held) {
		return admission.MayStart(was, t.repo.Author, t.View()) // nil if the lease belongs to the delegator of this agent
	}
	if err != nil {
		return fmt.Errorf("the lease of task %q: %w", was.Metadata.Name, err)
	}
	t.leases = append(t.leases, acquired{was, claimed})
	if claimed.Written {
		t.settling.Go(t.repo.leases.Flush)
	}
	return nil
}

// releaseAcquired releases the leases acquired for changes that were not made.
func (t *Tx) releaseAcquired() {
	for _, taken := range t.leases {
		if taken.New {
			_ = t.repo.leases.Release(taken.task)
		}
	}
}

// sharesClaims reports whether this clone shares claims with a team.
func (t *Tx) sharesClaims() bool {
	settings, err := sync.Load(t.repo.Store.Root(), os.Getenv)
	return err == nil && settings != nil
}

// changesEnd reports whether a change completes or abandons a task, or reopens a
// finished one.
func changesEnd(before, after resources.Object) bool {
	was, wasTask := before.(*resources.Task)
	task, isTask := after.(*resources.Task)
	return wasTask && isTask && resources.IsFinal(resources.TaskState(was)) != resources.IsFinal(resources.TaskState(task))
}

// endsWork reports whether a change ends the work on a task. The previous state may
// be one before the start, as after a checkout of an older commit.
func endsWork(before, after resources.Object) bool {
	was, wasTask := before.(*resources.Task)
	task, isTask := after.(*resources.Task)
	return wasTask && isTask && resources.TaskState(was) != resources.TaskState(task) && resources.TaskState(task) != resources.TaskActive
}

// recordTakeOver records an event for a task that was taken over. It ignores
// write errors, because the gate reports the new owner too.
func (r Repo) recordTakeOver(ctx context.Context, task resources.Key, from resources.Holder) {
	now := r.holder()
	_ = store.AppendEvents(r.Store.Scratch(), resources.Event{
		Time: resources.NewTime(r.Now()), Type: resources.Warning, Reason: "TakenOver", Object: "task/" + task.Name,
		Message: now.String() + " took it over from " + from.String(), From: "idumb",
	})
}

// Redirect revokes a delegation and delegates its task to another role or
// agent, on the same terms. moved.Related has the new delegation, even if it was
// refused. If the old one is done or the new one is not allowed, nothing
// changes; a crash between the two files leaves the old one revoked.
func (r Repo) Redirect(ctx context.Context, old resources.Key, to string) (moved ActResult, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(old)
		if err != nil {
			return err
		}
		recalled, err := transition.Delegation(o.(*resources.Delegation), transition.Recall)
		if err != nil {
			return err
		}
		given := resources.New[*resources.Delegation](resources.Delegations, "")
		given.Spec = recalled.Spec
		given.Spec.To, given.Spec.Session, given.Spec.State = to, "", ""
		moved.Related = []Result{{Key: given.Key(), New: given}}
		results, err := tx.putAll([]resources.Object{recalled, given}, []string{record.Rev, ""})
		if err == nil {
			moved.Result, moved.Related = results[0], results[1:]
		}
		return err
	})
	return moved, err
}
