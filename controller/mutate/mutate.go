// Package mutate writes objects under the rules that hold between them: names
// that exist, no circles, revisions that are still what was read. All writing
// commands go through it, and through the store's one write lock, so that what
// they check still holds when they write.
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
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Store is what is written through: a store in a repository whose files can be looked at, too.
type Store interface {
	store.Store
	// Root is the folder that the repository is in.
	Root() layout.Root
	// Load reads all objects, or those of some kinds, as they are at some moment during the call.
	Load(ctx context.Context, now time.Time, kinds ...string) (*graph.Snapshot, error)
}

// Repo is a repository's store as a writing command uses it.
type Repo struct {
	Store  Store
	Now    func() time.Time
	Who    admission.Who // asks for the changes
	DryRun bool          // check everything, write nothing, take no lock
	// Progress is told how far a change of many objects is; nil: nobody wants to know.
	Progress func(done, of int)
	// Around finds what stands around an object; nil: everything is read for that.
	Around Around
	// Wrote is told of every object that was written or removed, with what its file held before,
	// nil if there was none or none is left. nil: nobody wants to know.
	Wrote func(key resources.Key, before []byte)
	// Warn is told what a person should know of a change that is made; nil: nobody is told.
	Warn func(text string)
	// Queue takes a change that this process may not write, as in a sandbox, and what kept it
	// from writing; what it returns is what the change returns. nil: nobody takes it.
	Queue func(wish wishes.Args, why error) error
	// Once is the id of the queued command that asks; "" if none does. What is written for it
	// says so, and is not changed by it a second time.
	Once string

	// Process is the host's that the agent who asks runs in; nil if that is not known.
	Process *resources.Process

	names    *resources.Namer
	book     leases.Book
	unlogged map[string][]string // files that were seen to be written and are in no log yet, by task
	asked    bool                // the team was asked who holds the tasks that the change ends

	wish *wishes.Args // what is queued in place of the objects that a change would write
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

// Open returns the repository's store for changing it.
func Open(files Store, now func() time.Time, dryRun bool) Repo {
	return Repo{Store: files, Now: now, DryRun: dryRun, names: &resources.Namer{}, book: leases.Open(files.Root())}
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
	if r.DryRun {
		return f(&Tx{ctx: ctx, repo: r})
	}
	err := error(store.ErrConflict)
	for n := 0; n < attempts && (errors.Is(err, store.ErrConflict) || errors.Is(err, errUnasked)); n++ {
		tx := &Tx{ctx: ctx, repo: r}
		err = r.Store.Update(ctx, func(files store.Tx) error {
			tx.files = files
			err := f(tx)
			if err == nil {
				err = tx.awaitRules()
			}
			if len(tx.unasked) > 0 {
				err = errUnasked
			}
			if err != nil {
				tx.giveBack()
			}
			return err
		})
		if unsettled := tx.settling.Wait(); err == nil && unsettled != nil {
			err = fmt.Errorf("whether the lease survives a power cut is not known: look at the disk: %w", unsettled)
		}
		if errors.Is(err, errUnasked) {
			r.askTeam(ctx, tx.unasked)
			r.asked = true
		}
		if err == nil {
			tx.reportBypasses()
		}
	}
	if r.Queue != nil && wishes.Refused(err) {
		return r.queue(ctx, f, err)
	}
	return err
}

// queue has somebody else make a change that this process may not write.
func (r Repo) queue(ctx context.Context, f func(tx *Tx) error, why error) error {
	if r.wish != nil {
		r.wish.Session = r.Who.Session
		return r.Queue(*r.wish, why)
	}
	tx := &Tx{ctx: ctx, repo: r}
	if err := f(tx); err != nil || len(tx.unwritten.Objects) == 0 {
		return err
	}
	tx.unwritten.Session = r.Who.Session
	return r.Queue(tx.unwritten, why)
}

// One changes one object that is there: f gets a copy of it and returns it as it
// is to be.
func (r Repo) One(ctx context.Context, key resources.Key, f func(o resources.Object, v *View) (resources.Object, error)) (result Result, err error) {
	err = r.Run(ctx, func(tx *Tx) (err error) {
		result, err = tx.one(key, f)
		return err
	})
	return result, err
}

func (t *Tx) one(key resources.Key, f func(o resources.Object, v *View) (resources.Object, error)) (Result, error) {
	record, current, err := t.get(key)
	if key == trajectoryKey && apierrors.IsNotFound(err) { // there is a read-head, whether anybody wrote it down or not
		current, err = newTrajectory(), nil
	}
	if err != nil {
		return Result{}, err
	}
	if t.repo.did(current) {
		return Result{Key: key, What: Unchanged, Before: current, After: current}, nil
	}
	next, err := f(resources.Clone(current), t.View())
	if err != nil {
		return Result{}, err
	}
	return t.commit(t.plan(record, next))
}

// About is an error of one object among several.
type About struct {
	Key resources.Key
	Err error
}

func (a *About) Error() string { return a.Err.Error() }

func (a *About) Unwrap() error { return a.Err }

// Create writes new objects, all or none. They may refer to each other in any
// order. Empty names are made up. An error is an *About where one of several is to
// blame.
func (r Repo) Create(ctx context.Context, objects ...resources.Object) ([]Result, error) {
	return r.Put(ctx, objects, make([]string, len(objects)))
}

// Put writes each object over the version of the revision beside it, whole or broken, or as
// a new one where that is "". It is like Create for the rest.
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

// putAll plans, judges and writes objects, each over the version of the revision beside it.
func (t *Tx) putAll(objects []resources.Object, over []string) ([]Result, error) {
	results, changes := make([]Result, len(objects)), make([]*change, len(objects))
	for i, o := range objects {
		var err error
		if changes[i], err = t.planOver(o, over[i]); err != nil {
			return nil, about(o.Key(), err, len(objects))
		}
	}
	for _, c := range changes {
		if err := t.judge(c); err != nil {
			return nil, about(c.Key, err, len(objects))
		}
	}
	for i, err := range t.writeAll(changes) {
		if err != nil {
			return nil, about(changes[i].Key, err, len(objects))
		}
		results[i] = changes[i].Result
	}
	return results, nil
}

func about(key resources.Key, err error, of int) error {
	if of == 1 {
		return err
	}
	return &About{key, err}
}

// planOver plans an object over the version of that revision.
func (t *Tx) planOver(o resources.Object, rev string) (*change, error) {
	if o.Head().Metadata.Name == "" {
		key, err := t.newName(o.Key().Kind, "")
		if err != nil {
			return nil, err
		}
		o.Head().Metadata.Name = key.Name
	}
	record, err := t.Record(o.Key())
	_, staged := t.View().staged[o.Key()]
	switch {
	case rev == "" && (staged || store.Occupied(err)):
		return nil, apierrors.AlreadyExists(o.Key())
	case rev == "" && apierrors.IsNotFound(err):
		return t.plan(store.Record{}, o), nil
	case err != nil:
		return nil, err
	}
	if current := readable(record); current != nil && t.repo.did(current) {
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

// newName makes up a name that nothing of that kind has: one that begins with prefix, if that is
// not "".
func (t *Tx) newName(plural, prefix string) (resources.Key, error) {
	kind, _ := resources.KindOf(plural)
	for {
		key := resources.Key{Kind: plural, Name: t.repo.names.Name(kind, t.repo.Now())}
		if plural == resources.Comments {
			key.Name = commentName(t.repo.Now())
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

// Record reads an object's bytes by name. NotFound.
func (r Repo) Record(ctx context.Context, key resources.Key) (store.Record, error) {
	return (&Tx{ctx: ctx, repo: r}).Record(key)
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

// AnnotationQueued holds the id of the last queued command that wrote an object.
const AnnotationQueued = resources.Group + "/queued-as"

// did reports whether the queued command that asks has written the object already.
func (r Repo) did(o resources.Object) bool {
	return r.Once != "" && o.Head().Metadata.Annotations[AnnotationQueued] == r.Once
}
