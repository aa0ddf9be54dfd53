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
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

const (
	// RenewInterval is the age at which the holder renews a lease.
	RenewInterval = 5 * time.Minute
	// claimTimeout is the timeout for another claim to be written.
	claimTimeout = 5 * time.Second

	lockFile = ".lock"
	maxLease = 64 << 10
)

// Leases accesses the leases of a repository from one of its working trees. It is
// safe for concurrent use by several processes.
type Leases struct{ root layout.Root }

// Open returns the leases of the repository at root.
func Open(root layout.Root) Leases { return Leases{root} }

// User returns the current user as a holder.
func (b Leases) User() resources.Holder {
	h := resources.Holder{Worktree: b.tree(), Person: userName()}
	h.Machine, _ = os.Hostname()
	return h
}

// tree returns the path of the working tree with links resolved.
func (b Leases) tree() string {
	if real, err := filepath.EvalSymlinks(string(b.root)); err == nil {
		return real
	}
	return string(b.root)
}

// IsHere reports whether a holder works in this working tree.
func (b Leases) IsHere(h resources.Holder) bool {
	return h.Worktree == string(b.root) || h.Worktree == b.tree()
}

// Session returns a session as a holder. name is the name of its record; "" is
// a user. The holder is the session that the user started, because delegates
// and subagents act for it. p is the process of its host; nil if unknown.
func (b Leases) Session(name string, p *resources.Process) resources.Holder {
	h := b.User()
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

// record returns the spec of a session's record in a working tree.
func (b Leases) record(root layout.Root, session string) (resources.SessionSpec, bool) {
	key := resources.Key{Kind: resources.Sessions, Name: session}
	s, ok := root.Object(key, root.Locate(key)).(*resources.Session)
	if !ok {
		return resources.SessionSpec{}, false
	}
	return s.Spec, true
}

// Folder returns the path of the directory of leases, for users.
func (b Leases) Folder() string { return b.root.LeasesFolder() }

// fileOf returns the file name of a task's lease, from its name and UID.
func fileOf(name, uid string) string {
	return resources.NameOfID(strings.TrimSuffix(name+"."+uid, ".")) + ".json"
}

// leaseFile returns the file name of a task's lease.
func leaseFile(task *resources.Task) string { return fileOf(task.Metadata.Name, task.Metadata.UID) }

// Get returns the lease of a task, or nil. An invalid file counts as no lease.
func (b Leases) Get(task *resources.Task) *resources.Lease {
	d, err := b.root.Leases(false)
	if err != nil {
		return nil
	}
	defer d.Close()
	return read(d, task)
}

// Listed lists the leases once, and returns a function that reports whether a
// task has a lease, valid or not.
func (b Leases) Listed() func(task *resources.Task) bool {
	d, err := b.root.Leases(false)
	if err != nil {
		return func(*resources.Task) bool { return false }
	}
	defer d.Close()
	files, err := d.Names()
	return func(task *resources.Task) bool { return err != nil || slices.Contains(files, leaseFile(task)) }
}

// read returns the lease of a task, or nil if its file is missing, invalid or
// of another task.
func read(d *layout.OpenDir, task *resources.Task) *resources.Lease {
	l, err := readFile(d, leaseFile(task))
	if err != nil || l.Metadata.Name != task.Metadata.Name {
		return nil
	}
	return l
}

// readFile reads and decodes a lease file.
func readFile(d *layout.OpenDir, file string) (*resources.Lease, error) {
	data, _, err := d.Read(file, maxLease)
	if err != nil {
		return nil, err
	}
	return resources.DecodeLease(data)
}

// OtherLease returns the lease of another holder than me that exclusively owns a
// task, so that me may neither start it nor write for it. It returns nil if
// there is none.
func (b Leases) OtherLease(task *resources.Task, me resources.Holder, now time.Time) *resources.Lease {
	l := b.Get(task)
	if l == nil || b.relation(l, task, me, now) != heldByOther {
		return nil
	}
	return l
}

// Live returns the lease of a task with a live holder, or nil.
func (b Leases) Live(task *resources.Task) *resources.Lease {
	l := b.Get(task)
	if l == nil || b.IsVoid(l, task) {
		return nil
	}
	return l
}

// leaseRelation is the relation of a holder to a lease.
type leaseRelation int

const (
	heldBySelf   leaseRelation = iota // the holder owns the lease
	successor                         // the lease's holder has ended, or is the user for whom this one acts
	ended                             // the lease's holder has ended, and was another user or at another place
	leaseExpired                      // the lease was not renewed in time
	heldByOther
)

// relation returns how a holder relates to an existing lease of a task: it
// holds the lease, may succeed the holder, or is excluded by it.
func (b Leases) relation(l *resources.Lease, task *resources.Task, me resources.Holder, now time.Time) leaseRelation {
	h := l.Spec.Holder
	switch next := h.SamePerson(me) && h.Worktree == me.Worktree; {
	case l.InOtherClone() && b.IsVoid(l, task):
		return ended
	case l.InOtherClone():
		return heldByOther
	case h.Equal(me):
		return heldBySelf
	case next && h.Session == "" && !l.Spec.Exclusive, next && b.IsVoid(l, task):
		return successor
	case b.IsVoid(l, task):
		return ended
	case l.Expired(now):
		return leaseExpired
	}
	return heldByOther
}

// IsVoid reports whether a lease has no effect: its holder has ended, or the task
// is not active in the lease's working tree, or the task ended elsewhere and is
// finished in this working tree too.
func (b Leases) IsVoid(l *resources.Lease, task *resources.Task) bool {
	if l.InOtherClone() { // its clone decides about expiry; an end is in effect until this clone has that state
		return l.Ended() != "" && resources.IsFinal(resources.TaskState(task))
	}
	return l.Ended() != "" || b.IsHere(l.Spec.Holder) && resources.TaskState(task) != resources.TaskActive || b.holderEnded(l)
}

// holderEnded reports whether the holder of a lease of this clone has ended: its
// session ended, its host's process ended, or its working tree is missing.
func (b Leases) holderEnded(l *resources.Lease) bool {
	h := l.Spec.Holder
	machine, _ := os.Hostname()
	if h.Machine == machine && !b.IsHere(h) {
		if _, err := os.Lstat(layout.Root(h.Worktree).Abs(layout.Dir)); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	if h.Session == "" {
		return false
	}
	if h.Machine == machine && process.StateOf(h.Process) == process.Exited {
		return true
	}
	spec, found := b.record(layout.Root(h.Worktree), h.Session)
	return found && status.HasEnded(&resources.Session{Spec: spec})
}

// ClaimResult is the result of a claim.
type ClaimResult struct {
	Lease *resources.Lease
	// Previous is the previous holder, to be informed; nil if there was none or it
	// has ended.
	Previous *resources.Holder
	New      bool // the claimant did not own the task before
	// GivenBack means that the claimant held the lease exclusively and no longer does.
	GivenBack bool
	// Written means that the lease was written, so that Flush waits for it.
	Written bool
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
// Claim returns nil, the lease is visible to all processes. After Flush it is
// durable; until then a power loss may restore the previous one. If the
// directory is not writable, Claim returns an error and changes nothing.
//
// A user who takes a task over from a session of this clone holds it exclusively, until
// the user claims it without takeOver.
func (b Leases) Claim(before *resources.Task, me resources.Holder, takeOver bool, now time.Time) (claimed ClaimResult, err error) {
	err = b.locked(true, func(d *layout.OpenDir) error {
		claimed, err = b.claim(d, before, me, takeOver, now)
		return err
	})
	return claimed, err
}

// Flush waits until all claimed leases are durable. It may run concurrently
// with the caller's other writes. After an error, the durable state is unknown.
func (b Leases) Flush() error {
	d, err := b.root.Leases(false)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// claim is Claim in the directory of leases. The caller must hold its lock.
func (b Leases) claim(d *layout.OpenDir, before *resources.Task, me resources.Holder, takeOver bool, now time.Time) (ClaimResult, error) {
	next, old := resources.NewLease(before, me, now, resources.DefaultLeaseDuration), read(d, before)
	if old == nil {
		return ClaimResult{Lease: next, New: true, Written: true}, b.write(d, before, next)
	}
	how := b.relation(old, before, me, now)
	if how == heldByOther && !takeOver {
		return ClaimResult{}, &HeldError{old}
	}
	if old.Ended() != "" { // the task had no owner
		return ClaimResult{Lease: next, New: true, Written: true}, b.write(d, before, next)
	}
	claimed := ClaimResult{Lease: next, New: how != heldBySelf, Written: true}
	next.Spec.Transitions = old.Spec.Transitions + 1
	switch how {
	case heldBySelf:
		next.Spec.Exclusive = takeOver && old.Spec.Exclusive
		claimed.GivenBack = next.Spec.Exclusive != old.Spec.Exclusive
		if isFresh(old, me, now) && !claimed.GivenBack {
			return ClaimResult{Lease: old}, nil
		}
		next.Spec.AcquireTime, next.Spec.Transitions, next.Spec.Team = old.Spec.AcquireTime, old.Spec.Transitions, old.Spec.Team
	case successor: // the claim belongs to the clone and keeps its expiry
		next.Spec.Team = old.Spec.Team
	case heldByOther, leaseExpired:
		next.Spec.Exclusive = takeOver && me.Session == "" && old.Spec.Holder.Session != "" && !old.InOtherClone()
		claimed.Previous = &old.Spec.Holder
	}
	return claimed, b.write(d, before, next)
}

// write writes the lease file of a task.
func (b Leases) write(d *layout.OpenDir, task *resources.Task, l *resources.Lease) error {
	data, err := resources.EncodeLease(l)
	if err != nil {
		return err
	}
	return d.ReplaceWhole(leaseFile(task), data, b.perm())
}

// isFresh reports whether a lease needs no renewal.
func isFresh(l *resources.Lease, me resources.Holder, now time.Time) bool {
	h := l.Spec.Holder
	same := me.Process == nil || h.Process != nil && *h.Process == *me.Process
	return same && h.Worktree == me.Worktree && now.Sub(l.Spec.RenewTime.Time) < RenewInterval
}

// Renew extends the lease of a task. For a fresh lease it only reads one file.
// It waits neither for the disk nor for a lock; a missed renewal is repeated at
// the next call.
func (b Leases) Renew(task *resources.Task, me resources.Holder, now time.Time) {
	l := b.Get(task)
	if l == nil || !l.Spec.Holder.Equal(me) || isFresh(l, me, now) {
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
	if l = read(d, task); l == nil || !l.Spec.Holder.Equal(me) {
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
func (b Leases) Release(task *resources.Task) error {
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
	unlock, err := d.Lock(lockFile, claimTimeout)
	if err != nil {
		return err
	}
	defer unlock()
	if l := read(d, task); l != nil && !b.IsHere(l.Spec.Holder) {
		return nil
	}
	return d.Remove(leaseFile(task))
}

// End replaces the lease of a task by a note that the task ended or was
// reopened, for the next sync with the team. A lease of another clone or
// working tree stays.
func (b Leases) End(task *resources.Task, state string, by resources.Holder, now time.Time) error {
	l := resources.NewLease(task, by, now, resources.DefaultLeaseDuration)
	l.Spec.Team = &resources.LeaseTeam{Claim: resources.ClaimPending, Ended: state}
	return b.change(l, func(old *resources.Lease) *resources.Lease {
		if old == nil || old.Ended() != "" || !old.InOtherClone() && b.IsHere(old.Spec.Holder) {
			return l
		}
		return nil
	})
}

// OwnFiles returns the names of the lease files of this working tree, sorted. They
// are useless without it.
func (b Leases) OwnFiles() (files []string) {
	d, err := b.root.Leases(false)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Names()
	for _, name := range names {
		if l, err := readFile(d, name); err == nil && b.IsHere(l.Spec.Holder) {
			files = append(files, name)
		}
	}
	return files
}

// Leave removes the leases of this working tree.
func (b Leases) Leave() error {
	return b.locked(false, func(d *layout.OpenDir) error {
		var failed []error
		for _, name := range b.OwnFiles() {
			failed = append(failed, d.Remove(name))
		}
		return errors.Join(failed...)
	})
}
