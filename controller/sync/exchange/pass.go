package exchange

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Delays before the next pass.
const (
	busyWait  = 50 * time.Millisecond // the git index is locked
	raceWait  = 5 * time.Millisecond  // the object changed during the pass
	staleTime = 2 * time.Second       // how long an editor may keep a stale buffer
)

// Plan is the result of one pass.
type Plan struct {
	Ops      []Batch       // remote changes to make before the next pass
	NextPass time.Duration // delay until the next pass; 0 means none
	// Urgent is true if the state of a task changed.
	Urgent bool
	Report

	indexLocked bool          // the git index is locked; nothing was compared
	engine      engine.Engine // receives Ops
}

// step is the action for one object.
type step struct {
	key        resources.Key
	action     Action
	local      localState
	remote     remoteObject
	base       []byte
	recreated  bool             // the remote version equals the base but was archived and created again
	pending    *localVersion    // last unpushed local version of a missing file
	text       []byte           // version to push or to write locally
	object     resources.Object // decoded text
	fields     []Conflict
	remoteWins []string // fields in which the remote value must win
	reason     string   // reason of the conflict mark; empty means conflicting fields
}

// pass is one comparison of both sides, over all objects or over those that may
// have changed.
type pass struct {
	x              *Exchange
	engine         engine.Engine
	locals         map[resources.Key]localState // local objects read so far
	remote         *remoteState
	tracked        map[string]bool
	deleteRequests map[resources.Key]bool
	keys           []resources.Key // objects to compare, sorted
	steps          map[resources.Key]*step
	decoded        map[resources.Key]resources.Object
	requeue        map[resources.Key]bool   // objects for the next pass
	guards         map[string]bool          // key directories that must not change until the push
	validMarks     map[string]bool          // incoming conflict marks that are still valid
	remoteAdds     int                      // number of objects added remotely
	marks          map[resources.Key][]Mark // nil before they are read
	err            error                    // errors of reads during the pass
	plan           Plan
}

// Plan compares the local objects with the last known remote state, applies the
// local changes and returns the remote ones. Versions that it overwrites are
// saved first.
func (x *Exchange) Plan(ctx context.Context, e engine.Engine) (Plan, error) {
	if x.Store.Indexing() {
		return Plan{NextPass: busyWait, indexLocked: true}, nil
	}
	l, err := x.newPass(ctx, e)
	if err != nil {
		return Plan{}, err
	}
	for _, key := range l.keys {
		if err := l.decide(ctx, key); err != nil {
			return Plan{}, err
		}
	}
	for _, do := range []func(context.Context) error{l.validate, l.journalPushes, l.writeHere, l.removeOutdatedMarks} {
		if err := errors.Join(do(ctx), l.err); err != nil {
			return Plan{}, err
		}
	}
	if err := l.recordRestorable(); err != nil {
		return Plan{}, err
	}
	l.finish()
	l.plan.engine = l.guardedEngine()
	return l.plan, nil
}

// newPass returns a pass over the objects that may have changed. If that is all of
// them, it reads all local objects.
func (x *Exchange) newPass(ctx context.Context, e engine.Engine) (l *pass, err error) {
	k := x.passState
	l = &pass{x: x, engine: e, remote: k.team, locals: map[resources.Key]localState{}, tracked: k.tracked, deleteRequests: map[resources.Key]bool{}, steps: map[resources.Key]*step{},
		decoded: map[resources.Key]resources.Object{}, requeue: map[resources.Key]bool{}, guards: map[string]bool{}, validMarks: map[string]bool{}}
	if x.Removed != nil {
		removed, err := x.Removed()
		if err != nil {
			return nil, err
		}
		for _, key := range removed {
			l.deleteRequests[key], k.open[key] = true, true
		}
	}
	if k.requeueWrites(x.Now()); !k.all && len(k.open) == 0 {
		return l, nil
	}
	if l.tracked, err = x.tracked(ctx); err != nil {
		return nil, err
	}
	k.all = k.all || !maps.Equal(l.tracked, k.tracked) // other files may have become tracked or untracked
	k.tracked = l.tracked
	if k.all {
		if l.locals, err = x.local(ctx); err != nil {
			return nil, err
		}
		for _, all := range []iter.Seq[resources.Key]{maps.Keys(l.locals), maps.Keys(l.remote.objects), maps.Keys(x.base.entries)} {
			for key := range all {
				k.open[key] = true
			}
		}
	}
	l.keys = slices.SortedFunc(maps.Keys(k.open), resources.Key.Compare)
	return l, nil
}

// finish records the objects for the next pass and the state of all others.
func (l *pass) finish() {
	k := l.x.passState
	for _, key := range l.keys {
		if t := l.remote.objects[key]; t.text != nil && !l.requeue[key] {
			t.text = nil
			l.remote.objects[key] = t
		}
	}
	for _, key := range slices.Concat(l.plan.Pulled, l.plan.PutBack, l.plan.SetAside) {
		k.writeTimes[key] = l.x.Now()
	}
	k.all, k.open = false, l.requeue
	k.report(&l.plan.Report)
}

