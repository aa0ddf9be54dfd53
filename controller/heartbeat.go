package controller

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// HeartbeatInterval is the minimum interval between two heartbeats. No heartbeat
// is written while nothing happens.
const HeartbeatInterval = 10 * time.Second

// Heartbeat is the state of the controller at time Updated. An old heartbeat
// means that nothing happened since. Only the lock next to it tells whether a
// controller is running.
type Heartbeat struct {
	PID        int                    `json:"pid"`
	Version    string                 `json:"version,omitempty"`
	Since      resources.Time         `json:"since"`   // start of the controller
	Updated    resources.Time         `json:"updated"` // time of writing
	Idle       bool                   `json:"settled"` // no work was waiting
	Ended      bool                   `json:"ended,omitempty"`
	StoreGone  bool                   `json:"storeGone,omitempty"` // .idumb does not exist
	LastRescan resources.Time         `json:"lastRescan,omitzero"` // time of the last full listing
	Objects    map[string]int         `json:"objects,omitempty"`   // by kind
	Invalid    int                    `json:"invalid,omitempty"`   // objects with unreadable files
	Reconciles int64                  `json:"reconciles"`          // since the start, all queues
	Errors     int64                  `json:"errors"`
	Queues     map[string]QueueCounts `json:"queues"` // by reconciler
}

// QueueCounts holds the counters of one reconciler.
type QueueCounts struct {
	Waiting    int   `json:"waiting"`
	Reconciles int64 `json:"reconciles"`
	Errors     int64 `json:"errors"`
}

// heartbeatWriter writes the heartbeat when the start has settled and when the controller
// ends. In between it writes one HeartbeatInterval after the last one, if anything
// happened since.
type heartbeatWriter struct {
	scratch  store.Scratch
	snapshot func() Heartbeat
	log      *slog.Logger

	onRival    func(Heartbeat) // called with another controller's heartbeat that was written since ours
	holdsLease func() bool     // reports whether the lease's file is in place; nil disables the check

	writeMu sync.Mutex // serializes writes, so that heartbeats keep their order
	hasBeat bool       // at least one heartbeat was written

	mu    sync.Mutex
	last  time.Time
	timer *time.Timer // set while a heartbeat is scheduled
	ended bool
}

// touch notes that something happened and schedules a heartbeat.
func (p *heartbeatWriter) touch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.timer != nil || p.last.IsZero() {
		return // no heartbeat before the start has settled
	}
	p.timer = time.AfterFunc(max(0, HeartbeatInterval-time.Since(p.last)), p.writeNow)
}

// writeNow writes the heartbeat without waiting for the interval.
func (p *heartbeatWriter) writeNow() {
	p.writeMu.Lock()
	defer p.writeMu.Unlock()
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	p.last = time.Now()
	ended := p.ended
	p.mu.Unlock()
	if !ended {
		p.write(p.snapshot())
	}
}

// writeLast writes the heartbeat of a controller that ends.
func (p *heartbeatWriter) writeLast() {
	p.writeMu.Lock()
	defer p.writeMu.Unlock()
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.ended = true
	p.mu.Unlock()
	last := p.snapshot()
	last.Ended = true
	p.write(last)
}

// write writes a heartbeat to the scratch files, unless the store is gone or
// belongs to another controller.
func (p *heartbeatWriter) write(h Heartbeat) {
	if h.StoreGone || p.holdsLease != nil && !p.holdsLease() {
		return // the directory is being removed or belongs to another store
	}
	p.lookForRival(h)
	data, err := json.MarshalIndent(h, "", "  ")
	if err == nil {
		err = p.scratch.Write(store.HeartbeatName, append(data, '\n'))
	}
	if err != nil && !errors.Is(err, store.ErrGone) {
		p.log.Warn("the heartbeat was not written", "controller", "informer", "err", err)
	}
}

// lookForRival detects another active controller: after the first own
// heartbeat, only another controller replaces it. The lock prevents a second
// controller, unless the file system does not share locks between machines,
// like some network mounts. A heartbeat without a time is ignored.
func (p *heartbeatWriter) lookForRival(own Heartbeat) {
	var other Heartbeat
	data, err := p.scratch.Read(store.HeartbeatName)
	if err == nil {
		err = json.Unmarshal(data, &other)
	}
	if p.hasBeat && err == nil && p.onRival != nil && !other.Ended && !other.Updated.IsZero() && !other.sameController(own) {
		p.onRival(other)
	}
	p.hasBeat = true
}

// sameController reports whether two heartbeats are from the same controller.
func (h Heartbeat) sameController(other Heartbeat) bool {
	return h.PID == other.PID && h.Since.Equal(other.Since.Time)
}

// resolveRival resolves a conflict between two active controllers: the controller
// that started later ends, and the other one logs one warning.
func (m *Manager) resolveRival(rival Heartbeat) {
	const unshared = "another controller (pid %d, since %s) leads this repository at the same time: the file system does not share its lock between machines; run one of them only"
	own := m.Heartbeat()
	err := fmt.Errorf(unshared, rival.PID, rival.Since.Local().Format(time.DateTime))
	if first := own.Since.Compare(rival.Since.Time); first > 0 || first == 0 && own.PID > rival.PID {
		m.fail(fmt.Errorf("%w: this one came later, and ends", err))
		return
	}
	m.rivalWarning.Do(func() { m.options.Log.Warn(err.Error(), "controller", "informer") })
}

// Heartbeat returns the current state of the controller.
func (m *Manager) Heartbeat() Heartbeat {
	h := Heartbeat{
		PID: os.Getpid(), Version: m.options.Version,
		Since: resources.NewTime(m.startedAt), Updated: resources.NewTime(time.Now()),
		Idle: m.openWork.isEmpty(), StoreGone: m.informer.unavailable.Load(),
		Objects: m.world.cache.objects(), Invalid: m.world.cache.size(indexBroken, ""),
		Queues: map[string]QueueCounts{},
	}
	if at := m.informer.lastList.Load(); at > 0 {
		h.LastRescan = resources.NewTime(time.Unix(at, 0))
	}
	for _, w := range m.workers() {
		p := QueueCounts{w.queue.Len(), w.reconciles.Load(), w.errors.Load()}
		h.Queues[w.name] = p
		h.Reconciles += p.Reconciles
		h.Errors += p.Errors
	}
	return h
}

// workers returns the workers of the informer, the writer and all reconcilers.
func (m *Manager) workers() []*worker {
	workers := []*worker{m.informerWorker, m.writerWorker}
	for _, r := range m.reconcilers {
		workers = append(workers, r.worker)
	}
	return workers
}

// objects returns the number of objects of each kind.
func (c *cache) objects() map[string]int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	counts := map[string]int{}
	for kind, set := range c.indexes[indexKind] {
		counts[kind] = len(set)
	}
	return counts
}
