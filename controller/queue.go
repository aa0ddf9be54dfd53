package controller

import (
	"container/list"
	"maps"
	"slices"
	"sync"
	"time"
)

// Priority determines which of two waiting keys is processed first.
type Priority int8

// Priorities. An edit must not wait behind ten thousand keys of a listing.
const (
	Low  Priority = iota // a listing
	High                 // an edit or an expired delay
)

// Bounds of the backoff of a failed key: 5 ms, doubled with every consecutive
// failure.
const (
	FirstBackoff = 5 * time.Millisecond
	MaxBackoff   = 5 * time.Minute
)

// Queue is a work queue with the guarantees of client-go's workqueue. It is
// fair: keys of one priority are processed in the order of arrival. It
// deduplicates: a key that is added several times before it is processed is
// processed once. It is exclusive: a key is processed by one worker at a time,
// and a key added during processing is requeued by Done. It can be closed. It
// keeps no state about a key that is not waiting, active, delayed or failing.
// It is safe for concurrent use.
type Queue[K comparable] struct {
	mu        sync.Mutex
	available sync.Cond
	items     map[K]*item[K]
	waiting   [2]list.List // of items, by Priority
	timerIDs  uint64
	active    int // keys being processed
	failing   int // keys that failed when they were last processed
	closed    bool
	counters  []*workCounter // counters of open keys, shared with other queues
}

// item is the queue's state of one key.
type item[K comparable] struct {
	key        K
	priority   Priority
	element    *list.Element // element of waiting; nil if not waiting
	processing bool
	requeued   bool // added while it was processed
	failures   int  // consecutive failures
	timer      *time.Timer
	timerID    uint64    // identifies the valid timer, because a stopped timer may still fire
	due        time.Time // when timer fires; zero if not set
}

// newQueue returns an empty queue that counts its open keys in loads.
func newQueue[K comparable](loads ...*workCounter) *Queue[K] {
	q := &Queue[K]{items: map[K]*item[K]{}, counters: loads}
	q.available.L = &q.mu
	return q
}

// Add queues a key. A waiting key keeps its position, except that a key at Low
// moves to High when it is added at High. Adding to a closed queue has no
// effect.
func (q *Queue[K]) Add(key K, p Priority) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(q.item(key), p)
}

// AddAfter adds the key at High after d. If it is called several times, the
// earliest time counts. Processing the key cancels the delay: the worker passes
// the next delay to Done.
func (q *Queue[K]) AddAfter(key K, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.addAfter(q.item(key), d, High)
}

// TryGet returns a waiting key, or false if no key waits. The worker must call
// Done with the key. After Close, TryGet still returns the remaining keys.
func (q *Queue[K]) TryGet() (K, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if it := q.pop(); it != nil {
		return it.key, true
	}
	var none K
	return none, false
}

// waitForKey waits until a key waits, without taking it. It returns false if the
// queue is closed.
func (q *Queue[K]) waitForKey() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.len() == 0 && !q.closed {
		q.available.Wait()
	}
	return !q.closed
}

// Done ends the processing of a key that TryGet returned. A failed key is
// requeued after its backoff. Otherwise the failure count is reset, and the key
// is requeued after again, unless again is 0. A key that was added during
// processing is requeued immediately.
func (q *Queue[K]) Done(key K, failed bool, again time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := q.items[key]
	if it == nil || !it.processing {
		return
	}
	it.processing = false
	q.active--
	defer q.count(-1) // deferred, so that a requeued key is counted first
	q.countFailure(it, failed)
	switch {
	case it.requeued:
		it.requeued = false
		q.add(it, it.priority)
	case failed:
		q.addAfter(it, Backoff(it.failures), it.priority)
	case again > 0:
		q.addAfter(it, again, High)
	}
	q.forget(it)
}

// countFailure updates the failure count of a processed key.
func (q *Queue[K]) countFailure(it *item[K], failed bool) {
	switch {
	case !failed && it.failures > 0:
		it.failures = 0
		q.failing--
	case failed:
		if it.failures == 0 {
			q.failing++
		}
		it.failures++
	}
}

