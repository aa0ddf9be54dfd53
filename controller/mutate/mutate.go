// Package mutate writes objects under rules: references must exist,
// dependencies must be free of cycles, and revisions must be current. All
// writing commands use it. It holds the store's write lock, so that checks stay
// valid until the write.
package mutate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Store is a store in a repository with readable files.
type Store interface {
	store.Store
	// Root returns the root of the repository.
	Root() layout.Root
	// Load reads all objects, or those of some kinds, as of some moment during
	// the call.
	Load(ctx context.Context, now time.Time, kinds ...string) (*graph.Snapshot, error)
}

// Repo is a repository's store for writing.
type Repo struct {
	Store  Store
	Now    func() time.Time
	Author admission.Author // author of the changes
	DryRun bool             // check everything, write nothing, take no lock
	// Progress receives the progress of a change of many objects. It may be
	// nil.
	Progress func(done, of int)
	// Neighbors finds related objects with an index. If it is nil, all objects
	// are read for that.
	Neighbors Neighbors
	// OnWrite is called for every object that was written or removed, with the
	// previous content of its file, or nil if there was none. It may be nil.
	OnWrite func(key resources.Key, before []byte)
	// Warn receives warnings for the user about a change. It may be nil.
	Warn func(text string)
	// Unreached receives a warning that the team could not be asked about a change. It may be
	// nil.
	Unreached func(text string)
	// Queue takes a change that this process cannot write, as in a sandbox, and
	// the reason. Its result is the result of the change. It may be nil.
	Queue func(wish requests.Args, why error) error
	// Once is the ID of the queued command that makes the change; "" if none.
	// Written objects record it, so that the command does not change them
	// twice.
	Once string

	// Process is the host process of the agent that makes the change; nil if
	// unknown.
	Process *resources.Process

	names       *resources.Namer
	leases      leases.Leases
	unlogged    map[string][]string // files written for a task and not logged yet, by task
	askedRemote bool                // the remote was asked for the owners of the ended tasks

	request *requests.Args // command to queue instead of the objects that a change would write
}

// Neighbors finds related objects with an index of all objects. Its answers
// reflect the files at the time of the call. While the write lock is held, no
// other writer of this package can change them. The boolean result is false if
// the answer is unknown.
type Neighbors interface {
	// Referring returns the keys of the objects that refer to one of keys.
	Referring(ctx context.Context, keys ...resources.Key) ([]resources.Key, bool)
	// PlanCounts returns the number of a plan's tasks in each phase.
	PlanCounts(ctx context.Context, plan string) (map[string]int, bool)
	// Saying returns the keys of the mems with these words, normalized by
	// memory.NormalText.
	Saying(ctx context.Context, words string) ([]resources.Key, bool)
	// OfTopic returns the keys of the mems of a topic.
	OfTopic(ctx context.Context, topic string) ([]resources.Key, bool)
}

// Open returns the repository's store for writing.
func Open(files Store, now func() time.Time, dryRun bool) Repo {
	return Repo{Store: files, Now: now, DryRun: dryRun, names: &resources.Namer{}, leases: leases.Open(files.Root())}
}

// Results of a change, as printed.
const (
	Created    = "created"
	Configured = "configured"
	Unchanged  = "unchanged"
)

// Result is the result of a change of one object.
type Result struct {
	Key       resources.Key
	Operation string           // Created, Configured or Unchanged
	Old       resources.Object // nil if it was created or unreadable
	New       resources.Object
}

// maxAttempts is the maximum number of times that a change is retried after an
// editor, which takes no lock, saved the same file.
const maxAttempts = 10

