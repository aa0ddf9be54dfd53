// Package daemon runs the controller of a repository, in the foreground (idumb up,
// idumb-controller) and in the background (idumb controller start), and tells what
// is known of one that runs.
package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/interrupt"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/life"
	"github.com/idumb-dev/idumb/controller/life/lease"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// Options say how a controller is to run.
type Options struct {
	Root    string // of the repository: the folder that .idumb stands in
	Version string // of the program
	// UntilIdle is how long no session was heard of when the controller ends by itself,
	// that long after its start at the earliest; 0: it does not.
	UntilIdle time.Duration
	Poll      time.Duration // look for changes this often in place of inotify; 0: as config says
	Out       io.Writer     // gets one line per change; nil: nobody wants them
	Err       io.Writer     // gets the log; nil: nobody wants it
	// Hooks makes what answers hooks, once everything is in the cache; nil: the cache answers.
	Hooks func(*controller.Manager) serve.HookAnswerer
}

// Run is the controller of a repository until ctx ends, which is not an error. It
// returns a *lease.RunningError if there is one already, and an error in a tree that
// another user owns.
func Run(ctx context.Context, o Options) error {
	store, err := filestore.Open(o.Root)
	if err == nil {
		err = trust.Owned(layout.Root(o.Root))
	}
	if err != nil {
		return err
	}
	life.Keep()
	right, err := lease.Acquire(ctx, o.Root, o.Version)
	if err != nil {
		return err
	}
	defer right.Release()
	log := slog.New(slog.NewTextHandler(orDiscard(o.Err), nil))
	config := settings(ctx, store)
	limitMemory(config)
	store.SetWatchOptions(filestore.WatchOptions{
		Poll: cmp.Or(o.Poll, resources.Duration(config.Controller.Poll, 0)),
		Log:  func(message string) { log.Warn(message, "controller", "watch") },
		Lost: func() bool { return !right.Held() },
	})
	lines := &lines{out: orDiscard(o.Out), archived: archive(o.Root)}
	idle := newIdleTimer(o.UntilIdle, os.Getenv(life.OneJobVariable) == life.OneJob)
	ctx, end := context.WithCancel(ctx)
	defer end()
	was, _ := os.Open(o.Root)
	defer was.Close()
	away := &goneTimer{root: o.Root, was: was, gone: func() { lines.printf("%s: the repository is gone", o.Root); end() }}
	defer away.end()
	var server *serve.Server
	packs, specs := reconcilers.NewPacks(), hooks.NewSpecs()
	files, code := newMap(layout.Root(o.Root), packs)
	var m *controller.Manager
	claims := newClaimsLoop(store, log, func() controller.Client { return m.Client("sync") }, func() { idle.heard(time.Now()) })
	m = controller.New(store, reconcilers.All(packs, mutate.Open(store, time.Now, false)), controller.Options{
		Version: o.Version, Log: log,
		OnEvent: lines.event,
		OnChange: func(c controller.Change) {
			idle.change(c)
			memoryChange(c)
			lines.change(c)
			claims.change(c)
			tellOfWork(code, c)
			if !c.First && c.Old != c.New {
				specs.Note(c.Key, c.Old, c.New)
			}
		},
		OnMissing: func(c controller.Change) { specs.Note(c.Key, c.Old, nil) },
		OnLeave:   away.begin,
		OnReturn: func() error {
			away.end()
			if away.replaced() {
				away.gone()
				return errAnother
			}
			err := right.Renew(ctx)
			if err == nil {
				openSockets(server, log)
			}
			return err
		},
		Held: right.Held,
	})
	tell := sockets{specs: specs, files: files, code: code, stop: end, answered: idle.answered, repo: func() mutate.Repo { return personsRepo(store) }}
	if o.UntilIdle == 0 { // a person may be reading along
		tell.denied = newDenials(layout.Root(o.Root), lines, time.Now())
	}
	server = serveSockets(ctx, o, m, packs, tell, log)
	idle.watched = server.Watched
	defer server.Close()
	lines.printf("%s: controller started (pid %d)", o.Root, os.Getpid())
	go func() {
		lines.settled(ctx, m)
		debug.FreeOSMemory() // a controller lives for long, and needs less than its start for most of that
	}()
	go claims.run(ctx)
	if o.UntilIdle > 0 {
		go endWhenIdle(ctx, o, idle, lines, m.Client("controller"), end)
	}
	if err = m.Run(ctx); errors.Is(err, errAnother) {
		err = nil
	}
	lines.flush()
	lines.printf("%s: controller ended", o.Root)
	return errors.Join(err, lines.err())
}

// personsRepo opens a repository for a change that a person asks the controller for: what they trust
// they trust as they change it, as with their own commands.
func personsRepo(files mutate.Store) mutate.Repo {
	repo, root := mutate.Open(files, time.Now, false), files.Root()
	repo.Around = serve.Around{Root: root}
	repo.Wrote = func(key resources.Key, before []byte) { _ = trust.For(os.Getenv).Keep(root, key, before) }
	return repo
}

// errAnother ends a controller whose repository is gone, and in whose place there is another one.
var errAnother = errors.New("another folder stands where the repository stood")

// configKey is what events are about that are about the controller itself.
var configKey = resources.Key{Kind: resources.Configs, Name: resources.ConfigName}

// endWhenIdle ends a controller that nobody needs any more.
func endWhenIdle(ctx context.Context, o Options, v *idleTimer, l *lines, events controller.Client, end func()) {
	if !v.wait(ctx) {
		return
	}
	why := "no session for " + o.UntilIdle.String()
	if v.allEnded() {
		why = "the last session ended"
	}
	l.printf("%s: %s", o.Root, why)
	events.Event(configKey, resources.Normal, "IdleEnd", "%s: the controller ends, and the next session starts one", why)
	_ = life.Rest(layout.Root(o.Root)) // else a start more counts
	end()
}

// archive returns whether an object stands in the archive of the repository.
func archive(root string) func(resources.Key) bool {
	return func(key resources.Key) bool {
		_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(layout.ArchivePath(key))))
		return err == nil
	}
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// Foreground is Run as a command: it ends cleanly on Ctrl-C and SIGTERM, at once on
// the second of them, and finds nothing wrong with another controller that runs,
// of which it tells. That a person runs it means that they want one: see package life.
func Foreground(ctx context.Context, o Options) error {
	if o.UntilIdle == 0 && trust.Owned(layout.Root(o.Root)) == nil {
		if err := life.Want(layout.Root(o.Root)); err != nil {
			return err
		}
	}
	if log := backgroundLog(layout.Root(o.Root), o.Err); log != o.Err {
		o.Out, o.Err = log, log
	}
	ctx, stop := interrupt.Context(ctx, stopSignals...)
	defer stop()
	err := Run(ctx, o)
	if running := (*lease.RunningError)(nil); errors.As(err, &running) {
		if status, asked := Inspect(context.WithoutCancel(ctx), o.Root); asked == nil && status.Running {
			running.Holder = status.Holder
		}
		_, err = fmt.Fprintln(orDiscard(o.Out), running.Error()+"; idumb events -w shows what it does")
	}
	return err
}
