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
	"sync"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/interrupt"
	"github.com/idumb-dev/idumb/cmd/internal/trust"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
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
}

// Run is the controller of a repository until ctx ends, which is not an error. It
// returns a *controller.RunningError if there is one already, and an error in a tree that
// another user owns.
func Run(ctx context.Context, o Options) error {
	store, err := filestore.Open(o.Root)
	if err == nil {
		err = trust.Owned(layout.Root(o.Root))
	}
	if err != nil {
		return err
	}
	lease, err := controller.Acquire(ctx, o.Root, o.Version)
	if err != nil {
		return err
	}
	defer lease.Release()
	log := slog.New(slog.NewTextHandler(orDiscard(o.Err), nil))
	store.SetWatchOptions(filestore.WatchOptions{
		Poll: cmp.Or(o.Poll, configuredPoll(ctx, store)),
		Log:  func(message string) { log.Warn(message, "controller", "watch") },
		Lost: func() bool { return !lease.Held() },
	})
	lines := &lines{out: orDiscard(o.Out), archived: archive(o.Root)}
	vigil := newVigil(o.UntilIdle)
	rest, feed, mems := nudgesFrom(rests), nudgesFrom(feeds), nudgesFrom(indexes)
	ctx, end := context.WithCancel(ctx)
	defer end()
	away := &absence{root: o.Root, gone: func() { lines.printf("%s: the repository is gone", o.Root); end() }}
	defer away.end()
	m := controller.New(store, reconcilers.All(), controller.Options{
		Root: o.Root, Version: o.Version, Log: log,
		OnEvent: lines.event,
		OnChange: func(c controller.Change) {
			vigil.change(c)
			lines.change(c)
			rest.change(c)
			feed.change(c)
			mems.change(c)
		},
		OnLeave:  away.begin,
		OnReturn: func() error { away.end(); return lease.Renew(ctx) },
		Held:     lease.Held,
	})
	lines.printf("%s: controller started (pid %d)", o.Root, os.Getpid())
	thrift := spend()
	go func() {
		defer thrift()
		lines.settled(ctx, m)
	}()
	var queueEnded sync.WaitGroup
	queueEnded.Go(func() { drainQueue(ctx, o, store, m.Client("queue"), log) })
	queueEnded.Go(func() { keepExports(ctx, o.Root, store, m.Client("exports"), rest.c, log) })
	queueEnded.Go(func() { feedMemory(ctx, o.Root, store, m.Client("feed"), feed, log) })
	queueEnded.Go(func() { keepIndex(ctx, o.Root, m.Client("index"), mems) })
	defer queueEnded.Wait()
	defer end()
	if o.UntilIdle > 0 {
		go func() {
			if vigil.wait(ctx) {
				lines.printf("%s: no session for %s", o.Root, o.UntilIdle)
				m.Client("controller").Event(configKey, resources.Normal, "IdleEnd", "no session was heard of for %s: the controller ends, and the next session starts one", o.UntilIdle)
				end()
			}
		}()
	}
	err = m.Run(ctx)
	lines.flush()
	lines.printf("%s: controller ended", o.Root)
	return errors.Join(err, lines.err())
}

// configKey is what events are about that are about the controller itself.
var configKey = resources.Key{Kind: resources.Configs, Name: resources.ConfigName}

// configuredPoll is config.controller.poll as it is when the controller starts; 0
// if it is not set or cannot be read.
func configuredPoll(ctx context.Context, s *filestore.Store) time.Duration {
	record, err := s.Get(ctx, configKey)
	if err != nil {
		return 0
	}
	object, _, err := resources.Read(configKey, record.Spec)
	if err != nil {
		return 0
	}
	return resources.Duration(object.(*resources.Config).Spec.Controller.Poll, 0)
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
// of which it tells.
func Foreground(ctx context.Context, o Options) error {
	ctx, stop := interrupt.Context(ctx, stopSignals...)
	defer stop()
	err := Run(ctx, o)
	if running := (*controller.RunningError)(nil); errors.As(err, &running) {
		_, err = fmt.Fprintln(orDiscard(o.Out), running.Error())
	}
	return err
}