// Run makes a change. If a file was saved in the meantime, it calls f again
// with the current state, so f must have no effects except on tx.
func (r Repo) Run(ctx context.Context, f func(tx *Tx) error) error {
	if r.DryRun {
		return f(&Tx{ctx: ctx, repo: r})
	}
	err := error(store.ErrConflict)
	for n := 0; n < maxAttempts && (errors.Is(err, store.ErrConflict) || errors.Is(err, errNotQueried)); n++ {
		tx := &Tx{ctx: ctx, repo: r}
		err = r.Store.Update(ctx, func(files store.Tx) error {
			tx.files = files
			err := f(tx)
			if err == nil {
				err = tx.awaitRules()
			}
			if len(tx.unqueriedTasks) > 0 {
				err = errNotQueried
			}
			if err != nil {
				tx.releaseAcquired()
			}
			return err
		})
		if unsettled := tx.settling.Wait(); err == nil && unsettled != nil {
			err = fmt.Errorf("sync the lease to disk: %w; a power failure may lose it: check the disk", unsettled)
		}
		if errors.Is(err, errNotQueried) {
			r.queryTeam(ctx, tx.unqueriedTasks)
			r.askedRemote = true
		}
		if err == nil {
			// Errors of these events are ignored.
			for _, b := range tx.bypasses {
				_ = store.AppendEvents(tx.repo.Store.Scratch(), resources.Event{
					Time: resources.NewTime(tx.repo.Now()), Type: resources.Warning, Reason: "ChainBypassed", Object: "chainrule/" + b.Rule,
					Message: b.Level + " passed with " + b.Word + " in session " + tx.repo.Author.Session + ": " + b.Command, From: "idumb",
				})
			}
		}
	}
	if r.Queue != nil && requests.IsNoAccess(err) {
		return r.queue(ctx, f, err)
	}
	return err
}

// queue queues a change that this process cannot write.
func (r Repo) queue(ctx context.Context, f func(tx *Tx) error, why error) error {
	if r.request != nil {
		r.request.Session = r.Author.Session
		return r.Queue(*r.request, why)
	}
	tx := &Tx{ctx: ctx, repo: r}
	if err := f(tx); err != nil || len(tx.unwritten.Objects) == 0 {
		return err
	}
	tx.unwritten.Session = r.Author.Session
	return r.Queue(tx.unwritten, why)
}

// One changes one existing object: f gets a copy of it and returns the new
// version.
func (r Repo) One(ctx context.Context, key resources.Key, f func(o resources.Object, v *View) (resources.Object, error)) (result Result, err error) {
	err = r.Run(ctx, func(tx *Tx) (err error) {
		result, err = tx.one(key, f)
		return err
	})
	return result, err
}

// one changes one existing object: f gets a copy of it and returns the new
// version. It does nothing if the queued command that is executed has already
// written the object.
func (t *Tx) one(key resources.Key, f func(o resources.Object, v *View) (resources.Object, error)) (Result, error) {
	record, current, err := t.get(key)
	if key == trajectoryKey && apierrors.IsNotFound(err) { // the focus exists even without a file
		current, err = newTrajectory(), nil
	}
	if err != nil {
		return Result{}, err
	}
	if t.repo.hasWritten(current) {
		return Result{Key: key, Operation: Unchanged, Old: current, New: current}, nil
	}
	next, err := f(resources.Clone(current), t.View())
	if err != nil {
		return Result{}, err
	}
	return t.commit(t.plan(record, next))
}

// ObjectError is an error of one object among several.
type ObjectError struct {
	Key resources.Key
	Err error
}

func (a *ObjectError) Error() string { return a.Err.Error() }

func (a *ObjectError) Unwrap() error { return a.Err }

// Create writes new objects, all or none. They may refer to each other in any
// order. It generates missing names. If one of several objects causes the
// error, the error is an *ObjectError.
func (r Repo) Create(ctx context.Context, objects ...resources.Object) ([]Result, error) {
	return r.Put(ctx, objects, make([]string, len(objects)))
}

// Put replaces each object's version with the revision in over, readable or
// not. An empty revision means a new object. Otherwise it is like Create.
func (r Repo) Put(ctx context.Context, objects []resources.Object, over []string) ([]Result, error) {
	unnamed := make([]bool, len(objects))
	for i, o := range objects {
		unnamed[i] = o.Head().Metadata.Name == ""
	}
	var results []Result
	err := r.Run(ctx, func(tx *Tx) (err error) {
		for i, o := range objects {
			if unnamed[i] {
				o.Head().Metadata.Name = ""
			}
		}
		results, err = tx.putAll(objects, over)
		return err
	})
	return results, err
}