// localOf returns the local state of an object.
func (l *pass) localOf(ctx context.Context, key resources.Key) localState {
	h, read := l.locals[key]
	if !read && !l.x.passState.all {
		found, err := l.x.readObjects(ctx, key)
		l.err = errors.Join(l.err, err)
		h = found[key]
		l.locals[key] = h
	}
	return h
}

// decide adds the step for one object.
func (l *pass) decide(ctx context.Context, key resources.Key) error {
	l.x.passState.begin(key)
	h, t := l.localOf(ctx, key), remoteObject{}
	switch {
	case l.err != nil:
		return l.err
	case h.private:
		return nil
	case h.broken != nil:
		l.skip(key, h.broken)
		return nil
	}
	if in, err := l.isInside(ctx, key, h); err != nil || !in {
		return err
	}
	if t = l.remote.objects[key]; t.rejection != nil {
		return l.refuse(key, t.rejection, t)
	}
	s := &step{key: key, local: h, remote: t}
	sides, err := l.versions(ctx, s)
	if err != nil {
		return err
	}
	s.action = Decide(sides)
	if l.deleteRequests[key] && (!sides.DeleteRequested || sides.Local != "" || s.action == NoAction || s.action == ForgetBase || s.action == Pull) {
		if err := l.x.Notify(key); err != nil {
			return err
		}
	}
	if done, err := l.isSettled(s, sides); done || err != nil {
		return err
	}
	if s.action == RecordBase {
		s.remote.text = h.text
	}
	if s.remote.text, err = l.x.textOf(ctx, l.engine, key, s.remote); err != nil {
		return err
	}
	l.steps[key] = s
	return l.compose(s)
}

// isSettled reports whether a step needs no change now, and records the state of
// the object. It returns ErrVanished if the remote version disappeared.
func (l *pass) isSettled(s *step, sides Versions) (is bool, err error) {
	switch s.action {
	case NoAction:
		if sides.LocalOnly {
			l.x.passState.localOnly[s.key] = true
		}
		if entry := l.x.base.entries[s.key]; sides.Local != "" && sides.Local == sides.Remote && (entry.lastLocal != nil || s.recreated) { // differed since the last base
			err = l.x.base.RecordBase(s.key, s.remote.rev, s.local.text, l.x.Now())
		}
		return true, err
	case SkipTracked:
		if s.local.text != nil {
			l.x.passState.git[s.key] = true
		}
		return true, nil
	case WaitForFile:
		l.requeue[s.key] = true
		l.schedule(l.x.Quiet)
		return true, nil
	case Inconsistent:
		return true, ErrVanished
	}
	return false, nil
}

// schedule requests another pass after a delay, unless an earlier one is
// requested.
func (l *pass) schedule(after time.Duration) {
	if l.plan.NextPass == 0 || after < l.plan.NextPass {
		l.plan.NextPass = after
	}
}

// skip records that an object is not synced, with the reason.
func (l *pass) skip(key resources.Key, why error) {
	l.x.passState.notPushed[key] = NotPushed{key, key.String(), why.Error()}
}

// refuse records that a remote version is not pulled, with the reason, and
// keeps that version in an incoming mark.
func (l *pass) refuse(key resources.Key, why error, item remoteObject) error {
	why = withUpgradeHint(why)
	l.x.passState.refused[key] = NotPushed{key, key.String(), why.Error()}
	delete(l.steps, key)
	name := markName(key) + incomingSuffix
	l.validMarks[name] = true
	return l.x.writeMark(Mark{Kind: key.Kind, Name: key.Name, Reason: why.Error(), Author: item.sender, Time: resources.NewTime(l.x.Now()), Base: l.x.lastGood(key), Theirs: string(item.text)}, name)
}

// versions returns the versions of an object and reads its base version.
func (l *pass) versions(ctx context.Context, s *step) (Versions, error) {
	x, now := l.x, l.x.Now()
	agreed, entry := x.base.last(s.key), x.base.entries[s.key]
	sides := Versions{
		Local: hashOf(string(s.local.text)), Remote: s.remote.sum,
		Archived: l.remote.archived[s.key].key != "",
		Tracked:  l.tracked[x.Store.Locate(s.key)], LocalOnly: x.localOnly[s.key],
	}
	sides.Missing = x.trackMissing(s.key, sides.Local == "", now)
	if agreed != nil {
		sides.Base = agreed.sum
	}
	s.pending = entry.pending(sides.Base, sides.Remote)
	sides.Pending = s.pending != nil
	s.recreated = agreed != nil && sides.Remote == agreed.sum && s.remote.rev != agreed.rev
	sides.DeleteRequested = !s.recreated && l.isDeleted(ctx, s, sides)
	if went := entry.pushOf(sides.Remote); went != nil && sides.Local != sides.Remote { // even if the reply was lost
		r, err := x.base.read(went.position)
		s.base, sides.Base = []byte(r.Ours), went.ours
		return sides, err
	}
	if sides.Tracked || sides.Local == sides.Base && sides.Remote == sides.Base || agreed == nil {
		return sides, nil
	}
	r, err := x.base.read(agreed.position)
	s.base = []byte(r.Text)
	if err == nil && sides.Local != "" && sides.Local != sides.Base && sides.Local != sides.Remote {
		sides.Stale, err = l.closestBase(s, now)
	}
	return sides, err
}

