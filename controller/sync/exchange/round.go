package exchange

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Backoff after a lost race: random, doubling.
const (
	firstWait      = 50 * time.Millisecond
	firstWaitWatch = 2 * time.Millisecond // for engines that report changes immediately
	maxWait        = 5 * time.Second
	maxDoublings   = 10 // maximum; avoids overflow
	maxPasses      = 60 // in one round
)

// relistAfter is the number of lost races after which everything is listed
// again, because reports may be missing.
const relistAfter = 4

// ErrGitBusy means that git is changing the working tree, so its files are in
// transition.
var ErrGitBusy = errors.New("git is at work in this tree; if no git runs, one was killed: remove index.lock from git's folder")

// BatchHook adds operations to the same transactions.
type BatchHook interface {
	// Ops returns the additional operations, by task, from all remote items. It
	// is called before anything changes locally.
	Ops(items []engine.Item) (map[string][]engine.Op, error)
	// RecordClaims is called after the operations of an object were applied.
	RecordClaims(about resources.Key)
}

// Round synchronizes this clone with the remote once. It is idempotent.
func (x *Exchange) Round(ctx context.Context, e engine.Engine, also BatchHook) (Report, error) {
	report, err := x.round(ctx, e, also)
	if err != nil || x.Since == nil || x.passState.team.hasDuplicate {
		x.passState = nil
	}
	return report, err
}

// round runs passes until all changes are pushed, at most maxPasses. It starts
// again after a lost race with another clone.
func (x *Exchange) round(ctx context.Context, e engine.Engine, also BatchHook) (Report, error) {
	var all Report
	if err := x.rememberTold(ctx); err != nil {
		return all, err
	}
	var made []string
	lost, busy := 0, false
	for range maxPasses {
		items, err := x.ask(ctx, e, made)
		if errors.Is(err, errRemoteChanged) {
			x.passState = nil
			continue
		}
		if err != nil {
			return all, err
		}
		more, err := also.Ops(items)
		if err != nil {
			return all, err
		}
		work, err := x.Plan(ctx, e)
		if !work.indexLocked {
			all.add(work.Report)
		}
		if errors.Is(err, errRemoteChanged) {
			x.passState = nil
			continue
		}
		if err != nil {
			return all, err
		}
		if x.DelayPush && len(more) == 0 && !work.Urgent {
			work.Ops = nil
		}
		busy = work.indexLocked
		switch ops := work.related(more); {
		case len(ops) == 0 && work.NextPass == 0:
			return all, nil
		case len(ops) == 0:
			made = nil
			if !pause(ctx, work.NextPass) {
				return all, ctx.Err()
			}
			continue
		default:
			made, err = all.send(ctx, work.engine, x.passState.revision, ops, also)
			x.dropUnreported(made, false)
		}
		var conflict *engine.ConflictError
		switch {
		case errors.As(err, &conflict):
			x.dropUnreported(conflict.Keys, true)
			if lost++; lost%relistAfter == 0 {
				x.passState = nil
			}
			if !pause(ctx, lostWait(e, lost)) {
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

// lostWait returns the backoff after a number of lost races.
func lostWait(e engine.Engine, lost int) time.Duration {
	first := firstWait
	if _, tells := e.(engine.Watcher); tells {
		first = firstWaitWatch
	}
	return rand.N(min(first<<min(lost, maxDoublings), maxWait))
}

// add merges the report of the next pass. Actions accumulate; states are
// replaced.
func (r *Report) add(next Report) {
	next.Pulled, next.PutBack = append(r.Pulled, next.Pulled...), append(r.PutBack, next.PutBack...)
	next.SetAside, next.Marked, next.Pushed = append(r.SetAside, next.SetAside...), append(r.Marked, next.Marked...), r.Pushed
	*r = next
}

// rememberTold calls Remember for the reported changes, or for all objects if
// changes are not reported.
func (x *Exchange) rememberTold(ctx context.Context) error {
	told := x.unrecorded
	x.unrecorded = nil
	switch {
	case x.passState == nil:
		return x.Remember(ctx)
	case len(told) == 0:
		return x.takeWritten()
	}
	return x.Remember(ctx, told...)
}

// Remember records unpushed local versions of some objects, or of all if only
// is empty. It must be called before the remote is contacted. A recorded
// version is pushed and restored even if a program removes the file in the
// meantime.
func (x *Exchange) Remember(ctx context.Context, only ...resources.Key) error {
	if err := x.takeWritten(); err != nil || x.Store.Indexing() {
		return err
	}
	tracked, err := x.tracked(ctx)
	if err != nil {
		return err
	}
	var found map[resources.Key]localState
	if len(only) > 0 {
		found, err = x.readObjects(ctx, only...)
	} else {
		found, err = x.local(ctx)
	}
	if err != nil {
		return err
	}
	seen := map[resources.Key]bool{}
	for key, h := range found {
		if !x.mustPush(key, h, tracked) {
			continue
		}
		if _, err := decodeStrict(key, h.text); err != nil {
			continue // truncated: wait until it is complete
		}
		if err := x.base.RecordLocal(key, h.text); err != nil {
			return err
		}
		seen[key] = true
	}
	return x.saveRestorable(seen)
}

// takeWritten records the versions that commands wrote since the last call, for
// pushing.
func (x *Exchange) takeWritten() error {
	if x.WrittenVersions == nil {
		return nil
	}
	seen := map[resources.Key]bool{}
	err := x.WrittenVersions(func(key resources.Key, text []byte) error {
		new, err := x.recordWrite(key, text)
		if new && err == nil {
			seen[key] = true
		}
		return err
	})
	return errors.Join(err, x.saveRestorable(seen))
}

// recordWrite records a version that a command wrote, wherever its file is now. It
// reports whether the version must be pushed.
func (x *Exchange) recordWrite(key resources.Key, text []byte) (new bool, err error) {
	if resources.CheckName(key.Name) != nil {
		return false, nil
	}
	if x.passState != nil {
		x.passState.open[key] = true
	}
	if agreed := x.base.last(key); agreed != nil && agreed.sum == hashOf(string(text)) {
		return false, nil
	}
	if _, err := decodeStrict(key, text); err != nil {
		return false, nil
	}
	return true, x.base.RecordLocal(key, text)
}

// mustPush reports whether a local version must be pushed.
func (x *Exchange) mustPush(key resources.Key, h localState, tracked map[string]bool) bool {
	agreed := x.base.last(key)
	return h.text != nil && !h.private && !x.localOnly[key] && !tracked[x.Store.Locate(key)] && (agreed == nil || agreed.sum != hashOf(string(h.text)))
}
