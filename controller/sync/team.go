// Package sync shares task ownership with the team. A claim is an item at an
// engine, usually the git remote. The package works beside the files: the gate
// and the commands read the local leases, into which this package writes the
// remote state. The first clone that claims a task owns it in the whole team.
// The claim ends when its clone releases it or when a user takes it over.
package sync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/gitengine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/controller/trust"
)

// Team is the sync client of a clone. Several processes may use it
// concurrently; only one of them communicates with the engine at a time.
type Team struct {
	engine engine.Engine
	leases leases.Leases
	clone  string
	dir    string // sync directory, in git's common directory

	root         layout.Root
	plans        bool                                  // objects are shared too
	store        store.Store                           // store of the objects; nil if the caller does not sync objects
	delayPushes  bool                                  // see SetDelayPushes
	slow         bool                                  // see SetSlow
	unchanged    bool                                  // see Changed
	state        exchangeState                         // state between rounds
	lease        engine.Lease                          // last renewed lease; zero after an error
	ttl          time.Duration                         // expiry of a claim without renewal; 0 if claims do not expire
	requireClaim bool                                  // tasks must not be started without a claim
	follows      atomic.Pointer[exchange.Subscription] // nil for all plans
	maxObjects   int                                   // maximum number of remote objects; 0 means the default

	agreedPlans []string // the team's subscription
	settingsID  string   // identifies the settings
	follower    follower
}

// ErrUntrusted means that the user does not trust the repository, so nothing is
// shared.
var ErrUntrusted = errors.New("this repository is not trusted, so its objects are not shared; review it (idumb trust --dry-run), then run idumb trust")

// Open returns the team of a clone. It returns nil if the user has not enabled
// sync.
func Open(root layout.Root, getenv func(string) string) (*Team, error) {
	s, err := Load(root, getenv)
	if s == nil || err != nil {
		return nil, err
	}
	if !Trusted(root, getenv) {
		return nil, ErrUntrusted
	}
	return TeamOf(root, getenv, s)
}

// TeamOf returns the team of a clone with settings that may be unsaved.
func TeamOf(root layout.Root, getenv func(string) string, s *Settings) (*Team, error) {
	dir, agreed := Folder(layout.CommonDir(layout.GitDir(string(root)))), sharedConfig(root)
	switch s.Engine {
	case EngineGit:
		t := New(leases.Open(root), &gitengine.Engine{Dir: string(root), Remote: s.Remote, Cache: filepath.Join(dir, stateFolder)}, s.Clone, dir)
		t.requireClaim, t.settingsID = agreed.OfflineStart == offlineDeny, fmt.Sprintf("%+v %+v", *s, agreed)
		t.root, t.plans, t.maxObjects = root, s.Plans, agreed.MaxObjects
		t.settingsID += t.subscribe(agreed.Subscribe)
		return t, nil
	case EngineEtcd:
		return openEtcd(root, getenv, *s, agreed, dir)
	}
	return nil, fmt.Errorf("sync.engine %q is not known to this build; it knows %s and %s", s.Engine, EngineGit, EngineEtcd)
}

// Equal reports whether two teams were opened with the same settings.
func (t *Team) Equal(o *Team) bool { return o != nil && t.settingsID == o.settingsID }

// Close closes the engine's connection and drops the state between rounds.
func (t *Team) Close() error {
	t.keepOrClose(false)
	if c, ok := t.engine.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Trusted reports whether the user trusts the current state of a repository.
func Trusted(root layout.Root, getenv func(string) string) bool {
	state, _ := trust.StoreOf(getenv).Load(root).Examine()
	return state == trust.Trusted
}

// Folder returns the sync directory of a clone. common is git's common
// directory.
func Folder(common string) string { return filepath.Join(common, layout.SyncDir) }

// New returns a team that uses an engine. clone is the ID of this clone, and
// dir its sync directory.
func New(book leases.Leases, e engine.Engine, clone, dir string) *Team {
	return &Team{engine: e, leases: book, clone: clone, dir: dir}
}

// lockRetry is the interval for retrying a lock.
const lockRetry = 20 * time.Millisecond

// lock excludes other processes of this clone from the engine until unlock is
// called.
func (t *Team) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(t.dir, "lock"))
	if _, err := l.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("another process of this clone talks to the team: %w", err)
	}
	return func() { _ = l.Unlock() }, nil
}

// claimSet holds the remote claims with their revisions.
type claimSet struct {
	byKey map[string]*Claim // by key
	revs  map[string]string // revisions of all items, including invalid claims
}

// read lists the remote claims.
func (t *Team) read(ctx context.Context, prefix string) (claimSet, error) {
	items, err := t.engine.List(ctx, prefix)
	return claimSetOf(items), err
}

// claimSetOf decodes the claims among items.
func claimSetOf(items []engine.Item) claimSet {
	b := claimSet{map[string]*Claim{}, map[string]string{}}
	for _, item := range items {
		b.apply(item)
	}
	return b
}

// Claims returns the remote claims by key. It records them as leases of other
// clones, and the success of the request in the notes.
func (t *Team) Claims(ctx context.Context) (map[string]*Claim, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	b, err := t.read(ctx, claimsPrefix)
	if err != nil {
		return nil, err
	}
	others := maps.Clone(b.byKey)
	all, _ := t.leases.All()
	for _, l := range all {
		if !l.InOtherClone() { // a round reports our tasks that another clone owns
			delete(others, keyOf(l.Metadata.Name, l.Metadata.UID))
		}
	}
	t.recordResult(nil, time.Now(), nil)
	return b.byKey, t.mirror(others, &Report{})
}

// IsMine reports whether a claim belongs to this clone.
func (t *Team) IsMine(c *Claim) bool { return c.Clone == t.clone }