// isDeleted reports whether the object was deleted on purpose: there is a delete
// request, or the last local version is in the archive.
func (l *pass) isDeleted(ctx context.Context, s *step, sides Versions) bool {
	if sides.Local != "" || l.deleteRequests[s.key] {
		return l.deleteRequests[s.key]
	}
	if sides.Base == "" && s.pending == nil {
		return false
	}
	text, _ := l.x.Store.ReadArchived(ctx, s.key) // an unreadable archive entry is ignored
	aside := hashOf(string(text))
	return aside != "" && (aside == sides.Base || s.pending != nil && aside == s.pending.ours)
}

// trackMissing records since when a local file is missing and reports whether the
// quiet period has passed.
func (x *Exchange) trackMissing(key resources.Key, is bool, now time.Time) bool {
	if !is {
		delete(x.absent, key)
		return false
	}
	since, seen := x.absent[key]
	if !seen {
		x.absent[key] = now
	}
	return seen && now.Sub(since) >= x.Quiet
}

// closestBase replaces the base by an older version if the local version is closer
// to it. This happens when a program saves a file that it read before the last
// pull.
func (l *pass) closestBase(s *step, now time.Time) (found bool, err error) {
	best := Distance(s.base, s.local.text)
	for _, a := range slices.Backward(l.x.base.older(s.key, now.Add(-staleTime))) {
		r, err := l.x.base.read(a.position)
		if err != nil {
			return found, err
		}
		if d := Distance([]byte(r.Text), s.local.text); d < best {
			best, found, s.base = d, true, []byte(r.Text)
		}
	}
	return found, nil
}

// journalPushes writes conflict marks, logs the versions to push and adds the
// remote changes to the result.
func (l *pass) journalPushes(ctx context.Context) error {
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s, marked := l.steps[key], ""
		if len(s.fields) > 0 || s.reason != "" {
			m, err := l.markOf(ctx, s)
			if err == nil {
				marked, err = l.x.recordConflict(m)
			}
			if err != nil {
				return err
			}
			l.plan.Marked = append(l.plan.Marked, key)
		}
		if err := l.endEdited(s, marked); err != nil {
			return err
		}
		switch s.action {
		case Push:
			if s.remote.key == "" && !l.reserveSlot() {
				if err := l.skipStep(s, l.full()); err != nil {
					return err
				}
				l.requeue[key] = true // the limit may no longer be reached
				continue
			}
			if err := l.x.base.RecordPush(key, s.local.text, s.text); err != nil {
				return err
			}
			l.push(ctx, s)
			l.requeue[key] = true
		case ArchiveRemote:
			l.archiveRemote(ctx, s)
			l.requeue[key] = true
		}
	}
	return nil
}

// endEdited resolves the conflicts of an object in the fields that were changed
// locally since. marked is the file of the conflict that was just found.
func (l *pass) endEdited(s *step, marked string) error {
	if s.action != Push && s.action != Pull || s.base == nil || s.local.text == nil || bytes.Equal(s.base, s.local.text) {
		return nil
	}
	if l.marks == nil {
		l.marks = map[resources.Key][]Mark{}
		marks, err := Marks(l.x.Dir)
		if err != nil {
			return err
		}
		for _, m := range marks {
			l.marks[m.Key()] = append(l.marks[m.Key()], m)
		}
	}
	var err error
	for _, m := range l.marks[s.key] {
		if m.file != marked {
			err = errors.Join(err, l.x.endEdited(m, s.base, s.local.text))
		}
	}
	return err
}

// markOf returns the mark that keeps the local version of a step before the
// remote one replaces it.
func (l *pass) markOf(ctx context.Context, s *step) (m Mark, err error) {
	m = Mark{Kind: s.key.Kind, Name: s.key.Name, Reason: s.reason, Author: s.remote.sender, Fields: s.fields, Base: string(s.base), Ours: string(s.local.text), Theirs: string(s.remote.text)}
	if s.action == ArchiveLocal {
		aside := l.remote.archived[s.key]
		text, failed := l.x.textOf(ctx, l.engine, s.key, aside)
		m.Author, m.Theirs, err = aside.sender, string(text), failed
	}
	if m.Reason == "" {
		m.Reason = "both changed it: the team's value is in effect, and yours is kept here"
	}
	return m, err
}

// isWriteConflict reports whether another writer changed the object first.
func isWriteConflict(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrNotFound)
}
