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

// HeartbeatEvery is how often the heartbeat is written at most while things
// happen. Nothing is written, and nobody wakes up, while nothing happens.
const HeartbeatEvery = 10 * time.Second

// Heartbeat is what the controller did, as of Updated.
// That it is old means that nothing happened; whether a controller lives is said
// by the lock beside it alone.
type Heartbeat struct {
	PID        int                    `json:"pid"`
	Version    string                 `json:"version,omitempty"`
	Since      resources.Time         `json:"since"`   // when the controller started
	Updated    resources.Time         `json:"updated"` // when this was written
	Settled    bool                   `json:"settled"` // nothing was waiting then
	Ended      bool                   `json:"ended,omitempty"`
	StoreGone  bool                   `json:"storeGone,omitempty"` // .idumb is not there
	LastRescan resources.Time         `json:"lastRescan,omitzero"` // when everything was last listed
	Objects    map[string]int         `json:"objects,omitempty"`   // by kind
	Invalid    int                    `json:"invalid,omitempty"`   // objects whose file cannot be read
	Reconciles int64                  `json:"reconciles"`          // since the start, all queues
	Errors     int64                  `json:"errors"`
	Queues     map[string]QueueCounts `json:"queues"` // by reconciler
}

// QueueCounts is what one reconciler did.
type QueueCounts struct {
	Waiting    int   `json:"waiting"`
	Reconciles int64 `json:"reconciles"`
	Errors     int64 `json:"errors"`
}

// heart writes the heartbeat: at once when the start has settled and at the end,
// otherwise HeartbeatEvery after the last one if anything happened since.
type heart struct {
	keeper   store.Scratch
	snapshot func() Heartbeat
	log      *slog.Logger

	rival func(Heartbeat) // is called with another controller's, written since ours
	held  func() bool     // whether the lease's file is in its place; nil: not asked

	writing sync.Mutex // held while one is written, so that none overtakes the last one
	wrote   bool       // at least one

	mu    sync.Mutex
	last  time.Time
	timer *time.Timer // set while a beat is to come
	ended bool
}

// touch says that something happened.
func (p *heart) touch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.timer != nil || p.last.IsZero() {
		return // before the start has settled there is no beat
	}
	p.timer = time.AfterFunc(max(0, HeartbeatEvery-time.Since(p.last)), p.beat)
}

// beat writes the heartbeat now.
func (p *heart) beat() {
	p.writing.Lock()
	defer p.writing.Unlock()
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

// end writes the last heartbeat.
func (p *heart) end() {
	p.writing.Lock()
	defer p.writing.Unlock()
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

func (p *heart) write(h Heartbeat) {
	if h.StoreGone || p.held != nil && !p.held() {
		return // what is left, or what came there, is not ours
	}
	p.lookForRival(h)
	data, err := json.MarshalIndent(h, "", "  ")
	if err == nil {
		err = p.keeper.Write(store.HeartbeatName, append(data, '\n'))
	}
	if err != nil && !errors.Is(err, store.ErrGone) {
		p.log.Warn("the heartbeat was not written", "controller", "informer", "err", err)
	}
}

// lookForRival finds another controller at work: once a heartbeat was written, only another
// one replaces it. The lock keeps that from happening, unless the file system does not share
// it between machines, as some network mounts do not. What says not when it was written is no
// heartbeat, whoever put it there.
func (p *heart) lookForRival(own Heartbeat) {
	var other Heartbeat
	data, err := p.keeper.Read(store.HeartbeatName)
	if err == nil {
		err = json.Unmarshal(data, &other)
	}
	if p.wrote && err == nil && p.rival != nil && !other.Ended && !other.Updated.IsZero() && !other.sameController(own) {
		p.rival(other)
	}
	p.wrote = true
}

// sameController reports whether two heartbeats are of one controller.
func (h Heartbeat) sameController(other Heartbeat) bool {
	return h.PID == other.PID && h.Since.Equal(other.Since.Time)
}

// giveWay decides between two controllers that both lead: the one that came later ends, and
// the other one says so once.
func (m *Manager) giveWay(rival Heartbeat) {
	const unshared = "another controller (pid %d, since %s) leads this repository at the same time: the file system does not share its lock between machines; run one of them only"
	own := m.Heartbeat()
	err := fmt.Errorf(unshared, rival.PID, rival.Since.Local().Format(time.DateTime))
	first := own.Since.Compare(rival.Since.Time)
	if first > 0 || first == 0 && own.PID > rival.PID {
		m.fail(fmt.Errorf("%w: this one came later, and ends", err))
		return
	}
	m.rivalTold.Do(func() { m.options.Log.Warn(err.Error(), "controller", "informer") })
}

// Heartbeat is the state of things right now.
func (m *Manager) Heartbeat() Heartbeat {
	h := Heartbeat{
		PID: os.Getpid(), Version: m.options.Version,
		Since: resources.NewTime(m.began), Updated: resources.NewTime(time.Now()),
		Settled: m.busy.none(), StoreGone: m.informer.gone.Load(),
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

func (m *Manager) workers() []*worker {
	workers := []*worker{m.informing, m.writing}
	for _, r := range m.reconcilers {
		workers = append(workers, r.worker)
	}
	return workers
}

// objects counts the objects of each kind.
func (c *cache) objects() map[string]int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	counts := map[string]int{}
	for kind, set := range c.indexes[indexKind] {
		counts[kind] = len(set)
	}
	return counts
}
