// Package leases records the owner of each task, for all working trees of a
// repository. Starting a task writes its lease. The gate, commands and views
// read it. A lease of a session is checked against the session's record and the
// host's process, so that an ended session does not block others.
package leases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

const (
	// RenewEvery is the age at which the holder renews a lease.
	RenewEvery = 5 * time.Minute
	// patience is the timeout for another claim to be written.
	patience = 5 * time.Second

	lockFile = ".lock"
	maxLease = 64 << 10
)

// Book accesses the leases of a repository from one of its working trees. It is
// safe for concurrent use by several processes.
type Book struct{ root layout.Root }

// Open returns the leases of the repository at root.
func Open(root layout.Root) Book { return Book{root} }

// Person returns the current user as a holder.
func (b Book) Person() resources.Holder {
	h := resources.Holder{Worktree: b.tree(), Person: person()}
	h.Machine, _ = os.Hostname()
	return h
}

// tree returns the path of the working tree with links resolved.
func (b Book) tree() string {
	if real, err := filepath.EvalSymlinks(string(b.root)); err == nil {
		return real
	}
	return string(b.root)
}

// Here reports whether a holder works in this working tree.
func (b Book) Here(h resources.Holder) bool {
	return h.Worktree == string(b.root) || h.Worktree == b.tree()
}

// Session returns a session as a holder. name is the name of its record; "" is
// a user. The holder is the session that the user started, because delegates
// and subagents act for it. p is the process of its host; nil if unknown.
func (b Book) Session(name string, p *resources.Process) resources.Holder {
	h := b.Person()
	if name == "" {
		return h
	}
	h.Session, h.Process = name, p
	for range maxAncestors {
		spec, found := b.record(b.root, h.Session)
		if found {
			h.Host, h.Agent = spec.Host, spec.Agent
		}
		if spec.Parent == "" || resources.CheckName(spec.Parent) != nil {
			break
		}
		h.Session = spec.Parent
	}
	return h
}

// maxAncestors limits the chain of parent sessions, because records may form a
// cycle.
const maxAncestors = 16

// record reads a session's record.
func (b Book) record(root layout.Root, session string) (resources.SessionSpec, bool) {
	key := resources.Key{Kind: resources.Sessions, Name: session}
	s, ok := root.Object(key, root.Locate(key)).(*resources.Session)
	if !ok {
		return resources.SessionSpec{}, false
	}
	return s.Spec, true
}

// Folder returns the path of the directory of leases, for users.
func (b Book) Folder() string { return b.root.LeasesFolder() }

// fileOf returns the file name of a task's lease, from its name and UID.
func fileOf(name, uid string) string {
	return resources.NameOfID(strings.TrimSuffix(name+"."+uid, ".")) + ".json"
}

func leaseFile(task *resources.Task) string { return fileOf(task.Metadata.Name, task.Metadata.UID) }

// Get returns the lease of a task, or nil. An invalid file counts as no lease.
func (b Book) Get(task *resources.Task) *resources.Lease {
	d, err := b.root.Leases(false)
	if err != nil {
		return nil
	}
	defer d.Close()
	return read(d, task)
}

func read(d *layout.OpenDir, task *resources.Task) *resources.Lease {
	l, err := readFile(d, leaseFile(task))
	if err != nil || l.Metadata.Name != task.Metadata.Name {
		return nil
	}
	return l
}

func readFile(d *layout.OpenDir, file string) (*resources.Lease, error) {
	data, _, err := d.Read(file, maxLease)
	if err != nil {
		return nil, err
	}
	return resources.DecodeLease(data)
}

// Other returns the lease of another holder than me that exclusively owns a
// task, so that me may neither start it nor write for it. It returns nil if
// there is none.
func (b Book) Other(task *resources.Task, me resources.Holder, now time.Time) *resources.Lease {
	l := b.Get(task)
	if l == nil || b.standing(l, task, me, now) != held {
		return nil
	}
	return l
}

// Holding returns the lease of a task with a live holder, or nil.
func (b Book) Holding(task *resources.Task) *resources.Lease {
	l := b.Get(task)
	if l == nil || b.over(l, task) {
		return nil
	}
	return l
}

// standing is the relation of a holder to a lease.
type standing int

