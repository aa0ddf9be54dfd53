package controller

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Options configures a Manager. The zero value is valid.
type Options struct {
	// Version is the version of the program, for the heartbeat.
	Version string
	// QuietPeriod is the time that a file must be missing before it counts as
	// deleted. The default is DefaultQuietPeriod.
	QuietPeriod time.Duration
	// Log receives one line for each failed reconcile. By default nothing is
	// logged.
	Log *slog.Logger
	// OnEvent is called with each event that is written. Of equal events within
	// EventWindow these are the 1st, 2nd, 4th, 8th and so on.
	OnEvent func(resources.Event)
	// OnChange is called with each change of the cache, after the change was
	// queued for the reconcilers. It runs on the goroutine that made the
	// change, so calls may be concurrent. It must return quickly.
	OnChange func(Change)
	// OnMissing is called when an object's file is first found missing, long
	// before the file counts as deleted. Change.Old is the cached object. It
	// must return quickly.
	OnMissing func(Change)
	// OnLeave is called each time the store is found to be gone. It must return
	// quickly.
	OnLeave func()
	// OnReturn is called when the store is back, before anything is written to
	// it. An error ends Run.
	OnReturn func() error
	// HoldsLease reports whether the lease's file is still in place. If not, .idumb
	// is being removed or replaced: the controller then ignores deletions and
	// writes nothing. Nil disables the check.
	HoldsLease func() bool
}

// Manager runs reconcilers over a store: the informer, which fills the cache,
// one goroutine for each reconciler, and the writer, which writes statuses to
// the store.
type Manager struct {
	options        Options
	store          store.Store
	world          *world
	informer       *informer
	informerWorker *worker // runs informer
	reconcilers    []*runningReconciler
	writerWorker   *worker // runs world.writer
	heartbeats     *heartbeatWriter
	rivalWarning   sync.Once // limits the warning about a rival controller to one
	startedAt      time.Time
	clock          wallClock // used by watch

	openWork workCounter    // all open work
	loads    []*workCounter // by rank: work that must finish before that rank runs; the last one is for idle reconcilers
	listed   chan struct{}  // closed when the first listing is in the cache
	stop     context.CancelCauseFunc
}

// New returns a manager with the reconcilers of table. Run starts it.
func New(s store.Store, table []Registration, o Options) *Manager {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.QuietPeriod == 0 {
		o.QuietPeriod = DefaultQuietPeriod
	}
	m := &Manager{options: o, store: s, startedAt: time.Now(), loads: newCounters(table), listed: make(chan struct{})}
	m.heartbeats = &heartbeatWriter{scratch: s.Scratch(), snapshot: m.Heartbeat, log: o.Log, onRival: m.resolveRival, holdsLease: o.HoldsLease}
	m.world = newWorld(s, o, m.deliver)
	m.world.phaseWork, m.world.statusWork = m.loads[1], m.loads[len(m.loads)-1]
	m.world.writer = newWriter(m)
	m.informer = newInformer(m)
	m.informerWorker = m.newWorker("informer", m.informer, m.informer.queue)
	m.writerWorker = m.newWorker("writer", m.world.writer, m.world.writer.queue)
	m.world.isUnavailable, m.world.writer.isUnavailable = m.informer.unavailable.Load, m.informer.unavailable.Load
	m.world.days.onMove = func() { m.informer.queue.Add(headKey, High) }
	m.world.recheck = func(key resources.Key) { m.informer.queue.Add(key, High) }
	for _, r := range table {
		m.reconcilers = append(m.reconcilers, m.register(r))
	}
	return m
}

// Client returns a client for other code in the same process. Its events have
// name as their source.
func (m *Manager) Client(name string) Client { return &client{world: m.world, source: name} }

// Run lists the store, watches it and reconciles until ctx ends, which is not
// an error. It finishes the running reconciles, runs the idle reconcilers a
// last time, so that the packed context reflects the last state, and writes all
// statuses. It must be called only once.
func (m *Manager) Run(ctx context.Context) error {
	ctx, m.stop = context.WithCancelCause(ctx)
	defer m.stop(nil)
	forever := context.WithoutCancel(ctx)
	var active, idle sync.WaitGroup
	var writing sync.WaitGroup
	writing.Go(func() { m.writerWorker.run(forever, nil) })
	active.Go(func() { m.watch(ctx) })
	context.AfterFunc(ctx, m.informer.queue.Close)
	active.Go(func() { m.informerWorker.run(ctx, nil) })
	select {
	case <-m.listed:
		m.heartbeats.writeNow()
		m.start(ctx, &active, &idle)
	case <-ctx.Done():
	}
	active.Wait()
	idle.Wait()
	for _, r := range m.reconcilers {
		if r.idle {
			r.drain(forever)
		}
	}
	m.world.writer.queue.Close()
	writing.Wait()
	m.world.writer.end(forever, m.writerWorker)
	m.heartbeats.writeLast()
	return reason(ctx)
}

// fail ends Run, which then returns the error.
func (m *Manager) fail(err error) { m.stop(&fatalError{err}) }

// fatalError marks an error of the manager itself as the reason to end. The
// context of Run may also have ended with a cause, such as a signal.
type fatalError struct{ error }

// reason returns the error with which fail ended the context, or nil if it
// ended otherwise.
func reason(ctx context.Context) error {
	if fatal := (*fatalError)(nil); errors.As(context.Cause(ctx), &fatal) {
		return fatal.error
	}
	return nil
}

// start runs the reconcilers, one goroutine each.
func (m *Manager) start(ctx context.Context, active, idle *sync.WaitGroup) {
	for _, r := range m.reconcilers {
		context.AfterFunc(ctx, r.queue.Close)
		group := active
		if r.idle {
			group = idle
		}
		group.Go(func() { r.run(ctx, r.waitFor) })
	}
	active.Go(func() {
		if m.openWork.wait(ctx) == nil {
			m.heartbeats.writeNow() // callers that wait for the start may continue
		}
	})
}

// deliver queues changes of the cache for every reconciler.
func (m *Manager) deliver(changes []Change) {
	for _, change := range changes {
		for _, r := range m.reconcilers {
			priority := High
			if change.Resync {
				priority = Low
			}
			for _, key := range r.mapKeys(change) {
				if r.coalesce > 0 {
					r.queue.AddAfter(key, r.coalesce)
					continue
				}
				r.queue.Add(key, priority)
			}
		}
		if !samePrecedence(change.Old, change.New) {
			m.informer.queue.Add(cyclesKey, Low) // needed for changes from reconcilers too, because they archive objects
		}
		if change.Old != change.New && slices.Contains(status.WorkKinds(), change.Key.Kind) {
			m.informer.queue.Add(daysKey, Low)
		}
		if m.options.OnChange != nil {
			m.options.OnChange(change)
		}
	}
}

// WaitListed waits until the first listing is in the cache. It returns ctx's
// error if ctx ends first.
func (m *Manager) WaitListed(ctx context.Context) error {
	select {
	case <-m.listed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WaitSettled waits until the first listing is reconciled, no key is waiting or
// active and all statuses are stored. Status details that are written within a
// second are excepted. It does not wait for delayed keys (Result.RequeueAfter,
// backoff). It returns ctx's error if ctx ends first.
func (m *Manager) WaitSettled(ctx context.Context) error {
	if err := m.WaitListed(ctx); err != nil {
		return err
	}
	return m.openWork.wait(ctx)
}
