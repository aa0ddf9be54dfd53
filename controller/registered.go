package controller

import (
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// runningReconciler is a running row of the table of reconcilers.
type runningReconciler struct {
	*worker
	idle     bool
	coalesce time.Duration
	waitFor  *workCounter // work that must finish first; nil if none
	keys     func(Change, Client) []resources.Key
	client   *client
}

// register creates the worker, queue and client of a reconciler from its row of
// the table.
func (m *Manager) register(r Registration) *runningReconciler {
	rank := min(r.Rank, len(m.loads)-2)
	loads := m.countersOf(rank)
	switch {
	case r.Background:
		loads = nil
	case r.Idle:
		loads = []*workCounter{&m.openWork}
	}
	if r.Idle && r.Rank == 0 {
		rank = len(m.loads) - 1
	}
	c := &client{world: m.world, source: r.Name + "-reconciler"}
	w := &runningReconciler{
		worker: m.newWorker(r.Name, r.New(c), newQueue[resources.Key](loads...)),
		idle:   r.Idle, coalesce: r.Coalesce, keys: r.Keys, client: c,
	}
	if w.background = r.Background; r.Idle {
		w.coalesce, w.pause = 0, r.Coalesce
	}
	if rank > 0 {
		w.waitFor = m.loads[rank]
	}
	return w
}

// countersOf returns the counters for the keys of a queue of that rank.
func (m *Manager) countersOf(rank int) []*workCounter {
	return append(slices.Clone(m.loads[rank+1:]), &m.openWork)
}

// newCounters returns a counter for each rank in the table and one for idle
// reconcilers.
func newCounters(table []Registration) []*workCounter {
	ranks := 1
	for _, r := range table {
		ranks = max(ranks, r.Rank+1)
	}
	loads := make([]*workCounter, ranks+1)
	for i := range loads {
		loads[i] = &workCounter{}
	}
	return loads
}

func (m *Manager) newWorker(name string, r Reconciler, q *Queue[resources.Key]) *worker {
	return &worker{
		name: name, reconciler: r, queue: q, log: m.options.Log.With("controller", name),
		onGone: m.informer.suspend, onDone: m.heartbeats.touch,
	}
}

// mapKeys calls Keys. It recovers from a panic, so that the informer and other
// reconcilers continue.
func (r *runningReconciler) mapKeys(change Change) (keys []resources.Key) {
	defer func() {
		if p := recover(); p != nil {
			r.errors.Add(1)
			r.log.Error("mapping a change failed", "object", change.Key.String(), "err", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	return r.keys(change, r.client)
}
