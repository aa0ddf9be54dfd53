package leases

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Roll is a snapshot of all leases, for views of many tasks.
type Roll struct {
	book Book
	by   map[taskID]*resources.Lease
}

type taskID struct{ name, uid string }

// Roll reads all leases.
func (b Book) Roll() Roll {
	all, _ := b.All()
	r := Roll{b, make(map[taskID]*resources.Lease, len(all))}
	for _, l := range all {
		r.by[taskID{l.Metadata.Name, l.Metadata.UID}] = l
	}
	return r
}

// Tasks returns the names of the tasks with leases, including those with ended
// holders.
func (r Roll) Tasks() []string {
	names := make([]string, 0, len(r.by))
	for id := range r.by {
		names = append(names, id.name)
	}
	return names
}

// Of returns the lease of a task with a live holder, or nil.
func (r Roll) Of(task *resources.Task) *resources.Lease {
	l := r.by[taskID{task.Metadata.Name, task.Metadata.UID}]
	if l == nil || r.book.over(l, task) {
		return nil
	}
	return l
}

// Foreign reports whether a lease belongs to an agent or to another working
// tree, rather than to the current user here.
func (r Roll) Foreign(l *resources.Lease) bool {
	return l != nil && (l.Spec.Holder.Session != "" || !r.book.Here(l.Spec.Holder))
}

// Brief names the holder of a lease for a table cell, with the working tree if
// it is another one.
func (r Roll) Brief(l *resources.Lease) string {
	switch {
	case l.Elsewhere():
		return l.Worker() + " on " + l.Spec.Holder.Machine
	case r.book.Here(l.Spec.Holder):
		return l.Spec.Holder.Brief()
	}
	return l.Spec.Holder.Brief() + " in " + filepath.Base(l.Spec.Holder.Worktree)
}

// Elsewhere reports whether a holder in another working tree owns a task.
func (r Roll) Elsewhere(task *resources.Task) bool {
	l := r.Of(task)
	return l != nil && !r.book.Here(l.Spec.Holder)
}

// Held returns the names of the tasks that a session owns, sorted.
func (r Roll) Held(session string) (tasks []string) {
	for _, l := range r.by {
		if l.Spec.Holder.Session == session {
			tasks = append(tasks, l.Metadata.Name)
		}
	}
	slices.Sort(tasks)
	return tasks
}

// All returns all leases, sorted by task, and the errors of invalid files.
func (b Book) All() (all []*resources.Lease, broken map[string]error) {
	d, err := b.root.Leases(false)
	if err != nil {
		return nil, nil
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		if _, ok := layout.ObjectName(name); !ok {
			continue
		}
		l, err := readFile(d, name)
		switch {
		case errors.Is(err, store.ErrNotFound): // released meanwhile
		case err != nil:
			if broken == nil {
				broken = map[string]error{}
			}
			broken[name] = err
		default:
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b *resources.Lease) int {
		return strings.Compare(a.Metadata.Name+" "+a.Metadata.UID, b.Metadata.Name+" "+b.Metadata.UID)
	})
	return all, broken
}
