package leases

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// InEffect reports whether a lease of this clone is in effect: its task is active
// in the lease's working tree, and its session has not ended. An unreadable or
// missing file that will be restored does not end the lease. Neither does an
// older version of the file from git, because a checkout does not release
// tasks.
func (b Leases) InEffect(l *resources.Lease) bool {
	if l.InOtherClone() || l.Ended() != "" {
		return false
	}
	tree, key := treeOf(l)
	if _, err := os.Lstat(tree.Abs(tree.Locate(key))); errors.Is(err, fs.ErrNotExist) {
		return tree.IsMissing(key) || isOlderVersion(l) && !b.holderEnded(l)
	}
	task, ok := tree.Object(key, tree.Locate(key)).(*resources.Task)
	switch {
	case !ok:
		return true
	case task.Metadata.UID != l.Metadata.UID || b.holderEnded(l):
		return false
	}
	return resources.TaskState(task) == resources.TaskActive || isOlderVersion(l)
}

// isOlderVersion reports whether git wrote the current version of a lease's task into
// the working tree, or removed it, and that version is older than the lease.
func isOlderVersion(l *resources.Lease) bool {
	tree, key := treeOf(l)
	return !githistory.ChangedSince(context.Background(), tree, layout.Path(key), l.Spec.AcquireTime.Time)
}

// treeOf returns the working tree in which a lease was acquired, and the key of
// its task.
func treeOf(l *resources.Lease) (layout.Root, resources.Key) {
	return layout.Root(l.Spec.Holder.Worktree), resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name}
}

// Ended returns the final state of the task of a lease of this clone, from the
// lease or else from the task's file. It returns "" for another clone's lease,
// for an unfinished task, and for an older finished version from git. See
// LeaseTeam.
func (b Leases) Ended(l *resources.Lease) string {
	switch {
	case l.InOtherClone():
		return ""
	case l.Ended() != "":
		return l.Ended()
	}
	tree, key := treeOf(l)
	state := finishedState(tree, key, l.Metadata.UID)
	if state != "" && isOlderVersion(l) {
		return ""
	}
	return state
}

// EndedLater returns the final state of the task of a lease in a newer commit
// than the version in the working tree. It returns "" if there is none.
func (b Leases) EndedLater(l *resources.Lease) string {
	tree, key := treeOf(l)
	data := githistory.NewerVersion(context.Background(), tree, layout.Path(key), l.Spec.AcquireTime.Time)
	if data == nil {
		return ""
	}
	o, _, err := resources.DecodeFile(key, data)
	task, ok := o.(*resources.Task)
	if err != nil || !ok || task.Metadata.UID != l.Metadata.UID || !resources.IsFinal(resources.TaskState(task)) {
		return ""
	}
	return resources.TaskState(task)
}

// Reopened reports whether a finished task was reopened here and the team does
// not know yet.
func (b Leases) Reopened(task *resources.Task) bool {
	l := b.Get(task)
	return l != nil && !l.InOtherClone() && l.Ended() != "" && !resources.IsFinal(l.Ended())
}

// KnowsEnd reports whether a task that ended elsewhere is finished in this working
// tree too.
func (b Leases) KnowsEnd(l *resources.Lease) bool {
	return finishedState(b.root, resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name}, l.Metadata.UID) != ""
}

// finishedState returns the state of a finished task in a working tree, or "".
func finishedState(tree layout.Root, key resources.Key, uid string) string {
	task, ok := tree.Object(key, tree.Locate(key)).(*resources.Task)
	if !ok || task.Metadata.UID != uid || !resources.IsFinal(resources.TaskState(task)) {
		return ""
	}
	return resources.TaskState(task)
}

// Confirm records the remote state of a lease of this clone. It writes nothing
// if another holder owns the task by now.
func (b Leases) Confirm(l *resources.Lease, team resources.LeaseTeam) error {
	return b.change(l, func(now *resources.Lease) *resources.Lease {
		if now == nil || !now.Spec.Holder.Equal(l.Spec.Holder) || now.Spec.Team != nil && *now.Spec.Team == team {
			return nil
		}
		now.Spec.Team = &team
		return now
	})
}

// DropRemote removes the remote state from a lease, after this clone stopped sharing
// its claims.
func (b Leases) DropRemote(task *resources.Task) error {
	if l := b.Get(task); l == nil || l.Spec.Team == nil || l.InOtherClone() {
		return nil
	}
	return b.change(&resources.Lease{Metadata: resources.LeaseMetadata{Name: task.Metadata.Name, UID: task.Metadata.UID}}, func(now *resources.Lease) *resources.Lease {
		if now == nil || now.Spec.Team == nil || now.InOtherClone() {
			return nil
		}
		now.Spec.Team = nil
		return now
	})
}

// RecordElsewhere records that another clone owns or ended a task. If a local session
// owned it, Transitions becomes greater than 0. It reports whether that is new.
func (b Leases) RecordElsewhere(elsewhere *resources.Lease) (news bool, err error) {
	err = b.change(elsewhere, func(now *resources.Lease) *resources.Lease {
		if now != nil && now.InOtherClone() && now.Spec.Team.Revision == elsewhere.Spec.Team.Revision {
			return nil
		}
		news = true
		next := *elsewhere
		if now != nil {
			next.Spec.Transitions = now.Spec.Transitions
		}
		if now != nil && !now.InOtherClone() && now.Ended() == "" {
			next.Spec.Transitions++
		}
		return &next
	})
	return news, err
}

// Forget removes the lease of another clone that no longer owns the task.
func (b Leases) Forget(elsewhere *resources.Lease) error {
	return b.remove(elsewhere, (*resources.Lease).InOtherClone)
}

// Reported removes the lease of a task that ended here, after the team was
// informed.
func (b Leases) Reported(l *resources.Lease) error {
	return b.remove(l, func(now *resources.Lease) bool { return !b.InEffect(now) && b.Ended(now) != "" })
}

// remove removes a lease if may accepts the current one.
func (b Leases) remove(l *resources.Lease, may func(now *resources.Lease) bool) error {
	err := b.locked(false, func(d *layout.OpenDir) error {
		file := fileOf(l.Metadata.Name, l.Metadata.UID)
		if now, err := readFile(d, file); err != nil || !may(now) {
			return nil
		}
		return d.Remove(file)
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// change replaces the lease of a task by the result of f. f gets the current
// lease, or nil if there is none or it is invalid. If f returns nil, nothing
// changes.
func (b Leases) change(l *resources.Lease, f func(now *resources.Lease) *resources.Lease) error {
	return b.locked(true, func(d *layout.OpenDir) error {
		file := fileOf(l.Metadata.Name, l.Metadata.UID)
		now, err := readFile(d, file)
		if err != nil {
			now = nil
		}
		next := f(now)
		if next == nil {
			return nil
		}
		data, err := resources.EncodeLease(next)
		if err != nil {
			return err
		}
		return d.ReplaceDurably(file, data, b.perm())
	})
}

// locked calls f with the locked directory of leases. If create is false and
// the directory does not exist, it returns store.ErrNotFound.
func (b Leases) locked(create bool, f func(d *layout.OpenDir) error) error {
	d, err := b.root.Leases(create)
	if err != nil {
		return err
	}
	defer d.Close()
	unlock, err := d.Lock(lockFile, claimTimeout)
	if err != nil {
		return err
	}
	defer unlock()
	return f(d)
}

// perm returns the mode of a lease file: readable only by the user, unless
// git's directory is shared.
func (b Leases) perm() fs.FileMode {
	if b.root.Shared() {
		return 0o644
	}
	return 0o600
}
