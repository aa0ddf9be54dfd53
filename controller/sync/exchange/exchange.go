// Package exchange synchronizes a clone's objects with the team's. A change in one
// clone reaches all clones, and concurrent changes are merged field by field.
// The package works beside the files, which commands and hooks read and write.
// Decide determines one level-triggered action per object that makes both sides
// equal. Files that git tracks are excluded, and a missing file never deletes
// an object.
//
// # Subscriptions
//
// A clone may follow only some plans (Subscription). The group of a task or a
// delegation is its plan. Other objects, including plans, belong to no group
// and are always synced. Tasks and delegations are synced if their plan is
// followed, if a followed plan depends on it and it is not finished, or if this
// clone owns a task of it. Direct prerequisites of followed tasks and objects
// with unpushed local changes are synced individually, so that every local
// change is pushed.
//
// The remote state of other plans is unknown. Their base versions and local
// files are not touched: no file is restored or archived, and a missing file
// has no effect. A newly followed plan is compared as a whole. When a plan is
// no longer followed, its files stay.
//
// # Consistency
//
// An engine that implements Grouped lists only the followed part. For other
// engines everything is read and the rest is ignored. On a Grouped engine, a
// change that could become invalid through concurrent changes, such as a cycle,
// is guarded against changes in the followed plans. Dependencies in other plans
// are checked against the last received remote state. Watches of two plans may
// be milliseconds apart, so a cycle may be created remotely. The status of its
// objects shows it in all clones.
package exchange

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

// Prefix is the key prefix of all objects at an engine.
const Prefix = engine.State

// Key prefixes of objects, archived objects, and the groups of names.
const (
	objects  = Prefix + "o/"
	archived = Prefix + "a/"
	names    = Prefix + "n/"
)

// ungrouped is the group of objects without a plan.
const ungrouped = "_"

// Kinds returns the plurals of the synced kinds. Roles, rules, triggers and
// settings are not synced, because changes to trusted files must go through
// review.
func Kinds() []string {
	return []string{resources.WorkPlans, resources.Tasks, resources.Anchors, resources.Mems, resources.Delegations, resources.Comments, resources.Decisions}
}

// LocalLabel with the value LocalValue excludes an object from sync.
const (
	LocalLabel = resources.Group + "/sync"
	LocalValue = "local"
)

// Limits of an exchange.
const (
	DefaultQuiet    = 500 * time.Millisecond
	writesPerSecond = 200  // without a waiting caller
	writesAtOnce    = 1000 // with a waiting caller, under one lock of the store
)

// Exchange synchronizes a clone with the remote. It must be used by one
// goroutine, and by one process of a clone at a time.
type Exchange struct {
	Store      store.Store
	Dir        string // sync directory
	Machine    string // name of this machine, for other clones
	Now        func() time.Time
	Quiet      time.Duration // how long a file must be missing before it is restored
	MaxObjects int           // maximum number of remote objects; Open sets the default of spec.sync.maxObjects
	DelayPush  bool          // push local changes only together with an urgent one
	// Follows selects the followed plans; nil follows all. OwnKeys returns the
	// tasks that this clone owns; their plans are followed too. It may be nil.
	Follows *Subscription
	OwnKeys func() []resources.Key
	// OnRegroup is called with the followed key prefixes and the revision from
	// which they are followed, each time they are determined. It may be nil.
	OnRegroup func(prefixes []string, from string)

	Slow bool // no caller waits: write incoming objects slowly

	// Removed returns the objects with a delete request; nil means none. Notify
	// is called for those whose request was pushed, or that exist again.
	Removed func() ([]resources.Key, error)
	Notify  func(...resources.Key) error
	// WrittenVersions passes the versions that commands wrote since its last
	// call to take. It may be nil.
	WrittenVersions func(take func(resources.Key, []byte) error) error

	// Since returns the remote changes since a revision, like engine.Differ. It
	// waits until the changes in made are reported. If it is nil, each pass
	// lists everything on both sides. Otherwise later passes of the exchange
	// compare only remote changes and objects reported to Changed. After an
	// error the next pass compares everything.
	Since func(ctx context.Context, at string, made []string) (beside, changed []engine.Item, now string, err error)

	base       *Base
	absent     map[resources.Key]time.Time // since when files are missing
	localOnly  map[resources.Key]bool      // see KeepBack
	decided    string                      // decisionState when the exchange was opened
	passState  *passState                  // nil if the next pass compares everything
	unrecorded []resources.Key             // local changes that are not recorded yet
	restorable map[resources.Key]bool      // content of store.TeamFile; nil before it is read
	groups     int                         // number of followed groups when it was written
}