const (
	own     standing = iota // the holder owns the lease
	heir                    // the lease's holder has ended, or is the user for whom this one acts
	ended                   // the lease's holder has ended, and was another user or at another place
	expired                 // the lease was not renewed in time
	held
)

func (b Book) standing(l *resources.Lease, task *resources.Task, me resources.Holder, now time.Time) standing {
	h := l.Spec.Holder
	next := h.SamePerson(me) && h.Worktree == me.Worktree
	switch {
	case l.Elsewhere() && b.over(l, task):
		return ended
	case l.Elsewhere():
		return held
	case h.Same(me):
		return own
	case next && h.Session == "", next && b.over(l, task):
		return heir
	case b.over(l, task):
		return ended
	case l.Expired(now):
		return expired
	}
	return held
}

// over reports whether a lease has no effect: its holder has ended, or the task
// is not active in the lease's working tree, or the task ended elsewhere and is
// finished in this working tree too.
func (b Book) over(l *resources.Lease, task *resources.Task) bool {
	if l.Elsewhere() { // its clone decides about expiry; an end is in effect until this clone has that state
		return l.Ended() != "" && resources.Over(resources.TaskState(task))
	}
	return l.Ended() != "" || b.Here(l.Spec.Holder) && resources.TaskState(task) != resources.TaskActive || b.gone(l)
}