// Backoff returns the delay after a number of consecutive failures, starting at
// 1.
func Backoff(failures int) time.Duration {
	d := FirstBackoff
	for n := 1; n < failures && d < MaxBackoff; n++ {
		d *= 2
	}
	return min(d, MaxBackoff)
}

// Len returns the number of waiting keys, without delayed ones.
func (q *Queue[K]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.len()
}

// len is Len for a caller that holds the lock.
func (q *Queue[K]) len() int { return q.waiting[Low].Len() + q.waiting[High].Len() }

// Idle reports whether no key is waiting or active. Delayed keys do not count.
func (q *Queue[K]) Idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.len() == 0 && q.active == 0
}

// Failing returns the number of keys that failed when they were last processed.
func (q *Queue[K]) Failing() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.failing
}

// Keys returns the keys that are waiting, active, delayed or failing, in no
// order. A closed queue still returns its delayed keys.
func (q *Queue[K]) Keys() []K {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Keys(q.items))
}

// Has reports whether the key is waiting, active, delayed or failing.
func (q *Queue[K]) Has(key K) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.items[key] != nil
}

// Close stops all timers and makes every current and later waitForKey return false.
func (q *Queue[K]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, it := range q.items {
		q.stop(it)
	}
	q.available.Broadcast()
}

// count changes all counters of open keys by n.
func (q *Queue[K]) count(n int) {
	for _, l := range q.counters {
		l.add(n)
	}
}

// item returns the state of a key, and creates it if necessary.
func (q *Queue[K]) item(key K) *item[K] {
	it := q.items[key]
	if it == nil {
		it = &item[K]{key: key}
		q.items[key] = it
	}
	return it
}

// add queues an item at a priority. It has no effect on a closed queue.
func (q *Queue[K]) add(it *item[K], p Priority) {
	switch {
	case q.closed:
		q.forget(it)
	case it.processing:
		if !it.requeued || p > it.priority {
			it.requeued, it.priority = true, p
		}
	case it.element == nil:
		q.count(1)
		q.wait(it, p)
	case p > it.priority:
		q.waiting[it.priority].Remove(it.element)
		q.wait(it, p)
	}
}

// wait appends a key to the line of priority p.
func (q *Queue[K]) wait(it *item[K], p Priority) {
	q.stop(it)
	it.priority, it.element = p, q.waiting[p].PushBack(it)
	q.available.Signal()
}

// pop removes the first waiting key and marks it as active. It returns nil if
// no key waits.
func (q *Queue[K]) pop() *item[K] {
	for p := High; p >= Low; p-- {
		if first := q.waiting[p].Front(); first != nil {
			it := q.waiting[p].Remove(first).(*item[K])
			it.element, it.processing = nil, true
			q.active++
			return it
		}
	}
	return nil
}

// addAfter queues an item after a delay, unless it is queued or due earlier.
func (q *Queue[K]) addAfter(it *item[K], d time.Duration, p Priority) {
	if d <= 0 {
		q.add(it, p)
		return
	}
	due := time.Now().Add(d)
	if q.closed || it.element != nil || !it.due.IsZero() && !due.Before(it.due) {
		q.forget(it)
		return
	}
	q.stop(it)
	q.timerIDs++
	alarm := q.timerIDs
	it.due, it.timerID = due, alarm
	it.timer = time.AfterFunc(d, func() { q.fire(it, alarm, p) })
}

// fire queues an item whose timer fired. It ignores a timer that was replaced
// in the meantime.
func (q *Queue[K]) fire(it *item[K], alarm uint64, p Priority) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if it.timerID == alarm {
		it.timer, it.timerID, it.due = nil, 0, time.Time{}
		q.add(it, p)
	}
}

// stop cancels a key's timer.
func (q *Queue[K]) stop(it *item[K]) {
	if it.timer != nil {
		it.timer.Stop()
	}
	it.timer, it.timerID, it.due = nil, 0, time.Time{}
}

// forget drops an item without any state.
func (q *Queue[K]) forget(it *item[K]) {
	if it.element == nil && !it.processing && it.due.IsZero() && it.failures == 0 {
		delete(q.items, it.key)
	}
}
