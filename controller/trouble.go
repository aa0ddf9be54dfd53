package controller

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// trouble is a file that cannot be taken, from the first look at it until it is
// repaired or gone.
type trouble struct {
	since  time.Time
	looks  int
	marked bool              // in quarantine, with what problem says
	told   bool              // reported, with what problem says
	last   resources.Problem // as last seen
}

// breakage deals with a file that is there and cannot be taken. The last good
// version stays in use throughout.
func (i *informer) breakage(ctx context.Context, s seenRecord) (Result, error) {
	key, now := s.record.Key, time.Now()
	t := i.troubleOf(s, now)
	t.looks++
	if t.last != *s.problem {
		t.last, t.marked = *s.problem, false
	}
	i.cache.update(key, func(e *entry) { e.torn, e.rev = true, s.record.Rev })
	age := now.Sub(t.since)
	if age < QuarantineAfter {
		return Result{After: min(Backoff(t.looks), QuarantineAfter-age)}, nil
	}
	if !t.marked {
		if err := i.mark(ctx, key, t); err != nil {
			return Result{}, err
		}
		t.marked = true
	}
	if age < InvalidAfter {
		return Result{After: min(Backoff(t.looks), InvalidAfter-age)}, nil
	}
	i.report(key, t)
	return Result{}, nil
}

// troubleOf returns what is known of a broken file. One that was broken and at
// rest before anybody looked is past all doubt.
func (i *informer) troubleOf(s seenRecord, now time.Time) *trouble {
	t := i.troubles[s.record.Key]
	if t == nil {
		t = &trouble{since: now, last: *s.problem}
		if m := s.record.ModTime; !m.IsZero() && now.Sub(m) > InvalidAfter {
			t.since = m
		}
		i.troubles[s.record.Key] = t
	}
	return t
}

// report makes the problem visible: in the cache, so that the status says
// Valid=False, and as one event.
func (i *informer) report(key resources.Key, t *trouble) {
	if known := i.cache.get(key).problem; known != nil && *known == t.last {
		return
	}
	problem := t.last
	before, after := i.cache.update(key, func(e *entry) { e.problem = &problem })
	t.told = true
	i.recorder.record(key, resources.Warning, "InvalidFile", "informer", problem.Error())
	i.publish(change(before, after))
}

// mended ends the trouble with a file that was taken again.
func (i *informer) mended(ctx context.Context, key resources.Key) error {
	t := i.troubles[key]
	if t == nil {
		return nil
	}
	if err := i.release(ctx, key); err != nil {
		return err
	}
	delete(i.troubles, key)
	if t.told {
		i.recorder.record(key, resources.Normal, "Repaired", "informer", "the file can be read again")
	}
	return nil
}

// mark puts the object into quarantine: a mark beside it that holds the last good
// version for everybody who reads by name.
func (i *informer) mark(ctx context.Context, key resources.Key, t *trouble) error {
	q, ok := i.store.(store.Quarantiner)
	if !ok {
		return nil
	}
	mark := store.Mark{Problem: t.last, Since: resources.NewTime(t.since)}
	if o := i.cache.get(key).object; o != nil {
		good, err := encode(o)
		if err != nil {
			return fmt.Errorf("%s: keep the last good version: %w", key, err)
		}
		mark.LastGood, mark.Revision = bytes.Clone(good), o.Source().Revision
	}
	return q.Quarantine(ctx, key, mark)
}

func (i *informer) release(ctx context.Context, key resources.Key) error {
	if q, ok := i.store.(store.Quarantiner); ok {
		return q.Release(ctx, key)
	}
	return nil
}
