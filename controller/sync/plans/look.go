package plans

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
	"github.com/idumb-dev/idumb/controller/sync/merge3"
	"github.com/idumb-dev/idumb/resources"
)

// Delays before the next pass.
const (
	busyWait  = 50 * time.Millisecond // the git index is locked
	raceWait  = 5 * time.Millisecond  // the object changed during the pass
	staleTime = 2 * time.Second       // how long an editor may keep a stale buffer
)

// Work is the result of one pass.
type Work struct {
	Ops   []Together    // remote changes to make before the next pass
	Again time.Duration // delay until the next pass; 0 means none
	// Urgent is true if the state of a task changed.
	Urgent bool
	Report

	busy bool          // the git index is locked; nothing was compared
	to   engine.Engine // receives Ops
}

// step is the action for one object.
type step struct {
	key     resources.Key
	deed    Deed
	here    here
	team    teamItem
	base    []byte
	again   bool             // the remote version equals the base but was archived and created again
	pending *sent            // last unpushed local version of a missing file
	text    []byte           // version to push or to write locally
	object  resources.Object // decoded text
	fields  []merge3.Conflict
	yields  []string // fields in which the remote value must win
	reason  string   // reason of the conflict mark; empty means conflicting fields
}

// look is one comparison of both sides, over all objects or over those that may
// have changed.
type look struct {
	x       *Exchange
	e       engine.Engine
	here    map[resources.Key]here // local objects read so far
	team    *team
	tracked map[string]bool
	removed map[resources.Key]bool
	keys    []resources.Key // objects to compare, sorted
	steps   map[resources.Key]*step
	decoded map[resources.Key]resources.Object
	open    map[resources.Key]bool   // objects for the next pass
	guards  map[string]bool          // key directories that must not change until the push
	shown   map[string]bool          // incoming conflict marks that are still valid
	added   int                      // number of objects added remotely
	marks   map[resources.Key][]Mark // nil before they are read
	failed  error                    // first error of a remote read
	work    Work
}

// Look compares the local objects with the last known remote state, applies the
// local changes and returns the remote ones. Versions that it overwrites are
// saved first.
func (x *Exchange) Look(ctx context.Context, e engine.Engine) (Work, error) {
	if x.Store.Indexing() {
		return Work{Again: busyWait, busy: true}, nil
	}
	l, err := x.see(ctx, e)
	if err != nil {
		return Work{}, err
	}
	for _, key := range l.keys {
		if err := l.decide(ctx, key); err != nil {
			return Work{}, err
		}
	}
	for _, do := range []func(context.Context) error{l.shape, l.writeDown, l.writeHere, l.settleIncoming} {
		if err := errors.Join(do(ctx), l.failed); err != nil {
			return Work{}, err
		}
	}
	if err := l.list(); err != nil {
		return Work{}, err
	}
	l.settle()
	l.work.to = l.guarded()
	return l.work, nil
}

// see returns a pass over the objects that may have changed. If that is all of
// them, it reads all local objects.
func (x *Exchange) see(ctx context.Context, e engine.Engine) (l *look, err error) {
	k := x.known
	l = &look{x: x, e: e, team: k.team, here: map[resources.Key]here{}, tracked: k.tracked, removed: map[resources.Key]bool{}, steps: map[resources.Key]*step{},
		decoded: map[resources.Key]resources.Object{}, open: map[resources.Key]bool{}, guards: map[string]bool{}, shown: map[string]bool{}}
	if x.Removed != nil {
		removed, err := x.Removed()
		if err != nil {
			return nil, err
		}
		for _, key := range removed {
			l.removed[key], k.open[key] = true, true
		}
	}
	if k.doubt(x.Now()); !k.all && len(k.open) == 0 {
		return l, nil
	}
	if l.tracked, err = x.tracked(ctx); err != nil {
		return nil, err
	}
	k.all = k.all || !maps.Equal(l.tracked, k.tracked) // other files may have become tracked or untracked
	k.tracked = l.tracked
	if k.all {
		if l.here, err = x.local(ctx); err != nil {
			return nil, err
		}
		for _, all := range []iter.Seq[resources.Key]{maps.Keys(l.here), maps.Keys(l.team.objects), maps.Keys(x.base.entries)} {
			for key := range all {
				k.open[key] = true
			}
		}
	}
	l.keys = slices.SortedFunc(maps.Keys(k.open), resources.Key.Compare)
	return l, nil
}

