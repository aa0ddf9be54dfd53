package plans

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/merge3"
	"github.com/idumb-dev/idumb/resources"
)

// How long is waited for what may end by itself.
const (
	busyWait  = 50 * time.Millisecond // git is at work
	raceWait  = 5 * time.Millisecond  // somebody saved what was about to be written
	staleTime = 2 * time.Second       // how long a program may hold what it had read before we wrote
)

// Work is what one look at both sides leads to.
type Work struct {
	Ops   []Together    // changes to make with the team; then it is looked at again
	Again time.Duration // how long until it is to be looked at again; 0: it need not
	// Urgent says that others wait for it: a task is in another state.
	Urgent bool
	Report

	busy bool // git is at work: nothing was looked at
}

// Report is what was found and done.
type Report struct {
	ToSend   []resources.Key // what is to go to the team
	Sent     []resources.Key // what went there
	Taken    []resources.Key // what came from the team
	PutBack  []resources.Key // files that were missing, and were put back
	SetAside []resources.Key // what the team set aside, and is set aside here now
	Marked   []resources.Key // conflicts that were written down
	Held     []Held          // what does not go up, and why
	Refused  []Held          // what does not come in, and why
	Tracked  int             // objects whose files git tracks
	Team     int             // objects that the team has
	Alone    int             // objects that stood only here when this clone joined
	Failed   bool            // something could not be written here: it is tried again
}

// Held is an object that does not follow, with the reason.
type Held struct {
	Key    resources.Key `json:"-"`
	Object string        `json:"object"`
	Reason string        `json:"reason"`
}

// step is what is to be done about one object.
type step struct {
	key     resources.Key
	deed    Deed
	here    here
	team    teamItem
	base    []byte
	again   bool             // the team has it as it was agreed on, and somebody retired it meanwhile and made it again
	pending *sent            // what stood here last, where nothing does
	text    []byte           // what goes up, or is written here
	object  resources.Object // of text
	fields  []merge3.Conflict
	yields  []string // fields that have to be theirs
	reason  string   // of the mark; "": that both changed the fields
}

// look is one look at both sides.
type look struct {
	x       *Exchange
	here    map[resources.Key]here
	team    team
	tracked map[string]bool
	removed map[resources.Key]bool
	revs    map[string]string // of all the team's items, by the engine's keys
	steps   map[resources.Key]*step
	decoded map[resources.Key]resources.Object
	work    Work
}

// Look compares what stands here with the team's items, does here what is to be done, and returns
// what is to be done with the team. What it is about to replace is written down before.
func (x *Exchange) Look(ctx context.Context, items []engine.Item) (Work, error) {
	if x.Store.Indexing() {
		return Work{Again: busyWait, busy: true}, nil
	}
	l, err := x.see(ctx, items)
	if err != nil {
		return Work{}, err
	}
	for _, key := range l.keys() {
		if err := l.decide(ctx, key); err != nil {
			return Work{}, err
		}
	}
	l.shape()
	if err := l.writeDown(); err != nil {
		return Work{}, err
	}
	if err := l.writeHere(ctx); err != nil {
		return Work{}, err
	}
	return l.work, x.settleIncoming()
}

// see reads both sides.
func (x *Exchange) see(ctx context.Context, items []engine.Item) (*look, error) {
	x.shown = map[string]bool{}
	l := &look{x: x, steps: map[resources.Key]*step{}, removed: map[resources.Key]bool{}, revs: map[string]string{}, decoded: map[resources.Key]resources.Object{}}
	var err error
	if l.team, err = teamOf(items, x.Most); err != nil {
		return nil, err
	}
	for _, item := range items {
		l.revs[item.Key] = item.Rev
	}
	for key, why := range l.team.strange {
		l.work.Refused = append(l.work.Refused, Held{Object: fmt.Sprintf("%.200q", key), Reason: why.Error()})
	}
	if l.tracked, err = x.tracked(ctx); err != nil {
		return nil, err
	}
	if l.here, err = x.local(ctx); err != nil {
		return nil, err
	}
	l.work.Team = len(l.team.objects)
	if x.Removed == nil {
		return l, nil
	}
	removed, err := x.Removed()
	for _, key := range removed {
		l.removed[key] = true
	}
	return l, err
}

// keys are all objects of which anything is known, sorted.
func (l *look) keys() []resources.Key {
	all := map[resources.Key]bool{}
	for key := range l.here {
		all[key] = true
	}
	for key := range l.team.objects {
		all[key] = true
	}
	for _, key := range l.x.base.Keys() {
		all[key] = true
	}
	for key := range l.removed {
		all[key] = true
	}
	return slices.SortedFunc(maps.Keys(all), resources.Key.Compare)
}

