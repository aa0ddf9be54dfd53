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

// Stands reports whether somebody in this clone works under a lease: its task is active in the
// working tree where it was taken, and its session has not ended. A task whose file is torn at the
// moment, or missing and to be put back, is still somebody's, and so is one of which git has put an
// older version there: a checkout gives nothing back.
func (b Book) Stands(l *resources.Lease) bool {
	if l.Elsewhere() || l.Ended() != "" {
		return false
	}
	tree, key := treeOf(l)
	if _, err := os.Lstat(tree.Abs(tree.Locate(key))); errors.Is(err, fs.ErrNotExist) {
		return tree.IsMissing(key) || setBack(l) && !b.gone(l)
	}
	task, ok := tree.Object(key, tree.Locate(key)).(*resources.Task)
	switch {
	case !ok:
		return true
	case task.Metadata.UID != l.Metadata.UID || b.gone(l):
		return false
	}
	return resources.TaskState(task) == resources.TaskActive || setBack(l)
}

// setBack reports whether git put the version of a lease's task into the working tree that is there, or
// that there is none, and made it before the lease was taken.
func setBack(l *resources.Lease) bool {
	tree, key := treeOf(l)
	return !githistory.ChangedSince(context.Background(), tree, layout.Path(key), l.Spec.AcquireTime.Time)
}

// treeOf returns the working tree in which a lease was taken, and the key of its task.
func treeOf(l *resources.Lease) (layout.Root, resources.Key) {
	return layout.Root(l.Spec.Holder.Worktree), resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name}
}

// Ended returns how the task of a lease of this clone ended, as the lease says or else the task's file; empty
// for another clone's lease, and for a task that is not over, or over in an older version that git put there. See
// LeaseTeam.
func (b Book) Ended(l *resources.Lease) string {
	switch {
	case l.Elsewhere():
		return ""
	case l.Ended() != "":
		return l.Ended()
	}
	tree, key := treeOf(l)
	state := overIn(tree, key, l.Metadata.UID)
	if state != "" && setBack(l) {
		return ""
	}
	return state
}

// EndedLater returns how the task of a lease ended in a newer commit than the one that git put into the working
// tree; empty if it did not.
func (b Book) EndedLater(l *resources.Lease) string {
	tree, key := treeOf(l)
	data := githistory.Later(context.Background(), tree, layout.Path(key), l.Spec.AcquireTime.Time)
	if data == nil {
		return ""
	}
	o, _, err := resources.DecodeFile(key, data)
	task, ok := o.(*resources.Task)
	if err != nil || !ok || task.Metadata.UID != l.Metadata.UID || !resources.Over(resources.TaskState(task)) {
		return ""
	}
	return resources.TaskState(task)
}

// Reopened reports whether a task that was over was opened again here, and the team does not know yet.
func (b Book) Reopened(task *resources.Task) bool {
	l := b.Get(task)
	return l != nil && !l.Elsewhere() && l.Ended() != "" && !resources.Over(l.Ended())
}

// Knows reports whether a task that ended elsewhere is over in this working tree as well.
func (b Book) Knows(l *resources.Lease) bool {
	return overIn(b.root, resources.Key{Kind: resources.Tasks, Name: l.Metadata.Name}, l.Metadata.UID) != ""
}

// overIn returns the state of a task that is over in a working tree; empty if it is not.
func overIn(tree layout.Root, key resources.Key, uid string) string {
	task, ok := tree.Object(key, tree.Locate(key)).(*resources.Task)
	if !ok || task.Metadata.UID != uid || !resources.Over(resources.TaskState(task)) {
		return ""
	}
	return resources.TaskState(task)
}

// Confirm writes down what the team says of a lease of this clone. Nothing is written where
// somebody else has the task by now.
func (b Book) Confirm(l *resources.Lease, team resources.LeaseTeam) error {
	return b.change(l, func(now *resources.Lease) *resources.Lease {
		if now == nil || !now.Spec.Holder.Same(l.Spec.Holder) || now.Spec.Team != nil && *now.Spec.Team == team {
			return nil
		}
		now.Spec.Team = &team
		return now
	})
}

// Alone forgets what the team says of a lease of this clone, which shares its claims no more.
func (b Book) Alone(task *resources.Task) error {
	if l := b.Get(task); l == nil || l.Spec.Team == nil || l.Elsewhere() {
		return nil
	}
	return b.change(&resources.Lease{Metadata: resources.LeaseMetadata{Name: task.Metadata.Name, UID: task.Metadata.UID}}, func(now *resources.Lease) *resources.Lease {
		if now == nil || now.Spec.Team == nil || now.Elsewhere() {
			return nil
		}
		now.Spec.Team = nil
		return now
	})
}

// Note writes down that another clone has a task, or ended it, whoever held it here: Transitions is not 0 then.
// It reports whether that is news.
func (b Book) Note(elsewhere *resources.Lease) (news bool, err error) {
	err = b.change(elsewhere, func(now *resources.Lease) *resources.Lease {
		if now != nil && now.Elsewhere() && now.Spec.Team.Revision == elsewhere.Spec.Team.Revision {
			return nil
		}
		news = true
		next := *elsewhere
		if now != nil {
			next.Spec.Transitions = now.Spec.Transitions
		}
		if now != nil && !now.Elsewhere() && now.Ended() == "" {
			next.Spec.Transitions++
		}
		return &next
	})
	return news, err
}

// Forget removes the lease of another clone that has a task no more.
func (b Book) Forget(elsewhere *resources.Lease) error {
	return b.remove(elsewhere, (*resources.Lease).Elsewhere)
}

// Told removes the lease of a task that ended here, once the team knows.
func (b Book) Told(l *resources.Lease) error {
	return b.remove(l, func(now *resources.Lease) bool { return !b.Stands(now) && b.Ended(now) != "" })
}

// remove removes a lease if what stands there now is one that may go.
func (b Book) remove(l *resources.Lease, may func(now *resources.Lease) bool) error {
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

// change writes the lease of a task as f makes it of the one that stands there, nil for none, or for a
// file that is no lease; f returns nil to leave it.
func (b Book) change(l *resources.Lease, f func(now *resources.Lease) *resources.Lease) error {
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

// locked has f work in the folder of the leases while nobody else writes there. The folder is made if
// create says so; else it is store.ErrNotFound where nobody ever held a task.
func (b Book) locked(create bool, f func(d *layout.OpenDir) error) error {
	d, err := b.root.Leases(create)
	if err != nil {
		return err
	}
	defer d.Close()
	unlock, err := d.Lock(lockFile, patience)
	if err != nil {
		return err
	}
	defer unlock()
	return f(d)
}

// perm is how a lease may be read: by the user alone, unless git's folder is shared.
func (b Book) perm() fs.FileMode {
	if b.root.Shared() {
		return 0o644
	}
	return 0o600
}
