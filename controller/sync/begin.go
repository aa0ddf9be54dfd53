package sync

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/sync/plans"
)

// Beginning says what counts when a clone begins to share its objects. By default what is here becomes
// the team's where that has none, and else what the team has stands.
type Beginning struct {
	Seed    bool // what is here is the team's, also what it lost
	Join    bool // what the team has stands, also if it had more before
	PushNew bool // what stands only here goes to the team
}

// Begin prepares the exchange of objects, before the first round. It returns how many stand only here
// and are kept back.
func (t *Team) Begin(ctx context.Context, b Beginning) (kept int, err error) {
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
		return 0, errors.Join(x.SendAlone(), x.Seed())
	case b.PushNew:
		return 0, x.SendAlone()
	case len(theirs) > 0 && (b.Join || x.New()):
		return x.KeepBack(ctx, theirs)
	}
	return 0, nil
}

// forget forgets what both sides agreed on, and what was seen of the team last.
func (t *Team) forget() error {
	if e, ok := t.engine.(interface{ Forget() error }); ok {
		if err := e.Forget(); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(t.dir, seenFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return plans.Reset(t.root.SyncFolder())
}

// Marks are the conflicts of this working tree's objects.
func (t *Team) Marks() ([]plans.Mark, error) { return plans.Marks(t.root.SyncFolder()) }

// OpenMarks are those that nobody decided: a field that was changed here after a conflict is in that no more.
func (t *Team) OpenMarks(ctx context.Context) ([]plans.Mark, error) {
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

// Settle forgets a conflict that is resolved.
func (t *Team) Settle(m plans.Mark) error { return plans.Settle(t.root.SyncFolder(), m) }

// AgreeToSend lets a version go up though it looks like it holds a secret.
func (t *Team) AgreeToSend(text []byte) error {
	return plans.AgreeToSend(t.root.SyncFolder(), text)
}

// Waiting counts what stands here and the team does not have, as far as this clone knows.
func (t *Team) Waiting(ctx context.Context) (int, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	x, err := t.exchange()
	if err != nil {
		return 0, err
	}
	defer x.Close()
	return x.Waiting(ctx)
}
