// Package plans shares a clone's objects with the team: what one clone changed stands in all of
// them, and what two changed at once is merged field by field. It runs beside the files: commands and
// hooks go on reading and writing them, and one level-triggered step per object (Decide) makes both
// sides say the same, whatever happened before. What git tracks is git's, and absence is never a
// deletion.
//
// # What is followed
//
// A clone may follow some plans alone (Subscription). An object's group is the plan of a task or a delegation; all
// else, plans themselves among it, belongs to no plan, and every clone exchanges it. Of tasks and delegations it
// exchanges those of the plans that it follows, of the plans that those wait for and that are not over, of the plans
// whose tasks are held in this clone, and, each by its name, what followed tasks wait for directly, and what somebody changed here and the team does not have: nothing
// that is typed here is left unsent.
//
// What the team has of all other plans is unknown, and never missing: what both sides agreed on rests, and so do
// files that stand here; none is put back, none is set aside, and their absence says nothing. A plan that becomes
// followed is looked at as a whole. One that is followed no more leaves its files where they are, as they are.
//
// An engine that is Grouped is asked for what is followed alone; of any other all is read, and the rest is left
// alone here. At a Grouped engine a change that others' changes could make unsound (a task that would wait for
// itself) is guarded against those in the plans that are followed; what it waits for elsewhere is held against what
// the team had when it was asked, and a watch that tells of two plans by two ways may be late with one by
// milliseconds: then a circle may stand with the team, which everybody's status shows.
package plans

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Prefix begins the keys of all objects at an engine.
const Prefix = engine.State

// Below Prefix stand the objects, those that were set aside, and the group of each name.
const (
	objects  = Prefix + "o/"
	archived = Prefix + "a/"
	names    = Prefix + "n/"
)

// ungrouped is the group of what belongs to no plan.
const ungrouped = "_"

// Kinds are the plurals of what is shared. Roles, rules, triggers and settings are not among them:
// what a person is asked about by idumb trust goes through review.
func Kinds() []string {
	return []string{resources.WorkPlans, resources.Tasks, resources.Anchors, resources.Mems, resources.Delegations, resources.Comments, resources.Decisions}
}

// LocalLabel set to LocalValue keeps an object on this machine.
const (
	LocalLabel = resources.Group + "/sync"
	LocalValue = "local"
)

// Limits of what one exchange takes in.
const (
	DefaultQuiet    = 500 * time.Millisecond
	writesPerSecond = 200  // where nobody waits
	writesAtOnce    = 1000 // where somebody does, under one lock of the store
)

// Exchange makes a clone and its team say the same. It is for one goroutine, and one process of a
// clone at a time.
type Exchange struct {
	Store store.Store
	Dir   string // of its own notes
	By    string // names this machine to the others
	Now   func() time.Time
	Quiet time.Duration // how long a file is missing before it is put back
	Most  int           // objects that the team may have; Open sets the default of spec.sync.maxObjects
	Later bool          // what changed here waits, unless something else is to be said at once
	// Follows says which plans are followed; nil: all. Own are the tasks that are worked on here, whose plans are
	// followed as well; nil: none.
	Follows *Subscription
	Own     func() []resources.Key
	// Regrouped hears of what keys begin with that are followed from a moment on, each time it is found out. nil:
	// nobody watches.
	Regrouped func(prefixes []string, from string)

	Calm bool // nobody waits: what comes in is written a little at a time

	// Removed are the objects that somebody here asked to go, for all. Told says that the team was
	// told, or that they stand again. nil: nobody did.
	Removed func() ([]resources.Key, error)
	Told    func(...resources.Key) error
	// Written hands over what commands wrote since it was called last. nil: nothing tells.
	Written func(take func(resources.Key, []byte) error) error

	// Since asks what the team changed since a moment, as engine.Differ does. It waits until it knows of the
	// keys that this clone changed since. nil: each look lists all that there is, on both sides. Else an
	// exchange that is used again looks at what changed alone, here by what Changed is told; after an error
	// it looks at all.
	Since func(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error)

	base    *Base
	absent  map[resources.Key]time.Time // since when files are seen to be missing
	alone   map[resources.Key]bool      // see KeepBack
	decided string                      // see decided
	known   *known                      // nil: the next look is at all
	told    []resources.Key             // what changed here and is not noted yet
	listed  map[resources.Key]bool      // what store.TeamFile names; nil: it was not read yet
	groups  int                         // that were followed when it was written
}

