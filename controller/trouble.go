package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// trouble is a file that cannot be taken, from the first look at it until it is
// repaired or gone.
type trouble struct {
	since time.Time
	looks int
	told  bool              // reported, with what problem says
	last  resources.Problem // as last seen
}

// breakage deals with a file that is there and cannot be taken. The last good
// version stays in use throughout.
func (i *informer) breakage(ctx context.Context, s seenRecord) (Result, error) {
	key, now := s.record.Key, time.Now()
	t := i.troubleOf(ctx, s, now)
	t.looks++
	t.last = *s.problem
	age := now.Sub(t.since)
	if age < QuarantineAfter {
		return Result{After: min(Backoff(t.looks), QuarantineAfter-age)}, nil
	}
	if err := i.mark(key, t); err != nil {
		return Result{}, err
	}
	if age < InvalidAfter {
		return Result{After: min(Backoff(t.looks), InvalidAfter-age)}, nil
	}
	i.report(key, t)
	return Result{}, nil
}

// troubleOf returns what is known of a broken file. One that was broken and at
// rest before anybody looked is past all doubt.
func (i *informer) troubleOf(ctx context.Context, s seenRecord, now time.Time) *trouble {
	key := s.record.Key
	t := i.troubles[key]
	if t == nil {
		t = &trouble{since: now, last: *s.problem}
		if m := s.record.ModTime; !m.IsZero() && now.Sub(m) > InvalidAfter {
			t.since = m
		}
		i.recall(key, t)
		i.troubles[key] = t
	}
	i.cache.update(key, func(e *entry) { e.torn, e.rev = true, s.record.Rev })
	return t
}

// recall takes up the trouble that an earlier controller had with the file: its
// mark holds the last good version.
func (i *informer) recall(key resources.Key, t *trouble) {
	if resources.CheckName(key.Name) != nil || i.cache.get(key).object != nil {
		return
	}
	mark, err := i.marks.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		return
	}
	if err != nil {
		i.log.Warn("a mark of quarantine cannot be read", "object", key.String(), "err", err)
		return
	}
	if mark.Problem == t.last {
		t.since = mark.Since.Time
	}
	good, _, err := resources.Read(key, mark.LastGood)
	if err != nil {
		return // none was known, or it is from an older iDumb
	}
	*good.Source() = resources.Origin{Revision: mark.Revision, ModTime: mark.ModTime}
	before, after := i.cache.update(key, func(e *entry) { e.object, e.torn = good, true })
	i.deliver([]Change{change(before, after)})
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
	i.deliver([]Change{change(before, after)})
}

// mended ends the trouble with a file that was taken again.
func (i *informer) mended(key resources.Key) error {
	t := i.troubles[key]
	if t == nil {
		return nil
	}
	if err := i.release(key); err != nil {
		return err
	}
	delete(i.troubles, key)
	if t.told {
		i.recorder.record(key, resources.Normal, "Repaired", "informer", "the file can be read again")
	}
	return nil
}

// mark puts the object into quarantine: a mark beside it that holds the last good
// version for everybody who reads by name. One that stands there and says so is left as it
// is; one that somebody removed or changed is written again.
func (i *informer) mark(key resources.Key, t *trouble) error {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	mark := store.Mark{Problem: t.last, Since: resources.NewTime(t.since)}
	if o := i.cache.get(key).object; o != nil {
		good, err := resources.Encode(o)
		if err != nil {
			return fmt.Errorf("%s: keep the last good version: %w", key, err)
		}
		mark.LastGood, mark.Revision, mark.ModTime = good, o.Source().Revision, o.Source().ModTime
	} else if old, err := i.marks.Get(key); err == nil { // what we cannot read, a newer build may
		mark.LastGood, mark.Revision, mark.ModTime = old.LastGood, old.Revision, old.ModTime
	}
	return i.marks.Put(key, mark)
}

func (i *informer) release(key resources.Key) error {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	return i.marks.Remove(key)
}
