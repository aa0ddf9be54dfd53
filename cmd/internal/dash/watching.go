package dash

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/watch"
)

// retryDelay is the delay before a failed watch is retried.
const retryDelay = time.Second

// runWatcher watches files that are shown and are not objects: records of the gate, events, and the
// controller's socket.
func runWatcher(root layout.Root) *watch.Watcher {
	hook, events, run := root.Abs(layout.HookDir), root.Abs(layout.EventsDir), root.Abs(layout.RunDir)
	socket := root.Abs(layout.APISocket)
	return &watch.Watcher{
		Root: root.Abs(layout.Dir),
		Folder: func(abs string) bool {
			return abs == run || abs == events || abs == hook || strings.HasPrefix(abs, hook+string(filepath.Separator))
		},
		File: func(abs string) bool {
			dir := filepath.Dir(abs)
			return abs == socket || dir == events || dir == hook || strings.HasPrefix(dir, hook+string(filepath.Separator))
		},
	}
}

// watchRun signals changes of files that are not objects.
func (f *Feed) watchRun(ctx context.Context) {
	for ctx.Err() == nil {
		_ = f.run.Run(ctx, func(string) { wake(f.changed) }) // retried after an error
		nap(ctx)
	}
}

// watchFiles signals changes of objects.
func (f *Feed) watchFiles(ctx context.Context) {
	for ctx.Err() == nil {
		_ = f.Files.Watch(ctx, func(resources.Key) { wake(f.changed) }) // retried after an error
		nap(ctx)
	}
}

// nap waits for retryDelay, or until ctx ends.
func nap(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(retryDelay):
	}
}