// gone reports whether the holder of a lease of this clone has ended: its
// session ended, its host's process ended, or its working tree is missing.
func (b Book) gone(l *resources.Lease) bool {
	h := l.Spec.Holder
	machine, _ := os.Hostname()
	if h.Machine == machine && !b.Here(h) {
		if _, err := os.Lstat(layout.Root(h.Worktree).Abs(layout.Dir)); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	if h.Session == "" {
		return false
	}
	if h.Machine == machine && process.StateOf(h.Process) == process.Gone {
		return true
	}
	spec, found := b.record(layout.Root(h.Worktree), h.Session)
	return found && status.HasEnded(&resources.Session{Spec: spec})
}

// Claimed is the result of a claim.
type Claimed struct {
	Lease *resources.Lease
	// From is the previous holder, to be informed; nil if there was none or it
	// has ended.
	From *resources.Holder
	New  bool // the claimant did not own the task before
	// Wrote means that the lease was written, so that Settle waits for it.
	Wrote bool
}

// HeldError means that another holder owns the task or ended it elsewhere.
type HeldError struct{ Lease *resources.Lease }

// Error names the holder and the time.
func (e *HeldError) Error() string {
	if e.Lease.Ended() != "" {
		return fmt.Sprintf("task %q was %s", e.Lease.Metadata.Name, e.Lease.Worker())
	}
	return fmt.Sprintf("task %q is held by %s since %s", e.Lease.Metadata.Name, e.Lease.Spec.Holder, e.Lease.Spec.AcquireTime.Format(time.RFC3339))
}

// Claim acquires or renews a lease. before is the current task. It returns
// *HeldError if another holder owns the task, unless takeOver is true. When
// Claim returns nil, the lease is visible to all processes. After Settle it is
// durable; until then a power loss may restore the previous one. If the
// directory is not writable, Claim returns an error and changes nothing.
func (b Book) Claim(before *resources.Task, me resources.Holder, takeOver bool, now time.Time) (claimed Claimed, err error) {
	err = b.locked(true, func(d *layout.OpenDir) error {
		claimed, err = b.claim(d, before, me, takeOver, now)
		return err
	})
	return claimed, err
}

// Settle waits until all claimed leases are durable. It may run concurrently
// with the caller's other writes. After an error, the durable state is unknown.
func (b Book) Settle() error {
	d, err := b.root.Leases(false)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// claim is Claim in the directory of leases. The caller must hold its lock.
func (b Book) claim(d *layout.OpenDir, before *resources.Task, me resources.Holder, takeOver bool, now time.Time) (Claimed, error) {
	next, old := resources.NewLease(before, me, now, resources.DefaultLeaseDuration), read(d, before)
	if old == nil {
		return Claimed{Lease: next, New: true, Wrote: true}, b.put(d, before, next)
	}
	how := b.standing(old, before, me, now)
	if how == held && !takeOver {
		return Claimed{}, &HeldError{old}
	}
	if old.Ended() != "" { // the task had no owner
		return Claimed{Lease: next, New: true, Wrote: true}, b.put(d, before, next)
	}
	claimed := Claimed{Lease: next, New: how != own, Wrote: true}
	next.Spec.Transitions = old.Spec.Transitions + 1
	switch how {
	case own:
		if renewed(old, me, now) {
			return Claimed{Lease: old}, nil
		}
		next.Spec.AcquireTime, next.Spec.Transitions, next.Spec.Team = old.Spec.AcquireTime, old.Spec.Transitions, old.Spec.Team
	case heir: // the claim belongs to the clone and keeps its expiry
		next.Spec.Team = old.Spec.Team
	case held, expired:
		claimed.From = &old.Spec.Holder
	}
	return claimed, b.put(d, before, next)
}

// put writes a lease.
func (b Book) put(d *layout.OpenDir, task *resources.Task, l *resources.Lease) error {
	data, err := resources.EncodeLease(l)
	if err != nil {
		return err
	}
	return d.ReplaceWhole(leaseFile(task), data, b.perm())
}

// renewed reports whether a lease needs no renewal.
func renewed(l *resources.Lease, me resources.Holder, now time.Time) bool {
	h := l.Spec.Holder
	same := me.Process == nil || h.Process != nil && *h.Process == *me.Process
	return same && h.Worktree == me.Worktree && now.Sub(l.Spec.RenewTime.Time) < RenewEvery
}

// Renew extends the lease of a task. For a fresh lease it only reads one file.
// It waits neither for the disk nor for a lock; a missed renewal is repeated at
// the next call.
func (b Book) Renew(task *resources.Task, me resources.Holder, now time.Time) {
	l := b.Get(task)
	if l == nil || !l.Spec.Holder.Same(me) || renewed(l, me, now) {
		return
	}
	d, err := b.root.Leases(false)
	if err != nil {
		return
	}
	defer d.Close()
	unlock, err := d.Lock(lockFile, 0)
	if err != nil {
		return
	}
	defer unlock()
	if l = read(d, task); l == nil || !l.Spec.Holder.Same(me) {
		return
	}
	l.Spec.RenewTime = resources.NewTime(now)
	if me.Process != nil {
		l.Spec.Holder.Process = me.Process
	}
	if data, err := resources.EncodeLease(l); err == nil {
		_ = d.Replace(leaseFile(task), data)
	}
}

// Release removes the lease of a task that is no longer active. It ignores a
// missing lease. A lease of another working tree stays, because the task may
// have another version there.
func (b Book) Release(task *resources.Task) error {
	d, err := b.root.Leases(false)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.Info(leaseFile(task)); errors.Is(err, store.ErrNotFound) {
		return nil // no lease, like for a task that was never started
	}
	unlock, err := d.Lock(lockFile, patience)
	if err != nil {
		return err
	}
	defer unlock()
	if l := read(d, task); l != nil && !b.Here(l.Spec.Holder) {
		return nil
	}
	return d.Remove(leaseFile(task))
}

// End replaces the lease of a task by a note that the task ended or was
// reopened, for the next sync with the team. A lease of another clone or
// working tree stays.
func (b Book) End(task *resources.Task, state string, by resources.Holder, now time.Time) error {
	l := resources.NewLease(task, by, now, resources.DefaultLeaseDuration)
	l.Spec.Team = &resources.LeaseTeam{Claim: resources.ClaimPending, Ended: state}
	return b.change(l, func(old *resources.Lease) *resources.Lease {
		if old == nil || old.Ended() != "" || !old.Elsewhere() && b.Here(old.Spec.Holder) {
			return l
		}
		return nil
	})
}

// Own returns the names of the lease files of this working tree, sorted. They
// are useless without it.
func (b Book) Own() (files []string) {
	d, err := b.root.Leases(false)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		if l, err := readFile(d, name); err == nil && b.Here(l.Spec.Holder) {
			files = append(files, name)
		}
	}
	return files
}

// Leave removes the leases of this working tree.
func (b Book) Leave() error {
	return b.locked(false, func(d *layout.OpenDir) error {
		var failed []error
		for _, name := range b.Own() {
			failed = append(failed, d.Remove(name))
		}
		return errors.Join(failed...)
	})
}
