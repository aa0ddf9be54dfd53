package leases

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Snapshot is a snapshot of all leases, for views of many tasks.
type Snapshot struct {
	leases Leases
	byTask map[taskID]*resources.Lease
}

// taskID identifies a task by its name and UID.
type taskID struct{ name, uid string }

// Snapshot reads all leases.
func (b Leases) Snapshot() Snapshot {
	all, _ := b.All()
	r := Snapshot{b, make(map[taskID]*resources.Lease, len(all))}
	for _, l := range all {
		r.byTask[taskID{l.Metadata.Name, l.Metadata.UID}] = l
	}
	return r
}

// Tasks returns the names of the tasks with leases, including those with ended
// holders.
func (r Snapshot) Tasks() []string {
	names := make([]string, 0, len(r.byTask))
	for id := range r.byTask {
		names = append(names, id.name)
	}
	return names
}

// LeaseOf returns the lease of a task with a live holder, or nil.
func (r Snapshot) LeaseOf(task *resources.Task) *resources.Lease {
	l := r.byTask[taskID{task.Metadata.Name, task.Metadata.UID}]
	if l == nil || r.leases.IsVoid(l, task) {
		return nil
	}
	return l
}

// Left returns the lease of a task whose session or host's process ended before the
// task did, or nil. No session works on such a task.
func (r Snapshot) Left(task *resources.Task) *resources.Lease {
	l := r.byTask[taskID{task.Metadata.Name, task.Metadata.UID}]
	if l == nil || l.InOtherClone() || l.Ended() != "" || l.Spec.Holder.Session == "" || !r.leases.holderEnded(l) {
		return nil
	}
	return l
}

// Foreign reports whether a lease belongs to an agent or to another working
// tree, rather than to the current user here.
func (r Snapshot) Foreign(l *resources.Lease) bool {
	return l != nil && (l.Spec.Holder.Session != "" || !r.leases.IsHere(l.Spec.Holder))
}

// Brief names the holder of a lease for a table cell, with the working tree if
// it is another one.
func (r Snapshot) Brief(l *resources.Lease) string {
	switch {
	case l.InOtherClone():
		return l.Worker() + " on " + l.Spec.Holder.Machine
	case r.leases.IsHere(l.Spec.Holder):
		return l.Spec.Holder.Brief()
	}
	return l.Spec.Holder.Brief() + " in " + filepath.Base(l.Spec.Holder.Worktree)
}

// InOtherTree reports whether a holder in another working tree owns a task.
func (r Snapshot) InOtherTree(task *resources.Task) bool {
	l := r.LeaseOf(task)
	return l != nil && !r.leases.IsHere(l.Spec.Holder)
}

// TasksOf returns the names of the tasks that a session owns, sorted.
func (r Snapshot) TasksOf(session string) (tasks []string) {
	for _, l := range r.byTask {
		if l.Spec.Holder.Session == session {
			tasks = append(tasks, l.Metadata.Name)
		}
	}
	slices.Sort(tasks)
	return tasks
}

// All returns all leases, sorted by task, and the errors of invalid files.
func (b Leases) All() (all []*resources.Lease, broken map[string]error) {
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
		switch l, err := readFile(d, name); {
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

// maxPasswd is the maximum number of bytes of /etc/passwd that are read.
const maxPasswd = 1 << 20

// userName returns the name of the current user, independent of the environment.
// It reads passwd(5), because package os/user would link the C library into the
// hook. For an unknown user it returns "user" and the number.
func userName() string {
	uid := strconv.Itoa(os.Getuid())
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return "user " + uid
	}
	defer f.Close()
	for lines := bufio.NewScanner(io.LimitReader(f, maxPasswd)); lines.Scan(); {
		if fields := strings.SplitN(lines.Text(), ":", 4); len(fields) == 4 && fields[2] == uid && fields[0] != "" {
			return fields[0]
		}
	}
	return "user " + uid
}
