package controller

import (
	"container/list"
	"log/slog"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// EventWindow is the period in which equal events are counted, not
	// repeated.
	EventWindow = 10 * time.Minute
	// maxEvents is the maximum number of events in memory. The recorder
	// drops the event with the oldest last occurrence first.
	maxEvents = 4096
)

// recorder writes events. Within EventWindow it writes an equal event again
// only when its count reaches 2, 4, 8, ..., like client-go's event correlator.
type recorder struct {
	store   store.Scratch
	observe func(resources.Event)
	log     *slog.Logger

	flushMu sync.Mutex // held while events are written
	old     oldEvents

	mu            sync.Mutex
	scheduleFlush func()            // schedules flush
	pending       []resources.Event // unwritten events, oldest first
	tallies       map[eventIdentity]*eventCount
	recent        list.List // keys of tallies, ordered by last occurrence
}

// eventIdentity is the identity of an event: events with equal fields are the same
// event.
type eventIdentity struct{ object, eventType, reason, message string }

// eventCount counts an event since its first occurrence.
type eventCount struct {
	first   time.Time
	count   int
	element *list.Element // element of recorder.recent
}

// record records an event with the current time.
func (r *recorder) record(key resources.Key, eventType, reason, from, message string) {
	now := time.Now()
	event := resources.Event{
		Time: resources.NewTime(now), Type: eventType, Reason: reason,
		Object: ObjectName(key), Message: message, From: from,
	}
	t := r.tally(event, now)
	if t.count&(t.count-1) != 0 {
		return
	}
	if t.count > 1 {
		event.Count, event.First = t.count, resources.NewTime(t.first)
	}
	if r.observe != nil {
		r.observe(event)
	}
	r.mu.Lock()
	r.pending = append(r.pending, event)
	later := r.scheduleFlush
	r.mu.Unlock()
	later()
}

// end writes the waiting events and makes record write later events
// immediately.
func (r *recorder) end() {
	r.mu.Lock()
	r.scheduleFlush = func() { r.flush() }
	r.mu.Unlock()
	r.flush()
}

// flush writes the waiting events. An event that cannot be written is not
// retried.
func (r *recorder) flush() {
	r.flushMu.Lock()
	defer r.flushMu.Unlock()
	r.mu.Lock()
	events := r.pending
	r.pending = nil
	r.mu.Unlock()
	if len(events) == 0 {
		return
	}
	if err := store.AppendEvents(r.store, events...); err != nil {
		r.log.Warn("events were not written", "first", events[0].Object, "reason", events[0].Reason, "err", err)
	}
	if err := r.old.trim(events[len(events)-1].Time.Time); err != nil {
		r.log.Warn("old event logs were not removed", "err", err)
	}
}

// tally counts an occurrence of an event. It returns the count and the time of the first one within
// EventWindow.
func (r *recorder) tally(e resources.Event, now time.Time) eventCount {
	r.mu.Lock()
	defer r.mu.Unlock()
	same := eventIdentity{e.Object, e.Type, e.Reason, e.Message}
	t := r.tallies[same]
	if t == nil {
		// Drops the event with the oldest last occurrence.
		if len(r.tallies) >= maxEvents {
			delete(r.tallies, r.recent.Remove(r.recent.Front()).(eventIdentity))
		}
		t = &eventCount{first: now, element: r.recent.PushBack(same)}
		if r.tallies == nil {
			r.tallies = map[eventIdentity]*eventCount{}
		}
		r.tallies[same] = t
	}
	if now.Sub(t.first) >= EventWindow {
		t.first, t.count = now, 0
	}
	t.count++
	r.recent.MoveToBack(t.element)
	return *t
}

// ObjectName returns the name of an object in events, such as
// "task/build-login-form".
func ObjectName(key resources.Key) string {
	if kind, ok := resources.KindOf(key.Kind); ok {
		return kind.Singular + "/" + key.Name
	}
	return key.String()
}

// oldEvents removes event logs that are older than the configured period. It
// checks once a day, when an event is written. An idle controller does not
// check.
type oldEvents struct {
	log       store.Scratch
	retention func() time.Duration // config.eventsKept
	lastDay   string               // day of the last check
}

// trim removes old event logs once a day, when the first event of the day is
// written.
func (o *oldEvents) trim(now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	if o.lastDay == today {
		return nil
	}
	o.lastDay = today
	return store.TrimEvents(o.log, now.Add(-o.retention()))
}
