package sync

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// JoinOptions holds the options for the first sync of a clone. By default the
// local objects initialize an empty remote, and otherwise the remote versions
// win.
type JoinOptions struct {
	Seed    bool // the local versions win, including objects deleted remotely
	Join    bool // the remote versions win, even if the remote was reset
	PushNew bool // push objects that exist only locally
}

// PrepareJoin prepares the first sync of objects. It must be called before the first
// round. It returns the number of objects that exist only locally and are not
// pushed.
func (t *Team) PrepareJoin(ctx context.Context, b JoinOptions) (kept int, err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if b.Seed || b.Join {
		if err := t.forget(); err != nil {
			return 0, err
		}
	}
	x, err := t.exchange()
	if err != nil {
		return 0, err
	}
	defer x.Close()
	theirs, err := x.Theirs(ctx, t.engine)
	if err != nil {
		return 0, err
	}
	switch {
	case b.Seed:
		return 0, errors.Join(x.PushLocalOnly(), x.SeedRemote())
	case b.PushNew:
		return 0, x.PushLocalOnly()
	case len(theirs) > 0 && (b.Join || x.New()):
		return x.KeepBack(ctx, theirs)
	}
	return 0, nil
}

// forget drops the base versions and the last seen remote revision.
func (t *Team) forget() error {
	if e, ok := t.engine.(interface{ Forget() error }); ok {
		if err := e.Forget(); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(t.dir, seenFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return exchange.Reset(t.root.SyncFolder())
}

// Marks returns the conflicts of this working tree's objects.
func (t *Team) Marks() ([]exchange.Mark, error) { return exchange.Marks(t.root.SyncFolder()) }

// OpenMarks returns the unresolved conflicts. A field that was changed locally
// after its conflict counts as resolved.
func (t *Team) OpenMarks(ctx context.Context) ([]exchange.Mark, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	x, err := t.exchange()
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if err := x.EndEdited(ctx); err != nil {
		return nil, err
	}
	return t.Marks()
}

// Settle removes a resolved conflict.
func (t *Team) Settle(m exchange.Mark) error { return exchange.Settle(t.root.SyncFolder(), m) }

// AgreeToSend allows pushing a version that seems to contain a secret.
func (t *Team) AgreeToSend(text []byte) error {
	return exchange.AgreeToSend(t.root.SyncFolder(), text)
}

// Waiting returns the keys of the unpushed objects, and of the objects that are
// held back, known to this clone. Both are sorted.
func (t *Team) Waiting(ctx context.Context) (toSend, localOnly []resources.Key, err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	x, err := t.exchange()
	if err != nil {
		return nil, nil, err
	}
	defer x.Close()
	return x.Waiting(ctx)
}