// Open opens the exchange of a clone with the state in a sync directory. The
// caller must close it.
func Open(dir string, s store.Store, by string) (*Exchange, error) {
	base, err := OpenBase(dir)
	if err != nil {
		return nil, err
	}
	x := &Exchange{Store: s, Dir: dir, Machine: by, Now: time.Now, Quiet: DefaultQuiet, MaxObjects: resources.EffectiveConfig(nil).Sync.MaxObjects, base: base, decided: decisionState(dir)}
	x.absent, x.localOnly = map[resources.Key]time.Time{}, map[resources.Key]bool{}
	for _, name := range readList(filepath.Join(dir, localOnlyFile)) {
		kind, name, _ := strings.Cut(name, "/")
		x.localOnly[resources.Key{Kind: kind, Name: name}] = true
	}
	return x, nil
}

// Close closes the exchange.
func (x *Exchange) Close() error { return x.base.Close() }

// ErrVanished means that remote objects disappeared without being archived.
var ErrVanished = errors.New("the team's state lost objects that were not archived, for example after a backup was restored")

// localState is the local state of one object.
type localState struct {
	text    []byte
	rev     string
	private bool  // not synced
	broken  error // unreadable; its content is unknown
}

// local reads all local objects of the synced kinds.
func (x *Exchange) local(ctx context.Context) (map[resources.Key]localState, error) {
	found := map[resources.Key]localState{}
	for _, kind := range Kinds() {
		for r, err := range x.Store.List(ctx, kind) {
			switch {
			case r.Key.Name == "":
				return nil, fmt.Errorf("the objects of %s cannot be listed: %w", kind, err)
			case resources.CheckName(r.Key.Name) == nil:
				found[r.Key] = x.localStateOf(r, err)
			}
		}
	}
	return found, ctx.Err()
}

// readObjects reads the local state of certain objects.
func (x *Exchange) readObjects(ctx context.Context, keys ...resources.Key) (map[resources.Key]localState, error) {
	found := map[resources.Key]localState{}
	for _, key := range keys {
		if r, err := x.Store.Get(ctx, key); shared(key.Kind) && !errors.Is(err, store.ErrNotFound) {
			found[key] = x.localStateOf(r, err)
		}
	}
	return found, ctx.Err()
}

// localStateOf returns the local state of an object from the result of reading
// it.
func (x *Exchange) localStateOf(r store.Record, err error) localState {
	if err != nil {
		return localState{broken: err}
	}
	return localState{text: r.Spec, rev: r.Rev, private: x.isPrivate(r)}
}

// isPrivate reports whether an object is not synced: it was derived on this
// machine, has a local name, or has the local label.
func (x *Exchange) isPrivate(r store.Record) bool {
	if isLocal(r.Key) || strings.Contains(x.Store.Locate(r.Key), "/derived/") {
		return true
	}
	if !strings.Contains(string(r.Spec), LocalLabel) {
		return false
	}
	o, _, err := resources.DecodeFile(r.Key, r.Spec)
	return err == nil && o.Head().Metadata.Labels[LocalLabel] == LocalValue
}

// isLocal reports whether a name marks an object as local to its machine.
func isLocal(key resources.Key) bool {
	return key.Kind == resources.Comments && strings.HasSuffix(key.Name, resources.LocalSuffix)
}

// tracked returns the paths of JSON files that git tracks.
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

// shared reports whether objects of a kind are synced, by its plural.
func shared(kind string) bool { return slices.Contains(Kinds(), kind) }

// engineKey returns the engine key of an object in a group.
func engineKey(place string, key resources.Key, group string) string {
	return place + key.Kind + "/" + group + "/" + key.Name
}

// groupOf returns the plan to which a task or a delegation belongs.
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

// grouped reports whether objects of a kind belong to plans. Their names have
// items of their own, because a name is unique across plans.
func grouped(kind string) bool { return kind == resources.Tasks || kind == resources.Delegations }