// Open returns the exchange of a clone, with what it remembers in a folder. Close it.
func Open(dir string, s store.Store, by string) (*Exchange, error) {
	base, err := OpenBase(dir)
	if err != nil {
		return nil, err
	}
	x := &Exchange{Store: s, Dir: dir, By: by, Now: time.Now, Quiet: DefaultQuiet, Most: resources.EffectiveConfig(nil).Sync.MaxObjects, base: base, decided: decided(dir)}
	x.absent, x.alone = map[resources.Key]time.Time{}, map[resources.Key]bool{}
	for _, name := range readList(filepath.Join(dir, aloneFile)) {
		kind, name, _ := strings.Cut(name, "/")
		x.alone[resources.Key{Kind: kind, Name: name}] = true
	}
	return x, nil
}

// Close ends it.
func (x *Exchange) Close() error { return x.base.Close() }

// ErrVanished: the team had objects that it has no more, and nobody set them aside.
var ErrVanished = errors.New("the team lost objects that nobody set aside, as when its place was put back to a backup")

// here is one object as it stands in this clone.
type here struct {
	text    []byte
	rev     string
	private bool  // it stays here
	broken  error // it cannot be read: nothing is known of it
}

// local reads what stands here of the kinds that are shared.
func (x *Exchange) local(ctx context.Context) (map[resources.Key]here, error) {
	found := map[resources.Key]here{}
	for _, kind := range Kinds() {
		for r, err := range x.Store.List(ctx, kind) {
			switch {
			case r.Key.Name == "":
				return nil, fmt.Errorf("the objects of %s cannot be listed: %w", kind, err)
			case resources.CheckName(r.Key.Name) == nil:
				found[r.Key] = x.hereOf(r, err)
			}
		}
	}
	return found, ctx.Err()
}

// some reads what stands here of some objects.
func (x *Exchange) some(ctx context.Context, keys ...resources.Key) (map[resources.Key]here, error) {
	found := map[resources.Key]here{}
	for _, key := range keys {
		if r, err := x.Store.Get(ctx, key); shared(key.Kind) && !errors.Is(err, store.ErrNotFound) {
			found[key] = x.hereOf(r, err)
		}
	}
	return found, ctx.Err()
}

func (x *Exchange) hereOf(r store.Record, err error) here {
	if err != nil {
		return here{broken: err}
	}
	return here{text: r.Spec, rev: r.Rev, private: x.private(r)}
}

// private reports whether an object stays here: what was derived on this machine, what is called
// local, and what the person keeps.
func (x *Exchange) private(r store.Record) bool {
	if isLocal(r.Key) || strings.Contains(x.Store.Locate(r.Key), "/derived/") {
		return true
	}
	if !strings.Contains(string(r.Spec), LocalLabel) {
		return false
	}
	o, _, err := resources.DecodeFile(r.Key, r.Spec)
	return err == nil && o.Head().Metadata.Labels[LocalLabel] == LocalValue
}

// isLocal reports whether a name says that an object stays on the machine that made it.
func isLocal(key resources.Key) bool {
	return key.Kind == resources.Comments && strings.HasSuffix(key.Name, resources.LocalSuffix)
}

// tracked are the paths of those files that git tracks which may be objects.
func (x *Exchange) tracked(ctx context.Context) (map[string]bool, error) {
	names, err := x.Store.Tracked(ctx)
	tracked := map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			tracked[name] = true
		}
	}
	return tracked, err
}

func shared(kind string) bool { return slices.Contains(Kinds(), kind) }

// engineKey is where an object stands with the team, for its group.
func engineKey(place string, key resources.Key, group string) string {
	return place + key.Kind + "/" + group + "/" + key.Name
}

// groupOf is the plan that a task or a delegation belongs to, by the text of its object.
func groupOf(o resources.Object, planOf func(task string) string) string {
	group := ""
	switch o := o.(type) {
	case *resources.Task:
		group = o.Spec.WorkPlan
	case *resources.Delegation:
		group = planOf(o.Spec.Task)
	}
	if resources.CheckName(group) != nil {
		return ungrouped
	}
	return group
}

// grouped reports whether objects of a kind belong to plans, so that their names are held by an
// item of their own: a name is one object's, whatever plan it is in.
func grouped(kind string) bool { return kind == resources.Tasks || kind == resources.Delegations }
