package daemon

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/cmd/internal/queue"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/watch"
)

// retryQueue is how long a command waits that cannot be carried out for now.
const retryQueue = 5 * time.Second

// drainQueue carries out what is appended to the queue, until ctx ends. It waits for the
// system to say that the file changed.
func drainQueue(ctx context.Context, o Options, files *filestore.Store, events controller.Client, log *slog.Logger) {
	root := layout.Root(o.Root)
	d := &queue.Drainer{
		Root: root, Repo: mutate.Open(files, time.Now, false), Now: time.Now,
		Tell: func(id, verb, reason string) {
			if reason != "" {
				events.Event(configKey, resources.Warning, "QueueSetAside", "queued command %s %s was set aside: %s; see .idumb/quarantine/queue", verb, id, reason)
			}
		},
	}
	wake := make(chan struct{}, 1)
	w := &watch.Watcher{Root: filepath.Join(o.Root, layout.Dir), File: func(path string) bool { return path == root.Abs(queue.File) }, Poll: o.Poll}
	go func() {
		_ = w.Run(ctx, func(string) {
			select {
			case wake <- struct{}{}:
			default:
			}
		})
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-timer.C:
		}
		again, err := d.Drain(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("the queue waits", "controller", "queue", "error", err)
			again = retryQueue
		}
		timer.Stop()
		if again > 0 {
			timer.Reset(again)
		}
	}
}
