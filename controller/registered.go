package controller

import (
	"fmt"
	"runtime/debug"

	"github.com/idumb-dev/idumb/resources"
)

// registered is a row of the table of reconcilers at work.
type registered struct {
	*worker
	idle   bool
	keys   func(Change, Client) []resources.Key
	client *client
}

func (m *Manager) register(r Registration) *registered {
	loads := []*load{&m.busy, &m.active}
	if r.Idle {
		loads = loads[:1]
	}
	c := &client{world: m.world, from: r.Name + "-reconciler"}
	return &registered{
		worker: m.newWorker(r.Name, r.New(c), newQueue[resources.Key](loads...)),
		idle:   r.Idle, keys: r.Keys, client: c,
	}
}

func (m *Manager) newWorker(name string, r Reconciler, q *Queue[resources.Key]) *worker {
	return &worker{
		name: name, reconciler: r, queue: q, log: m.options.Log.With("controller", name),
		onGone: m.informer.leave, onDone: m.pulse.touch,
	}
}

// enqueue adds what a change means for this reconciler to its queue.
func (r *registered) enqueue(change Change) {
	priority := High
	if change.Resync {
		priority = Low
	}
	for _, key := range r.mapKeys(change) {
		r.queue.Add(key, priority)
	}
}

// mapKeys calls Keys. A panic in it must not take the informer, or another
// reconciler, with it.
func (r *registered) mapKeys(change Change) (keys []resources.Key) {
	defer func() {
		if p := recover(); p != nil {
			r.errors.Add(1)
			r.log.Error("mapping a change failed", "object", change.Key.String(), "err", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	return r.keys(change, r.client)
}
