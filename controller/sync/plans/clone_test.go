package plans

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
	"github.com/idumb-dev/idumb/controller/sync/engine/memengine"
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
}

type way struct {
	engine.Strict
	before, after func() bool
	most          int // changes at once; 0: any number
	made          int // changes
}

func never() bool { return false }

func (w *way) TxnAsListed(ctx context.Context, ops ...engine.Op) error {
	if w.before() {
		return errCut
	}
	err := w.Strict.TxnAsListed(ctx, ops...)
	if err == nil && w.after() {
		return errCut
	}
	w.made++
	return err
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
	c := &clone{t: t, name: name, root: layout.Root(dir), store: s, dir: filepath.Join(dir, "sync"), way: &way{Strict: team.Machine(), before: never, after: never}}
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
}

type nothing struct{}

func (c *clone) round() (Report, error) { return c.x.Round(c.t.Context(), c.way, nothing{}) }

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
