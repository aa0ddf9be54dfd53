package exchange

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/hack/memengine"
	"github.com/idumb-dev/idumb/resources"
)

type clone struct {
	t     *testing.T
	name  string
	root  layout.Root
	store *filestore.Store
	dir   string
	x     *Exchange
	way   *way
	team  *memengine.Engine

	tells   bool // it is told what changes, and looks at that alone
	touched map[resources.Key]string
}

// telling is a way to an engine that tells of changes.
type telling struct {
	*way
	engine.Watcher
}

func (w telling) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	return w.way.List(ctx, prefix)
}

func (w telling) ListAt(ctx context.Context, prefix string) ([]engine.Item, string, error) {
	return w.way.ListAt(ctx, prefix)
}

func (w telling) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := w.cut(func() (string, error) { return "", w.Strict.Txn(ctx, ops...) })
	w.alone++
	return err
}

type way struct {
	engine.Strict
	before, after func() bool
	most          int // changes at once; 0: any number
	made          int // changes
	alone         int // and those that are not about all that was listed
}

func never() bool { return false }

func (w *way) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (string, error) {
	return w.cut(func() (string, error) { return w.Strict.TxnAsOf(ctx, at, ops...) })
}

func (w *way) cut(change func() (string, error)) (string, error) {
	if w.before() {
		return "", errCut
	}
	now, err := change()
	if err == nil && w.after() {
		return "", errCut
	}
	w.made++
	return now, err
}

func (w *way) MostOps() int {
	if w.most == 0 {
		return math.MaxInt
	}
	return w.most
}

func join(t *testing.T, team *memengine.Engine, name string) *clone {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, layout.Dir, "tasks"), 0o700))
	s, err := filestore.Open(dir)
	require.NoError(t, err)
	c := &clone{t: t, name: name, root: layout.Root(dir), store: s, dir: filepath.Join(dir, "sync"), team: team, touched: map[resources.Key]string{}, way: &way{Strict: team, before: never, after: never}}
	c.open()
	return c
}

func (c *clone) open() {
	if c.x != nil {
		require.NoError(c.t, c.x.Close())
	}
	x, err := Open(c.dir, c.store, c.name)
	require.NoError(c.t, err)
	x.Quiet = time.Millisecond
	c.x = x
	if c.tells {
		x.Since = func(ctx context.Context, at string, _ []string) (beside, changed []engine.Item, now string, err error) {
			return c.team.Since(ctx, at)
		}
	}
}

// touch tells a clone's next round that a file changed.
func (c *clone) touch(key resources.Key) { c.touched[key] = hashOf(c.read(key)) }

type nothing struct{}

func (c *clone) round() (Report, error) {
	if !c.tells {
		return c.x.Round(c.t.Context(), c.way, nothing{})
	}
	c.x.Changed(c.touched)
	c.touched = map[resources.Key]string{}
	return c.x.Round(c.t.Context(), telling{c.way, c.team}, nothing{})
}

func (c *clone) must() Report {
	r, err := c.round()
	require.NoError(c.t, err)
	return r
}

func task(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }

func (c *clone) file(key resources.Key) string { return c.root.Abs(layout.Path(key)) }

func (c *clone) write(key resources.Key, text string) {
	require.NoError(c.t, os.MkdirAll(filepath.Dir(c.file(key)), 0o700))
	require.NoError(c.t, os.WriteFile(c.file(key), []byte(text), 0o600))
	c.touch(key)
}

func (c *clone) remove(key resources.Key) {
	require.NoError(c.t, os.Remove(c.file(key)))
	c.touch(key)
}

func (c *clone) read(key resources.Key) string {
	data, err := os.ReadFile(c.file(key))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	require.NoError(c.t, err)
	return string(data)
}

func (c *clone) edit(key resources.Key, old, new string) {
	text := c.read(key)
	require.Contains(c.t, text, old)
	c.write(key, strings.Replace(text, old, new, 1))
}

func (c *clone) marks() []Mark {
	marks, err := Marks(c.dir)
	require.NoError(c.t, err)
	return marks
}

func two(t *testing.T) (a, b *clone) {
	var team memengine.Engine
	return join(t, &team, "a"), join(t, &team, "b")
}