// settle records the objects for the next pass and the state of all others.
func (l *look) settle() {
	k := l.x.known
	for _, key := range l.keys {
		if t := l.team.objects[key]; t.text != nil && !l.open[key] {
			t.text = nil
			l.team.objects[key] = t
		}
	}
	for _, key := range slices.Concat(l.work.Taken, l.work.PutBack, l.work.SetAside) {
		k.wrote[key] = l.x.Now()
	}
	k.all, k.open = false, l.open
	k.report(&l.work.Report)
}

// at returns the local state of an object.
func (l *look) at(ctx context.Context, key resources.Key) here {
	h, read := l.here[key]
	if !read && !l.x.known.all {
		found, err := l.x.some(ctx, key)
		l.failed = errors.Join(l.failed, err)
		h = found[key]
		l.here[key] = h
	}
	return h
}

// decide adds the step for one object.
func (l *look) decide(ctx context.Context, key resources.Key) error {
	l.x.known.begin(key)
	h, t := l.at(ctx, key), teamItem{}
	switch {
	case l.failed != nil:
		return l.failed
	case h.private:
		return nil
	case h.broken != nil:
		l.hold(key, h.broken)
		return nil
	}
	if in, err := l.inside(ctx, key, h); err != nil || !in {
		return err
	}
	if t = l.team.objects[key]; t.unpleased != nil {
		return l.refuse(key, t.unpleased, t)
	}
	s := &step{key: key, here: h, team: t}
	sides, err := l.sides(ctx, s)
	if err != nil {
		return err
	}
	s.deed = Decide(sides)
	if l.removed[key] && (!sides.Removed || sides.Here != "" || s.deed == Rest || s.deed == Forget || s.deed == Take) {
		if err := l.x.Told(key); err != nil {
			return err
		}
	}
	if done, err := l.rests(s, sides); done || err != nil {
		return err
	}
	if s.deed == Agree {
		s.team.text = h.text
	}
	if s.team.text, err = l.x.textOf(ctx, l.e, key, s.team); err != nil {
		return err
	}
	l.steps[key] = s
	return l.compose(s)
}

// rests reports whether a step needs no change now, and records the state of
// the object.
func (l *look) rests(s *step, sides Sides) (is bool, err error) {
	switch s.deed {
	case Rest:
		if sides.Held {
			l.x.known.alone[s.key] = true
		}
		if entry := l.x.base.entries[s.key]; sides.Here != "" && sides.Here == sides.Team && (entry.seen != nil || s.again) { // differed since the last base
			err = l.x.base.Agree(s.key, s.team.rev, s.here.text, l.x.Now())
		}
		return true, err
	case Leave:
		if s.here.text != nil {
			l.x.known.git[s.key] = true
		}
		return true, nil
	case Wait:
		l.open[s.key] = true
		l.again(l.x.Quiet)
		return true, nil
	case Vanished:
		return true, ErrVanished
	}
	return false, nil
}

func (l *look) again(after time.Duration) {
	if l.work.Again == 0 || after < l.work.Again {
		l.work.Again = after
	}
}

func (l *look) hold(key resources.Key, why error) {
	l.x.known.held[key] = Held{key, key.String(), why.Error()}
}

func (l *look) refuse(key resources.Key, why error, item teamItem) error {
	why = newer(why)
	l.x.known.refused[key] = Held{key, key.String(), why.Error()}
	delete(l.steps, key)
	name := markName(key) + comingIn
	l.shown[name] = true
	return l.x.writeMark(Mark{Kind: key.Kind, Name: key.Name, Reason: why.Error(), By: item.by, At: resources.NewTime(l.x.Now()), Base: l.x.lastGood(key), Theirs: string(item.text)}, name)
}

