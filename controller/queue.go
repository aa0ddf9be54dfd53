package controller

import (
	"container/list"
	"maps"
	"slices"
	"sync"
	"time"
)

// Priority says which of two waiting keys goes first.
type Priority int8

// The two priorities: an edit must not wait behind ten thousand keys of a listing.
const (
	Low  Priority = iota // a listing
	High                 // an edit, a moment that was asked for
)

// Bounds of the delay before a key that failed is tried again: 5 ms, doubled with
// every failure in a row.
const (
	FirstBackoff = 5 * time.Millisecond
	MaxBackoff   = 5 * time.Minute
)

// Queue hands out keys to workers with the four promises of client-go's
// workqueue: fair (in the order of arrival, within a priority), stingy (a key
// added many times before it is processed is processed once), exclusive (no key
// is with two workers at once; one added meanwhile comes again after Done), and
// it can be closed. It holds nothing about a key that is neither waiting,
// processed, delayed nor failing. All methods may be called at once.
type Queue[K comparable] struct {
	mu      sync.Mutex
	arrived sync.Cond
	items   map[K]*item[K]
	waiting [2]list.List // of items, by Priority
	alarms  uint64
	working int // keys that are processed
	failing int // keys whose last processing failed
	closed  bool
	loads   []*load // where open keys are counted, beside those of other queues
}

// item is what the queue knows of one key.
type item[K comparable] struct {
	key        K
	priority   Priority
	place      *list.Element // in waiting; nil: it has none
	processing bool
	again      bool // added while processing
	failures   int  // in a row
	timer      *time.Timer
	alarm      uint64    // which of its timers counts: one may fire while it is stopped
	due        time.Time // when timer fires; zero: it does not
}

// newQueue returns an empty queue, which counts what it holds in loads.
func newQueue[K comparable](loads ...*load) *Queue[K] {
	q := &Queue[K]{items: map[K]*item[K]{}, loads: loads}
	q.arrived.L = &q.mu
	return q
}

// Add asks for the key to be processed. A key that waits already keeps its place,
// unless it waits at Low and is now added at High: then it moves up. Adding to a
// closed queue does nothing.
func (q *Queue[K]) Add(key K, p Priority) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(q.item(key), p)
}

// AddAfter adds the key at High when d has passed. Of several such wishes the
// earliest counts. A key that is processed before then takes the wish with it:
// its worker says in Done when to look again.
func (q *Queue[K]) AddAfter(key K, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.addAfter(q.item(key), d, High)
}

// TryGet hands out a key: false when none waits. The worker must call Done with it. It also answers
// after Close, for what was left.
func (q *Queue[K]) TryGet() (K, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if it := q.pop(); it != nil {
		return it.key, true
	}
	var none K
	return none, false
}

// await returns when a key waits, without taking it; false when the queue is closed.
func (q *Queue[K]) await() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.len() == 0 && !q.closed {
		q.arrived.Wait()
	}
	return !q.closed
}

// Done ends the processing of a key that TryGet handed out. If it failed, the key
// comes again after its backoff; otherwise its failures are forgotten and it comes
// again after that time, if it is not 0. A key that was added meanwhile comes again
// at once.
func (q *Queue[K]) Done(key K, failed bool, again time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := q.items[key]
	if it == nil || !it.processing {
		return
	}
	it.processing = false
	q.working--
	defer q.count(-1) // last: what comes again is counted before
	q.judge(it, failed)
	switch {
	case it.again:
		it.again = false
		q.add(it, it.priority)
	case failed:
		q.addAfter(it, Backoff(it.failures), it.priority)
	case again > 0:
		q.addAfter(it, again, High)
	}
	q.forget(it)
}

// judge counts the failures of a key that was processed.
func (q *Queue[K]) judge(it *item[K], failed bool) {
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

// Backoff is the delay after that many failures in a row, the first being 1.
func Backoff(failures int) time.Duration {
	d := FirstBackoff
	for n := 1; n < failures && d < MaxBackoff; n++ {
		d *= 2
	}
	return min(d, MaxBackoff)
}

// Len is how many keys wait to be processed now; delayed ones do not count.
func (q *Queue[K]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.len()
}

func (q *Queue[K]) len() int { return q.waiting[Low].Len() + q.waiting[High].Len() }

// Idle reports whether no key waits and none is processed; delayed ones do not count.
func (q *Queue[K]) Idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.len() == 0 && q.working == 0
}

// Failing is how many keys failed when they were last processed.
func (q *Queue[K]) Failing() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.failing
}

// Keys returns the keys that wait, are processed, are delayed or failing, in no order. A
// queue that was closed still knows those that were delayed.
func (q *Queue[K]) Keys() []K {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Keys(q.items))
}

// Has reports whether the key waits, is processed, is delayed or failing.
func (q *Queue[K]) Has(key K) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.items[key] != nil
}

// Close makes every await, begun or to come, return false, and stops all timers.
func (q *Queue[K]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, it := range q.items {
		q.stop(it)
	}
	q.arrived.Broadcast()
}

func (q *Queue[K]) count(n int) {
	for _, l := range q.loads {
		l.add(n)
	}
}

func (q *Queue[K]) item(key K) *item[K] {
	it := q.items[key]
	if it == nil {
		it = &item[K]{key: key}
		q.items[key] = it
	}
	return it
}

func (q *Queue[K]) add(it *item[K], p Priority) {
	switch {
	case q.closed:
		q.forget(it)
	case it.processing:
		if !it.again || p > it.priority {
			it.again, it.priority = true, p
		}
	case it.place == nil:
		q.count(1)
		q.wait(it, p)
	case p > it.priority:
		q.waiting[it.priority].Remove(it.place)
		q.wait(it, p)
	}
}

// wait puts a key at the end of a line.
func (q *Queue[K]) wait(it *item[K], p Priority) {
	q.stop(it)
	it.priority, it.place = p, q.waiting[p].PushBack(it)
	q.arrived.Signal()
}

// pop takes the first key that waits, nil if none does.
func (q *Queue[K]) pop() *item[K] {
	for p := High; p >= Low; p-- {
		if first := q.waiting[p].Front(); first != nil {
			it := q.waiting[p].Remove(first).(*item[K])
			it.place, it.processing = nil, true
			q.working++
			return it
		}
	}
	return nil
}

func (q *Queue[K]) addAfter(it *item[K], d time.Duration, p Priority) {
	if d <= 0 {
		q.add(it, p)
		return
	}
	due := time.Now().Add(d)
	if q.closed || it.place != nil || !it.due.IsZero() && !due.Before(it.due) {
		q.forget(it)
		return
	}
	q.stop(it)
	q.alarms++
	alarm := q.alarms
	it.due, it.alarm = due, alarm
	it.timer = time.AfterFunc(d, func() { q.fire(it, alarm, p) })
}

func (q *Queue[K]) fire(it *item[K], alarm uint64, p Priority) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if it.alarm == alarm {
		it.timer, it.alarm, it.due = nil, 0, time.Time{}
		q.add(it, p)
	}
}

// stop takes back a key's timer.
func (q *Queue[K]) stop(it *item[K]) {
	if it.timer != nil {
		it.timer.Stop()
	}
	it.timer, it.alarm, it.due = nil, 0, time.Time{}
}

// forget drops an item that says nothing any more.
func (q *Queue[K]) forget(it *item[K]) {
	if it.place == nil && !it.processing && it.due.IsZero() && it.failures == 0 {
		delete(q.items, it.key)
	}
}
