// Package controller implements a Kubernetes-style controller for objects in a
// store.Store. It consists of an informer, a cache, work queues, a manager and
// an event recorder. Package reconcilers contains the reconcilers of each
// kind. The cache also indexes what they share: tasks by plan and phase, ready
// tasks and checkpoint logs.
package controller

import (
	"context"
	"errors"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Reconciler derives the status of one key. Reconcile gets a key, not an event:
// it reads the cache, computes the desired state and writes the difference.
// Calling it twice must have the same effect as calling it once. A reconciler
// is called by one goroutine at a time.
type Reconciler interface {
	Reconcile(ctx context.Context, key resources.Key) (Result, error)
}

// Func is a function that implements Reconciler.
type Func func(ctx context.Context, key resources.Key) (Result, error)

// Reconcile calls f.
func (f Func) Reconcile(ctx context.Context, key resources.Key) (Result, error) { return f(ctx, key) }

// Result tells when to reconcile the key again. The zero Result means when
// something changes. If an error is returned too, Result is ignored and the key
// is retried with backoff, unless the error is Terminal.
type Result struct {
	RequeueAfter time.Duration // delay; 0 means no scheduled reconcile
}

// Terminal marks an error that retrying cannot fix. Such an error is logged and
// counted, not retried.
func Terminal(err error) error {
	if err == nil {
		return nil
	}
	return &terminalError{err}
}

// terminalError is an error marked by Terminal.
type terminalError struct{ err error }

func (e *terminalError) Error() string { return e.err.Error() }
func (e *terminalError) Unwrap() error { return e.err }

// IsTerminal reports whether err or an error that it wraps was made by
// Terminal.
func IsTerminal(err error) bool {
	var t *terminalError
	return errors.As(err, &t)
}

// Change is one change of the cache, from which reconcilers derive the keys to
// process. Old and New are the last good objects before and after the change;
// nil if there was or is no object. They may have equal content if only the
// status, the checkpoint log or the validity changed. The zero Key marks the
// end of a listing, so that reconcilers run for an empty store too.
type Change struct {
	Key                resources.Key // Kind may be resources.CheckpointsKind, or store.FilesKind: see Client.SourceFile
	Old, New           resources.Object
	OldPhase, NewPhase string // of the last derived status; equal if unchanged
	Resync             bool   // part of a full listing, at low priority
	Initial            bool   // part of the first listing, in which every object has a Change of its own
	StatusOnly         bool   // only the status changed, written by a reconciler
}

// Registration is one row of the table of reconcilers.
type Registration struct {
	Name string // "task", "plan": used in logs, events (From: "task-reconciler") and status
	// Keys maps a change to the keys that this reconciler must process. It runs
	// on the goroutine that applied the change, after the change is in the
	// cache. It must return quickly.
	Keys func(change Change, c Client) []resources.Key
	// New returns the reconciler.
	New func(c Client) Reconciler
	// Rank delays the reconciler until the informer and all reconcilers of
	// lower ranks are idle. A reconciler that summarizes the output of others
	// has a higher rank, so that it processes a burst of a thousand changes
	// once. 0 means no delay.
	Rank int
	// Idle means that nothing waits for this reconciler. It runs once more when
	// the controller ends, like the packer, which reads the settled output of
	// the others. Without a Rank it has the highest rank.
	Idle bool
	// Background means that the reconciler writes objects, starts git or waits
	// for the write lock. Its output returns as a Change, so nothing waits for
	// it: neither higher ranks, nor WaitSettled, nor the end of Run. Its
	// context ends with Run.
	Background bool
	// Coalesce is the delay of a key after a change, so that several changes
	// within it are processed once. 0 means no delay. For an Idle reconciler,
	// WaitSettled and the end of Run wait for a delayed key.
	Coalesce time.Duration
}

// Client is the reconcilers' access to objects and statuses. Reads come from
// the cache; they do not block and do not access the store. Returned objects
// are shared and read-only. Client is also the status.WideView from which
// statuses are computed. A requested SourceFile is watched from then on. A
// change of it is delivered as a Change of kind store.FilesKind and as a Change
// of each anchor that names it.
type Client interface {
	status.WideView

	// Reader returns the cache as a graph.Reader, as a base for a modified
	// graph.
	Reader() graph.Reader
	// Get returns the last good version of an object.
	Get(key resources.Key) (resources.Object, bool)
	// List returns the keys of all objects of a kind, readable or not, sorted.
	List(kind string) []resources.Key
	// Naming returns the names of the objects of a kind that name a file,
	// sorted. The result may contain other names too.
	Naming(kind, file string) []string
	// Lookup returns the keys under a value of an index, sorted (see graph.Term).
	Lookup(index, value string) []resources.Key
	// Problem returns the problem of an object's file, if it is unreadable or
	// invalid.
	Problem(key resources.Key) (resources.Problem, bool)
	// Problems returns all problems, sorted by key.
	Problems() []resources.Problem
	// Status returns the last derived status as JSON; nil if none.
	Status(key resources.Key) []byte
	// Revision returns the current state of an object, which may have no version
	// yet.
	Revision(key resources.Key) Revision
	// KeepDecoded stores r.Decoded, a pointer (*TaskStatus, ...) that must not
	// be modified any further. Later calls return it as long as the object has
	// this status.
	KeepDecoded(r *Revision)
	// Revisions returns all objects of these kinds, sorted, and the existing
	// objects among these keys. The result is a consistent snapshot at the
	// returned resource version.
	Revisions(kinds []string, keys []resources.Key) ([]Revision, uint64)
	// Steps returns the changes since a resource version, in order. It waits
	// until there is a change. It returns ErrExpired or ctx's error.
	Steps(ctx context.Context, after uint64) ([]Step, error)
	// SetPhase sets the indexed fields of an object's status before WriteStatus
	// sets the full status. Summaries of many objects then need not wait for
	// each status. It has no effect on a deleted or broken object.
	SetPhase(key resources.Key, phase string, ready bool)
	// WriteStatus sets the status of an object to the value that wanted points
	// to (a *TaskStatus, ...). seen is the result of Revision before wanted was
	// computed. If the object changed since, WriteStatus writes nothing and
	// returns an error that requeues the key. It sets observedRevision and uid,
	// and Valid=False and phase Invalid for an object with a Problem. It merges
	// the transition times (resources.MergeConditions) and does nothing unless
	// bytes differ. Readers of the cache see the status immediately. The store
	// has it shortly after, and before Run returns.
	WriteStatus(ctx context.Context, seen Revision, wanted any) error
	// DeleteStatus removes the status of a deleted object from the cache, as the
	// last step of its cleanup. The store follows shortly after.
	DeleteStatus(ctx context.Context, key resources.Key) error
	// Recheck queues an object for the informer at priority High, because its
	// file was not written through this Client. It does not wait. Higher ranks do
	// not run before the object is in the cache.
	Recheck(key resources.Key)
	// Archive moves an object to .idumb/archive if it is still at the cached
	// revision.
	Archive(ctx context.Context, key resources.Key) error
	// Scratch returns the store's scratch files, such as packs and delivery
	// logs of sessions. Its Write and Remove fail while the store is
	// unavailable.
	Scratch() store.Scratch
	// WaitPhases waits until all phases reflect the cache. It returns ctx's
	// error if ctx ends first. Reconcilers must not call it.
	WaitPhases(ctx context.Context) error
	// Event records an event. The same event within EventWindow is counted, and
	// written again only when its count reaches 2, 4, 8 and so on.
	Event(key resources.Key, eventType, reason, format string, args ...any)
}
