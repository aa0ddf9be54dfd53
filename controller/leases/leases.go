// Package leases keeps who works on which task: one owner each, for all working trees of a
// repository. A lease is written by whoever starts a task, and read by the gate, by commands and
// by whoever shows tasks. What it says of a session is held against that session's record and its
// host's process, so that nobody is locked out by one that is gone.
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
	// RenewEvery is how old a lease gets before its holder renews it.
	RenewEvery = 5 * time.Minute
	// patience is how long a claim waits for another one to be written.
	patience = 5 * time.Second

	lockFile = ".lock"
	maxLease = 64 << 10
)

// Book is the leases of a repository, as one of its working trees sees them. It may be used by
// many at once, in many processes.
type Book struct{ root layout.Root }

// Open returns the leases of the repository at root.
func Open(root layout.Root) Book { return Book{root} }

// Person is whoever types commands here, as a holder.
func (b Book) Person() resources.Holder {
	h := resources.Holder{Worktree: b.tree(), Person: person()}
	h.Machine, _ = os.Hostname()
	return h
}

// tree is the working tree by its own path: the root may be named through links.
func (b Book) tree() string {
	if real, err := filepath.EvalSymlinks(string(b.root)); err == nil {
		return real
	}
	return string(b.root)
}

// Here reports whether somebody works in this working tree.
func (b Book) Here(h resources.Holder) bool {
	return h.Worktree == string(b.root) || h.Worktree == b.tree()
}

// Session is a session as a holder, by the name of its record: the session that a person started,
// for delegates and subagents act for it. p is its host's process, nil if that is not known. ""
// is a person.
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

// maxAncestors bounds the sessions above one: records are files, and may name each other in a circle.
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

// Folder is where the leases stand, for people.
func (b Book) Folder() string { return b.root.LeasesFolder() }

// fileOf is the name of a task's lease: of its name and its uid.
func fileOf(name, uid string) string {
	return resources.NameOfID(strings.TrimSuffix(name+"."+uid, ".")) + ".json"
}

func leaseFile(task *resources.Task) string { return fileOf(task.Metadata.Name, task.Metadata.UID) }

// Get returns the lease of a task, nil if nobody has one. A file that is no lease holds nothing.
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

// Other returns the lease of whoever else has a task to themselves, so that me may neither start
// nor write for it; nil if it is free for me.
func (b Book) Other(task *resources.Task, me resources.Holder, now time.Time) *resources.Lease {
	l := b.Get(task)
	if l == nil || b.standing(l, task, me, now) != held {
		return nil
	}
	return l
}

// Holding returns the lease of whoever holds a task; nil if nobody does, or who did is gone.
func (b Book) Holding(task *resources.Task) *resources.Lease {
	l := b.Get(task)
	if l == nil || b.over(l, task) {
		return nil
	}
	return l
}

// standing is how a lease stands to somebody.
type standing int

const (
	own     standing = iota // it is theirs
	heir                    // nobody else's: whose it was is gone, or is the person for whom they act
	ended                   // whose it was is gone, and was another person's or at another place
	expired                 // whose it was has not been heard of for long
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

// over reports whether a lease holds nothing any more: its holder is gone, or the task is not worked
// on where it was taken; or the task ended elsewhere, and this working tree says so too.
func (b Book) over(l *resources.Lease, task *resources.Task) bool {
	if l.Elsewhere() { // its own clone says when; how it ended binds until this clone knows it
		return l.Ended() != "" && resources.Over(resources.TaskState(task))
	}
	return l.Ended() != "" || b.Here(l.Spec.Holder) && resources.TaskState(task) != resources.TaskActive || b.gone(l)
}

// gone reports whether the holder of a lease of this clone is gone: its session ended, or its host's
// process did, or its working tree is not there.
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

// Claimed is what became of a claim.
type Claimed struct {
	Lease *resources.Lease
	// From is who held the task until now, and is to be told; nil if nobody did, or nobody is left.
	From *resources.Holder
	New  bool // it was not the holder's before
	// Wrote says that the lease was written, so that Settle waits for something.
	Wrote bool
}

// HeldError says that somebody else holds the task, or ended it elsewhere.
type HeldError struct{ Lease *resources.Lease }

// Error names the holder and since when.
func (e *HeldError) Error() string {
	if e.Lease.Ended() != "" {
		return fmt.Sprintf("task %q was %s", e.Lease.Metadata.Name, e.Lease.Worker())
	}
	return fmt.Sprintf("task %q is held by %s since %s", e.Lease.Metadata.Name, e.Lease.Spec.Holder, e.Lease.Spec.AcquireTime.Format(time.RFC3339))
}

// Claim makes somebody the holder of a task, or renews what they hold already. before is the task
// as it stands. *HeldError if somebody else holds it, unless they are to be taken over. When Claim
// returns nil everybody sees the lease, and after Settle it is on disk for good: until then a power cut
// leaves the one before. An error that says that the folder may not be written leaves everything as
// it is.
func (b Book) Claim(before *resources.Task, me resources.Holder, takeOver bool, now time.Time) (claimed Claimed, err error) {
	err = b.locked(true, func(d *layout.OpenDir) error {
		claimed, err = b.claim(d, before, me, takeOver, now)
		return err
	})
	return claimed, err
}

// Settle returns when all that was claimed is on disk for good. What Claim is followed by can be
// waited for at the same time. An error leaves open what survives a power cut.
func (b Book) Settle() error {
	d, err := b.root.Leases(false)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// claim is Claim in the folder of the leases, for who holds its lock.
func (b Book) claim(d *layout.OpenDir, before *resources.Task, me resources.Holder, takeOver bool, now time.Time) (Claimed, error) {
	next, old := resources.NewLease(before, me, now, resources.DefaultLeaseDuration), read(d, before)
	if old == nil {
		return Claimed{Lease: next, New: true, Wrote: true}, b.put(d, before, next)
	}
	how := b.standing(old, before, me, now)
	if how == held && !takeOver {
		return Claimed{}, &HeldError{old}
	}
	if old.Ended() != "" { // nobody had it
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
	case heir: // the claim is the clone's, and ends when it did
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

// renewed reports whether a lease says all that its holder would say now.
func renewed(l *resources.Lease, me resources.Holder, now time.Time) bool {
	h := l.Spec.Holder
	same := me.Process == nil || h.Process != nil && *h.Process == *me.Process
	return same && h.Worktree == me.Worktree && now.Sub(l.Spec.RenewTime.Time) < RenewEvery
}

// Renew says that the holder of a task was heard of. It costs one look as long as the lease is
// fresh, and waits neither for the disk nor for anybody: what is lost is renewed the next time.
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

// Release ends the lease of a task that is worked on no more; no error if there is none. One that
// was taken in another working tree stays: there the task may be another version.
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
		return nil // nobody's, as of a task that a person never started
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

// End replaces the lease of a task by a note that the task is over, or was opened again, until the team was
// told. A lease of another clone or working tree stays.
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

// Own returns the names of the files that say who holds tasks in this working tree, sorted: what is
// of no use without it.
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
