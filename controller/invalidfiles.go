package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// invalidFile is the state of an invalid file, from its first detection until it is
// repaired or deleted.
type invalidFile struct {
	since    time.Time
	attempts int
	reported bool              // reported with problem
	problem  resources.Problem // last seen problem
}

// handleInvalid handles an existing file that could not be accepted. The last good
// version stays in use. It quarantines the object after QuarantineAfter and
// reports the problem after InvalidAfter.
func (i *informer) handleInvalid(ctx context.Context, s decodedRecord) (Result, error) {
	key, now := s.record.Key, time.Now()
	t := i.invalidFileOf(ctx, s, now)
	t.attempts++
	t.problem = *s.problem
	age := now.Sub(t.since)
	if age < QuarantineAfter {
		return Result{RequeueAfter: min(Backoff(t.attempts), QuarantineAfter-age)}, nil
	}
	if err := i.mark(key, t); err != nil {
		return Result{}, err
	}
	if age < InvalidAfter {
		return Result{RequeueAfter: min(Backoff(t.attempts), InvalidAfter-age)}, nil
	}
	i.report(key, t)
	return Result{}, nil
}

// invalidFileOf returns the state of a broken file, creates it if necessary, and
// marks the cached object as rejected. A file that was broken and unchanged for
// longer than InvalidAfter before its detection is reported without delay.
func (i *informer) invalidFileOf(ctx context.Context, s decodedRecord, now time.Time) *invalidFile {
	key := s.record.Key
	t := i.invalidFiles[key]
	if t == nil {
		t = &invalidFile{since: now, problem: *s.problem}
		if m := s.record.ModTime; !m.IsZero() && now.Sub(m) > InvalidAfter {
			t.since = m
		}
		i.restoreMark(ctx, key, t)
		i.invalidFiles[key] = t
	}
	i.cache.update(key, func(e *entry) { e.rejected, e.rev = true, s.record.Rev })
	return t
}

// restoreMark restores the last good version of a file, and the state that an
// earlier controller recorded for it.
func (i *informer) restoreMark(ctx context.Context, key resources.Key, t *invalidFile) {
	if resources.CheckName(key.Name) != nil || i.cache.get(key).object != nil {
		return
	}
	mark, err := i.marks.Get(key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		i.log.Warn("a mark of quarantine cannot be read", "object", key.String(), "err", err)
		return
	}
	if err == nil && mark.Problem == t.problem {
		t.since = mark.Since.Time
	}
	spec, revision := i.store.LastGood(ctx, key)
	good, _, err := resources.Read(key, spec)
	if err != nil {
		return // no good version was known, or it is from an older iDumb
	}
	*good.Source() = resources.Origin{Revision: revision, ModTime: mark.ModTime}
	before, after := i.cache.update(key, func(e *entry) { e.object, e.rejected = good, true })
	i.deliver([]Change{change(before, after)})
}

// report stores the problem in the cache, so that the status says Valid=False,
// and records one event.
func (i *informer) report(key resources.Key, t *invalidFile) {
	if known := i.cache.get(key).problem; known != nil && *known == t.problem {
		return
	}
	problem := t.problem
	before, after := i.cache.update(key, func(e *entry) { e.problem = &problem })
	t.reported = true
	i.recorder.record(key, resources.Warning, "InvalidFile", "informer", problem.Error())
	i.deliver([]Change{change(before, after)})
}

// clearTrouble removes the state of a file that was accepted again.
func (i *informer) clearTrouble(key resources.Key) error {
	t := i.invalidFiles[key]
	if t == nil {
		return nil
	}
	if err := i.release(key); err != nil {
		return err
	}
	delete(i.invalidFiles, key)
	if t.reported {
		i.recorder.record(key, resources.Normal, "Repaired", "informer", "the file can be read again")
	}
	return nil
}

// mark quarantines the object: it writes a mark next to the file, with the last
// good version for other readers. An equal mark is not rewritten. A removed or
// modified mark is written again.
func (i *informer) mark(key resources.Key, t *invalidFile) error {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	mark := store.Mark{Problem: t.problem, Since: resources.NewTime(t.since)}
	if o := i.cache.get(key).object; o != nil {
		good, err := resources.Encode(o)
		if err != nil {
			return fmt.Errorf("%s: keep the last good version: %w", key, err)
		}
		mark.LastGood, mark.Revision, mark.ModTime = good, o.Source().Revision, o.Source().ModTime
	} else if old, err := i.marks.Get(key); err == nil { // a version that this build cannot read may be readable for a newer one
		mark.LastGood, mark.Revision, mark.ModTime = old.LastGood, old.Revision, old.ModTime
	}
	return i.marks.Put(key, mark)
}

// release removes the mark of an object.
func (i *informer) release(key resources.Key) error {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	return i.marks.Remove(key)
}
