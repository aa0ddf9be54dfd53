package plans

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// How the losers of a race wait: a random while, that doubles.
const (
	firstWait = 50 * time.Millisecond
	longest   = 5 * time.Second
	doublings = 10 // at most: time ends
	mostLooks = 60 // in one round
)

// ErrGitBusy: what git writes is not known before it is done.
var ErrGitBusy = errors.New("git is at work in this tree; if no git runs, one was killed: remove index.lock from git's folder")

// Also is what else is to be made with the team in the same step: what goes together arrives together.
type Also interface {
	// Ops are the changes to make, given all that stands with the team, by the task that they are about.
	// It is asked before anything is done here.
	Ops(items []engine.Item) (map[string][]engine.Op, error)
	// Made says that what is about an object was made.
	Made(about resources.Key)
}

// Round makes this clone and the team say the same, once. Twice is as good as once.
func (x *Exchange) Round(ctx context.Context, e engine.Engine, also Also) (Report, error) {
	var all Report
	if err := x.Remember(ctx); err != nil {
		return all, err
	}
	lost, busy := 0, false
	for range mostLooks {
		items, err := e.List(ctx, "")
		if err != nil {
			return all, err
		}
		more, err := also.Ops(items)
		if err != nil {
			return all, err
		}
		work, err := x.Look(ctx, items)
		if !work.busy {
			all.add(work.Report)
		}
		if err != nil {
			return all, err
		}
		if x.Later && len(more) == 0 && !work.Urgent {
			work.Ops = nil
		}
		busy = work.busy
		switch ops := work.with(more); {
		case len(ops) == 0 && work.Again == 0:
			return all, nil
		case len(ops) == 0:
			if !pause(ctx, work.Again) {
				return all, ctx.Err()
			}
			continue
		default:
			err = all.send(ctx, e, ops, also)
		}
		var conflict *engine.ConflictError
		switch {
		case errors.As(err, &conflict):
			if lost++; !pause(ctx, rand.N(min(firstWait<<min(lost, doublings), longest))) {
				return all, ctx.Err()
			}
		case err != nil:
			return all, err
		}
	}
	if busy {
		return all, ErrGitBusy
	}
	return all, fmt.Errorf("the team's objects change faster than they can be read; %d changes wait here", len(all.ToSend))
}

// add takes in what one more look found: what it did is done, what it saw is what holds.
func (r *Report) add(next Report) {
	next.Taken, next.PutBack = append(r.Taken, next.Taken...), append(r.PutBack, next.PutBack...)
	next.SetAside, next.Marked, next.Sent = append(r.SetAside, next.SetAside...), append(r.Marked, next.Marked...), r.Sent
	*r = next
}

// Remember notes what stands here and the team does not have yet, before anything is asked of the
// team: so that it is put back, and goes up, also when a program takes the file away meanwhile.
func (x *Exchange) Remember(ctx context.Context, only ...resources.Key) error {
	if x.Written != nil {
		if err := x.Written(x.wrote); err != nil {
			return err
		}
	}
	if x.Store.Indexing() {
		return nil
	}
	tracked, err := x.tracked(ctx)
	if err != nil {
		return err
	}
	found, err := x.local(ctx, only...)
	if err != nil {
		return err
	}
	for key, h := range found {
		if !x.waits(key, h, tracked) {
			continue
		}
		if _, err := read(key, h.text); err != nil {
			continue // torn: it is looked at when it is whole
		}
		if err := x.base.See(key, h.text); err != nil {
			return err
		}
	}
	return nil
}

// wrote notes a version that a command wrote, wherever its file is now.
func (x *Exchange) wrote(key resources.Key, text []byte) error {
	if agreed := x.base.last(key); resources.CheckName(key.Name) != nil || agreed != nil && agreed.sum == sumOf(string(text)) {
		return nil
	}
	if _, err := read(key, text); err != nil {
		return nil
	}
	return x.base.See(key, text)
}

// waits reports whether what stands here is to go to the team, which does not have it.
func (x *Exchange) waits(key resources.Key, h here, tracked map[string]bool) bool {
	agreed := x.base.last(key)
	return h.text != nil && !h.private && !x.alone[key] && !tracked[x.Store.Locate(key)] && (agreed == nil || agreed.sum != sumOf(string(h.text)))
}
