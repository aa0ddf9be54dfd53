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
	// EventWindow: the same event within it is counted, not repeated.
	EventWindow = 10 * time.Minute
	// eventsRemembered bounds what the recorder keeps; what was not seen for longest is forgotten first.
	eventsRemembered = 4096
)

// recorder writes events, the same one only when its count reaches 2, 4, 8, ...
// within EventWindow, as client-go's event correlator aggregates.
type recorder struct {
	kept    store.Scratch
	observe func(resources.Event)
	log     *slog.Logger

	flushing sync.Mutex // held while events are written
	old      oldEvents

	mu     sync.Mutex
	later  func()            // has flush called
	wait   []resources.Event // to be written, oldest first
	seen   map[sameness]*tally
	recent list.List // the samenesses of seen, that which was last seen earliest first
}

// sameness is what makes two events the same one.
type sameness struct{ object, eventType, reason, message string }

// tally is how often an event happened since first.
type tally struct {
	first time.Time
	count int
	place *list.Element // in recorder.recent
}

// record notes that something happened now.
func (r *recorder) record(key resources.Key, eventType, reason, from, message string) {
	now := time.Now()
	event := resources.Event{
		Time: resources.NewTime(now), Type: eventType, Reason: reason,
		Object: ObjectName(key), Message: message, From: from,
	}
	t := r.count(event, now)
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
	r.wait = append(r.wait, event)
	later := r.later
	r.mu.Unlock()
	later()
}

// end writes the events that wait, and those that come from now on at once.
func (r *recorder) end() {
	r.mu.Lock()
	r.later = func() { r.flush() }
	r.mu.Unlock()
	r.flush()
}

// flush writes the events that wait. One that cannot be written is not tried again.
func (r *recorder) flush() {
	r.flushing.Lock()
	defer r.flushing.Unlock()
	r.mu.Lock()
	events := r.wait
	r.wait = nil
	r.mu.Unlock()
	if len(events) == 0 {
		return
	}
	if err := store.AppendEvents(r.kept, events...); err != nil {
		r.log.Warn("events were not written", "first", events[0].Object, "reason", events[0].Reason, "err", err)
	}
	if err := r.old.trim(events[len(events)-1].Time.Time); err != nil {
		r.log.Warn("old event logs were not removed", "err", err)
	}
}

func (r *recorder) count(e resources.Event, now time.Time) tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	same := sameness{e.Object, e.Type, e.Reason, e.Message}
	t := r.seen[same]
	if t == nil {
		r.forget()
		t = &tally{first: now, place: r.recent.PushBack(same)}
		if r.seen == nil {
			r.seen = map[sameness]*tally{}
		}
		r.seen[same] = t
	}
	if now.Sub(t.first) >= EventWindow {
		t.first, t.count = now, 0
	}
	t.count++
	r.recent.MoveToBack(t.place)
	return *t
}

// forget makes room: what was not seen for longest goes.
func (r *recorder) forget() {
	if len(r.seen) >= eventsRemembered {
		delete(r.seen, r.recent.Remove(r.recent.Front()).(sameness))
	}
}

// ObjectName is how events name an object: "task/build-login-form".
func ObjectName(key resources.Key) string {
	if kind, ok := resources.KindOf(key.Kind); ok {
		return kind.Singular + "/" + key.Name
	}
	return key.String()
}
