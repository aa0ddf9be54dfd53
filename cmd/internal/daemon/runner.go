package daemon

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/inventory/touch"
	"github.com/idumb-dev/idumb/controller/life"
	"github.com/idumb-dev/idumb/controller/life/lease"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// runner is a controller that holds the lease of its repository, with all that hears of changes.
type runner struct {
	Options
	store   *filestore.Store
	right   *lease.Lease
	log     *slog.Logger
	end     func() // ends it
	lines   *lines
	idle    *idleTimer
	away    *goneTimer
	claims  *claimsLoop
	specs   *hooks.Specs
	packs   *reconcilers.Packs
	files   *inventory.Inventory
	code    *touch.Teller
	manager *controller.Manager
	server  *serve.Server
}

func newRunner(o Options, store *filestore.Store, right *lease.Lease, log *slog.Logger, end func()) *runner {
	r := &runner{
		Options: o, store: store, right: right, log: log, end: end,
		lines: &lines{out: orDiscard(o.Out), archived: archive(o.Root)},
		idle:  newIdleTimer(o.UntilIdle, os.Getenv(life.OneJobVariable) == life.OneJob),
		specs: hooks.NewSpecs(), packs: reconcilers.NewPacks(),
	}
	r.files, r.code = newMap(layout.Root(o.Root), r.packs)
	r.claims = newClaimsLoop(store, log, func() controller.Client { return r.manager.Client("sync") }, func() { r.idle.heard(time.Now()) })
	return r
}

// options are those of the manager, which tells of all that happens.
func (r *runner) options(ctx context.Context) controller.Options {
	return controller.Options{
		Version: r.Version, Log: r.log,
		OnEvent:   r.lines.event,
		OnChange:  r.change,
		OnMissing: r.missing,
		OnLeave:   r.leave,
		OnReturn:  func() error { return r.back(ctx) },
		Held:      r.right.Held,
	}
}

// change hears of every change in the repository.
func (r *runner) change(c controller.Change) {
	r.idle.change(c)
	memoryChange(c)
	r.lines.change(c)
	r.claims.change(c)
	tellOfWork(r.code, c)
	if !c.First && c.Old != c.New {
		r.specs.Note(c.Key, c.Old, c.New)
	}
}

// missing hears that a file went missing: the team may have it, though its last version counts here.
func (r *runner) missing(c controller.Change) {
	r.specs.Note(c.Key, c.Old, nil)
	r.claims.change(c)
}

// leave hears that .idumb is gone, or the lock file in it. If another controller has locked a new one,
// it waits for this one to end.
func (r *runner) leave() {
	r.away.begin()
	if !r.right.Held() && layout.Root(r.Root).ControllerAlive() {
		r.lines.printf("%s: another controller takes over", r.Root)
		r.end()
	}
}

// gone ends the controller of a repository that was deleted or moved.
func (r *runner) gone() {
	r.lines.printf("%s: the repository is gone", r.Root)
	r.end()
}

// back hears that .idumb is there again: its lease has to be taken again, and its sockets opened.
func (r *runner) back(ctx context.Context) error {
	r.away.end()
	if r.away.replaced() {
		r.gone()
		return errAnother
	}
	err := r.right.Renew(ctx)
	if err == nil {
		openSockets(r.server, r.log)
	}
	return err
}

// run serves and reconciles until ctx ends.
func (r *runner) run(ctx context.Context) error {
	r.serve(ctx)
	defer r.server.Close()
	r.lines.printf("%s: controller started (pid %d)", r.Root, os.Getpid())
	go func() {
		r.lines.settled(ctx, r.manager)
		debug.FreeOSMemory() // a controller lives for long, and needs less than its start for most of that
	}()
	go r.claims.run(ctx)
	if r.UntilIdle > 0 {
		go r.endWhenIdle(ctx)
	}
	err := r.manager.Run(ctx)
	if errors.Is(err, errAnother) {
		err = nil
	}
	r.lines.flush()
	r.lines.printf("%s: controller ended", r.Root)
	return errors.Join(err, r.lines.err())
}

// serve lets others ask, and has the controller stay while they do.
func (r *runner) serve(ctx context.Context) {
	tell := sockets{specs: r.specs, files: r.files, code: r.code, stop: r.end, answered: r.idle.answered, carry: r.carry, repo: func() mutate.Repo { return personsRepo(r.store) }}
	if r.UntilIdle == 0 { // a person may be reading along
		denied := newDenials(layout.Root(r.Root), r.lines, time.Now())
		tell.hookAnswered = func() { denied.tell(time.Now()) }
	}
	r.server = serveSockets(ctx, r.Options, r.manager, r.packs, tell, r.log)
	r.idle.watched = r.server.Watched
}

// carry writes a spec for a hook.
func (r *runner) carry(ctx context.Context, w wishes.Wish) error {
	return queue.Carry(ctx, mutate.Open(r.store, time.Now, false), w)
}

// personsRepo opens a repository for a change that a person asks the controller for: what they trust
// they trust as they change it, as with their own commands.
func personsRepo(files mutate.Store) mutate.Repo {
	repo, root := mutate.Open(files, time.Now, false), files.Root()
	repo.Around = serve.Around{Root: root}
	repo.Wrote = func(key resources.Key, before []byte) { _ = trust.For(os.Getenv).Keep(root, key, before) }
	return repo
}

// endWhenIdle ends a controller that nobody needs any more.
func (r *runner) endWhenIdle(ctx context.Context) {
	if !r.idle.wait(ctx) {
		return
	}
	why := "no session for " + r.UntilIdle.String()
	if r.idle.allEnded() {
		why = "the last session ended"
	}
	r.lines.printf("%s: %s", r.Root, why)
	r.manager.Client("controller").Event(configKey, resources.Normal, "IdleEnd", "%s: the controller ends, and the next session starts one", why)
	_ = life.Rest(layout.Root(r.Root)) // else a start more counts
	r.end()
}
