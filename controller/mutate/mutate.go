// Package mutate writes objects under the rules that hold between them: names
// that exist, no circles, revisions that are still what was read. All writing
// commands go through it, and through the store's one write lock, so that what
// they check still holds when they write.
package mutate

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Repo is a repository's store as a writing command uses it.
type Repo struct {
	Store  *filestore.Store
	Now    func() time.Time
	DryRun bool // check everything, write nothing, take no lock
	// Known is what is there, for who holds it in memory and is level with the files; nil:
	// everything is read where a rule needs it. Only what is created may be decided by it:
	// an object that is changed is one that was read under the lock.
	Known func() *graph.Snapshot
	// Progress is told how far a change of many objects is; nil: nobody wants to know.
	Progress func(done, of int)
	// Around finds what stands around an object; nil: everything is read for that.
	Around Around
	// Wrote is told of every object that was written; nil: nobody wants to know.
	Wrote Witness

	names *resources.Namer
}

// Around finds what stands around an object, for who keeps indexes of all objects. What it
// says is of the files as they are when it is asked: while the write lock is held, nobody who
// takes it comes between. False: it does not know.
type Around interface {
	// Referring returns the keys of the objects that refer to one of these.
	Referring(ctx context.Context, keys ...resources.Key) ([]resources.Key, bool)
	// PlanCounts returns how many of a plan's tasks stand in each phase.
	PlanCounts(ctx context.Context, plan string) (map[string]int, bool)
	// Saying returns the keys of the mems with these words, as memory.NormalText leaves them.
	Saying(ctx context.Context, words string) ([]resources.Key, bool)
	// OfTopic returns the keys of the mems of a topic.
	OfTopic(ctx context.Context, topic string) ([]resources.Key, bool)
}

// Witness is told that an object was written: before is what its file held, nil if
// there was none.
type Witness func(key resources.Key, before []byte)

func (r Repo) tell(done, of int) {
	if r.Progress != nil {
		r.Progress(done, of)
	}
}

// Open returns the repository's store for changing it.
func Open(files *filestore.Store, now func() time.Time, dryRun bool) Repo {
	return Repo{Store: files, Now: now, DryRun: dryRun, names: &resources.Namer{}}
}

// What became of an object, as output says it.
const (
	Created    = "created"
	Configured = "configured"
	Unchanged  = "unchanged"
)

// Result is what became of one object.
type Result struct {
	Key    resources.Key
	What   string           // Created, Configured or Unchanged
	Before resources.Object // nil if it was created, or could not be read
	After  resources.Object
}

// attempts is how often a change is made again when an editor, which takes no
// lock, saved the same file at the same time.
const attempts = 10

// Run makes a change. If a file is saved by someone else meanwhile, f runs again
// on what is there then, so it must have no effect but on tx.
func (r Repo) Run(ctx context.Context, f func(tx *Tx) error) error {
	var err error
	for range attempts {
		err = r.once(ctx, f)
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return err
}

func (r Repo) once(ctx context.Context, f func(tx *Tx) error) error {
	if r.DryRun {
		return f(&Tx{ctx: ctx, repo: r})
	}
	return r.Store.Update(ctx, func(files *filestore.Tx) error {
		return f(&Tx{ctx: ctx, repo: r, files: files})
	})
}

// One changes one object that is there: f gets a copy of it and returns it as it
// is to be.
func (r Repo) One(ctx context.Context, key resources.Key, f func(o resources.Object, v *View) (resources.Object, error)) (Result, error) {
	var result Result
	err := r.Run(ctx, func(tx *Tx) error {
		record, current, err := tx.get(key)
		if err != nil {
			return err
		}
		next, err := f(resources.Clone(current), tx.View())
		if err != nil {
			return err
		}
		result, err = tx.put(record, next)
		return err
	})
	return result, err
}

// Create writes a new object. An empty name is made up.
func (r Repo) Create(ctx context.Context, o resources.Object) (Result, error) {
	return r.create(ctx, o, func(*View) error { return nil })
}

func (r Repo) create(ctx context.Context, o resources.Object, allowed func(*View) error) (Result, error) {
	var result Result
	unnamed := o.Head().Metadata.Name == ""
	err := r.Run(ctx, func(tx *Tx) error {
		if unnamed {
			key, err := tx.newName(o.Key().Kind)
			if err != nil {
				return err
			}
			o.Head().Metadata.Name = key.Name
		}
		if err := tx.mustNotExist(o.Key()); err != nil {
			return err
		}
		if err := allowed(tx.View()); err != nil {
			return err
		}
		Stamp(o, r.Now())
		var err error
		result, err = tx.Put(o)
		return err
	})
	return result, err
}

// newName makes up a name that nothing of that kind has.
func (t *Tx) newName(plural string) (resources.Key, error) {
	kind, _ := resources.KindOf(plural)
	for {
		key := resources.Key{Kind: plural, Name: t.repo.names.Name(kind, t.repo.Now())}
		_, err := t.Record(key)
		if apierrors.IsNotFound(err) {
			return key, nil
		}
		if err != nil {
			return key, err
		}
	}
}

// Record reads an object's bytes by name. NotFound.
func (r Repo) Record(ctx context.Context, key resources.Key) (store.Record, error) {
	return (&Tx{ctx: ctx, repo: r}).Record(key)
}

// Replace writes an object over the version of that revision, whole or broken.
func (r Repo) Replace(ctx context.Context, o resources.Object, rev string) (Result, error) {
	var result Result
	err := r.Run(ctx, func(tx *Tx) error {
		record, err := tx.Record(o.Key())
		if err != nil {
			return err
		}
		if record.Rev != rev {
			return apierrors.Conflict(o.Key())
		}
		result, err = tx.put(record, o)
		return err
	})
	return result, err
}

// Stamp gives a new object what commands assign: a uid and the time.
func Stamp(o resources.Object, now time.Time) {
	meta := &o.Head().Metadata
	if meta.UID == "" {
		meta.UID = uuid.NewString()
	}
	if meta.CreationTimestamp.IsZero() {
		meta.CreationTimestamp = resources.NewTime(now)
	}
}
