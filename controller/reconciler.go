// Package controller is the machinery of a Kubernetes-style controller for
// objects in a store.Store: informer, cache, workqueues, manager, events. It
// knows objects only through package resources; what is to be done with them is
// the business of package reconcilers.
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

// Reconciler makes what is observed about one key agree with what is. It is told
// a key and never what happened: it reads the cache, computes the wanted state
// and writes the difference, so that running it twice equals running it once.
// One goroutine at a time calls it.
type Reconciler interface {
	Reconcile(ctx context.Context, key resources.Key) (Result, error)
}

// Func is a function as a Reconciler.
type Func func(ctx context.Context, key resources.Key) (Result, error)

// Reconcile calls f.
func (f Func) Reconcile(ctx context.Context, key resources.Key) (Result, error) { return f(ctx, key) }

// Result says when to look at the key again. The zero Result: when something
// changes. An error beside it wins: the key is retried with backoff.
type Result struct {
	After time.Duration // 0: not on its own account
}

// Terminal marks an error that retrying cannot cure: logged and counted, not retried.
func Terminal(err error) error {
	if err == nil {
		return nil
	}
	return &terminalError{err}
}

type terminalError struct{ err error }

func (e *terminalError) Error() string { return e.err.Error() }
func (e *terminalError) Unwrap() error { return e.err }

// IsTerminal reports whether err, or an error that it wraps, was made by Terminal.
func IsTerminal(err error) bool {
	var t *terminalError
	return errors.As(err, &t)
}

// Change is one step of the cache, for mapping it to the keys that reconcilers
// have to look at. Old and New are the last good objects before and after; nil
// where there was or is none. Both may be equal in content when only the
// status, the checkpoint log or the validity changed. The zero Key says that a
// listing is complete: what there is even in an empty store is due.
type Change struct {
	Key                resources.Key // Kind may be resources.CheckpointsKind, or store.FilesKind: see Client.SourceFile
	Old, New           resources.Object
	OldPhase, NewPhase string // of the status as last derived; equal if it did not change
	Resync             bool   // part of a full listing, at low priority
	First              bool   // part of the first one: all that there is comes as a change of its own
	StatusOnly         bool   // a reconciler wrote the status, and that is all
}

// Registration is one row of the table of reconcilers.
type Registration struct {
	Name string // "task", "plan": in logs, events (From: "task-reconciler") and status
	// Keys maps a change to the keys this reconciler must look at. It runs on the
	// goroutine that applied the change, after it is in the cache, and must be quick.
	Keys func(change Change, c Client) []resources.Key
	// New makes the reconciler.
	New func(c Client) Reconciler
	// Rank: run only when the informer and all reconcilers of lower ranks have
	// nothing to do. Whoever sums up what others write is of a higher rank, so that a
	// burst of a thousand changes is summed up once. 0: run at once.
	Rank int
	// Idle: nobody waits for it, and it is run once more when the controller ends (the packer,
	// which reads what the others have settled). Without a Rank it is of the highest of all.
	Idle bool
	// Background: it writes objects, starts git or waits for the lock of those who write.
	// What it writes comes back as a Change, so nobody waits for it: not the ranks above
	// it, not WaitSettled, and not the end of Run, with which its context ends.
	Background bool
	// Coalesce is how long a key waits after a change, so that what changes within that
	// time is looked at once. 0: not at all. One that is Idle stays owed meanwhile, to
	// WaitSettled and to the end of Run.
	Coalesce time.Duration
}

// Client is all that reconcilers see of the world. Reads come from the cache,
// never wait and never touch the store. Objects are shared: read-only. It also is
// the status.WideView that statuses are computed from; a SourceFile that was
// asked for is watched from then on: its change is a Change of its own, of kind
// store.FilesKind, and one of the anchors that name it.
type Client interface {
	status.WideView

	// Reader is the cache as a graph.Reader, for a graph with more in it, or less.
	Reader() graph.Reader
	// Get returns the last good version of an object.
	Get(key resources.Key) (resources.Object, bool)
	// List returns the keys of all objects of a kind, readable or not, sorted.
	List(kind string) []resources.Key
	// Naming returns the names of the objects of a kind that name a file, sorted, and perhaps some more.
	Naming(kind, file string) []string
	// By returns the keys under that value of an index, sorted (see graph.Term).
	By(index, value string) []resources.Key
	// Problem returns why the object's file cannot be read or is invalid, if so.
	Problem(key resources.Key) (resources.Problem, bool)
	// Problems returns all of them, sorted by key.
	Problems() []resources.Problem
	// Status returns the status as last derived, as JSON; nil if there is none.
	Status(key resources.Key) []byte
	// Known returns what is known of an object at this moment, which may have no version yet.
	Known(key resources.Key) Revision
	// KeepDecoded keeps Decoded of a revision, a pointer (*TaskStatus, ...) that is read-only from then
	// on, for whoever asks next, for as long as the object has this status.
	KeepDecoded(r *Revision)
	// Revisions returns all objects of these kinds, sorted, and those of these keys that exist,
	// at one moment: as of the resource version that is returned with them.
	Revisions(kinds []string, keys []resources.Key) ([]Revision, uint64)
	// Steps returns what changed since a resource version, in order, and waits until something
	// has. ErrExpired, or ctx's error.
	Steps(ctx context.Context, after uint64) ([]Step, error)
	// SetPhase sets what the indexes know of an object's status, before WriteStatus sets all of
	// it: what many others are summed up by need not wait until each status is written. It does
	// nothing for an object that is gone or broken.
	SetPhase(key resources.Key, phase string, ready bool)
	// WriteStatus sets the status of an object to what wanted points to (a *TaskStatus, ...).
	// seen is what was Known of it before wanted was computed: where the object is another one
	// by now, nothing is written, and the error has its key reconciled again. It fills in what the machinery knows (observedRevision,
	// uid, Valid=False and phase Invalid for an object with a Problem), merges the
	// transition times (resources.MergeConditions) and does nothing unless bytes differ.
	// Everybody sees it at once; the store has it soon after, and before Run returns.
	WriteStatus(ctx context.Context, seen Revision, wanted any) error
	// DeleteStatus removes the status of an object that is gone: the end of its clean-up.
	DeleteStatus(ctx context.Context, key resources.Key) error
	// Recheck has an object read at once, because its file was written by another way than
	// this Client: the ranks above do not run before that is in the cache.
	Recheck(key resources.Key)
	// Archive moves an object to .idumb/archive, if it is still at the cached revision.
	Archive(ctx context.Context, key resources.Key) error
	// Scratch is where the store keeps what is no object: the packs, what hooks told sessions.
	Scratch() store.Scratch
	// WaitPhases returns when phases follow from what is in the cache, or with ctx's error. It is
	// for whoever asks from outside, not for reconcilers.
	WaitPhases(ctx context.Context) error
	// Event records what was done or seen; the same event within ten minutes is
	// counted, not repeated.
	Event(key resources.Key, eventType, reason, format string, args ...any)
}
