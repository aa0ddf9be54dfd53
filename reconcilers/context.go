package reconcilers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// contextKey stands for all that is packed: one key, so that a burst of changes
// makes one packing.
var contextKey = resources.Key{Kind: "context", Name: "context"}

// sessionsFolder holds the packs of sessions.
const sessionsFolder = "sessions"

// contextLoop packs the context, one for the repository and one for each live
// session, and leaves hints for the hook. It runs when the others have settled, and
// reads what they read rather than what they wrote.
func contextLoop() controller.Registration {
	packs := &packs{}
	return controller.Registration{
		Name: "context",
		Idle: true,
		Keys: packs.keys,
		New: func(c controller.Client) controller.Reconciler {
			return controller.Func(func(ctx context.Context, _ resources.Key) (controller.Result, error) {
				return packs.reconcile(ctx, c)
			})
		},
	}
}

// packs remembers which sessions have a pack, by the name of the file; nil: not
// known yet. One goroutine uses it.
type packs struct {
	written map[string]bool
	index   []byte // the mems, analysed, as of some time ago
}

// keys: anything may show in a pack.
func (p *packs) keys(controller.Change, controller.Client) []resources.Key {
	return []resources.Key{contextKey}
}

func (p *packs) reconcile(ctx context.Context, c controller.Client) (controller.Result, error) {
	now := at(c)
	err := errors.Join(
		writeHints(ctx, now),
		p.write(ctx, now, "", ReaderOf(c, nil)),
		p.sessions(ctx, now),
	)
	return now.until(midnight(now.now)), err
}

// midnight is when a pack changes by itself: it carries the date.
func midnight(now time.Time) time.Time {
	return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
}

func writeHints(ctx context.Context, now moment) error {
	data, err := json.Marshal(resources.DeriveHints(now))
	if err != nil {
		return fmt.Errorf("encode the hints for the hook: %w", err)
	}
	return now.WriteContext(ctx, resources.HintsFile, append(data, '\n'))
}

// manyMems is from how many mems on their analysed terms are kept from one packing to the next.
const manyMems = 100

// write packs for a session, or ("") for the repository, from what its reader had last: what
// was in stays in, and where it stood, as far as the packer lets it.
func (p *packs) write(ctx context.Context, now moment, session string, reader packer.Reader) error {
	reader.Index, reader.Previous = p.index, now.LastPack(session)
	in := packer.Gather(now, reader)
	if len(in.Mems) >= manyMems {
		if x := packer.Index(in); x.Stale() {
			p.index = x.Bytes()
			in.Index = p.index
		}
	}
	return now.WriteContext(ctx, layout.PackName(session), packer.Build(in).Bytes)
}

// sessions packs for each session that is not over, and removes the packs of all
// others.
func (p *packs) sessions(ctx context.Context, now moment) error {
	var errs []error
	live := map[string]bool{}
	for _, key := range now.List(resources.Sessions) {
		object, _ := now.Get(key)
		session, ok := object.(*resources.Session)
		if !ok {
			continue
		}
		if status, _ := resources.DeriveSession(session, now); over(status.Phase) {
			continue
		}
		live[layout.PackName(key.Name)] = true
		errs = append(errs, p.write(ctx, now, key.Name, ReaderOf(now, session)))
	}
	return errors.Join(append(errs, p.sweep(ctx, now, live))...)
}

// sweep removes the packs of sessions that are over or gone: at first all that are
// found, later those that were written before.
func (p *packs) sweep(ctx context.Context, now moment, live map[string]bool) error {
	if p.written == nil {
		found, err := now.ListContext(ctx, sessionsFolder)
		if err != nil {
			return err
		}
		p.written = map[string]bool{}
		for _, name := range found {
			p.written[name] = true
		}
	}
	var errs []error
	for name := range p.written {
		if !live[name] {
			errs = append(errs, now.DeleteContext(ctx, name))
		}
	}
	p.written = live
	return errors.Join(errs...)
}
