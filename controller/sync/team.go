// Package sync shares with the team who works on which task: claims, which stand at an engine, the
// git remote in most teams. It runs beside the files: the gate and the commands read the leases of
// the clone, in which this package writes down what the team says. A claim is taken by whoever was
// first, in the whole team, and ends when its clone gives it back, or when somebody takes it over
// who saw it.
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
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/controller/trust"
)

// Team is the team of a clone. Any number of processes may use it at once: one of them talks to
// the engine at a time.
type Team struct {
	engine engine.Engine
	book   leases.Book
	clone  string
	dir    string // of its own notes, in git's common folder

	root    layout.Root
	plans   bool                               // its objects are shared as well
	store   store.Store                        // in which they stand; nil: they are none of the caller's business
	later   bool                               // see Later
	calm    bool                               // see Calmly
	still   bool                               // see Changed
	kept    kept                               // what the last round left for the next one
	lease   engine.Lease                       // that was kept last; the zero one after an error
	ttl     time.Duration                      // how long a claim stands that is not heard of; 0: until it is given back
	strict  bool                               // no task is started that the team does not know of
	follows atomic.Pointer[plans.Subscription] // nil: all plans
	most    int                                // objects that the team may have; 0: the default

	agreed   []string // what the team does of which plans are followed
	what     string   // all that it was opened with
	follower follower
}

// ErrUntrusted says that nothing of a repository is shared that the person does not trust.
var ErrUntrusted = errors.New("this repository is not trusted, and nothing of it is shared; look at it, then run idumb trust")

// Open returns the team of a clone; nil if it has none: the person has not enabled sync there.
func Open(root layout.Root, getenv func(string) string) (*Team, error) {
	s, err := Load(root, getenv)
	if s == nil || err != nil {
		return nil, err
	}
	if !Trusted(root, getenv) {
		return nil, ErrUntrusted
	}
	return For(root, getenv, s)
}

// For returns the team of a clone with settings that need not be saved.
func For(root layout.Root, getenv func(string) string, s *Settings) (*Team, error) {
	dir, agreed := Folder(layout.CommonDir(layout.GitDir(string(root)))), agreedIn(root)
	switch s.Engine {
	case EngineGit:
		t := New(leases.Open(root), &gitengine.Engine{Dir: string(root), Remote: s.Remote, Cache: filepath.Join(dir, stateFolder)}, s.Clone, dir)
		t.strict, t.what = agreed.OfflineStart == offlineDeny, fmt.Sprintf("%+v %+v", *s, agreed)
		t.root, t.plans, t.most = root, s.Plans, agreed.MaxObjects
		t.what += t.subscribe(agreed.Subscribe)
		return t, nil
	case EngineEtcd:
		return openEtcd(root, getenv, *s, agreed, dir)
	}
	return nil, fmt.Errorf("sync.engine %q is not known to this build; it knows %s and %s", s.Engine, EngineGit, EngineEtcd)
}

// Same reports whether two teams were opened with the same settings.
func (t *Team) Same(o *Team) bool { return o != nil && t.what == o.what }

// Close ends what reaches the engine, of one that is reached by another program, and forgets what rounds know.
func (t *Team) Close() error {
	t.leave(false)
	if c, ok := t.engine.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Trusted reports whether a person trusts a repository as it stands.
func Trusted(root layout.Root, getenv func(string) string) bool {
	state, _ := trust.For(getenv).Load(root).Examine()
	return state == trust.Trusted
}

// Folder is where a clone keeps its notes of sync, for git's common folder.
func Folder(common string) string { return filepath.Join(common, layout.SyncDir) }

// New is the team at an engine, for whoever makes one: clone is this clone's name in it, and dir
// the folder for its notes.
func New(book leases.Book, e engine.Engine, clone, dir string) *Team {
	return &Team{engine: e, book: book, clone: clone, dir: dir}
}

// lockAgain is how long it is until a lock that somebody has is asked for again.
const lockAgain = 20 * time.Millisecond

// lock keeps other processes of this clone from the engine, until unlock is called.
func (t *Team) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(t.dir, "lock"))
	if _, err := l.TryLockContext(ctx, lockAgain); err != nil {
		return nil, fmt.Errorf("another process of this clone talks to the team: %w", err)
	}
	return func() { _ = l.Unlock() }, nil
}

// board is what stands where claims do.
type board struct {
	claims map[string]*Claim // by key
	revs   map[string]string // of all that stands there, also of what is no claim
}

// read lists what stands with the team.
func (t *Team) read(ctx context.Context, prefix string) (board, error) {
	items, err := t.engine.List(ctx, prefix)
	return boardOf(items), err
}

// boardOf reads the claims among the team's items.
func boardOf(items []engine.Item) board {
	b := board{map[string]*Claim{}, map[string]string{}}
	for _, item := range items {
		b.put(item)
	}
	return b
}

// Claims asks the team who works on what, by key.
func (t *Team) Claims(ctx context.Context) (map[string]*Claim, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	b, err := t.read(ctx, claims)
	if err != nil {
		return nil, err
	}
	others := maps.Clone(b.claims)
	all, _ := t.book.All()
	for _, l := range all {
		if !l.Elsewhere() { // that somebody else has a task of ours is told by a round
			delete(others, keyOf(l.Metadata.Name, l.Metadata.UID))
		}
	}
	t.note(nil, time.Now(), nil)
	return b.claims, t.mirror(others, &Report{})
}

// Mine reports whether a claim is this clone's.
func (t *Team) Mine(c *Claim) bool { return c.Clone == t.clone }