// decide finds the step for one object, and the text that it is about.
func (l *look) decide(ctx context.Context, key resources.Key) error {
	h, t := l.here[key], l.team.objects[key]
	switch {
	case h.private:
		return nil
	case h.broken != nil:
		l.hold(key, h.broken)
		return nil
	case t.unpleased != nil:
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
	switch s.deed {
	case Rest:
		if sides.Held {
			l.work.Alone++
		}
		if entry := l.x.base.entries[key]; sides.Here != "" && sides.Here == sides.Team && (entry.seen != nil || s.again) { // another version stood here for a while, or none there
			return l.x.base.Agree(key, t.rev, t.text, l.x.Now())
		}
		return nil
	case Leave:
		if h.text != nil {
			l.work.Tracked++
		}
		return nil
	case Wait:
		l.again(l.x.Quiet)
		return nil
	case Vanished:
		return ErrVanished
	}
	l.steps[key] = s
	return l.compose(s)
}

func (l *look) again(after time.Duration) {
	if l.work.Again == 0 || after < l.work.Again {
		l.work.Again = after
	}
}

func (l *look) hold(key resources.Key, why error) {
	l.work.Held = append(l.work.Held, Held{key, key.String(), why.Error()})
}

func (l *look) refuse(key resources.Key, why error, item teamItem) error {
	why = newer(why)
	l.work.Refused = append(l.work.Refused, Held{key, key.String(), why.Error()})
	delete(l.steps, key)
	return l.x.refuse(key, why, item)
}

// sides tells what is known of an object, and finds the version that both sides were made of.
func (l *look) sides(ctx context.Context, s *step) (Sides, error) {
	x, now := l.x, l.x.Now()
	agreed, entry := x.base.last(s.key), x.base.entries[s.key]
	sides := Sides{
		Here: sumOf(string(s.here.text)), Team: sumOf(string(s.team.text)),
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
	if entry != nil && entry.sent != nil && entry.sent.text == sides.Team && sides.Here != sides.Team { // it went up, whatever was heard of it
		r, err := x.base.read(entry.sent.place)
		s.base, sides.Base = []byte(r.Ours), entry.sent.ours
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

// gone reports whether somebody here meant an object to go: they said so, or what was last seen here
// stands in the archive.
func (l *look) gone(ctx context.Context, s *step, sides Sides) bool {
	if sides.Here != "" || l.removed[s.key] {
		return l.removed[s.key]
	}
	if sides.Base == "" && s.pending == nil {
		return false
	}
	text, _ := l.x.Store.ReadArchived(ctx, s.key) // what cannot be read says nothing
	aside := sumOf(string(text))
	return aside != "" && (aside == sides.Base || s.pending != nil && aside == s.pending.ours)
}

// missing notes since when a file is missing, and reports whether that is for a while.
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

// nearest looks for an older agreement that what stands here is nearer to than to the last, where
// that is seconds old: a program saved what it had read before we wrote.
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

// compose finds the text of a step, and looks whether it may go up or come in.
func (l *look) compose(s *step) (err error) {
	switch s.deed {
	case Send:
		s.text = s.here.text
	case Merge:
		return l.merge(s)
	case Take:
		s.text = s.team.text
		if s.here.text == nil && l.removed[s.key] && s.base != nil {
			s.reason = "it was removed here, and the team has changed it since: it is back"
		}
	case PutBack:
		r, err := l.x.base.read(s.pending.place)
		s.text = []byte(r.Ours)
		return err
	case Drop:
		if sumOf(string(s.here.text)) != sumOf(string(s.base)) {
			s.reason = "the team set it aside, and it was changed here: what stood here is in the archive"
		}
		return nil
	default:
		return nil
	}
	return l.judge(s)
}

// judge looks whether the text of a step may go up, or come in.
func (l *look) judge(s *step) (err error) {
	s.object, err = read(s.key, s.text)
	if s.deed == Take {
		if err != nil {
			return l.refuse(s.key, err, s.team)
		}
		return nil
	}
	if err == nil {
		err = l.x.sendable(s.object, s.text)
	}
	if err != nil {
		return l.keep(s, err)
	}
	return nil
}

// keep leaves an object as it is here, and notes it: it does not go up.
func (l *look) keep(s *step, why error) error {
	l.hold(s.key, why)
	s.deed = Rest
	return l.x.base.See(s.key, s.here.text)
}

// merge makes one version of two. Where nothing of ours is left in it, it is the team's.
func (l *look) merge(s *step) error {
	kind, _ := resources.KindOf(s.key.Kind)
	if _, err := read(s.key, s.team.text); err != nil {
		return l.refuse(s.key, err, s.team)
	}
	if _, err := read(s.key, s.here.text); err != nil { // torn, or not understood: it is looked at when it is whole
		return l.keep(s, err)
	}
	text, conflicts, err := merge3.Merge(kind, s.base, s.here.text, s.team.text, s.yields...)
	if err == nil {
		_, err = read(s.key, text)
	}
	if err != nil { // each is sound, and both together are not
		text, s.reason = s.team.text, "both changed it, and what comes of that is none: "+err.Error()
	}
	s.text, s.fields, s.deed = text, conflicts, Send
	if sumOf(string(text)) == sumOf(string(s.team.text)) {
		s.deed = Take
	}
	return l.judge(s)
}

// writeDown writes the marks and notes what goes up.
func (l *look) writeDown() error {
	for _, key := range slices.SortedFunc(maps.Keys(l.steps), resources.Key.Compare) {
		s := l.steps[key]
		if len(s.fields) > 0 || s.reason != "" {
			if err := l.x.mark(l.markOf(s)); err != nil {
				return err
			}
			l.work.Marked = append(l.work.Marked, key)
		}
		switch s.deed {
		case Send:
			if err := l.x.base.Send(key, s.here.text, s.text); err != nil {
				return err
			}
			l.send(s)
		case Retire:
			l.retire(s)
		}
	}
	return nil
}

func (l *look) markOf(s *step) Mark {
	m := Mark{Kind: s.key.Kind, Name: s.key.Name, Reason: s.reason, By: s.team.by, Fields: s.fields, Base: string(s.base), Ours: string(s.here.text), Theirs: string(s.team.text)}
	if s.deed == Drop {
		aside := l.team.archived[s.key]
		m.By, m.Theirs = aside.by, string(aside.text)
	}
	if m.Reason == "" {
		m.Reason = "both changed it: the team's value stands, and yours is kept here"
	}
	return m
}

// raced reports whether somebody was faster than a write.
func raced(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrNotFound)
}