// putAll plans, checks and writes objects, each over the version with its
// revision.
func (t *Tx) putAll(objects []resources.Object, over []string) ([]Result, error) {
	results, changes := make([]Result, len(objects)), make([]*change, len(objects))
	for i, o := range objects {
		var err error
		if changes[i], err = t.planOver(o, over[i]); err != nil {
			return nil, objectError(o.Key(), err, len(objects))
		}
	}
	for _, c := range changes {
		if err := t.judge(c); err != nil {
			return nil, objectError(c.Key, err, len(objects))
		}
	}
	for i, err := range t.writeAll(changes) {
		if err != nil {
			return nil, objectError(changes[i].Key, err, len(objects))
		}
		results[i] = changes[i].Result
	}
	return results, nil
}

// objectError adds the key to an error of one of several objects.
func objectError(key resources.Key, err error, of int) error {
	if of == 1 {
		return err
	}
	return &ObjectError{key, err}
}

// planOver plans an object over the version with a revision.
func (t *Tx) planOver(o resources.Object, rev string) (*change, error) {
	if o.Head().Metadata.Name == "" {
		key, err := t.newName(o.Key().Kind, "")
		if err != nil {
			return nil, err
		}
		o.Head().Metadata.Name = key.Name
	}
	record, err := t.Record(o.Key())
	switch _, staged := t.View().staged[o.Key()]; {
	case rev == "" && (staged || store.IsOccupied(err)):
		return nil, apierrors.AlreadyExists(o.Key())
	case rev == "" && apierrors.IsNotFound(err):
		return t.plan(store.Record{}, o), nil
	case err != nil:
		return nil, err
	}
	if current := readable(record); current != nil && t.repo.hasWritten(current) {
		return t.plan(record, current), nil
	}
	switch rev {
	case record.Rev:
		return t.plan(record, o), nil
	case "":
		return nil, apierrors.AlreadyExists(o.Key())
	}
	return nil, apierrors.Conflict(o.Key())
}

// newName returns an unused generated name of a kind. It begins with prefix
// unless that is "".
func (t *Tx) newName(plural, prefix string) (resources.Key, error) {
	kind, _ := resources.KindOf(plural)
	for {
		key := resources.Key{Kind: plural, Name: t.repo.names.Name(kind, t.repo.Now())}
		if plural == resources.Comments {
			key.Name = fmt.Sprintf("c-%d-%04x", t.repo.Now().UnixMilli(), rand.Uint32N(1<<16))
		}
		if prefix != "" {
			key.Name = prefix + strconv.FormatUint(uint64(rand.Uint32N(36*36*36*36)+36*36*36*36), 36)
		}
		_, err := t.Record(key)
		if apierrors.IsNotFound(err) {
			return key, nil
		}
		if err != nil {
			return key, err
		}
	}
}

// Record reads an object's bytes by name. It returns NotFound if the object
// does not exist.
func (r Repo) Record(ctx context.Context, key resources.Key) (store.Record, error) {
	return (&Tx{ctx: ctx, repo: r}).Record(key)
}

// Stamp sets the UID and the creation time of a new object.
func Stamp(o resources.Object, now time.Time) {
	meta := &o.Head().Metadata
	if meta.UID == "" {
		meta.UID = uuid.NewString()
	}
	if meta.CreationTimestamp.IsZero() {
		meta.CreationTimestamp = resources.NewTime(now)
	}
}

// AnnotationQueued is the annotation with the ID of the last queued command
// that wrote an object.
const AnnotationQueued = resources.Group + "/queued-as"

// hasWritten reports whether the current queued command has already written the
// object.
func (r Repo) hasWritten(o resources.Object) bool {
	return r.Once != "" && o.Head().Metadata.Annotations[AnnotationQueued] == r.Once
}
