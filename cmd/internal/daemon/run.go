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
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/interrupt"
	"github.com/idumb-dev/idumb/controller"
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
	ctx, end := context.WithCancel(ctx)
	defer end()
	was, _ := os.Open(o.Root)
	defer was.Close()
	r := newRunner(o, store, right, log, end)
	r.away = &goneTimer{root: o.Root, was: was, gone: r.gone}
	defer r.away.end()
	r.manager = controller.New(store, reconcilers.All(r.packs, mutate.Open(store, time.Now, false)), r.options(ctx))
	return r.run(ctx)
}

// errAnother ends a controller whose repository is gone, and in whose place there is another one.
var errAnother = errors.New("another folder stands where the repository stood")

// configKey is what events are about that are about the controller itself.
var configKey = resources.Key{Kind: resources.Configs, Name: resources.ConfigName}

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
		_, err = fmt.Fprintln(orDiscard(o.Out), running.Error()+"; idumb get events -w shows what it does")
	}
	return err
}
