// Package controllerprocess runs the controller of a repository, in the foreground (idumb up,
// idumb-controller) and in the background (idumb controller start), and inspects a running one.
package controllerprocess

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

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources"
)

// Options are the options of a controller.
type Options struct {
	Root    string // root of the repository: the directory that contains .idumb
	Version string // version of the program
	// UntilIdle is the time without active sessions after which the controller ends. It counts from
	// the start at the earliest. 0 means never.
	UntilIdle time.Duration
	Poll      time.Duration // interval of polling instead of inotify; 0 means the value of the config
	Output    io.Writer     // receives one line per change; nil discards them
	Err       io.Writer     // receives the log; nil discards it
	// Hooks returns the answerer of hooks, and is called when the cache is complete; nil means the
	// default answerer.
	Hooks func(*controller.Manager) serve.HookAnswerer
}

// Run runs the controller of a repository until ctx is cancelled, which is not an error. It returns
// a *lease.RunningError if a controller is already running. It returns an error if another user
// owns the tree.
func Run(ctx context.Context, o Options) error {
	store, err := filestore.Open(o.Root)
	if err == nil {
		err = trust.Owned(layout.Root(o.Root))
	}
	if err != nil {
		return err
	}
	lifecycle.Keep()
	right, err := lease.Acquire(ctx, o.Root, o.Version)
	if err != nil {
		return err
	}
	defer right.Release()
	log := slog.New(slog.NewTextHandler(orDiscard(o.Err), nil))
	config := settings(ctx, store)
	limitMemory(config)
	store.SetWatchOptions(filestore.WatchOptions{
		Poll:      cmp.Or(o.Poll, resources.Duration(config.Controller.Poll, 0)),
		Log:       func(message string) { log.Warn(message, "controller", "watch") },
		WriteLost: func() bool { return !right.IsHeld() },
	})
	ctx, end := context.WithCancel(ctx)
	defer end()
	was, _ := os.Open(o.Root)
	defer was.Close()
	r := &runner{
		Options: o, store: store, right: right, log: log, end: end,
		lines: &lines{writer: orDiscard(o.Output), archived: archive(o.Root)},
		idle:  newIdleTimer(o.UntilIdle, os.Getenv(lifecycle.OneJobVariable) == lifecycle.OneJob),
		specs: hooks.NewSpecs(), packs: reconcilers.NewPacks(),
	}
	r.files, r.code = newMap(layout.Root(o.Root), r.packs)
	r.claims = newClaimsLoop(store, log, func() controller.Client { return r.manager.Client("sync") }, func() { r.idle.recordActivity(time.Now()) })
	r.away = &goneTimer{root: o.Root, was: was, repositoryLost: r.lost}
	defer r.away.end()
	r.manager = controller.New(store, reconcilers.All(r.packs, mutate.Open(store, time.Now, false)), r.options(ctx))
	return r.run(ctx)
}

// errReplaced ends the controller when another directory replaced the repository, or another
// controller has the lease.
var errReplaced = errors.New("the repository directory or its controller was replaced")

// configKey is the object of events about the controller.
var configKey = resources.Key{Kind: resources.Configs, Name: resources.ConfigName}

// archive returns a function that reports whether an object is archived in the repository.
func archive(root string) func(resources.Key) bool {
	return func(key resources.Key) bool {
		_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(layout.ArchivePath(key))))
		return err == nil
	}
}

// orDiscard returns w, or io.Discard if it is nil.
func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// Foreground runs a controller as a command. It ends cleanly on Ctrl-C and SIGTERM, and
// immediately on the second signal. If another controller is running, it prints that and returns
// nil. A user's call also permits automatic starts, see package lifecycle.
func Foreground(ctx context.Context, o Options) error {
	if o.UntilIdle == 0 && trust.Owned(layout.Root(o.Root)) == nil {
		if err := lifecycle.AllowStart(layout.Root(o.Root)); err != nil {
			return err
		}
	}
	if log := backgroundLog(layout.Root(o.Root), o.Err); log != o.Err {
		o.Output, o.Err = log, log
	}
	ctx, stop := terminal.SignalContext(ctx, stopSignals...)
	defer stop()
	err := Run(ctx, o)
	if running := (*lease.RunningError)(nil); errors.As(err, &running) {
		if status, asked := Inspect(context.WithoutCancel(ctx), o.Root); asked == nil && status.Running {
			running.Holder = status.Holder
		}
		_, err = fmt.Fprintln(orDiscard(o.Output), running.Error()+"; idumb get events -w shows its events")
	}
	return err
}

// limitMemory applies the memory limit of the settings, unless the environment sets GOMEMLIMIT.
func limitMemory(settings *resources.ConfigSpec) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(settings.Controller.MemoryMB) << 20)
	}
}

// settings returns the effective settings when the controller starts. It returns the defaults if
// config.json cannot be read.
func settings(ctx context.Context, s *filestore.Store) *resources.ConfigSpec {
	var config *resources.Config
	if record, err := s.Get(ctx, configKey); err == nil {
		if object, _, err := resources.Read(configKey, record.Spec); err == nil {
			config, _ = object.(*resources.Config)
		}
	}
	return resources.EffectiveConfig(config)
}
