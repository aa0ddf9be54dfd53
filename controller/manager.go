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

// Options is what a Manager may be told. The zero Options work.
type Options struct {
	// Version of the program, for the heartbeat.
	Version string
	// QuietPeriod is how long a missing file is doubted. Default DefaultQuietPeriod.
	QuietPeriod time.Duration
	// Log is told of every failed reconcile, one line each. Default: nothing.
	Log *slog.Logger
	// OnEvent is called with each event that is recorded.
	OnEvent func(resources.Event)
	// OnChange is called with each change of the cache, after the reconcilers'
	// queues know of it, on the goroutine that made it: several at once. It must be
	// quick.
	OnChange func(Change)
	// OnMissing is called with each object whose file is missed for the first time, long before
	// that counts: Old is what is known of it. It must be quick.
	OnMissing func(Change)
	// OnLeave is called each time that the store is found to be gone. It
	// must be quick.
	OnLeave func()
	// OnReturn is called when the store is back after it was gone, before anything
	// is written to it. An error ends Run.
	OnReturn func() error
	// Held reports whether the lease's file is still in its place. Where it is not,
	// .idumb is being removed or replaced: what vanishes then is not believed to be
	// deleted, and nothing is written into what is left. Nil: it is not asked.
	Held func() bool
}

// Manager runs reconcilers over a store: the informer, which fills the cache,
// one goroutine for each reconciler, and the writer, which brings statuses to the store.
type Manager struct {
	options     Options
	store       store.Store
	world       *world
	informer    *informer
	informing   *worker // that runs informer
	reconcilers []*registered
	writing     *worker // that runs world.writer
	heart       *heart
	rivalTold   sync.Once // that another controller leads as well
	began       time.Time
	clock       wallClock // of watch

	busy   load          // everything that is open
	before []*load       // by rank: what has to be done before that rank; the last one is for the idle
	listed chan struct{} // closed when the first listing is in the cache
	stop   context.CancelCauseFunc
}

// New makes a manager; Run starts it. table is the table of reconcilers.
func New(s store.Store, table []Registration, o Options) *Manager {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.QuietPeriod == 0 {
		o.QuietPeriod = DefaultQuietPeriod
	}
	m := &Manager{options: o, store: s, began: time.Now(), before: loadsBefore(table), listed: make(chan struct{})}
	m.heart = &heart{keeper: s.Scratch(), snapshot: m.Heartbeat, log: o.Log, rival: m.giveWay, held: o.Held}
	m.world = newWorld(s, o, m.deliver)
	m.world.phasing, m.world.deriving = m.before[1], m.before[len(m.before)-1]
	m.world.writer = newWriter(m)
	m.informer = newInformer(m)
	m.informing = m.newWorker("informer", m.informer, m.informer.queue)
	m.writing = m.newWorker("writer", m.world.writer, m.world.writer.queue)
	m.world.gone, m.world.writer.gone = m.informer.gone.Load, m.informer.gone.Load
	m.world.days.onMove = func() { m.informer.queue.Add(headKey, High) }
	m.world.recheck = func(key resources.Key) { m.informer.queue.Add(key, High) }
	for _, r := range table {
		m.reconcilers = append(m.reconcilers, m.register(r))
	}
	return m
}

// Client returns a client as reconcilers have it, whose events say that they are
// from name: for whatever else runs in the same process.
func (m *Manager) Client(name string) Client { return &client{world: m.world, from: name} }

// Run lists the store, watches it and reconciles until ctx ends, which is not an
// error. The reconciles that run at that moment are finished, the idle
// reconcilers do what they still had to do, so that the packed context is of the
// last state, and all statuses are written. Run is called once.
func (m *Manager) Run(ctx context.Context) error {
	ctx, m.stop = context.WithCancelCause(ctx)
	defer m.stop(nil)
	forever := context.WithoutCancel(ctx)
	var active, idle sync.WaitGroup
	var writing sync.WaitGroup
	writing.Go(func() { m.writing.run(forever, nil) })
	active.Go(func() { m.watch(ctx) })
	context.AfterFunc(ctx, m.informer.queue.Close)
	active.Go(func() { m.informing.run(ctx, nil) })
	select {
	case <-m.listed:
		m.heart.beat()
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
	m.world.writer.end(forever, m.writing)
	m.heart.end()
	return reason(ctx)
}

// fail ends Run with an error.
func (m *Manager) fail(err error) { m.stop(&fatalError{err}) }

// fatalError is a reason to end that the manager itself had: the context that Run was
// given may have ended with a cause as well, such as a signal.
type fatalError struct{ error }

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
		group.Go(func() { r.run(ctx, r.after) })
	}
	active.Go(func() {
		if m.busy.wait(ctx) == nil {
			m.heart.beat() // whoever waits for the start may go on
		}
	})
}

// deliver tells every reconciler about changes of the cache.
func (m *Manager) deliver(changes []Change) {
	for _, change := range changes {
		for _, r := range m.reconcilers {
			r.enqueue(change)
		}
		if !samePrecedence(change.Old, change.New) {
			m.informer.queue.Add(circlesKey, Low) // whoever made the change: a reconciler archives
		}
		if change.Old != change.New && slices.Contains(status.WorkKinds(), change.Key.Kind) {
			m.informer.queue.Add(daysKey, Low)
		}
		if m.options.OnChange != nil {
			m.options.OnChange(change)
		}
	}
}

// WaitListed returns when the first listing is in the cache, or with ctx's error.
func (m *Manager) WaitListed(ctx context.Context) error {
	select {
	case <-m.listed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WaitSettled returns when the first listing was reconciled, no key waits or is
// processed anywhere, and all statuses are in the store, details of them aside that follow within
// a second, or with ctx's error. Keys that come later on their own account (Result.After, backoff)
// are not waited for.
func (m *Manager) WaitSettled(ctx context.Context) error {
	if err := m.WaitListed(ctx); err != nil {
		return err
	}
	return m.busy.wait(ctx)
}