// sides returns the versions of an object and reads its base version.
func (l *look) sides(ctx context.Context, s *step) (Sides, error) {
	x, now := l.x, l.x.Now()
	agreed, entry := x.base.last(s.key), x.base.entries[s.key]
	sides := Sides{
		Here: sumOf(string(s.here.text)), Team: s.team.sum,
		Archived: l.team.archived[s.key].key != "",
		Tracked:  l.tracked[x.Store.Locate(s.key)], Held: x.alone[s.key],
	}
	sides.Absent = x.missing(s.key, sides.Here == "", now)
	if agreed != nil {
		sides.Base = agreed.sum
	}
	s.pending = entry.pending(sides.Base, sides.Team)
	sides.Pending = s.pending != nil
	s.again = agreed != nil && sides.Team == agreed.sum && s.team.rev != agreed.rev
	sides.Removed = !s.again && l.gone(ctx, s, sides)
	if went := entry.wentUp(sides.Team); went != nil && sides.Here != sides.Team { // even if the reply was lost
		r, err := x.base.read(went.place)
		s.base, sides.Base = []byte(r.Ours), went.ours
		return sides, err
	}
	if sides.Tracked || sides.Here == sides.Base && sides.Team == sides.Base || agreed == nil {
		return sides, nil
	}
	r, err := x.base.read(agreed.place)
	s.base = []byte(r.Text)
	if err == nil && sides.Here != "" && sides.Here != sides.Base && sides.Here != sides.Team {
		sides.Stale, err = l.nearest(s, now)
	}
	return sides, err
}

// gone reports whether the object was deleted on purpose: there is a delete
// request, or the last local version is in the archive.
func (l *look) gone(ctx context.Context, s *step, sides Sides) bool {
	if sides.Here != "" || l.removed[s.key] {
		return l.removed[s.key]
	}
	if sides.Base == "" && s.pending == nil {
		return false
	}
	text, _ := l.x.Store.ReadArchived(ctx, s.key) // an unreadable archive entry is ignored
	aside := sumOf(string(text))
	return aside != "" && (aside == sides.Base || s.pending != nil && aside == s.pending.ours)
}

// missing records since when a local file is missing and reports whether the
// quiet period has passed.
func (x *Exchange) missing(key resources.Key, is bool, now time.Time) bool {
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

// nearest replaces the base by an older version if the local version is closer
// to it. This happens when a program saves a file that it read before the last
// pull.
func (l *look) nearest(s *step, now time.Time) (found bool, err error) {
	best := merge3.Distance(s.base, s.here.text)
	for _, a := range slices.Backward(l.x.base.older(s.key, now.Add(-staleTime))) {
		r, err := l.x.base.read(a.place)
		if err != nil {
			return found, err
		}
		if d := merge3.Distance([]byte(r.Text), s.here.text); d < best {
			best, found, s.base = d, true, []byte(r.Text)
		}
	}
	return found, nil
}

// writeDown writes conflict marks, logs the versions to push and adds the
// remote changes to the result.
func (l *look) writeDown(ctx context.Context) error {
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s, marked := l.steps[key], ""
		if len(s.fields) > 0 || s.reason != "" {
			m, err := l.markOf(ctx, s)
			if err == nil {
				marked, err = l.x.mark(m)
			}
			if err != nil {
				return err
			}
			l.work.Marked = append(l.work.Marked, key)
		}
		if err := l.endEdited(s, marked); err != nil {
			return err
		}
		switch s.deed {
		case Send:
			if s.team.key == "" && !l.room() {
				if err := l.keep(s, l.full()); err != nil {
					return err
				}
				l.open[key] = true // the limit may no longer be reached
				continue
			}
			if err := l.x.base.Send(key, s.here.text, s.text); err != nil {
				return err
			}
			l.send(ctx, s)
			l.open[key] = true
		case Retire:
			l.retire(ctx, s)
			l.open[key] = true
		}
	}
	return nil
}

// endEdited resolves the conflicts of an object in the fields that were changed
// locally since. marked is the file of the conflict that was just found.
func (l *look) endEdited(s *step, marked string) error {
	if s.deed != Send && s.deed != Take || s.base == nil || s.here.text == nil || bytes.Equal(s.base, s.here.text) {
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
			err = errors.Join(err, l.x.endEdited(m, s.base, s.here.text))
		}
	}
	return err
}

func (l *look) markOf(ctx context.Context, s *step) (m Mark, err error) {
	m = Mark{Kind: s.key.Kind, Name: s.key.Name, Reason: s.reason, By: s.team.by, Fields: s.fields, Base: string(s.base), Ours: string(s.here.text), Theirs: string(s.team.text)}
	if s.deed == Drop {
		aside := l.team.archived[s.key]
		text, failed := l.x.textOf(ctx, l.e, s.key, aside)
		m.By, m.Theirs, err = aside.by, string(text), failed
	}
	if m.Reason == "" {
		m.Reason = "both changed it: the team's value stands, and yours is kept here"
	}
	return m, err
}

// raced reports whether another writer changed the object first.
func raced(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrNotFound)
}
