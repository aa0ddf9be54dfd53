package controllerprocess

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
	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// runner is a controller that holds the lease of its repository, with all receivers of changes.
type runner struct {
	Options
	store   *filestore.Store
	right   *lease.Lease
	log     *slog.Logger
	end     func() // ends the controller
	lines   *lines
	idle    *idleTimer
	away    *goneTimer
	claims  *claimsLoop
	specs   *hooks.Specs
	packs   *reconcilers.Packs
	files   *inventory.Inventory
	code    *CodeNotifier
	manager *controller.Manager
	server  *serve.Server
}

// options returns the options of the manager, with the runner's methods as callbacks.
func (r *runner) options(ctx context.Context) controller.Options {
	return controller.Options{
		Version: r.Version, Log: r.log,
		OnEvent:    r.lines.event,
		OnChange:   r.change,
		OnMissing:  r.missing,
		OnLeave:    r.leave,
		OnReturn:   func() error { return r.restored(ctx) },
		HoldsLease: r.right.IsHeld,
	}
}

// change passes a change in the repository to the parts of the controller that need it.
func (r *runner) change(c controller.Change) {
	r.idle.change(c)
	if c.Key == configKey {
		config, _ := c.New.(*resources.Config)
		limitMemory(resources.EffectiveConfig(config))
	}
	r.lines.change(c)
	r.claims.change(c)
	switch {
	case c.Key.Kind == resources.Tasks && c.OldPhase != c.NewPhase && !c.Initial:
		r.code.UpdateTasks()
	case c.Key.Kind == store.FilesKind && r.code.Shows(c.Key.Name):
		r.code.Warm()
	}
	if !c.Initial && c.Old != c.New {
		r.specs.Note(c.Key, c.Old, c.New)
	}
}

// missing receives a missing file. The team may have the object, although its last version counts
// here.
func (r *runner) missing(c controller.Change) {
	r.specs.Note(c.Key, c.Old, nil)
	r.claims.change(c)
}

// leave is called when .idumb or its lock file is gone. If another controller has locked a new
// file, it waits for this one to end.
func (r *runner) leave() {
	r.away.begin()
	if !r.right.IsHeld() && layout.Root(r.Root).ControllerAlive() {
		r.yield()
	}
}

// yield ends this controller, because another one has the lease.
func (r *runner) yield() {
	r.lines.printf("%s: another controller takes over", r.Root)
	r.end()
}

// lost ends the controller of a deleted or moved repository.
func (r *runner) lost() {
	r.lines.printf("%s: the repository was deleted or moved", r.Root)
	r.end()
}

// restored is called when .idumb exists again. It acquires the lease again and opens the sockets.
// It returns errReplaced if the controller ends instead.
func (r *runner) restored(ctx context.Context) error {
	r.away.end()
	if r.away.replaced() {
		r.lost()
		return errReplaced
	}
	err := r.right.Renew(ctx)
	var running *lease.RunningError
	switch {
	case err == nil:
		openSockets(r.server, r.log)
	case errors.As(err, &running): // it locked the new file before leave saw that the old one was gone
		r.yield()
		return errReplaced
	}
	return err
}

// run serves and reconciles until ctx is cancelled.
func (r *runner) run(ctx context.Context) error {
	r.serve(ctx)
	defer r.server.Close()
	r.lines.printf("%s: controller started (pid %d)", r.Root, os.Getpid())
	go func() {
		r.lines.printSummary(ctx, r.manager)
		debug.FreeOSMemory() // a controller runs for long, and needs most memory at its start
	}()
	go r.claims.run(ctx)
	if r.UntilIdle > 0 {
		go r.endWhenIdle(ctx)
	}
	err := r.manager.Run(ctx)
	if errors.Is(err, errReplaced) {
		err = nil
	}
	r.lines.flush()
	r.lines.printf("%s: controller ended", r.Root)
	return errors.Join(err, r.lines.err())
}

// serve opens the sockets. Queries keep the controller running.
func (r *runner) serve(ctx context.Context) {
	tell := sockets{specs: r.specs, files: r.files, code: r.code, stop: r.end, answered: r.idle.queryEnded, carry: r.carry, repo: func() mutate.Repo { return userRepo(r.store) }}
	if r.UntilIdle == 0 { // a user may watch the output
		denied := newDenials(layout.Root(r.Root), r.lines, time.Now())
		tell.hookAnswered = func() { denied.tell(time.Now()) }
	}
	r.server = serveSockets(ctx, r.Options, r.manager, r.packs, tell, r.log)
	r.idle.hasWatcher = r.server.IsWatched
}

// carry executes a request of a hook, which may not write specs.
func (r *runner) carry(ctx context.Context, w requests.Request) error {
	return queue.Execute(ctx, mutate.Open(r.store, time.Now, false), w)
}

// userRepo opens a repository for a change that a user requests from the controller. As with
// commands, objects that the user trusts remain trusted after the change.
func userRepo(files mutate.Store) mutate.Repo {
	repo, root := mutate.Open(files, time.Now, false), files.Root()
	repo.Neighbors = serve.Neighbors{Root: root}
	repo.OnWrite = func(key resources.Key, before []byte) { _ = trust.StoreOf(os.Getenv).Extend(root, key, before) }
	return repo
}

// endWhenIdle ends a controller that is no longer in use.
func (r *runner) endWhenIdle(ctx context.Context) {
	if !r.idle.wait(ctx) {
		return
	}
	why := "no session for " + r.UntilIdle.String()
	if r.idle.allEnded() {
		why = "the last session ended"
	}
	r.lines.printf("%s: %s", r.Root, why)
	r.manager.Client("controller").Event(configKey, resources.Normal, "IdleEnd", "%s: controller stopped; the next session starts a new one", why)
	_ = lifecycle.ResetStarts(layout.Root(r.Root)) // otherwise this start counts toward the restart limit
	r.end()
}
